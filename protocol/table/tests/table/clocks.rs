//! Clocks: whose runs when, what is left, and whose flag falls.

use kujira_position::Color::{Black, White};
use kujira_table::message::Message;
use kujira_table::{EngineId, Role};
use serde_json::{Value, json};

use crate::engine::{Script, line};
use crate::room::{HOUR, PAGE, Room, SECOND, request};

fn time(main: u64, increment: u64, byoyomi: u64) -> Value {
    json!({"main": main, "increment": increment, "byoyomi": byoyomi})
}

fn engine_as_black(time: Value) -> Value {
    let players = json!([{"kind": "engine", "level": 2}, {"kind": "human"}]);
    json!({"players": players, "time": time})
}

fn searching(room: &Room) -> bool {
    room.state().now.player.state == "searching"
}

#[test]
fn a_clock_stands_while_nobody_looks_on() {
    let mut room = Room::empty(&request("whale", json!({"time": time(10_000, 0, 0)})));
    assert_eq!(room.clocks(), ([10_000, 10_000], Some(Black)));
    room.pass(5 * SECOND);
    assert_eq!(room.clocks(), ([5_000, 10_000], None));
    room.pass(HOUR);
    assert_eq!(room.clocks(), ([5_000, 10_000], None), "no time has passed");
    room.join(PAGE);
    assert_eq!(room.clocks(), ([5_000, 10_000], Some(Black)));
    room.pass(5 * SECOND - 1);
    assert!(room.table.saved().playing);
    room.pass(1);
    assert!(!room.table.saved().playing);
    assert_eq!(room.state().nodes[0].ending.unwrap().to_string(), "White wins: time ran out");
    assert_eq!(room.clocks(), ([0, 10_000], None));
}

#[test]
fn main_time_increment_and_byoyomi_are_counted() {
    let mut room = Room::new(&request("whale", json!({"time": time(5_000, 300, 0)})));
    room.pass(1_000);
    room.play(&["2e2d"]);
    room.pass(700);
    assert_eq!(room.clocks(), ([4_300, 4_300], Some(White)));
    let mut room = Room::new(&request("whale", json!({"time": time(1_000, 0, 2_000)})));
    room.pass(2_500);
    room.play(&["2e2d", "3b3c"]);
    assert_eq!(room.clocks(), ([0, 1_000], Some(Black)));
    room.pass(1_999);
    assert!(room.table.saved().playing, "byoyomi is for each move anew");
    room.pass(1);
    assert_eq!(room.state().nodes[2].ending.unwrap().to_string(), "White wins: time ran out");
}

/// No byoyomi for another move: the time that ran out.
#[test]
fn byoyomi_that_has_run_out_is_none() {
    let byoyomi = |room: &Room| room.state().now.clocks.as_ref().unwrap().byoyomi;
    let mut room = Room::new(&request("whale", json!({"time": time(1_000, 0, 3_000)})));
    room.play(&["2e2d"]);
    room.pass(3_999);
    assert!(room.table.saved().playing);
    room.pass(1);
    assert_eq!(room.state().nodes[1].ending.unwrap().to_string(), "Black wins: time ran out");
    assert_eq!((room.clocks(), byoyomi(&room)), (([1_000, 0], None), [3_000, 0]));
    // It is so as long as the game ends there, also when it is opened again.
    let mut later = Room::open(room.table.saved().clone(), true);
    later.join(PAGE);
    assert_eq!(byoyomi(&later), [3_000, 0]);
    later.ask(json!({"type": "resume"}));
    assert_eq!(byoyomi(&later), [3_000, 3_000]);
}

#[test]
fn a_pause_stops_the_clock_and_a_fallen_flag_is_forgiven_by_going_on() {
    let mut room = Room::new(&request("whale", json!({"time": time(5_000, 0, 0)})));
    room.pass(2_000);
    room.ask(json!({"type": "pause"}));
    room.pass(HOUR);
    assert_eq!(room.clocks(), ([3_000, 5_000], None));
    room.ask(json!({"type": "resume"}));
    room.pass(3_000);
    assert!(!room.table.saved().playing);
    room.ask(json!({"type": "resume"}));
    assert_eq!(room.clocks(), ([5_000, 5_000], Some(Black)));
}

