//! The coach: a word on a move before it is made, threats, hints, and the moments of a game.

use kujira_table::message::{Message, Watch};
use kujira_table::{PageId, Role};
use serde_json::{Value, json};

use crate::engine::{Event, Script, Search};
use crate::room::{ENGINE, Entry, PAGE, Room, SECOND, WEAK, request};

/// A white dolphin attacks Black's narwhal.
const START: &str = "w5/6/3d2/3N2/5D/5W b D 1";

/// What the engine says of [`START`], and of what comes of it.
fn says(position: &str) -> (&'static str, &'static str) {
    match position.rsplit(' ').next() {
        // The turn given away, or a move that leaves the narwhal where it is.
        _ if position.contains(" w D ") => ("cp 100", "3c3d 1f1e"),
        Some("1e1d") => ("cp 100", "3c3d 1d1c"),
        // It is taken after the next move, or what is yet to be dropped is.
        Some("1f2f") => ("cp 100", "6a6b 2f1f 3c3d"),
        Some("3d2d") => ("cp 100", "6a6b D*3d 3c3d"),
        // Nothing is taken, though much is lost, or a little.
        Some("1f2e") => ("cp 100", "6a6b"),
        Some("D*6d") => ("cp -280", "6a6b"),
        // Something is taken, though little is lost.
        Some("3d4d") => ("cp -350", "3c3d"),
        Some("D*5d") => ("mate 3", "6a6b"),
        _ => ("cp 400", "3d3b 6a6b"),
    }
}

fn script() -> Script {
    Script { search: Search::Says(says), ..Script::default() }
}

fn room(changes: &Value) -> Room {
    let mut wishes = json!({"sfen": START});
    for (name, value) in changes.as_object().expect("fields") {
        wishes[name] = value.clone();
    }
    Room::new(&request("whale", wishes)).with(script())
}

/// The words on moves that a page was told, and the moves.
fn words(room: &Room, of: PageId) -> Vec<(String, Value)> {
    let told = room.record.iter().filter_map(|(_, entry)| match entry {
        Entry::ToPage(page, Message::Considered { usi, warning, .. }) if *page == of => {
            Some((usi.clone(), json!(warning)))
        }
        _ => None,
    });
    told.collect()
}

/// How many searches for the coach were begun.
fn searched(room: &Room) -> usize {
    room.sent(Role::Analyst).iter().filter(|&&text| text == "go nodes 8000").count()
}

fn consider(room: &mut Room, usi: &str) -> Value {
    room.forget();
    room.ask(json!({"type": "consider", "at": 0, "usi": usi}));
    room.until("a word", |room| !words(room, PAGE).is_empty());
    let [(of, word)] = &words(room, PAGE)[..] else { panic!("one word") };
    assert_eq!(of, usi);
    word.clone()
}

/// Rooms in which a page is told all that there is of it.
pub fn rooms() -> Vec<Room> {
    let mut coached = room(&json!({}));
    coached.ask(json!({"type": "coach", "on": true}));
    coached.until("a threat", |room| room.state().now.coach.is_some());
    let mut rooms = vec![coached];
    for usi in ["1e1d", "1f2f", "3d2d", "D*5d"] {
        let mut room = room(&json!({}));
        room.ask(json!({"type": "consider", "at": 0, "usi": usi}));
        room.pass(SECOND);
        rooms.push(room);
    }
    rooms.push(reviewed());
    rooms
}

/// A game after its review.
fn reviewed() -> Room {
    let mut room = room(&json!({}));
    room.play(&["1e1d", "3c3d"]);
    room.ask(json!({"type": "sweep", "on": true}));
    room.until("its end", |room| room.state().now.moments.is_some());
    room
}

