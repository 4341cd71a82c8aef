//! `factorial` with scripted engines, one of whose numbers decides every game.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use kujira_arena::journal::read_journal;
use kujira_record::played::GameRecord;
#[cfg(unix)]
use kujira_trial::wait_until;

use crate::harness::{Place, said};

const ARGUMENTS: [&str; 6] = [
    "--nodes=1",
    "--factor=patience=1,500",
    "--factor=idle=-3,9",
    "--factor=Seed=3,4",
    "--pairs-per-row=2",
    "--seed=3",
];

fn row_path(place: &Place, row: usize) -> std::path::PathBuf {
    place.path(&format!("match-row-{row:03}.jsonl"))
}

fn row(place: &Place, row: usize) -> Vec<GameRecord> {
    let text = fs::read(row_path(place, row)).unwrap();
    let (header, games, whole) = read_journal(&text, false).unwrap();
    assert!(header.is_some() && whole == text.len() as u64);
    games
}

fn rows(place: &Place) -> Vec<BTreeSet<String>> {
    (1..=4).map(|number| row(place, number).iter().map(GameRecord::usi).collect()).collect()
}

fn run(place: &Place, arguments: &[&str]) -> (bool, String) {
    let engine = [place.engine(&["--numbers"], &["option.EvalFile=none"])];
    let output = place.command("factorial whale", &engine, arguments).output().unwrap();
    (output.status.success(), said(&output))
}

