//! Matches that were stopped, killed, or damaged, and go on.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use kujira_position::VariantId;
use kujira_record::played::{GameId, GameRecord};
#[cfg(unix)]
use kujira_trial::soon;
use kujira_trial::wait_until;

use crate::harness::{Place, bare, resummed, said};

const ARGUMENTS: [&str; 5] =
    ["--nodes=1", "--pairs=30", "--concurrency=2", "--max-plies=120", "--seed=11"];

fn engines(place: &Place) -> [Vec<String>; 2] {
    [place.engine(&[], &["name=A"]), place.engine(&["--seed=2", &place.held()], &["name=B"])]
}

/// What must not depend on interruptions.
fn essence(games: &[GameRecord]) -> BTreeMap<GameId, (String, String)> {
    // Of what failed the detail, too, which is none otherwise.
    let end = |game: &GameRecord| format!("{:?} {:?}", game.ending, game.detail);
    let essence: BTreeMap<_, _> =
        games.iter().map(|game| (game.id, (game.usi(), end(game)))).collect();
    assert_eq!(essence.len(), games.len(), "no game is played twice");
    essence
}

/// Starts a match and waits until some games are on disk: three of each thread, which are as many moves as B makes
/// before it is let go.
fn begin(place: &Place) -> Child {
    place.hold(3 * 57);
    let mut command = place.command("match whale", &engines(place), &ARGUMENTS);
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    wait_until("some games are on disk", || place.lines("match.jsonl") > 6);
    child
}

/// Takes the match up and plays it to its end; compares it with one that nobody disturbed.
fn resume_and_compare(place: &Place) {
    let before = fs::read_to_string(place.path("match.jsonl")).unwrap();
    assert!((7..61).contains(&before.lines().count()), "some games were on disk");
    let (text, games) = place.run("match whale", &engines(place), &ARGUMENTS);
    assert!(text.contains("taking up the match after"), "{text}");
    let kept = before.rfind('\n').unwrap();
    let after = fs::read_to_string(place.path("match.jsonl")).unwrap();
    assert_eq!(before[..kept], after[..kept], "what was on disk stays");
    assert_eq!(games.len(), 60);

    let undisturbed = Place::new();
    let engines = engines(&undisturbed);
    let (_, expected) = undisturbed.run("match whale", &engines, &ARGUMENTS);
    assert_eq!(essence(&games), essence(&expected));
    // The files that follow the journal were mended too.
    assert_eq!(fs::read_to_string(place.path("match.usi")).unwrap().lines().count(), 60);
    let pgn = fs::read_to_string(place.path("match.pgn")).unwrap();
    let games = kujira_record::pgn::games(pgn.as_bytes(), VariantId::Whale);
    let games: Vec<_> = games.map(|game| game.unwrap()).collect();
    assert_eq!(games.len(), 60);
    assert_eq!(
        fs::read_to_string(place.path("match.openings")).unwrap(),
        fs::read_to_string(undisturbed.path("match.openings")).unwrap()
    );
}

#[test]
fn a_killed_match_goes_on() {
    let place = Place::new();
    let mut child = begin(&place);
    // SIGKILL: nothing can be tidied up.
    child.kill().unwrap();
    child.wait().unwrap();
    place.let_go();
    assert!(!place.something_runs(), "engines end with the runner");
    // A power failure can leave half a line.
    let mut journal = OpenOptions::new().append(true).open(place.path("match.jsonl")).unwrap();
    journal.write_all(b"{\"game\":{\"round\":9,\"engines\":[0,").unwrap();
    let mut pgn = OpenOptions::new().append(true).open(place.path("match.pgn")).unwrap();
    pgn.write_all(b"[Event \"torn").unwrap();
    let mut openings = OpenOptions::new().append(true).open(place.path("match.openings")).unwrap();
    openings.write_all(b"startpos moves 2e").unwrap();
    drop((journal, pgn, openings));
    resume_and_compare(&place);
}

