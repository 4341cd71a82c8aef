//! Engines that misbehave: each loses its game for what it did, is started again, and nothing of it
//! is left in the end.

use std::time::{Duration, Instant};

use kujira_bench::record::{GameRecord, Reason, Side};

use crate::harness::{Place, said};

/// Two games against an engine with this fault at its third move.
fn against(fault: &str, more: &[&str]) -> (String, Vec<GameRecord>) {
    let place = Place::new();
    let engines = [
        place.engine(&[], &["name=Good"]),
        place.engine(&["--seed=2", "--at=3", &format!("--fault={fault}")], &["name=Bad"]),
    ];
    let mut arguments = vec!["--pairs=1", "--concurrency=1", "--hang=1", "--grace=500ms"];
    arguments.extend(more);
    if !more.iter().any(|argument| argument.contains("time")) {
        arguments.push("--nodes=1");
    }
    let started = Instant::now();
    let (text, games) = place.run("match whale", &engines, &arguments);
    assert!(started.elapsed() < Duration::from_secs(60), "{fault}");
    assert!(!place.something_runs(), "{fault} left an engine running");
    assert_eq!(games.len(), 2, "{fault}: the match goes on");
    (text, games)
}

fn loses(fault: &str, more: &[&str], reason: Reason, detail: &str) {
    let (text, games) = against(fault, more);
    for game in &games {
        let bad = if game.black.name == "Bad" { Side::Black } else { Side::White };
        assert_ne!(game.ending.winner, Some(bad), "{fault}: {:?}", game.ending);
        assert!(game.ending.winner.is_some(), "{fault}: {:?}", game.ending);
        assert_eq!(game.ending.reason, reason, "{fault}: {:?}", game.ending);
        assert!(game.ending.detail.contains(detail), "{fault}: {:?}", game.ending);
        let moves = game.moves.len();
        assert!(moves == 4 || moves == 5, "{fault}: two moves each before the fault, {moves}");
    }
    if !reason.is_regular() {
        assert_eq!(text.matches("!!! game").count(), 2, "{fault}: {text}");
        assert!(
            text.contains("Bad loses by") && text.contains("2 games lost by failure"),
            "{text}"
        );
    }
    assert_eq!(text.contains("VOID"), reason.is_dispute(), "{fault}: {text}");
}

#[test]
fn an_engine_that_dies() {
    loses("die", &[], Reason::Died, "exit status: 3");
}

#[test]
fn an_engine_that_dies_while_its_child_holds_its_output() {
    loses("orphan", &[], Reason::Died, "exit status: 3");
}

