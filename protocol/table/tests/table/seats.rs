//! Each page has a view of its own: what moves it, what does not, and what is asked for where it looks.

use kujira_table::message::Message;
use kujira_table::{PageId, Role, Saved};
use serde_json::{Value, json};

use crate::engine::Script;
use crate::room::{ENGINE, Entry, PAGE, Room, SECOND, levels, request};

const OTHER: PageId = PageId(2);
const THIRD: PageId = PageId(3);

/// A game of three moves with two pages that look at its end.
fn two() -> Room {
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.join(OTHER);
    room.play(&["2e2d", "3b3c", "5e5d"]);
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (3, 3));
    room
}

fn goto(room: &mut Room, page: PageId, node: usize) {
    room.ask_of(page, json!({"type": "goto", "node": node}));
    assert_eq!(room.looks_at(page), node);
}

/// Whom changes were told since `before`, the moves in them, and where those pages look then, if that is news.
fn changes(room: &Room, before: usize) -> Vec<(&[PageId], Vec<usize>, Option<usize>)> {
    let changes = room.record[before..].iter().filter_map(|(_, entry)| match entry {
        Entry::ToPages(pages, Message::Change(change)) => {
            let nodes = change.nodes.iter().map(|node| node.id).collect();
            Some((&pages[..], nodes, change.shown.as_ref().map(|shown| shown.current)))
        }
        _ => None,
    });
    changes.collect()
}

#[test]
fn a_step_is_for_the_page_that_makes_it() {
    let mut room = two();
    let before = room.record.len();
    goto(&mut room, OTHER, 1);
    goto(&mut room, OTHER, 2);
    let one = [OTHER];
    assert_eq!(changes(&room, before), [(&one[..], vec![], Some(1)), (&one[..], vec![], Some(2))]);
    assert_eq!(room.record.len() - before, 2, "and nothing else comes of it");
    assert_eq!(room.looks_at(PAGE), 3);
    // Along what was played, too, and back where no game is on.
    room.play_of(OTHER, &["5e5d"]);
    assert_eq!((room.looks_at(OTHER), room.line()), (3, "2e2d 3b3c 5e5d".to_owned()));
    room.ask(json!({"type": "pause"}));
    room.ask_of(OTHER, json!({"type": "take_back"}));
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (3, 2));
    room.check_pages();
}

#[test]
fn a_move_takes_along_who_looks_at_the_end() {
    let mut room = two();
    goto(&mut room, OTHER, 1);
    room.join(THIRD);
    let before = room.record.len();
    room.play(&["2b2c"]);
    // Who stays is told of the move without a position.
    let moves = || vec![3, 4];
    assert_eq!(
        changes(&room, before),
        [(&[OTHER][..], moves(), None), (&[PAGE, THIRD][..], moves(), Some(4))]
    );
    assert_eq!(room.looks_at(OTHER), 1);
    room.check_pages();
}

#[test]
fn an_engine_takes_along_who_looks_at_the_end() {
    let players = json!([{"kind": "human"}, ENGINE]);
    let mut room =
        Room::new(&request("whale", json!({"players": players}))).with(Script::default());
    room.join(OTHER);
    room.play(&["2e2d"]);
    goto(&mut room, OTHER, 0);
    assert!(!room.view(PAGE).movable && room.view(OTHER).movable);
    room.until("an answer", |room| room.table.saved().tip == 2);
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (2, 0));
    assert!(room.view(PAGE).movable);
    // The end comes to nobody who looks elsewhere, but to who brings it about.
    goto(&mut room, PAGE, 1);
    room.ask(json!({"type": "resign", "side": "b"}));
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (2, 0));
    room.check_pages();
}

#[test]
fn a_game_that_goes_on_elsewhere_takes_along_who_looks_at_its_end() {
    let mut room = two();
    room.join(THIRD);
    goto(&mut room, THIRD, 2);
    goto(&mut room, OTHER, 1);
    room.play_of(OTHER, &["5b5c"]);
    let look = |room: &Room| [PAGE, OTHER, THIRD].map(|page| room.looks_at(page));
    assert_eq!((room.table.saved().tip, look(&room)), (4, [4, 4, 2]));
    // What is tried on a free board is not the game's.
    room.ask(json!({"type": "pause"}));
    room.play_of(THIRD, &["5e5d"]);
    assert_eq!(look(&room), [4, 4, 3]);
    goto(&mut room, THIRD, 2);
    room.play_of(THIRD, &["6e6d"]);
    assert_eq!((room.table.saved().tip, look(&room)), (5, [4, 4, 5]));
    // Where it is taken up there is its end again.
    goto(&mut room, OTHER, 5);
    goto(&mut room, THIRD, 1);
    room.ask_of(THIRD, json!({"type": "resume"}));
    assert_eq!((room.table.saved().tip, look(&room)), (1, [4, 1, 1]));
    room.check_pages();
}

#[test]
fn nobody_looks_at_what_is_gone() {
    let mut room = two();
    goto(&mut room, OTHER, 1);
    room.ask_of(OTHER, json!({"type": "take_back"}));
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (2, 2));
    room.play(&["5e5d"]);
    room.ask(json!({"type": "pause"}));
    goto(&mut room, OTHER, 1);
    room.ask_of(OTHER, json!({"type": "delete", "node": 2}));
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (1, 1));
    // A game that goes on is taken back for all; what they look at stays if it is there.
    let mut room = two();
    goto(&mut room, OTHER, 1);
    room.ask(json!({"type": "take_back"}));
    assert_eq!((room.looks_at(PAGE), room.looks_at(OTHER)), (2, 1));
    room.check_pages();
}

