//! Moves of engines that wait to be seen.
use kujira_table::{Millis, Output};
use serde_json::json;

use crate::engine::Script;
use crate::room::{ENGINE, Room, SECOND, request};

/// Longer than engines think without a clock.
const PACE: Millis = 5 * SECOND;

/// A game between engines, at that pace.
fn watched(changes: serde_json::Value) -> Room {
    let mut wishes = json!({"players": [ENGINE, ENGINE]});
    for (name, value) in changes.as_object().unwrap() {
        wishes[name] = value.clone();
    }
    let mut room = Room::empty(&request("whale", wishes)).with(Script::default());
    room.join(crate::room::PAGE);
    room.ask(json!({"type": "pace", "millis": PACE}));
    room
}

#[test]
fn engines_move_no_faster_than_they_can_be_watched() {
    let mut room = watched(json!({}));
    let begun = room.now;
    for node in 1..=5 {
        room.until("a move", |room| room.table.saved().tip == node);
        let node = u64::try_from(node).unwrap();
        assert_eq!(room.now - begun, PACE * node);
    }
    // What waits is played at once by whoever does not.
    room.pass(4 * SECOND);
    room.ask(json!({"type": "move_now"}));
    assert_eq!((room.table.saved().tip, room.now - begun), (6, 29 * SECOND));
    room.ask(json!({"type": "pace", "millis": 0}));
    room.until("quick moves", |room| room.table.saved().tip == 8);
    assert!(room.now - begun < 38 * SECOND);
}

#[test]
fn somebody_who_thinks_longer_waits_for_nothing() {
    let mut room = watched(json!({"players": [{"kind": "human"}, ENGINE]}));
    room.pass(10 * SECOND);
    room.play(&["2e2d"]);
    let played = room.now;
    room.until("an answer", |room| room.table.saved().tip == 2);
    assert_eq!(room.now - played, PACE, "a moment after the move");
    assert_eq!(room.table.saved().game.node(2).unwrap().parent, Some(1));
}

#[test]
fn what_waits_is_not_played_once_the_game_is_elsewhere() {
    for (command, tip) in [("pause", 1), ("take_back", 0)] {
        let mut room = watched(json!({"players": [{"kind": "human"}, ENGINE]}));
        room.play(&["2e2d"]);
        room.pass(4 * SECOND);
        room.ask(json!({"type": command}));
        room.pass(100 * SECOND);
        assert_eq!(room.table.saved().tip, tip, "{command}");
    }
    let mut room = watched(json!({"players": [{"kind": "human"}, ENGINE]}));
    room.play(&["2e2d"]);
    room.pass(4 * SECOND);
    room.ask(json!({"type": "pause"}));
    room.ask(json!({"type": "resume"}));
    room.until("the engine is asked anew", |room| room.table.saved().tip == 2);
}

#[test]
fn nothing_waits_where_a_clock_runs() {
    let mut room = watched(json!({"time": {"main": 60_000, "increment": 0, "byoyomi": 0}}));
    let begun = room.now;
    room.until("moves", |room| room.table.saved().tip == 3);
    assert!(room.now - begun < PACE);
}

/// As timers of browsers do, by a fraction of a millisecond.
#[test]
fn an_early_wake_asks_for_the_same_time_again() {
    let mut room = watched(json!({"players": [{"kind": "human"}, ENGINE]}));
    room.play(&["2e2d"]);
    let due = room.now + PACE;
    room.pass(4 * SECOND);
    room.table.wake(due - 1);
    let next = room.table.next_output();
    assert!(matches!(next, Some(Output::WakeAt(Some(at))) if at == due), "{next:?}");
    assert!(room.table.next_output().is_none());
}