#[test]
fn a_run_tells_what_decides_and_can_be_taken_up() {
    let place = Place::new();
    let (well, text) = run(&place, &[&ARGUMENTS[..], &["--concurrency=3"]].concat());
    assert!(well, "{text}");
    assert!(!place.something_runs());
    // Who gives up at the first move loses every game: half a point, and no spread within rows.
    let table = "\
factor        low     high      Elo
patience        1      500   +347.4
idle           -3        9     +0.0
Seed            3        4     +0.0

Elo of high over low; pairs all alike in every row: no error bar
Each row plays its opposite, so that";
    assert!(text.contains("3 factors, 4 rows of 4 games\n") && text.contains(table), "{text}");
    for line in ["row 1 of 4: +4 =0 -0\n", "row 2 of 4: +0 =0 -4\n", "games 16 ("] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let mut openings = BTreeSet::new();
    for (number, values) in [(1, ["500", "9", "4"]), (2, ["1", "9", "3"]), (3, ["500", "-3", "3"])]
    {
        for game in row(&place, number) {
            let first = if game.id.leg == 0 { &game.black } else { &game.white };
            let found = ["patience", "idle", "Seed"].map(|name| &first.options[name][..]);
            assert_eq!((&first.name[..], found), (&format!("row {number}")[..], values));
            assert_eq!(first.options["EvalFile"], "none");
            openings.insert(game.opening);
        }
    }
    openings.extend(row(&place, 4).into_iter().map(|game| game.opening));
    assert_eq!(openings.len(), 8, "no opening is played in two rows");
    let all = rows(&place);

    // As after a crash in the third row; on one thread now.
    for (number, lines) in [(3, 2), (4, 1)] {
        let journal = fs::read_to_string(row_path(&place, number)).unwrap();
        let lines: String = journal.split_inclusive('\n').take(lines).collect();
        fs::write(row_path(&place, number), lines + "{\"game\":{\"rou").unwrap();
        // A game is in the journal before it is in any other file.
        for ending in ["usi", "pgn"] {
            fs::write(row_path(&place, number).with_extension(ending), "").unwrap();
        }
    }
    let (well, text) = run(&place, &[&ARGUMENTS[..], &["--concurrency=1"]].concat());
    assert!(well && text.contains("taking up the run, of which 3 rows are begun\n"), "{text}");
    assert!(text.contains("taking up the match after 1 games") && text.contains(table), "{text}");
    assert_eq!(rows(&place), all);

    // More pairs are the same run.
    let longer = ["--nodes=1", "--pairs-per-row=3", "--seed=3"];
    let longer = [&longer[..], &ARGUMENTS[1..4]].concat();
    let (well, text) = run(&place, &longer);
    assert!(well && text.contains("4 rows of 6 games") && text.contains(table), "{text}");
    for (before, after) in all.iter().zip(rows(&place)) {
        assert!(after.len() > before.len() && before.is_subset(&after));
    }

    // Fewer would leave out what was played.
    let (well, text) = run(&place, &ARGUMENTS);
    assert!(!well && text.contains("expected at least 3 pairs a row, as were played, found 2"));

    // Another one is refused, and nothing of this is lost.
    let before = fs::read_to_string(row_path(&place, 1)).unwrap();
    for (index, other) in [(2, "--factor=idle=-3,8"), (5, "--seed=4"), (0, "--nodes=2")] {
        let mut arguments = ARGUMENTS;
        arguments[index] = other;
        let (well, text) = run(&place, &arguments);
        assert!(!well && text.contains("expected the match that "), "{other}: {text}");
        assert_eq!(fs::read_to_string(row_path(&place, 1)).unwrap(), before);
    }
    // All rows are looked at before any is thrown away or begun, those that are to vanish too.
    let other = ["--nodes=2", "--factor=patience=500,1", "--pairs-per-row=2", "--fresh"];
    let (kept, not_ours) = (contents(&place), place.path("match-row-005.jsonl"));
    let locked = fs::File::open(row_path(&place, 4)).unwrap();
    locked.try_lock().unwrap();
    for arguments in [&other[..], &[&ARGUMENTS[..], &["--fresh"]].concat()] {
        let (well, text) = run(&place, arguments);
        assert!(!well && text.contains("match-row-004.jsonl: another run is writing here"));
        assert_eq!(contents(&place), kept);
    }
    // Not by closing it: a child that another test has just begun may have it, too.
    locked.unlock().unwrap();
    fs::write(&not_ours, "mine\n").unwrap();
    let (well, text) = run(&place, &other);
    assert!(well && text.contains("\npatience      500        1   -347.4\n"), "{text}");
    assert_eq!((row(&place, 1).len(), row(&place, 2).len()), (4, 4));
    let names: Vec<String> = contents(&place).into_keys().collect();
    let rows = ["001", "002"]
        .map(|row| [".jsonl", ".pgn", ".usi"].map(|ending| format!("match-row-{row}{ending}")));
    let rows = rows.concat();
    assert_eq!(
        names,
        [&rows[..], &["match-row-005.jsonl".to_owned(), "match.openings".to_owned()]].concat()
    );
    assert_eq!(fs::read_to_string(&not_ours).unwrap(), "mine\n");

    // A row that is something else leaves those before it as they were, which here is not there.
    let place = Place::new();
    fs::write(row_path(&place, 4), "mine\n").unwrap();
    let (well, text) = run(&place, &ARGUMENTS);
    assert!(!well && text.contains("match-row-004.jsonl: "), "{text}");
    assert!(contents(&place).values().all(|text| text.is_empty() || text == "mine\n"));
    fs::remove_file(row_path(&place, 4)).unwrap();
    fs::write(place.path("match.openings"), "startpos moves 2e2d 5b5c\n").unwrap();
    let (well, text) = run(&place, &ARGUMENTS);
    assert!(!well && text.contains("expected no openings at "), "{text}");
}