/// The places that the engine which analyses was sent, by their number of moves.
fn analysed(room: &Room) -> Vec<usize> {
    let sent = room.sent(Role::Analyst).into_iter().filter(|line| line.starts_with("position"));
    sent.map(|line| line.split(' ').skip(3).count()).collect()
}

#[test]
fn analysis_is_of_what_the_page_shows_that_asked_or_stepped_last() {
    let mut room = two();
    goto(&mut room, OTHER, 1);
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.pass(SECOND);
    assert_eq!(analysed(&room), [3]);
    goto(&mut room, OTHER, 2);
    room.pass(SECOND);
    // The other's move is no step: it is played, and looked at by who looks there.
    room.play(&["2b2c"]);
    room.pass(SECOND);
    assert_eq!(analysed(&room), [3, 2]);
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.pass(SECOND);
    room.play_of(PAGE, &["6e6d"]);
    room.pass(SECOND);
    assert_eq!(analysed(&room), [3, 2, 4, 5]);
    // Once nobody looks there any more it is of what somebody does.
    room.leave(PAGE);
    room.pass(SECOND);
    assert_eq!(analysed(&room), [3, 2, 4, 5, 2]);
}

#[test]
fn what_nobody_sees_is_not_analysed() {
    let mut room = two();
    let seen = |room: &mut Room, page, seen: bool| {
        room.ask_of(page, json!({"type": "seen", "seen": seen}));
        room.pass(SECOND);
        (room.state().now.analyst.state, analysed(room).len())
    };
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.pass(SECOND);
    assert_eq!(seen(&mut room, PAGE, false), ("searching", 1), "the other page is seen");
    assert_eq!(seen(&mut room, OTHER, false), ("ready", 1));
    assert!(room.state().now.analysis.is_some(), "it is only interrupted");
    assert_eq!(seen(&mut room, OTHER, true), ("searching", 2));
    assert_eq!(seen(&mut room, OTHER, false), ("ready", 2));
    // A page that comes is seen; what is asked for by hand is answered to whoever looks away.
    room.join(THIRD);
    room.pass(SECOND);
    assert_eq!(analysed(&room).len(), 3);
    room.leave(THIRD);
    room.pass(SECOND);
    assert_eq!(room.state().now.analyst.state, "ready");
    room.ask(json!({"type": "hint"}));
    room.until("a hint", |room| room.state().now.hint.is_some());
}

#[test]
fn a_hint_and_a_sweep_are_for_where_the_page_looks_that_asks() {
    let mut room = two();
    goto(&mut room, OTHER, 1);
    room.ask_of(OTHER, json!({"type": "hint"}));
    goto(&mut room, PAGE, 2);
    // A move of the game makes no hint for another position void.
    goto(&mut room, PAGE, 3);
    room.play(&["2b2c"]);
    room.until("a hint", |room| room.state().now.hint.is_some());
    assert_eq!(room.state().now.hint.as_ref().unwrap().0, 1);
    assert_eq!(analysed(&room), [1]);
    room.ask(json!({"type": "pause"}));
    room.play_of(OTHER, &["5b5c"]);
    room.ask_of(OTHER, json!({"type": "sweep", "on": true}));
    assert_eq!(room.state().now.sweep, Some([0, 3]), "the branch that it shows, not the game");
}

#[test]
fn a_late_page_sees_the_game_and_a_free_board_as_it_was_left() {
    let mut room = two();
    goto(&mut room, PAGE, 1);
    room.join(THIRD);
    assert_eq!((room.looks_at(THIRD), room.looks_at(PAGE)), (3, 1));
    room.ask(json!({"type": "pause"}));
    goto(&mut room, OTHER, 2);
    // A connection that ends and another: a page like any.
    room.leave(THIRD);
    room.join(THIRD);
    assert_eq!(room.looks_at(THIRD), 2, "what was looked at last");
    // One that is told all of it anew looks on where it is.
    room.ask(json!({"type": "state"}));
    assert_eq!(room.looks_at(PAGE), 1);
}

/// Where somebody looks is kept, but nobody waits for it.
#[test]
fn a_step_is_shown_at_once_and_kept_later() {
    let mut room = two();
    room.ask(json!({"type": "pause"}));
    let kept = room.times_kept();
    let before = room.record.len();
    goto(&mut room, PAGE, 2);
    goto(&mut room, PAGE, 1);
    assert_eq!(room.times_kept(), kept);
    assert_eq!(room.record.len(), before + 2);
    room.pass(2 * SECOND);
    assert_eq!(room.times_kept(), kept + 1);
    let Some((_, Entry::Kept(saved))) = room.record.last() else { panic!("it is kept") };
    let file: Value = serde_json::from_slice(&saved.to_json().unwrap()).unwrap();
    assert_eq!((&file["current"], &file["tip"]), (&json!(1), &json!(3)));
    let back = Saved::from_json(&saved.to_json().unwrap(), &levels()).unwrap();
    let mut later = Room::open(back, true);
    later.join(PAGE);
    assert_eq!((later.looks_at(PAGE), later.table.saved().tip), (1, 3));
    // What was not kept yet is when the table is closed.
    goto(&mut later, PAGE, 2);
    later.close();
    let Some((_, Entry::Kept(saved))) = later.record.last() else { panic!("it is kept") };
    assert_eq!(saved.current, 2);
}
