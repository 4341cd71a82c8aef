//! Engines that die, hang, answer wrongly or too late: the game stays, and the table says what is wrong.

use kujira_table::Role;
use serde_json::json;

use crate::engine::{Event, Script, Search, line};
use crate::room::{Entry, HOUR, Room, request};

/// A game of a person as Black against an engine, after Black's first move.
fn begun(script: Script) -> Room {
    let players = json!([{"kind": "human"}, {"kind": "engine", "level": 2}]);
    let mut room = Room::new(&request("whale", json!({"players": players}))).with(script);
    room.play(&["2e2d"]);
    room
}

/// What the place of the engine that plays says once it has failed.
fn failure(room: &mut Room) -> String {
    room.until("a failure", |room| room.state().now.player.state == "failed");
    let saved = room.table.saved();
    assert!(saved.playing && saved.tip == 1, "the game stays");
    assert_eq!(room.running(Role::Player), None, "nothing of it runs on");
    room.state().now.player.message.clone().unwrap()
}

/// Starts the engine that has failed anew, another one, which plays.
fn replaced(mut room: Room) {
    let before = room.record.len();
    room = room.with(Script::default());
    room.ask(json!({"type": "restart", "role": "player"}));
    room.until("a move", |room| room.table.saved().tip == 2);
    assert_eq!(room.state().now.player.state, "ready");
    let greeted = room.record[before..].iter().filter(
        |(_, entry)| matches!(entry, Entry::Sent(_, text) if text == "usi" || text == "usinewgame"),
    );
    assert_eq!(greeted.count(), 2, "it is greeted like the first");
}

#[test]
fn one_that_dies_is_told_with_its_last_words() {
    let mut room = begun(Script::does(&[Event::Ended("out of luck".to_owned())]));
    assert_eq!(failure(&mut room), "the engine has ended: out of luck");
    replaced(room);
    let mut room = begun(Script::does(&[Event::Ended(String::new())]));
    assert_eq!(failure(&mut room), "the engine has ended");
}

#[test]
fn one_that_cannot_be_started_or_spoken_to_is_told() {
    let mut room = begun(Script { starts: false, ..Script::default() });
    assert_eq!(failure(&mut room), "it could not be started: no such file");
    replaced(room);
    let mut room = begun(Script { hears: false, ..Script::default() });
    assert_eq!(failure(&mut room), "the engine has ended or does not read any more");
    replaced(room);
}

/// What it declares is kept, so that there must be an end to it.
#[test]
fn one_with_endless_options_is_told() {
    let options = (0..2000).map(|n| &*format!("option name O{n} type string default x").leak());
    let greeting = Script::default().greeting.into_iter().chain(options).collect();
    let mut room = begun(Script { greeting, ..Script::default() });
    assert_eq!(failure(&mut room), "expected at most 1000 options, found more");
    replaced(room);
}

#[test]
fn one_that_does_not_answer_is_told_after_a_while() {
    let script = Script::default();
    for (script, expected) in [
        (Script { greets: false, ..script.clone() }, "did not answer usi within 10 s"),
        (Script { ready: false, ..script.clone() }, "did not answer isready within 60 s"),
        (Script::hangs(), "did not answer stop within 5 s"),
    ] {
        let mut room = begun(script);
        let began = room.now;
        let message = failure(&mut room);
        assert!(message.contains(expected), "{message}");
        assert!(room.now - began < 130_000, "{message}: within the time there is");
        replaced(room);
    }
}

#[test]
fn a_search_has_a_limit_and_is_stopped_there() {
    let mut room = begun(Script { search: Search::PlayWhenStopped, ..Script::default() });
    room.until("a move", |room| room.table.saved().tip == 2);
    assert_eq!(room.sent(Role::Player).last(), Some(&"stop"));
    for command in [json!({"type": "hint"}), json!({"type": "sweep", "on": true})] {
        let mut room = begun(Script::hangs());
        room.ask(command);
        let now = room.now;
        room.until("a failure", |room| room.state().now.analyst.state == "failed");
        assert!(room.now - now < 13_000);
    }
}

#[test]
fn wrong_answers_end_no_game() {
    for (answer, expected) in [
        ("bestmove 9z9z", "the engine answered wrongly: expected a USI move"),
        ("bestmove 2e2d", "the engine answered wrongly: expected a legal move"),
        ("bestmove win", "it claims an impasse where there is none"),
    ] {
        let mut room = begun(Script::does(&[line(answer)]));
        let message = failure(&mut room);
        assert!(message.contains(expected), "{message}");
        replaced(room);
    }
}

#[test]
fn one_that_gives_up_loses() {
    let mut room = begun(Script::does(&[line("bestmove resign")]));
    room.until("the end", |room| !room.table.saved().playing);
    assert_eq!(room.state().nodes[1].ending.unwrap().to_string(), "Black wins: resignation");
}

#[test]
fn engines_that_cannot_play_the_game_are_told_apart() {
    let other = vec!["option name USI_Variant type combo default shogi var shogi"];
    for (greeting, expected) in [
        (Vec::new(), "the engine has no option USI_Variant, so that it cannot know this game"),
        (other, "expected an engine that plays whale, found one for shogi"),
    ] {
        let mut room = begun(Script { greeting, ..Script::default() });
        assert_eq!(failure(&mut room), expected);
    }
}

