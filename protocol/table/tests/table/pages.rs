//! Pages come and go: who is told what, and what goes on while nobody looks on.

use kujira_table::message::{Change, Command, Message};
use kujira_table::{Config, GameId, Output, PageId, Player, Role, Table, new_game};
use serde_json::{from_value, json};

use crate::engine::{Script, line};
use crate::room::{ENGINE, Entry, HOUR, PAGE, Room, SECOND, START, levels, request};

const HUMAN: Player = Player::Human;

const OTHER: PageId = PageId(99);

/// To whom something was told since `before`, all where nobody is named, and what kind of message.
fn told(room: &Room, before: usize) -> Vec<(&[PageId], &'static str)> {
    let kind = |message: &Message| match message {
        Message::State(_) => "state",
        Message::Change(_) => "change",
        Message::Lines(_) => "lines",
        Message::Error { .. } => "error",
        Message::Pong => "pong",
        _ => "other",
    };
    let told = room.record[before..].iter().filter_map(|(_, entry)| match entry {
        Entry::ToPage(page, message) => Some((std::slice::from_ref(page), kind(message))),
        Entry::ToPages(pages, message) => Some((&pages[..], kind(message))),
        Entry::ToAll(message) => Some((&[][..], kind(message))),
        _ => None,
    });
    told.collect()
}

#[test]
fn answers_go_to_who_asked_and_changes_to_all() {
    let mut room = Room::new(&request("whale", json!({})));
    assert_eq!(told(&room, 0), [(&[PAGE][..], "state")]);
    let before = room.record.len();
    room.join(OTHER);
    room.refused(json!({"type": "goto", "node": 5}));
    room.answer(json!({"type": "ping"}));
    room.ask_of(OTHER, json!({"type": "state"}));
    room.play(&["2e2d"]);
    assert_eq!(
        told(&room, before),
        [
            (&[OTHER][..], "state"),
            (&[PAGE][..], "error"),
            (&[PAGE][..], "pong"),
            (&[OTHER][..], "state"),
            (&[PAGE, OTHER][..], "change"),
        ]
    );
    room.check_pages();
    room.leave(PageId(12345));
    room.leave(PAGE);
    assert_eq!(room.table.alone_since(), None, "one is there still");
}

/// What was told last, which must be a change of the state.
fn change(room: &Room) -> &Change {
    match room.record.last() {
        Some((_, Entry::ToPages(_, Message::Change(change)))) => change,
        other => panic!("a change, found {other:?}"),
    }
}

fn ids(change: &Change) -> Vec<usize> {
    change.nodes.iter().map(|node| node.id).collect()
}

/// The room has each page take every change in, and compares them.
#[test]
fn a_change_tells_of_what_is_not_as_it_was_and_of_nothing_else() {
    let mut room = Room::new(&request("whale", json!({"players": [HUMAN, HUMAN]})));
    room.play(&["2e2d"]);
    assert_eq!((ids(change(&room)), &change(&room).removed[..]), (vec![0, 1], &[][..]));
    room.play(&["3b3c", "5e5d"]);
    assert_eq!(ids(change(&room)), [2, 3], "the move and the one before");
    assert!(change(&room).shown.is_some());
    // Another page sees the same from then on.
    room.join(OTHER);
    room.ask(json!({"type": "analysis", "on": false, "lines": 1}));
    assert_eq!(ids(change(&room)), [0; 0]);
    assert!(change(&room).shown.is_none(), "the same position");
    room.ask(json!({"type": "goto", "node": 1}));
    assert_eq!(ids(change(&room)), [0; 0]);
    assert!(change(&room).shown.is_some());
    room.ask(json!({"type": "take_back"}));
    assert_eq!((ids(change(&room)), &change(&room).removed[..]), (vec![2], &[3][..]));
    room.ask(json!({"type": "pause"}));
    room.ask(json!({"type": "play", "at": 0, "usi": "5e5d"}));
    room.ask(json!({"type": "promote", "node": 4}));
    assert_eq!(ids(change(&room)), [0], "another order of moves");
    room.ask(json!({"type": "delete", "node": 1}));
    assert_eq!((ids(change(&room)), &change(&room).removed[..]), (vec![0], &[1, 2][..]));
    room.ask(json!({"type": "resume"}));
    room.ask(json!({"type": "resign", "side": "w"}));
    assert_eq!(ids(change(&room)), [4], "its ending");
    room.check_pages();
}

