//! What is written never goes over what is read, nor over a file that somebody else made.

use std::fs;
#[cfg(unix)]
use std::process::Stdio;

#[cfg(unix)]
use kujira_trial::soon;

use crate::harness::{Place, said};

const SHORT: [&str; 2] = ["--nodes=1", "--pairs=1"];
const MINE: &str = "my own notes\n";

/// Runs a command that has to be refused, whatever is forced if it is an input that would be lost.
fn refused(place: &Place, what: &str, engines: &[Vec<String>], more: &[&str], expected: &str) {
    let output = place.command(what, engines, more).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
}

#[test]
fn a_foreign_file_is_kept_even_by_a_fresh_start() {
    for (name, made) in [
        ("match.jsonl", "the journal of a match"),
        ("match.usi", "a file of a match with a journal"),
        ("match.pgn", "a file of a match with a journal"),
        ("match.openings", "a file of a match with a journal"),
    ] {
        let place = Place::new();
        let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
        let path = place.path(name);
        fs::write(&path, MINE).unwrap();
        let expected = format!("{name}: expected {made} or no file, found something else (--force");
        let fresh = [&SHORT[..], &["--fresh"]].concat();
        refused(&place, "match whale", &engines, &fresh, &expected);
        refused(&place, "match whale", &engines, &SHORT, name);
        assert_eq!(fs::read_to_string(&path).unwrap(), MINE);
        let forced = [&fresh[..], &["--force"]].concat();
        assert_eq!(place.run("match whale", &engines, &forced).1.len(), 2);
        // What the journal tells of is ours.
        assert_eq!(place.run("match whale", &engines, &SHORT).1.len(), 2);
        assert_eq!(place.run("match whale", &engines, &fresh).1.len(), 2);
        // Nothing is forced that nobody wants anew.
        let output = place.command("match whale", &engines, &["--force"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    }
}

#[test]
fn runs_of_other_kinds_keep_foreign_files_too() {
    let place = Place::new();
    let engine = [place.engine(&[], &["name=A"])];
    fs::write(place.path("match.jsonl"), MINE).unwrap();
    let spsa = ["--params=Seed", "--iterations=1", "--nodes=1", "--fresh"];
    let expected =
        "match.jsonl: expected the file of a tuning run or no file, found something else";
    refused(&place, "spsa whale", &engine, &spsa, expected);
    fs::write(place.path("match-row-002.jsonl"), MINE).unwrap();
    let factorial = ["--factor=Seed=1,2", "--pairs-per-row=2", "--nodes=1", "--fresh"];
    let expected = "match-row-002.jsonl: expected the journal of a match or no file";
    refused(&place, "factorial whale", &engine, &factorial, expected);
    fs::remove_file(place.path("match-row-002.jsonl")).unwrap();
    fs::write(place.path("match.openings"), MINE).unwrap();
    let expected = "match.openings: expected a file of a run with journals or no file";
    refused(&place, "factorial whale", &engine, &factorial, expected);
    for name in ["match.jsonl", "match.openings"] {
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), MINE);
    }
}

/// What is said to engines goes into no file of the match, and none that is read, though it is empty or a log.
#[test]
fn the_log_is_a_file_of_its_own() {
    let place = Place::new();
    let option = format!("option.EvalFile={}", place.path("empty.net").display());
    let one = [place.engine(&[], &["name=A", &option])];
    let two = [one[0].clone(), place.engine(&["--seed=2"], &["name=B"])];
    let cup = place.path("cup.toml").display().to_string();
    let save = [&SHORT[..], &["--save", &cup]].concat();
    assert!(place.command("match whale", &two, &save).output().unwrap().status.success());
    fs::write(place.path("empty.net"), "").unwrap();
    fs::write(place.path("list"), "startpos moves 2e2d\n").unwrap();
    let log = "# kujira-bench log: time, game, engine, > to it or < from it or ! its standard error, text\n";
    fs::write(place.path("stop"), log).unwrap();
    let before = fs::read_dir(place.path("")).unwrap().count();
    let openings = format!("--openings={}", place.path("list").display());
    let stop = format!("--stop-file={}", place.path("stop").display());
    for (what, engines, name, more, expected) in [
        ("match whale", &two[..], "match.jsonl", "--pairs=1", "expected another file than --log"),
        ("match whale", &two, "match.pgn", "--fresh", "expected another file than --log"),
        ("match whale", &two, "empty.net", "--pairs=1", "another file than a file of --engine"),
        ("match whale", &two, "stop", &stop, "expected another file than --stop-file"),
        ("sprt whale", &two, "match.openings", "--pairs=1", "expected another file than --log"),
        ("spsa whale", &one, "match.jsonl", "--params=Seed", "expected another file than --log"),
        ("spsa whale --params=Seed", &one, "list", &openings, "another file than --openings"),
        ("ladder whale", &one, "match.csv", "--pairs=1", "expected another file than --log"),
    ] {
        let log = format!("--log={}", place.path(name).display());
        refused(&place, what, engines, &["--nodes=1", more, &log], expected);
        assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before, "{what} {name}");
    }
    for name in ["match.html", "match.usi"] {
        let text = fs::read_to_string(&cup).unwrap();
        let log = place.path(name).display().to_string();
        let path = place.path("logged.toml");
        fs::write(&path, format!("log = \"{log}\"\n{text}")).unwrap();
        let what = format!("tournament {}", path.display());
        refused(&place, &what, &[], &[], "expected another file than --log");
        fs::remove_file(path).unwrap();
    }
    assert_eq!(fs::read_to_string(place.path("stop")).unwrap(), log);
    assert_eq!(fs::read_to_string(place.path("empty.net")).unwrap(), "");
}