#[test]
fn an_engine_that_does_not_read() {
    let place = Place::new();
    // More than a pipe holds.
    let long = format!("init={}", "x".repeat(100_000));
    let engines = [place.engine(&["--fault=deaf"], &[&long]), place.engine(&[], &[])];
    let started = Instant::now();
    let output =
        place.command("match whale", &engines, &["--nodes=1", "--start=300ms"]).output().unwrap();
    let text = said(&output);
    assert!(!output.status.success() && text.contains("no usiok within"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(!place.something_runs());
}

/// Two pairs against an engine whose starts go like this; the first is the runner's look at it.
fn with_starts(starts: &str) -> (bool, String, Vec<GameRecord>) {
    let place = Place::new();
    std::fs::write(place.path("starts"), starts).unwrap();
    let argument = format!("--starts={}", place.path("starts").display());
    let engines = [place.engine(&[], &["name=Good"]), place.engine(&[&argument], &["name=Bad"])];
    let arguments = ["--nodes=1", "--pairs=2", "--concurrency=1"];
    let output = place.command("match whale", &engines, &arguments).output().unwrap();
    assert!(!place.something_runs());
    (output.status.success(), said(&output), place.games())
}

#[test]
fn a_start_that_fails_loses_the_game() {
    let (success, text, games) = with_starts("+--+");
    assert!(success, "{text}");
    assert_eq!(games.len(), 4);
    for game in &games[..2] {
        let good = if game.black.name == "Good" { Side::Black } else { Side::White };
        assert_eq!((game.ending.winner, game.ending.reason), (Some(good), Reason::Died));
        assert_eq!(game.ending.detail, "when it was started: exit status: 3");
        assert!(game.moves.is_empty());
    }
    assert!(games[2..].iter().all(|game| game.ending.reason.is_regular()), "{text}");
}

#[test]
fn starts_that_fail_again_and_again_end_the_match() {
    let (success, text, games) = with_starts("+---");
    assert!(!success && text.contains("Bad: failed to start 3 times in a row"), "{text}");
    assert_eq!(games.len(), 2, "{text}");
}

#[test]
fn an_engine_that_never_answers() {
    loses("hang", &[], Reason::Silent, "no bestmove within");
}

#[test]
fn an_engine_that_answers_late() {
    loses("late", &["--movetime=500ms", "--margin=100ms"], Reason::Time, "ms late");
}

#[test]
fn an_engine_that_plays_an_illegal_move() {
    loses("illegal", &[], Reason::IllegalMove, "3c3c in ");
}

#[test]
fn an_engine_that_sees_no_legal_move_where_there_is_one() {
    loses("none", &[], Reason::IllegalMove, "(none) in ");
    loses("null", &[], Reason::IllegalMove, "0000 in ");
}

#[test]
fn an_engine_that_answers_with_no_move() {
    loses("babble", &[], Reason::Nonsense, "hello,");
}

#[test]
fn an_engine_that_sends_garbage() {
    loses("garbage", &[], Reason::Nonsense, "garbage");
}

#[test]
fn an_engine_that_floods() {
    loses("flood", &["--movetime=20"], Reason::Flood, "lines for one move");
    loses("line", &[], Reason::Flood, "bytes");
}

#[test]
fn an_engine_that_resigns_or_claims() {
    loses("resign", &[], Reason::Resignation, "");
    loses("claim", &[], Reason::FalseClaim, "claimed in ");
}

#[test]
fn an_engine_that_ignores_quit() {
    let (_, games) = against("stay", &[]);
    assert!(games.iter().all(|game| game.ending.reason.is_regular()));
}

#[test]
fn an_engine_that_prints_megabytes_to_standard_error() {
    let (_, games) = against("complain", &[]);
    assert!(games.iter().all(|game| game.ending.reason.is_regular() && game.moves.len() > 5));
}

#[test]
fn engines_that_cannot_play_end_the_match_before_it_begins() {
    let place = Place::new();
    let good = place.engine(&[], &[]);
    for (bad, expected) in [
        (place.engine(&["--fault=mute"], &[]), "engine 2 (".to_owned()),
        (place.engine(&[], &["option.Sede=3"]), "expected one of the engine's options".to_owned()),
        (place.engine(&[], &["option.USI_Hsah=16"]), "found option.USI_Hsah".to_owned()),
        (
            place.engine(&[], &["option.Seed=-1"]),
            "option.Seed: expected a whole number from 0 to 1000000, found \"-1\"".to_owned(),
        ),
        (
            place.engine(&[], &["option.USI_Variant=go"]),
            "expected one of whale, paulowich, great, found \"go\"".to_owned(),
        ),
        (place.engine(&[], &["dir=./none"]), "./none: expected a directory".to_owned()),
        (place.engine(&["--no-such-argument"], &[]), "ended: exit status: 2".to_owned()),
        (place.engine(&[], &["colour=red"]), "colour: expected one of".to_owned()),
        (
            vec!["--engine".to_owned(), "cmd=./none".to_owned()],
            "cannot be started: ./none: ".to_owned(),
        ),
    ] {
        let output = place
            .command("match whale", &[good.clone(), bad], &["--nodes=1", "--start=300ms"])
            .output()
            .unwrap();
        let text = said(&output);
        assert!(!output.status.success() && text.contains(&expected), "{text}");
        assert!(!place.path("match.jsonl").exists(), "nothing was played");
    }
    let place_of = |name: &str| place.path(name).display().to_string();
    let opening = place_of("one.usi");
    std::fs::write(&opening, "startpos moves 2e2d 5b5c 1e1d\n").unwrap();
    for (arguments, expected) in [
        (&[] as &[&str], "expected a limit"),
        (&["--tc=0"], "expected time on the clock (tc, byoyomi), found 0+0"),
        (&["--byoyomi=0"], "expected time on the clock"),
        (&["--movetime=0"], "expected a time of 1 ms or more, found \"0\""),
        (&["--nodes=1", "--hang=0"], "expected a time of 1 ms or more"),
        (&["--nodes=0"], "invalid value '0'"),
        (
            &["--nodes=1", "--max-plies=7"],
            "expected --max-plies beyond the openings' 7 plies, found 7",
        ),
        (
            &["--nodes=1", "--max-plies=3", "--openings", &opening],
            "expected --max-plies beyond the openings' 3 plies, found 3",
        ),
        (&["--nodes=1", "--plies=1", "--pairs=8"], "expected another opening of 1 to 1 plies"),
    ] {
        let engines = [good.clone(), good.clone()];
        let output = place.command("match whale", &engines, arguments).output().unwrap();
        let text = said(&output);
        assert!(!output.status.success() && text.contains(expected), "{arguments:?}: {text}");
        assert!(!text.contains("game 1.1"), "nothing was played: {text}");
    }
    assert!(!place.something_runs());
}