/// A page that was away knows an old state: it is told the new one before it is told of changes.
#[test]
fn whoever_comes_is_told_the_state_before_what_changes_by_that() {
    let time = json!({"main": 60_000, "increment": 0, "byoyomi": 0});
    let mut room = Room::new(&request("whale", json!({"time": time})));
    room.leave(PAGE);
    room.pass(HOUR);
    let before = room.record.len();
    room.join(PAGE);
    assert_eq!(told(&room, before), [(&[PAGE][..], "state")], "its clock runs again");
    assert!(room.state().now.clocks.as_ref().unwrap().running.is_some());
    room.play(&["2e2d"]);
    room.check_pages();
}

/// Who drives a table need not wait: whatever it is fed meanwhile, nobody sees what is not kept.
#[test]
fn nothing_is_shown_while_it_is_being_kept() {
    let made = new_game(&request("whale", json!({})), &levels()).unwrap();
    let config = Config::new(GameId::from_bytes([7; 12]), levels());
    let mut table = Table::new(made.saved, config, START);
    let outputs = |table: &mut Table| {
        let next = || table.next_output();
        let found = std::iter::from_fn(next).filter_map(|output| match output {
            Output::ToPage(_, Message::State(_)) => Some("state"),
            Output::ToPages(_, Message::Change(_)) => Some("change"),
            Output::ToPage(..) | Output::ToPages(..) | Output::ToAll(_) => Some("other"),
            Output::Keep => Some("keep"),
            _ => None,
        });
        found.collect::<Vec<_>>()
    };
    let play = |table: &mut Table, at: usize, usi: &str| {
        table.command(PAGE, Command::Play { at, usi: usi.to_owned() }, START);
    };
    table.join(PAGE, START);
    assert_eq!(outputs(&mut table), ["state"]);
    play(&mut table, 0, "2e2d");
    assert_eq!(outputs(&mut table), ["keep"]);
    table.join(OTHER, START);
    table.command(PAGE, Command::Ping, START);
    assert_eq!(outputs(&mut table), ["other"], "a sign of life");
    play(&mut table, 1, "3b3c");
    assert_eq!(outputs(&mut table), ["keep"]);
    table.kept(Ok(()), START);
    assert_eq!(outputs(&mut table), [""; 0], "the second is not kept");
    table.kept(Ok(()), START);
    assert_eq!(outputs(&mut table), ["state", "change"]);
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
    room.until("a search", |room| room.state().now.analyst.state == "searching");
    let engine = room.running(Role::Analyst).unwrap();
    room.pass(SECOND);
    let before = room.record.len();
    for depth in 10..1_010 {
        room.engine(engine, &line(format!("info depth {depth} score cp 1 pv 2e2d")));
        room.pass(1);
    }
    room.pass(SECOND);
    let lines = told(&room, before);
    assert!(lines.iter().all(|&(pages, kind)| pages.is_empty() && kind == "lines"), "{lines:?}");
    assert!((10..=11).contains(&lines.len()), "{}", lines.len());
    let last = room.record.iter().rev().find_map(|(_, entry)| match entry {
        Entry::ToAll(Message::Lines(lines)) => Some(lines.lines[0].depth),
        _ => None,
    });
    assert_eq!(last, Some(1_009), "the last is told");
}

/// Weak engines answer faster than lines are told, and a game may take longer to keep than they think.
#[test]
fn the_last_lines_of_a_search_are_told_however_fast_it_ends() {
    let thinks = [
        line("info depth 1 score cp 1 pv 2e2d"),
        line("info depth 9 score cp 2 pv 2e2d"),
        line("bestmove 2e2d"),
    ];
    let game = request("whale", json!({"players": [ENGINE, HUMAN]}));
    let mut room = Room::new(&game).with(Script::does(&thinks));
    room.until("a move", |room| room.table.saved().tip == 1);
    let mut told = room.record.iter().filter_map(|(_, entry)| match entry {
        Entry::ToAll(Message::Lines(lines)) => Some((lines.node, lines.lines[0].depth)),
        _ => None,
    });
    assert_eq!(told.next_back(), Some((0, 9)));
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