/// Of every command that plays games each side file: somebody's in its place is kept before the run, when it is taken up
/// and when it begins afresh, also where a link leads to it. What is refused leaves nothing behind.
#[cfg(unix)]
#[test]
fn side_files_of_others_are_kept() {
    const GAMES: [&str; 3] = ["match.usi", "match.pgn", "match.openings"];
    const TABLES: [&str; 4] = ["match.txt", "match.csv", "match.svg", "match.html"];
    const ROWS: [&str; 3] = ["match-row-001.usi", "match-row-002.pgn", "match.openings"];
    const RUNGS: [&str; 4] = [
        "match.csv",
        "match-rung-2-rung-1.usi",
        "match-rung-2-rung-1.pgn",
        "match-rung-2-rung-1.openings",
    ];
    let place = Place::new();
    let two = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let one = [place.engine(&[], &["name=A"])];
    let rungs = [place.engine(&["--rungs"], &[])];
    let cup = tempfile::tempdir().unwrap();
    let cup = cup.path().join("cup.toml").display().to_string();
    let save = [&SHORT[..], &["--save", &cup]].concat();
    assert!(place.command("match whale", &two, &save).output().unwrap().status.success());
    let tournament = format!("tournament {cup}");
    let sprt = [&SHORT[..], &["--elo0=0", "--elo1=9"]].concat();
    type Case<'a> = (&'a str, &'a [Vec<String>], &'a [&'a str], Vec<&'a str>);
    let commands: [Case<'_>; 5] = [
        ("match whale", &two, &SHORT, GAMES.to_vec()),
        ("sprt whale", &two, &sprt, GAMES.to_vec()),
        (&tournament, &[], &[], [&GAMES[..], &TABLES].concat()),
        (
            "factorial whale",
            &one,
            &["--factor=Seed=1,2", "--pairs-per-row=2", "--nodes=1"],
            ROWS.to_vec(),
        ),
        ("ladder whale", &rungs, &["--nodes=1", "--from=1", "--to=2", "--pairs=1"], RUNGS.to_vec()),
    ];
    for (what, engines, more, names) in commands {
        let place = Place::new();
        let fresh = [more, &["--fresh"]].concat();
        let kept = |name: &str| {
            let (path, notes) = (place.path(name), place.path("notes"));
            for (target, is_link) in [(&path, false), (&notes, true)] {
                fs::write(target, MINE).unwrap();
                if is_link {
                    std::os::unix::fs::symlink("notes", &path).unwrap();
                }
                let before = fs::read_dir(place.path("")).unwrap().count();
                for more in [more, &fresh] {
                    refused(&place, what, engines, more, name);
                    assert_eq!(fs::read_to_string(target).unwrap(), MINE, "{what} {name}");
                }
                assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before, "{what} {name}");
                fs::remove_file(&path).unwrap();
            }
            fs::remove_file(notes).unwrap();
        };
        for name in &names {
            kept(name);
        }
        let well = |more: &[&str]| {
            let output = place.command(what, engines, more).output().unwrap();
            assert!(output.status.success(), "{what}: {}", said(&output));
        };
        well(more);
        for name in &names {
            let aside = place.path("aside");
            fs::rename(place.path(name), &aside).unwrap();
            kept(name);
            fs::rename(&aside, place.path(name)).unwrap();
        }
        well(more);
        well(&fresh);
    }
}

