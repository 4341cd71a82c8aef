//! That `tests/flaky` lists what fails by chance, and goes on where it stopped.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::said;

/// Two runs of it share a file that the first leaves behind, so that every second one fails; the other program notes
/// its runs.
const PLANTED: &str = "echo found; if [ -e shared ]; then rm shared; exit 1; fi; touch shared";

#[test]
fn a_planted_race_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("planted"), PLANTED).unwrap();
    fs::write(place.join("steady"), "echo run >>runs").unwrap();
    let line = |name, hash| format!("crate/{name}\t{hash}\t{}\tsh {name}\n", place.display());
    let list = place.join("list");
    fs::write(&list, line("planted", 1) + &line("steady", 1)).unwrap();
    let flaky = |times| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../flaky");
        let mut command = Command::new("bash");
        command.arg(script).arg(times).env("KUJIRA_FLAKY_PROGRAMS", &list);
        command.env("KUJIRA_FLAKY", place.join("log")).env_remove("KUJIRA_FLAKY_JOBS");
        let output = command.output().unwrap();
        (output.status.code(), said(&output))
    };
    let runs = || fs::read_to_string(place.join("runs")).unwrap().lines().count();
    let (status, text) = flaky("4");
    assert_eq!((status, runs()), (Some(1), 4), "{text}");
    assert!(text.contains("\ncrate/planted: 2 of 4 runs failed\n"), "{text}");
    assert!(text.contains("flaky programs=2 runs=8 failed=2 "), "{text}");
    assert_eq!(fs::read_to_string(place.join("log/failed/crate-planted.1.2")).unwrap(), "found\n");
    // Only what was not run yet, and what was built anew.
    let (_, text) = flaky("5");
    assert_eq!(runs(), 5, "{text}");
    fs::write(&list, line("steady", 2)).unwrap();
    let (status, text) = flaky("5");
    assert_eq!((status, runs()), (Some(0), 10), "{text}");
}
