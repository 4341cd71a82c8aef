//! Full disks, folders that may not be written, and things that are no files: one clear error, and nothing lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kujira_arena::journal::read_journal;
use kujira_trial::disk::{Mount, limited};
use kujira_trial::kills::leftovers;
use kujira_trial::{assert_ended, said};

use crate::harness::Place;

/// The commands that write, their further arguments, and the journal of each.
const COMMANDS: [(&str, &[&str], &str); 4] = [
    ("match", &["--pairs=12"], "match.jsonl"),
    ("sprt", &["--pairs=12", "--elo0=0", "--elo1=1"], "match.jsonl"),
    ("factorial", &["--factor=idle=-3,9", "--pairs-per-row=6"], "match-row-001.jsonl"),
    ("spsa", &["--params=Seed:2000", "--iterations=30"], "match.jsonl"),
];

fn command(place: &Place, name: &str, more: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    command.args([name, "whale", "--plain", "--nodes=1", "--max-plies=60", "--concurrency=1"]);
    command.args(place.engine(&["--numbers"], &["name=A", "option.Seed=5000"]));
    if ["match", "sprt"].contains(&name) {
        command.args(place.engine(&["--seed=2"], &["name=B"]));
    }
    command.arg("--out").arg(folder.join("match")).args(more);
    command
}

fn made(place: &Place, name: &str) -> PathBuf {
    let folder = place.path(name);
    fs::create_dir(&folder).unwrap();
    folder
}

fn well(output: &Output, what: &str) {
    assert!(output.status.success(), "{what}: {}", said(output));
}

/// What a run comes to, without times.
fn essence(journal: &Path) -> String {
    let text = fs::read(journal).unwrap();
    if let Ok((Some(_), iterations, _)) = kujira_arena::spsa::read(&text, false) {
        return format!("{iterations:?}");
    }
    let (_, games, whole) = read_journal(&text, false).unwrap();
    assert_eq!(whole, text.len() as u64);
    let mut games: Vec<_> = games.iter().map(|game| (game.id, game.usi())).collect();
    games.sort();
    format!("{games:?}")
}

/// When there is room again the run goes on where it stopped.
#[test]
fn a_full_disk_stops_a_run_and_loses_nothing() {
    let place = Place::new();
    for (name, more, journal) in COMMANDS {
        let whole = made(&place, &format!("{name}-whole"));
        well(&command(&place, name, more, &whole).output().unwrap(), name);
        let size = fs::metadata(whole.join(journal)).unwrap().len();
        let folder = made(&place, &format!("{name}-full"));
        let mut before = 0;
        for share in 1..4 {
            let blocks = size * share / 4 / 512;
            let output = limited(&command(&place, name, more, &folder), blocks).output().unwrap();
            assert_ended(&output, 1, name);
            let said = said(&output);
            assert!(said.contains("match") && said.contains("File too large"), "{name}: {said}");
            let now = fs::metadata(folder.join(journal)).unwrap().len();
            assert!(now >= before && now <= blocks * 512, "{name}: {before} {now}");
            before = now;
        }
        well(&command(&place, name, more, &folder).output().unwrap(), name);
        assert_eq!(essence(&folder.join(journal)), essence(&whole.join(journal)), "{name}");
        assert_eq!(leftovers(&folder), [""; 0]);

        let folder = place.path(&format!("{name}-small"));
        let kibibytes = u32::try_from(size / 2048).unwrap();
        let Some(disk) = Mount::small(&folder, kibibytes) else { continue };
        let output = command(&place, name, more, &folder).output().unwrap();
        assert_ended(&output, 1, name);
        assert!(said(&output).contains("No space left"), "{}", said(&output));
        disk.grow(kibibytes * 64);
        well(&command(&place, name, more, &folder).output().unwrap(), name);
        assert_eq!(essence(&folder.join(journal)), essence(&whole.join(journal)), "{name}");
    }
}

#[test]
fn folders_that_may_not_be_written_are_told() {
    let place = Place::new();
    let folder = made(&place, "locked");
    let Some(_mount) = Mount::read_only(&folder) else { return };
    for (name, more, _) in COMMANDS {
        let output = command(&place, name, more, &folder).output().unwrap();
        assert_ended(&output, 1, name);
        assert!(said(&output).contains("Read-only file system"), "{}", said(&output));
    }
    let openings = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.args(["openings", "whale", "--count=5", "--out"]).arg(path);
        command
    };
    let output = openings(&folder.join("x")).output().unwrap();
    assert_ended(&output, 1, "openings");
    assert!(said(&output).contains("x: Read-only file system"), "{}", said(&output));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn openings_are_written_whole_or_not_at_all() {
    let place = Place::new();
    let path = place.path("x");
    let openings = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.args(["openings", "whale", "--count=50", "--force", "--out"]).arg(path);
        command
    };
    fs::write(&path, "mine\n").unwrap();
    let output = limited(&openings(&path), 1).output().unwrap();
    assert_ended(&output, 1, "openings");
    assert!(said(&output).contains("x: File too large"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
    assert_eq!(leftovers(&place.path("")), [""; 0]);
    let output = openings(Path::new("/dev/full")).output().unwrap();
    assert_ended(&output, 1, "openings");
    assert!(
        said(&output).contains("/dev/full: expected a file or nothing, found a "),
        "{}",
        said(&output)
    );
}

#[test]
fn devices_take_no_journal() {
    for (name, more, journal) in COMMANDS {
        let place = Place::new();
        std::os::unix::fs::symlink("/dev/full", place.path(journal)).unwrap();
        let output = command(&place, name, more, &place.path("")).output().unwrap();
        assert_ended(&output, 1, name);
        let said = said(&output);
        assert!(said.contains(journal) && said.contains("found a "), "{name}: {said}");
    }
}