/// The files there, by name.
fn contents(place: &Place) -> BTreeMap<String, String> {
    let files = fs::read_dir(place.path(".")).unwrap().map(|entry| entry.unwrap());
    files
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

#[test]
fn wrong_factors_are_named() {
    let place = Place::new();
    let few = place.path("few");
    fs::write(&few, "startpos moves 2e2d 5b5c\n").unwrap();
    let few = format!("--openings={}", few.display());
    for (arguments, expected) in [
        (
            &["--factor=speed=1,2"] as &[&str],
            "whole numbers (Seed, patience, idle), found \"speed\"",
        ),
        (&["--factor=idle=0,10"], "--factor: idle: expected values from -9 to 9, found 10"),
        (&["--factor=idle=3,3"], "idle: expected two values, found 3 twice"),
        (&["--factor=idle=3"], "expected NAME=LOW,HIGH with whole numbers, found \"idle=3\""),
        (
            &["--factor=idle=3,4", "--factor=idle=5,6"],
            "expected every factor once, found idle twice",
        ),
        (&["--pairs-per-row=2"], "--factor <NAME=LOW,HIGH>"),
        (&["--factor=idle=3,4", "--pairs-per-row=1"], "invalid value '1'"),
        (&["--factor=idle=3,4", &few], "expected 4 openings, one for each pair of 2 rows, found 1"),
    ] {
        let pairs = if arguments.iter().any(|argument| argument.starts_with("--pairs")) {
            &[] as &[&str]
        } else {
            &["--pairs-per-row=2"]
        };
        let (well, text) = run(&place, &[&["--nodes=1"], arguments, pairs].concat());
        assert!(!well && text.contains(expected), "{expected} in {text}");
    }
    assert!(!row_path(&place, 1).exists());
    let many: Vec<String> = (0..256).map(|index| format!("--factor=f{index}=1,2")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let (well, text) = run(&place, &[&["--nodes=1", "--pairs-per-row=2"], &many[..]].concat());
    assert!(!well && text.contains("--factor: expected 1 to 255 factors, found 256"), "{text}");
    assert!(!place.something_runs());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_can_go_on() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    // Enough for the longest of a row's four games, and for no more than three.
    let hold = place.hold(30);
    let engine = [place.engine(&["--numbers", &hold], &[])];
    let arguments = [
        "--nodes=1",
        "--factor=Seed=1,2",
        "--factor=idle=1,2",
        "--pairs-per-row=2",
        "--max-plies=60",
        "--concurrency=1",
    ];
    let mut command = place.command("factorial whale", &engine, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    wait_until("a game is on disk", || place.lines("match-row-001.jsonl") > 1);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    place.let_go();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("\nstopped in row "), "{text}");
    assert!(!text.contains("Elo of high over low"), "{text}");
    assert!(!place.something_runs());
    let output = place.command("factorial whale", &engine, &arguments).output().unwrap();
    let text = said(&output);
    assert!(output.status.success() && text.contains("taking up the run, of which "), "{text}");
    assert!(text.contains("Elo of high over low"), "{text}");
    assert_eq!((1..=4).map(|number| row(&place, number).len()).collect::<Vec<_>>(), [4; 4]);
}

/// What an engine has judged is kept, whatever happens before the first game.
#[cfg(unix)]
#[test]
fn judged_openings_are_kept() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    // Half of what it sees is even.
    let hold = place.hold(40);
    let engine = [place.engine(&["--numbers", "--fault=unknown", &hold], &[])];
    let arguments = [
        "--nodes=1",
        "--factor=Seed=1,2",
        "--pairs-per-row=40",
        "--max-score=100",
        "--max-plies=10",
        "--concurrency=1",
    ];
    let lines = || {
        let text = fs::read_to_string(place.path("match.openings")).unwrap_or_default();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut command = place.command("factorial whale", &engine, &arguments);
    let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    wait_until("openings are judged", || lines().len() >= 5);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    place.let_go();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("openings are judged: 0 of 80 are there\n"), "{text}");
    assert!(text.contains("\nstopped among openings; the same command"), "{text}");
    assert!(!place.something_runs());
    let before = lines();
    assert!((5..80).contains(&before.len()), "{before:?}");

    let mut command = place.command("factorial whale", &engine, &arguments);
    let output = command.output().unwrap();
    let text = said(&output);
    assert!(output.status.success() && text.contains("Elo of high over low"), "{text}");
    let there = format!("openings are judged: {} of 80 are there\n", before.len());
    assert!(text.contains(&there), "{text}");
    let all = lines();
    assert!(all.len() == 80 && all.starts_with(&before));
    for number in 1..=2 {
        for game in row(&place, number) {
            assert_eq!(game.opening, all[2 * game.id.round as usize + number - 1]);
        }
    }

    // Those that were played must be the same.
    let (first, second) = (&all[0], &all[1]);
    let turned = [&[second.clone(), first.clone()], &all[2..]].concat().join("\n") + "\n";
    fs::write(place.path("match.openings"), turned).unwrap();
    let output = place.command("factorial whale", &engine, &arguments).output().unwrap();
    let text = said(&output);
    assert!(!output.status.success() && text.contains("as in the journal's games"), "{text}");
}