#[test]
fn a_word_is_said_before_a_move_that_loses_something() {
    let mut room = room(&json!({}));
    let mut searches = 0;
    for (usi, piece) in [
        ("1e1d", json!({"token": "N", "square": "3d"})),
        ("1f2f", json!({"token": "N", "square": "3d", "later": true})),
        ("3d2d", json!({"token": "D", "later": true})),
    ] {
        assert_eq!(consider(&mut room, usi)["piece"], piece, "{usi}");
        searches += searched(&room);
    }
    // Much is lost though nothing is seen to be taken, or the white whale is.
    for (usi, word) in
        [("1f2e", json!({"line": ["6a6b"]})), ("D*5d", json!({"mate": true, "line": ["6a6b"]}))]
    {
        assert_eq!(consider(&mut room, usi), word, "{usi}");
        searches += searched(&room);
    }
    for usi in ["3d3b", "3d4d", "D*6d"] {
        assert_eq!(consider(&mut room, usi), Value::Null, "{usi}");
        searches += searched(&room);
    }
    // The position before the moves is looked at once, and what comes of the engine's own move not at all.
    assert_eq!(searches, 8);
    let refused = room.refused(json!({"type": "consider", "at": 0, "usi": "1e1a"}));
    assert_eq!(refused, "expected a legal move, found 1e1a");
    // Nothing of it is a move, or a score of the game.
    assert_eq!(room.line(), "");
    assert_eq!(room.table.saved().game.node(0).unwrap().score, None);
}

#[test]
fn nobody_waits_for_a_word_that_does_not_come() {
    for script in [
        Script::hangs(),
        Script { starts: false, ..Script::default() },
        Script::does(&[Event::Ended(String::new())]),
        Script::does(&[crate::engine::line("bestmove 3d3b")]),
    ] {
        let mut room = room(&json!({})).with(script);
        let begun = room.now;
        assert_eq!(consider(&mut room, "1e1d"), Value::Null);
        assert!(room.now - begun <= 5 * SECOND);
    }
    // A move that ends the game needs none, and another page that asks is not kept waiting.
    let mut room = room(&json!({"sfen": "2w3/6/2D3/6/6/3W2 b K 1"}));
    assert_eq!(consider(&mut room, "K*4b"), Value::Null);
    let mut room = self::room(&json!({})).with(Script::hangs());
    room.join(PageId(2));
    for page in [PageId(2), PAGE] {
        room.ask_of(page, json!({"type": "consider", "at": 0, "usi": "1e1d"}));
    }
    assert_eq!(words(&room, PageId(2)), [("1e1d".to_owned(), Value::Null)]);
}

#[test]
fn the_coach_looks_on_while_somebody_is_to_move() {
    let mut room = room(&json!({"players": [{"kind": "human"}, ENGINE]}));
    assert!(room.sent(Role::Analyst).is_empty());
    room.ask(json!({"type": "coach", "on": true}));
    room.until("a threat", |room| room.state().now.coach.is_some());
    let Some(Watch { node: 0, threat: Some(threat) }) = room.state().now.coach.clone() else {
        panic!("{:?}", room.state().now.coach)
    };
    assert_eq!(threat.line[0], "3c3d");
    // It has looked already: a hint comes at once, and what it found is no analysis.
    let before = room.sent(Role::Analyst).len();
    room.ask(json!({"type": "hint"}));
    assert_eq!(room.state().now.hint, Some((0, "3d3b".to_owned())));
    assert_eq!(room.sent(Role::Analyst).len(), before);
    assert!(!room.record.iter().any(|(_, entry)| matches!(entry, Entry::ToAll(_))));
    room.ask(json!({"type": "coach", "on": false}));
    assert_eq!(room.state().now.coach, None);
    // While a side is in check, it cannot be asked what else it would lose.
    let mut room = self::room(&json!({"sfen": "w5/6/6/6/5d/5W b D 1"}));
    room.ask(json!({"type": "coach", "on": true}));
    room.pass(10 * SECOND);
    assert_eq!(room.state().now.coach, None);
    assert_eq!(searched(&room), 1);
}

#[test]
fn a_review_tells_the_moments_that_decided_the_game() {
    let room = reviewed();
    let told = json!(room.state().now.moments);
    // Black could expect the chances of +4.00, and has those of −1.00.
    let first = json!({
        "node": 1, "judgement": "blunder", "before": 80, "after": 42,
        "better": {"usi": "3d3b", "text": ["N-3b", "N-d5"]},
    });
    assert_eq!(told[0], first);
}

#[test]
fn a_weak_engine_that_plays_tells_no_scores() {
    for (engine, tells) in [(WEAK, false), (ENGINE, true)] {
        let players = json!([{"kind": "human"}, engine]);
        let mut room = Room::new(&request("whale", json!({"players": players})));
        room = room.with(Script::default());
        room.play(&["2e2d"]);
        room.until("an answer", |room| room.table.saved().tip == 2);
        let game = &room.table.saved().game;
        assert_eq!(game.node(1).unwrap().score.is_some(), tells);
    }
}