#[test]
fn the_clock_of_an_engine_starts_with_its_search() {
    let slow = Script { delay: 5_000, ..Script::hangs() };
    let mut room = Room::new(&request("whale", engine_as_black(time(0, 0, 1_000)))).with(slow);
    while !searching(&room) {
        assert_eq!(room.clocks().1, None);
        room.pass(100);
    }
    let began = room.record.iter().rev().find_map(|(time, entry)| match entry {
        crate::room::Entry::Sent(_, text) if text.starts_with("go") => Some(*time),
        _ => None,
    });
    assert_eq!(room.clocks().1, Some(Black));
    // Its move may be on the way when the time is up.
    room.pass(began.unwrap() + 1_049 - room.now);
    assert!(room.table.saved().playing);
    room.pass(1);
    assert!(!room.table.saved().playing);
}

#[test]
fn an_engine_that_failed_goes_on_with_the_time_it_had() {
    let room = Room::new(&request("whale", engine_as_black(time(60_000, 0, 0))));
    let mut room = room.with(Script::hangs());
    room.until("a search", searching);
    let engine: EngineId = room.running(Role::Player).unwrap();
    room.pass(20 * SECOND);
    room.engine(engine, &line("bestmove 9z9z"));
    assert_eq!(room.clocks(), ([40_000, 60_000], None));
    room.pass(HOUR);
    assert!(room.table.saved().playing && room.state().now.player.state == "failed");
    room.ask(json!({"type": "restart", "role": "player"}));
    room.until("a search", searching);
    assert_eq!(room.sent(Role::Player).last(), Some(&"go btime 40000 wtime 60000"));
    // One that is restarted while it searches has spent time as well.
    room.pass(10 * SECOND);
    room.ask(json!({"type": "restart", "role": "player"}));
    room.until("a search", searching);
    assert_eq!(room.sent(Role::Player).last(), Some(&"go btime 30000 wtime 60000"));
}

#[test]
fn taking_back_gives_back_the_time() {
    let mut room = Room::new(&request("whale", json!({"time": time(60_000, 0, 0)})));
    room.pass(1_000);
    room.play(&["2e2d"]);
    room.pass(2_000);
    room.play(&["3b3c"]);
    room.pass(4_000);
    room.ask(json!({"type": "take_back"}));
    assert_eq!(room.clocks(), ([59_000, 60_000], Some(White)));
    room.ask(json!({"type": "take_back"}));
    assert_eq!(room.clocks(), ([60_000, 60_000], Some(Black)));
}

#[test]
fn engines_are_told_the_clock_and_lose_by_it() {
    let players = json!([{"kind": "engine", "level": 2}, {"kind": "engine", "level": 2}]);
    let request = request("paulowich", json!({"players": players, "time": time(3_000, 10, 500)}));
    let mut room = Room::new(&request);
    // 700 ms a move: the main time lasts for four, with byoyomi for a fifth, and the increments not for a sixth.
    room.until("the end", |room| !room.table.saved().playing);
    assert!(
        room.sent(Role::Player).contains(&"go btime 3000 wtime 3000 byoyomi 500 binc 10 winc 10")
    );
    let end = room.table.saved().tip;
    let state = room.state();
    let node = state.nodes.iter().find(|node| node.id == end).unwrap();
    assert_eq!(node.ending.unwrap().to_string(), "White wins: time ran out");
    assert_eq!(node.ply, 11, "five moves each, and Black's sixth came too late");
    let Message::Text { text, .. } = room.answer(json!({"type": "export", "format": "pgn"})) else {
        panic!("a text")
    };
    assert!(text.contains("[Result \"0-1\"]"), "{text}");
}