#[test]
fn what_an_earlier_run_still_says_is_not_heard() {
    let mut room = begun(Script::hangs());
    room.until("a search", |room| room.state().now.player.state == "searching");
    let earlier = room.running(Role::Player).unwrap();
    room.ask(json!({"type": "restart", "role": "player"}));
    for _ in 0..40 {
        // Whatever the run after it is at.
        room.engine(earlier, &line("bestmove 3b3c"));
        room.engine(earlier, &line("info string error not for you"));
        room.engine(earlier, &line("usiok"));
        room.engine(earlier, &Event::Ended("late".to_owned()));
        room.engine(earlier, &Event::Started);
        room.pass(1);
    }
    assert_eq!(room.line(), "2e2d");
    assert_eq!(room.state().now.player.state, "searching");
    let later = room.running(Role::Player).unwrap();
    assert_ne!(later, earlier);
    assert_eq!(later.role(), earlier.role());
    room.engine(later, &line("bestmove 3b3c"));
    assert_eq!(room.line(), "2e2d 3b3c");
}

#[test]
fn an_answer_to_a_search_that_was_given_up_is_not_played() {
    let mut room = begun(Script { delay: 300, ..Script::default() });
    room.until("a search", |room| room.state().now.player.state == "searching");
    room.ask(json!({"type": "take_back"}));
    room.play(&["5e5d"]);
    // The answer to `stop`, for the position before, comes now.
    room.until("a move", |room| room.table.saved().tip > 2);
    assert!(room.line().starts_with("5e5d "), "{}", room.line());
    let positions: Vec<_> =
        room.sent(Role::Player).into_iter().filter(|line| line.starts_with("position")).collect();
    assert_eq!(positions.last(), Some(&"position startpos moves 5e5d"));
}

#[test]
fn a_refused_line_is_shown_until_other_options_are_taken() {
    let refusal = "info string error setoption Threads: expected at most 1";
    let mut room = begun(Script { delay: 20, ..Script::default() });
    room.until("a move", |room| room.table.saved().tip == 2);
    let engine = room.running(Role::Player).unwrap();
    room.engine(engine, &line(refusal));
    let shown = serde_json::to_value(&room.state().now.player).unwrap();
    assert_eq!(shown["refusal"], "setoption Threads: expected at most 1");
}

#[test]
fn noise_does_no_harm() {
    let mut room = begun(Script::hangs());
    room.until("a search", |room| room.state().now.player.state == "searching");
    let engine = room.running(Role::Player).unwrap();
    for text in [
        "",
        "\u{0}",
        "info",
        "info depth",
        "info multipv 4000000000 score cp 1 pv 3b3c",
        "info multipv 0 score cp 1 pv 3b3c",
        "info depth 3 score cp 20 pv 9z9z 2e2d",
        "info score mate -99999999999 pv",
        "option name",
        "readyok",
        "usiok",
        "bestmove",
        "Ω bestmove",
    ] {
        room.engine(engine, &line(text));
        room.pass(150);
    }
    assert_eq!(room.state().now.player.state, "searching");
    room.engine(engine, &line("bestmove 3b3c ponder 2e2d"));
    assert_eq!(room.line(), "2e2d 3b3c");
    room.pass(HOUR);
}

/// `go infinite` is answered when the engine is told to stop, but some answer when they have seen everything.
#[test]
fn analysis_that_ends_by_itself_is_not_begun_again() {
    let lines = [line("info depth 1 score mate 1 pv 2e2d"), line("bestmove 2e2d")];
    let mut room =
        Room::new(&request("whale", json!({}))).with(Script { delay: 0, ..Script::does(&lines) });
    let searches = |room: &Room| {
        room.sent(Role::Analyst).into_iter().filter(|&line| line == "go infinite").count()
    };
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.pass(HOUR);
    assert_eq!((searches(&room), room.state().now.analyst.state), (1, "ready"));
    room.play(&["5e5d"]);
    room.pass(HOUR);
    assert_eq!(searches(&room), 2, "another position");
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.pass(HOUR);
    assert_eq!(searches(&room), 3, "it is asked for again");
}

#[test]
fn a_hint_that_is_no_move_is_a_wrong_answer() {
    let mut room =
        Room::new(&request("whale", json!({}))).with(Script::does(&[line("bestmove <b>")]));
    room.ask(json!({"type": "hint"}));
    room.until("a failure", |room| room.state().now.analyst.state == "failed");
    let message = room.state().now.analyst.message.clone().unwrap();
    assert_eq!(message, "the engine answered wrongly: expected a legal move, found <b>");
    assert_eq!(room.state().now.hint, None);
    // One that would give up names what it has looked at.
    let lines = [line("info depth 2 score mate -2 pv 2e2d"), line("bestmove resign")];
    let mut room = Room::new(&request("whale", json!({}))).with(Script::does(&lines));
    room.ask(json!({"type": "hint"}));
    room.until("a hint", |room| room.state().now.hint.is_some());
    assert_eq!(room.state().now.hint, Some((0, "2e2d".to_owned())));
}