/// What an analysis cannot write leaves no journal of it behind.
#[test]
fn an_analysis_that_fails_leaves_nothing() {
    let place = Place::new();
    let (games, out) = (place.path("games.usi"), place.path("out.pgn"));
    fs::write(&games, "startpos moves 2e2d\n").unwrap();
    fs::write(&out, "").unwrap();
    let mut protected = fs::metadata(&out).unwrap().permissions();
    protected.set_readonly(true);
    fs::set_permissions(&out, protected).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    command.args(["analyse", "--nodes=50", "--out"]).arg(&out).arg(&games);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("write-protected"), "{}", said(&output));
    assert!(!place.path("out.pgn.analysis").exists());
}

#[test]
fn what_engines_are_made_of_is_kept() {
    let place = Place::new();
    let network = place.path("match.jsonl");
    fs::write(&network, MINE).unwrap();
    let word = format!("option.EvalFile={}", network.display());
    let engines = [place.engine(&[], &["name=A", &word]), place.engine(&["--seed=2"], &[])];
    let forced = [&SHORT[..], &["--fresh", "--force"]].concat();
    let expected = "match.jsonl: expected another file than a file of --engine\n";
    refused(&place, "match whale", &engines, &forced, expected);
    let tuned = ["--params=Seed", "--iterations=1", "--nodes=1", "--fresh", "--force"];
    refused(&place, "spsa whale", &engines[..1], &tuned, expected);

    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    command.args(["openings", "whale", "--count=2", "--force", "--out"]).arg(&network);
    let output = command.args(&engines[0]).output().unwrap();
    assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    assert_eq!(fs::read_to_string(&network).unwrap(), MINE);
}

/// Where a name leads is what counts.
#[cfg(unix)]
#[test]
fn links_to_what_is_read_are_seen_through() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let openings = place.path("mine");
    let book = "startpos moves 2e2d 5b5c\n";
    fs::write(&openings, book).unwrap();
    let given = openings.display().to_string();
    for name in ["match.jsonl", "match.usi", "match.pgn"] {
        symlink("mine", place.path(name)).unwrap();
        let forced = [&SHORT[..], &["--openings", &given, "--fresh", "--force"]].concat();
        let expected = format!("{name}: expected another file than --openings\n");
        refused(&place, "match whale", &engines, &forced, &expected);
        assert_eq!(fs::read_to_string(&openings).unwrap(), book);
        fs::remove_file(place.path(name)).unwrap();
    }
    // Neither a folder nor a pipe takes games.
    fs::create_dir(place.path("match.usi")).unwrap();
    let expected = "match.usi: expected a file or nothing, found a folder";
    refused(&place, "match whale", &engines, &[&SHORT[..], &["--fresh"]].concat(), expected);
}

/// What a killed run left beside its files goes when the match is taken up; what somebody else put there stays.
#[test]
fn unfinished_files_are_removed() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    assert_eq!(place.run("match whale", &engines, &SHORT).1.len(), 2);
    let (left, mine) = (place.path(".match.pgn.kujira-abc123.part"), place.path("match.pgn.new"));
    fs::write(&left, "[Event").unwrap();
    fs::write(&mine, MINE).unwrap();
    let more = ["--nodes=1", "--pairs=2"];
    assert_eq!(place.run("match whale", &engines, &more).1.len(), 4);
    assert!(!left.exists());
    assert_eq!(fs::read_to_string(mine).unwrap(), MINE);
}

/// A match does not open a pipe that nobody writes to, or it would wait for ever.
#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let place = Place::new();
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(place.path(name)).status();
        assert!(made.unwrap().success());
        place.path(name).display().to_string()
    };
    let ends = |status: i32, what: &str, engine: &str, more: &[&str], expected: &str| {
        let engines = [place.engine(&[], &["name=A", engine]), place.engine(&[], &["name=B"])];
        let mut command = place.command("match whale", &engines, &[&SHORT[..], more].concat());
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let number = output.id();
        let watch = std::thread::spawn(move || output.wait_with_output().unwrap());
        if !soon(|| watch.is_finished()) {
            let _ = std::process::Command::new("kill").arg(number.to_string()).status();
            panic!("waits for {what}");
        }
        let output = watch.join().unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    };
    let first = pipe("first");
    let expected = format!("{first}: expected a regular file, found a pipe");
    ends(1, "openings", "proto=usi", &["--openings", &first], &expected);
    // The engine itself may do with it what it likes: the match only says that it cannot look at it.
    ends(0, "a file that is loaded", &format!("load={first}"), &[], &expected);
    fs::remove_file(place.path("match.jsonl")).unwrap();
    fs::remove_file(place.path("match.usi")).unwrap();
    fs::remove_file(place.path("match.pgn")).unwrap();
    let _ = fs::remove_file(place.path("match.openings"));
    pipe("match.openings");
    let expected = "match.openings: expected a file or nothing, found a pipe";
    ends(1, "random openings", "proto=usi", &[], expected);
    assert!(!place.path("match.usi").exists());
}
