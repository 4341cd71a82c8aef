//! Tuning runs with scripted engines, whose games depend on the number tuned.

use std::collections::BTreeSet;
use std::fs;

use kujira_arena::spsa::{IterationRecord, read};

use crate::harness::{Place, said};

const ARGUMENTS: [&str; 6] = [
    "--nodes=1",
    "--params=Seed:2000",
    "--iterations=6",
    "--pairs-per-iteration=2",
    "--every=2",
    "--seed=3",
];

fn iterations(place: &Place) -> Vec<IterationRecord> {
    let text = fs::read(place.path("match.jsonl")).unwrap();
    let (header, iterations, whole) = read(&text, false).unwrap();
    assert_eq!(header.unwrap().parameters[0].name, "Seed");
    assert_eq!(whole, text.len() as u64);
    iterations
}

#[test]
fn a_run_does_not_depend_on_interruptions_and_threads() {
    let place = Place::new();
    let engine = [place.engine(&[], &["option.Seed=5000"])];
    let run = |place: &Place, more: &[&str]| {
        let arguments = [&ARGUMENTS[..], more].concat();
        let output = place.command("spsa whale", &engine, &arguments).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    let text = run(&place, &["--concurrency=3"]);
    assert!(!place.something_runs());
    let all = iterations(&place);
    assert_eq!(all.len(), 6);
    let mut score = 0;
    for (index, iteration) in all.iter().enumerate() {
        assert_eq!(iteration.number as usize, index + 1);
        assert_eq!((iteration.games.iter().sum::<u32>(), iteration.openings.len()), (4, 2));
        assert!(iteration.plus[0].abs_diff(iteration.minus[0]) >= 4000);
        score += iteration.score().abs();
    }
    assert!(score > 0, "the numbers reach the games");
    assert_ne!(all[5].values, [5000.0], "and the games the numbers");
    for expected in [
        "iteration 6: +",
        "after 6 of 6 iterations",
        &format!("Seed   5000 -> {:.2}\n", all[5].values[0]),
        &format!("    Seed = {:.0}, 0..=1000000;\n", all[5].values[0].round()),
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }

    // As after a crash in the fourth iteration; on one thread now.
    let journal = fs::read_to_string(place.path("match.jsonl")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    fs::write(place.path("match.jsonl"), lines[..4].concat() + &lines[4][..20]).unwrap();
    let text = run(&place, &["--concurrency=1"]);
    assert!(text.contains("taking up the run after 3 iterations"), "{text}");
    assert_eq!(fs::read_to_string(place.path("match.jsonl")).unwrap(), journal);
}

/// What was tuned on some openings is judged on others, though nobody chose a seed.
#[test]
fn a_match_begins_from_other_openings() {
    let place = Place::new();
    let engine = [place.engine(&[], &[])];
    let output = place.command("spsa whale", &engine, &ARGUMENTS).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let tuned = iterations(&place).into_iter().flat_map(|iteration| iteration.openings);
    let tuned: BTreeSet<String> = tuned.collect();

    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&[], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=12", "--seed=3"]);
    let text = fs::read_to_string(place.path("match.openings")).unwrap();
    let judged: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    assert_eq!((tuned.len(), judged.len()), (12, 12));
    assert!(tuned.is_disjoint(&judged));
}

#[test]
fn wrong_numbers_are_named() {
    let place = Place::new();
    let engine = [place.engine(&[], &[])];
    for (argument, expected) in [
        ("--params=Speed", "expected names of the engine's whole numbers (Seed), found \"Speed\""),
        ("--params=all", "expected whole numbers named in lower case"),
        ("--params=Seed,Seed", "expected every name once, found Seed twice"),
        ("--params=Seed,seed", "expected every name once, found seed twice"),
        ("--params=Seed:fast", "--params Seed: expected a step, found \"fast\""),
        ("--params=Seed:0.1", "expected a step from 0.5 to 1000000, found 0.1"),
    ] {
        let arguments = ["--nodes=1", argument];
        let output = place.command("spsa whale", &engine, &arguments).output().unwrap();
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    }
    let arguments = ["--nodes=1", "--params=Seed", "--r-end=0"];
    let output = place.command("spsa whale", &engine, &arguments).output().unwrap();
    assert!(said(&output).contains("expected --r-end above 0"), "{}", said(&output));
    assert!(!place.something_runs());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_can_go_on() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    let engine = [place.engine(&["--pause=1"], &[])];
    let arguments = ["--nodes=1", "--params=Seed", "--iterations=100000"];
    let mut command = place.command("spsa whale", &engine, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    kujira_trial::wait_until("iterations are on disk", || place.lines("match.jsonl") > 2);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    let done = iterations(&place).len();
    assert!(done >= 2 && text.contains(&format!("after {done} of 100000 iterations")), "{text}");
    assert!(text.contains("stopped; the same command takes the run up again"), "{text}");
    assert!(!place.something_runs());
}
