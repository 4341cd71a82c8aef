//! Pages come and go: who is told what, and what goes on while nobody looks on.

use kujira_table::message::Message;
use kujira_table::{PageId, Role};
use serde_json::{from_value, json};

use crate::engine::{Script, line};
use crate::room::{ENGINE, Entry, HOUR, PAGE, Room, SECOND, START, request};

const OTHER: PageId = PageId(99);

/// To whom something was told since `before`, and what kind of message.
fn told(room: &Room, before: usize) -> Vec<(Option<PageId>, &'static str)> {
    let kind = |message: &Message| match message {
        Message::State(_) => "state",
        Message::Lines(_) => "lines",
        Message::Error { .. } => "error",
        Message::Pong => "pong",
        _ => "other",
    };
    let told = room.record[before..].iter().filter_map(|(_, entry)| match entry {
        Entry::ToPage(page, message) => Some((Some(*page), kind(message))),
        Entry::ToAll(message) => Some((None, kind(message))),
        _ => None,
    });
    told.collect()
}

#[test]
fn answers_go_to_who_asked_and_changes_to_all() {
    let mut room = Room::new(&request("whale", json!({})));
    assert_eq!(told(&room, 0), [(Some(PAGE), "state")]);
    let before = room.record.len();
    room.join(OTHER);
    room.refused(json!({"type": "goto", "node": 5}));
    room.answer(json!({"type": "ping"}));
    room.table.command(OTHER, from_value(json!({"type": "state"})).unwrap(), room.now);
    room.play(&["2e2d"]);
    assert_eq!(
        told(&room, before),
        [
            (Some(OTHER), "state"),
            (Some(PAGE), "error"),
            (Some(PAGE), "pong"),
            (Some(OTHER), "state"),
            (None, "state"),
        ]
    );
    room.leave(PageId(12345));
    room.leave(PAGE);
    assert_eq!(room.table.alone_since(), None, "one is there still");
}

#[test]
fn nobody_is_told_anything_when_nobody_is_there() {
    let mut room = Room::empty(&request("whale", json!({})));
    assert_eq!(room.table.alone_since(), Some(START));
    room.pass(HOUR);
    assert_eq!(told(&room, 0), []);
    room.join(PAGE);
    room.pass(HOUR);
    room.leave(PAGE);
    assert_eq!(room.table.alone_since(), Some(START + 2 * HOUR));
}

#[test]
fn engines_rest_while_nobody_looks_on() {
    let room = Room::new(&request("whale", json!({"players": [ENGINE, ENGINE]})));
    let mut room = room.with(Script::default());
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.until("some moves", |room| room.table.saved().tip == 4);
    room.leave(PAGE);
    room.pass(5 * SECOND);
    let moves = room.table.saved().tip;
    assert!(moves > 4, "it may be a page that is loaded anew");
    room.pass(10);
    let before = room.record.len();
    room.pass(HOUR);
    assert_eq!((room.record.len(), room.table.saved().tip), (before, moves));
    assert!(room.table.saved().playing);
    assert!(room.running(Role::Player).is_some() && room.running(Role::Analyst).is_some());
    room.join(OTHER);
    room.until("another move", |room| room.table.saved().tip > moves);
    room.close();
}

#[test]
fn lines_are_told_a_few_times_a_second() {
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.until("a search", |room| room.state().analyst.state == "searching");
    let engine = room.running(Role::Analyst).unwrap();
    room.pass(SECOND);
    let before = room.record.len();
    for depth in 10..1_010 {
        room.engine(engine, &line(format!("info depth {depth} score cp 1 pv 2e2d")));
        room.pass(1);
    }
    room.pass(SECOND);
    let lines = told(&room, before);
    assert!(lines.iter().all(|&(page, kind)| page.is_none() && kind == "lines"), "{lines:?}");
    assert!((10..=11).contains(&lines.len()), "{}", lines.len());
    let last = room.record.iter().rev().find_map(|(_, entry)| match entry {
        Entry::ToAll(Message::Lines(lines)) => Some(lines.lines[0].depth),
        _ => None,
    });
    assert_eq!(last, Some(1_009), "the last is told");
}

#[test]
fn time_does_not_run_backwards() {
    let time = json!({"main": 10_000, "increment": 0, "byoyomi": 0});
    let mut room = Room::new(&request("whale", json!({"time": time})));
    room.pass(3 * SECOND);
    room.table.wake(room.now);
    room.table.wake(0);
    room.table.command(PAGE, from_value(json!({"type": "pause"})).unwrap(), 5);
    room.pass(0);
    assert_eq!(room.clocks().0, [7_000, 10_000]);
}
