//! What is kept, and when.

use kujira_table::{Role, Saved};
use serde_json::{Value, json};

use crate::engine::{Script, line};
use crate::room::{ENGINE, Entry, PAGE, Room, SECOND, levels, request};

fn times_kept(changes: Value) -> usize {
    Room::new(&request("whale", changes)).times_kept()
}

#[test]
fn what_a_new_game_would_not_hold_is_worth_keeping() {
    assert_eq!(times_kept(json!({})), 0);
    assert_eq!(times_kept(json!({"time": {"main": 60_000, "increment": 0, "byoyomi": 0}})), 1);
    assert_eq!(times_kept(json!({"handicap": "P"})), 1);
    assert_eq!(times_kept(json!({"sfen": "3w2/6/6/6/6/3W2 w K 1"})), 1);
    assert_eq!(times_kept(json!({"rules": {"impasse": true}})), 1);
    assert_eq!(times_kept(json!({"text": "startpos moves 2e2d"})), 1);
    assert_eq!(times_kept(json!({"text": "{ a word before the first move } *"})), 1);
    let mut room = Room::new(&request("whale", json!({})));
    room.ask(json!({"type": "resign", "side": "b"}));
    assert_eq!(room.times_kept(), 1);
    let mut room = Room::new(&request("whale", json!({})));
    room.play(&["2e2d"]);
    assert_eq!(room.times_kept(), 1);
    // What has been kept once is kept up.
    room.ask(json!({"type": "take_back"}));
    room.ask(json!({"type": "pause"}));
    assert_eq!(room.times_kept(), 3);
}

/// The room checks it with every state that is told; here is what it looks like.
#[test]
fn a_move_is_kept_before_it_is_shown_and_engines_do_not_wait_for_either() {
    let players = json!([{"kind": "human"}, ENGINE]);
    let mut room =
        Room::new(&request("whale", json!({"players": players}))).with(Script::default());
    room.play(&["2e2d"]);
    room.until("an answer", |room| room.table.saved().tip == 2);
    let before = room.record.len();
    room.play(&["5e5d"]);
    let order: Vec<_> = room.record[before..]
        .iter()
        .map(|(_, entry)| match entry {
            Entry::Sent(_, text) => text.split(' ').next().unwrap(),
            Entry::Kept(_) => "kept",
            Entry::ToPages(..) => "shown",
            other => panic!("nothing else happens: {other:?}"),
        })
        .collect();
    assert_eq!(order, ["position", "go", "kept", "shown"]);
}

#[test]
fn trouble_with_keeping_is_told_once_and_it_is_tried_again() {
    let mut room = Room::new(&request("whale", json!({})));
    room.keeping = Err("no room left".to_owned());
    room.play(&["2e2d"]);
    assert_eq!(room.errors(), ["The game could not be saved: no room left"]);
    // Who comes later is told by the state.
    assert_eq!(room.state().now.unsaved.as_deref(), Some("no room left"));
    room.play(&["3b3c", "5e5d"]);
    assert_eq!(room.errors().len(), 1, "it is known already");
    // Longer and longer apart, a minute at most.
    let before = room.times_kept();
    room.pass(600 * SECOND);
    let tries = room.times_kept() - before;
    assert!((9..=14).contains(&tries), "{tries}");
    room.keeping = Ok(());
    room.pass(60 * SECOND);
    let kept = room.times_kept();
    room.pass(600 * SECOND);
    assert_eq!(room.times_kept(), kept, "once it has worked it is kept");
    assert_eq!(room.state().now.unsaved, None);
    room.keeping = Err("again".to_owned());
    room.play(&["2b2c"]);
    assert_eq!(room.errors().last(), Some(&"The game could not be saved: again"), "that is news");
}

#[test]
fn scores_are_kept_now_and_then_and_at_the_end() {
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.play(&["2e2d"]);
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.until("a search", |room| room.state().now.analyst.state == "searching");
    let engine = room.running(Role::Analyst).unwrap();
    let kept = room.times_kept();
    for depth in 10..210 {
        room.engine(engine, &line(format!("info depth {depth} score cp {depth} pv 3b3c")));
        room.pass(50);
    }
    let times = room.times_kept() - kept;
    assert!((4..=5).contains(&times), "{times} times in ten seconds");
    room.engine(engine, &line("info depth 999 score cp 5 pv 3b3c"));
    room.pass(150);
    room.close();
    let Some((_, Entry::Kept(saved))) = room.record.last() else { panic!("it is kept") };
    assert_eq!(saved.game.node(1).unwrap().score.unwrap().1, 999);
}

#[test]
fn a_game_goes_on_where_it_was_kept() {
    let players = json!([{"kind": "human"}, ENGINE]);
    let time = json!({"main": 60_000, "increment": 0, "byoyomi": 0});
    let changes = json!({"players": players, "time": time});
    let mut room = Room::new(&request("whale", changes)).with(Script::default());
    room.pass(10 * SECOND);
    room.play(&["2e2d"]);
    room.until("an answer", |room| room.table.saved().tip == 2);
    room.leave(PAGE);
    room.pass(20 * SECOND);
    room.close();
    let Some((_, Entry::Kept(saved))) =
        room.record.iter().rev().find(|(_, e)| matches!(e, Entry::Kept(_)))
    else {
        panic!("it is kept")
    };
    let json = saved.to_json().unwrap();
    let back = Saved::from_json(&json, &levels()).unwrap();
    let mut later = Room::open(back, true).with(Script::default());
    assert_eq!(later.times_kept(), 0, "nothing has changed");
    later.join(PAGE);
    assert_eq!(later.line(), room.line());
    // Ten seconds before the first move, five while nobody was known to look on no more.
    assert_eq!(later.clocks().0[0], 45_000);
    later.play(&["5e5d"]);
    later.until("an answer", |room| room.table.saved().tip == 4);
}