#[test]
fn a_match_goes_on_when_nobody_reads_what_it_prints() {
    let place = Place::new();
    let engines = engines(&place);
    let mut child = place
        .command("match whale", &engines, &["--nodes=1", "--pairs=6", "--concurrency=2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut first).unwrap();
    assert!(first.contains("1/12 game "), "{first}");
    drop(output);
    assert!(child.wait().unwrap().success());
    assert_eq!(place.games().len(), 12);
    assert!(!place.something_runs());
}

#[test]
fn one_run_at_a_time() {
    let place = Place::new();
    let mut child = begin(&place);
    let engines = engines(&place);
    let second = place.command("match whale", &engines, &ARGUMENTS).output().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said(&second).contains("another run is writing here"), "{}", said(&second));
    assert!(!second.status.success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_goes_on() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    let child = begin(&place);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    place.let_go();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("stopped; the same command takes the match up again"), "{text}");
    assert!(!place.something_runs());
    // Every game shown is on disk.
    let shown = text.lines().filter(|line| line.contains("/60 game ")).count();
    assert_eq!(shown, place.games().len());
    resume_and_compare(&place);
}

#[test]
fn another_match_is_not_taken_up() {
    let place = Place::new();
    let engines = engines(&place);
    let (_, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=2"]);
    for (arguments, difference) in [
        (["--nodes=2", "--pairs=2"], "this one differs: engine A: limit nodes 2, there nodes 1; "),
        (
            ["--nodes=1", "--seed=9"],
            "openings 6 to 7 random plies, seed 9, there 6 to 7 random plies, seed ",
        ),
        (["--nodes=1", "--max-plies=9"], "max-plies 9, there 500 (--fresh"),
        (["--nodes=1", "--win-score=9"], "adjudication win 9 4, there none (--fresh"),
    ] {
        let output = place.command("match whale", &engines, &arguments).output().unwrap();
        let text = said(&output);
        assert!(!output.status.success() && text.contains(difference), "{text}");
        assert!(!text.contains(['{', '[']), "{text}");
        assert_eq!(place.games(), games);
    }
    // More pairs are the same match.
    let (_, more) = place.run("match whale", &engines, &["--nodes=1", "--pairs=3"]);
    assert_eq!((&more[..4], more.len()), (&games[..], 6));
    let (_, fresh) = place.run("match whale", &engines, &["--nodes=2", "--pairs=1", "--fresh"]);
    assert_eq!(fresh.len(), 2);
}

#[cfg(unix)]
#[test]
fn another_build_is_another_engine() {
    use kujira_trial::program;
    let place = Place::new();
    let (path, program) = (env!("CARGO_BIN_EXE_scripted-engine"), place.path("engine"));
    program::link(path.as_ref(), &program);
    let built = ["--engine".to_owned(), format!("cmd={}", program.display())].to_vec();
    let engines = [built, place.engine(&["--seed=2"], &[])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    fs::remove_file(&program).unwrap();
    program::rebuild(path.as_ref(), &program);
    for more in [&[] as &[&str], &["--margin=51ms"]] {
        let arguments = [&["--nodes=1", "--pairs=2"], more].concat();
        let output = place.command("match whale", &engines, &arguments).output().unwrap();
        let changed = format!("{} has changed since game 2", program.display());
        assert!(!output.status.success() && said(&output).contains(&changed), "{}", said(&output));
    }
    assert_eq!(place.games().len(), 2);
}

/// What editors and transfers do to a text: the match goes on, and its account can be read.
#[test]
fn a_journal_that_an_editor_saved_is_taken_up() {
    let place = Place::new();
    let engines = engines(&place);
    place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    let (journal, openings) = (place.path("match.jsonl"), place.path("match.openings"));
    let text = fs::read_to_string(&journal).unwrap();
    let book = fs::read_to_string(&openings).unwrap();
    fs::write(&openings, format!("\u{feff}# mine\r\n{}\r\n\r\n", book.trim())).unwrap();
    for (pairs, saved) in [
        ("--pairs=2", format!("{text}\n\n")),
        ("--pairs=2", format!("\u{feff}{}\r\n \r\n", text.replace('\n', "\r\n"))),
        ("--pairs=2", text.trim_end().to_owned()),
    ] {
        fs::write(&journal, &saved).unwrap();
        let report = || {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
            command.arg("report").arg(&journal).output().unwrap()
        };
        let output = report();
        assert!(output.status.success(), "{saved:?}: {}", said(&output));
        assert!(said(&output).contains("games      2 ("), "{}", said(&output));
        let (text, games) = place.run("match whale", &engines, &["--nodes=1", pairs]);
        assert!(text.contains("taking up the match after"), "{text}");
        assert_eq!(games.len(), 4);
        assert!(said(&report()).contains("games      4 ("), "{}", said(&report()));
    }
}

#[test]
fn openings_belong_to_their_journal() {
    let place = Place::new();
    let engines = engines(&place);
    let arguments = ["--nodes=1", "--pairs=3"];
    place.run("match whale", &engines, &arguments);
    let path = place.path("match.openings");
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();

    // Other openings than the games were played from.
    fs::write(&path, rest).unwrap();
    let output = place.command("match whale", &engines, &["--nodes=1", "--pairs=4"]).output();
    let output = output.unwrap();
    let expected = format!("opening 1: expected \"{first}\"");
    assert!(!output.status.success() && said(&output).contains(&expected), "{}", said(&output));

    // Lost ones are made again.
    fs::write(&path, format!("{first}\n")).unwrap();
    let (_, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=4"]);
    assert_eq!(games.len(), 8);
    assert!(fs::read_to_string(&path).unwrap().starts_with(&text));

    // Those of a journal that is gone are not taken up, nor are they and the games lost without a word.
    fs::remove_file(place.path("match.jsonl")).unwrap();
    let names = ["match.usi", "match.pgn", "match.openings"];
    let read = || names.map(|name| fs::read_to_string(place.path(name)).unwrap_or_default());
    let arguments = ["--nodes=1", "--pairs=3", "--seed=99"];
    for name in names {
        let before = read();
        let output = place.command("match whale", &engines, &arguments).output().unwrap();
        let expected = format!("at {}, because no match is in ", place.path(name).display());
        assert!(!output.status.success(), "{}", said(&output));
        assert!(said(&output).contains(&expected), "{}", said(&output));
        assert_eq!(read(), before);
        if name != "match.openings" {
            fs::remove_file(place.path(name)).unwrap();
        }
    }
    place.run("match whale", &engines, &[&arguments[..], &["--fresh", "--force"]].concat());
    assert!(!fs::read_to_string(&path).unwrap().contains(first));
}

#[test]
fn a_match_does_not_write_over_its_openings() {
    let place = Place::new();
    let engines = engines(&place);
    fs::create_dir(place.path("more")).unwrap();
    let book = "startpos moves 2e2d 5b5c\n";
    let refused = |what: &str, engines: &[Vec<String>], openings: &str, more: &[&str]| {
        let openings = place.path(openings).display().to_string();
        let arguments = [&["--nodes=1", "--openings", &openings], more].concat();
        let output = place.command(what, engines, &arguments).output().unwrap();
        let expected = ": expected another file than --openings\n";
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    };
    for name in ["match.openings", "match.usi", "match.pgn", "match.jsonl"] {
        let games =
            if name == "match.pgn" { "[Variant \"whale\"]\n\n1. 2e2d 5b5c *\n" } else { book };
        fs::write(place.path(name), games).unwrap();
        refused("match whale", &engines, name, &["--pairs=1"]);
        refused("match whale", &engines, name, &["--pairs=1", "--fresh"]);
        refused("match whale", &engines, &format!("more/../{name}"), &["--pairs=1", "--fresh"]);
        if name == "match.jsonl" {
            refused("spsa whale", &engines[..1], name, &["--params=Seed", "--fresh"]);
        }
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), games);
        fs::remove_file(place.path(name)).unwrap();
    }

    // Nor over a set that it does not use.
    fs::write(place.path("match.openings"), book).unwrap();
    fs::write(place.path("own.usi"), book).unwrap();
    let own = place.path("own.usi").display().to_string();
    for more in [&[] as &[&str], &["--fresh"]] {
        let arguments = [&["--nodes=1", "--pairs=1", "--openings", &own], more].concat();
        assert_eq!(place.run("match whale", &engines, &arguments).1.len(), 2);
        assert_eq!(fs::read_to_string(place.path("match.openings")).unwrap(), book);
    }
}

#[test]
fn a_file_of_something_else_is_no_journal() {
    let place = Place::new();
    let engines = engines(&place);
    let path = place.path("match.jsonl");
    // One line, and not even whole.
    fs::write(&path, "startpos moves 2e2d 5b5c").unwrap();
    let arguments = ["--nodes=1", "--pairs=1"];
    let output = place.command("match whale", &engines, &arguments).output().unwrap();
    let expected = "expected the journal of a match, found something else (--fresh --force";
    assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    assert_eq!(fs::read_to_string(&path).unwrap(), "startpos moves 2e2d 5b5c");
    // What a crash leaves of a first line is ours.
    fs::write(&path, "{\"match\":{\"game\":\"wh").unwrap();
    assert_eq!(place.run("match whale", &engines, &arguments).1.len(), 2);
}

#[test]
fn another_network_is_another_engine() {
    let place = Place::new();
    let network = place.path("some.net");
    fs::write(&network, "one").unwrap();
    let option = format!("option.EvalFile={}", network.display());
    let engines = [place.engine(&[], &["name=A", &option]), place.engine(&["--seed=2"], &[])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    place.run("match whale", &engines, &["--nodes=1", "--pairs=2"]);
    fs::write(&network, "other").unwrap();
    let output = place.command("match whale", &engines, &["--nodes=1", "--pairs=3"]).output();
    let output = output.unwrap();
    assert!(!output.status.success(), "{}", said(&output));
    let changed = format!("engine A: {} has changed since game 4 (", network.display());
    assert!(said(&output).contains(&changed), "{}", said(&output));
    assert_eq!(place.games().len(), 4);
}

#[test]
fn a_damaged_journal_is_refused() {
    let place = Place::new();
    let engines = engines(&place);
    place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    let path = place.path("match.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    for (damaged, expected) in [
        (text.replacen("\"round\"", "\"ruond\"", 1), "line 2: expected a line of a journal"),
        (format!("nonsense\n{text}"), "line 1: expected a line of a journal"),
        (text.lines().skip(1).map(|line| format!("{line}\n")).collect(), "found a game"),
        (format!("{text}{text}"), "line 4: expected a game, found the header of a match"),
        (
            format!("{text}{}\n", text.lines().nth(1).unwrap()),
            "line 4: expected every game once, found that of line 2 again",
        ),
        (
            resummed(&text.replacen("\"engines\":[0,1]", "\"engines\":[1,0]", 1)),
            "expected a game of this match",
        ),
        (resummed(&text.replacen("\"leg\":1", "\"leg\":2", 1)), "expected a game of this match"),
        (bare(&text), "match.jsonl: line 1: expected a check sum (crc32) at the end, found none"),
    ] {
        fs::write(&path, &damaged).unwrap();
        let arguments = ["--nodes=1", "--pairs=1"];
        let output = place.command("match whale", &engines, &arguments).output().unwrap();
        let said = said(&output);
        assert!(!output.status.success() && said.contains(expected), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged, "nothing is overwritten");
    }
    // A journal of before there were check sums is gone on with; new lines have them.
    fs::write(&path, bare(&text)).unwrap();
    let output = place.command("match whale", &engines, &["--nodes=1", "--pairs=2", "--unchecked"]);
    assert!({ output }.output().unwrap().status.success());
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.starts_with(&bare(&text)) && after.matches("\"crc32\"").count() == 2, "{after}");
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_leaves_no_engine_behind() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let place = Place::new();
    // They ignore `quit` and the end of their input, so that the runner waits for them after the first interrupt.
    let hold = place.hold(60);
    let engines = [
        place.engine(&["--fault=stay"], &["name=A"]),
        place.engine(&["--fault=stay", "--seed=2", &hold], &["name=B"]),
    ];
    let mut command = place.command("match whale", &engines, &ARGUMENTS);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    wait_until("a game is on disk", || place.lines("match.jsonl") > 1);
    let pid = Pid::from_raw(child.id() as i32);
    assert!(soon(|| {
        kill(pid, Signal::SIGINT).unwrap();
        child.try_wait().unwrap().is_some()
    }));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!place.something_runs());
}
