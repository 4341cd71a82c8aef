//! Whole games and what engines are asked for beside them: analysis, hints, a look through a game.

use kujira_position::VariantId;
use kujira_table::message::{LineView, Lines, Message};
use kujira_table::{EngineId, Role};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

use crate::engine::{Script, line};
use crate::room::{ENGINE, Entry, Room, SECOND, WEAK, request};

/// How a game at the table ended, and after how many moves.
fn ending(room: &Room) -> (String, usize) {
    let saved = room.table.saved();
    let ending = saved.game.node(saved.tip).unwrap().ending.expect("an end");
    (ending.to_string(), saved.game.path(saved.tip).len() - 1)
}

#[test]
fn a_person_plays_an_engine_in_all_three_games() {
    for variant in VariantId::ALL {
        let players = json!([{"kind": "human"}, ENGINE]);
        let id = variant.spec().id;
        let mut room = Room::new(&request(id, json!({"players": players}))).with(Script::default());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        while room.table.saved().playing {
            room.until("the person's turn", |room| {
                !room.table.saved().playing || room.state().movable
            });
            if !room.table.saved().playing || room.table.saved().tip > 300 {
                break;
            }
            let legal = &room.state().shown.position.legal;
            let captures: Vec<_> = legal.iter().filter(|m| m.captures).collect();
            let choice = match captures.len() {
                0 => legal[random.random_range(0..legal.len())].usi.clone(),
                most => captures[random.random_range(0..most)].usi.clone(),
            };
            room.play(&[&choice]);
        }
        let saved = room.table.saved();
        assert!(saved.game.path(saved.tip).len() > 10, "{id}: {}", room.line());
        assert_eq!(room.errors(), [""; 0]);
        // Each position was searched once, with all moves that led to it.
        let positions = room.sent(Role::Player).into_iter().filter(|t| t.starts_with("position"));
        let answers = (1..saved.game.path(saved.tip).len()).filter(|ply| ply % 2 == 1).count();
        assert!(positions.count().abs_diff(answers) <= 1, "{id}");
    }
}

#[test]
fn engines_play_each_other_to_the_end_in_all_three_games() {
    for (variant, players) in
        VariantId::ALL.iter().zip([[ENGINE, ENGINE], [WEAK, ENGINE], [ENGINE, WEAK]])
    {
        let id = variant.spec().id;
        let time = json!({"main": 3_600_000, "increment": 5_000, "byoyomi": 0});
        for time in [json!(null), time] {
            let changes = json!({"players": players, "time": time});
            let mut room = Room::new(&request(id, changes)).with(Script::default());
            room.until("the end", |room| !room.table.saved().playing);
            let (ending, moves) = ending(&room);
            assert!(!ending.contains("time"), "{id}: {ending} after {moves} moves");
            assert!(moves > 10 && room.errors().is_empty());
            let state = room.state();
            assert_eq!(
                (state.nodes.len(), state.now.playing, state.shown.current),
                (moves + 1, false, state.now.tip)
            );
            assert!(state.nodes.last().unwrap().result.is_some());
            assert!(state.shown.position.legal.is_empty());
            // The engine waits, and nothing happens any more.
            let before = room.record.len();
            room.pass(1_000 * SECOND);
            assert_eq!(room.record.len(), before);
        }
    }
}

/// Each side has its level, of which an engine is told that has levels, and its limits, which hold for any engine.
#[test]
fn engines_are_told_the_level_of_the_side_to_move() {
    let changes = json!({"players": [WEAK, ENGINE]});
    let script = Script::default();
    let mut greeting = script.greeting.clone();
    let moves = |room: &Room| -> Vec<String> {
        let told = |text: &&&str| {
            let begins = ["go", "setoption name USI_LimitStrength", "setoption name USI_Elo"];
            begins.iter().any(|begin| text.starts_with(begin))
        };
        room.sent(Role::Player).iter().filter(told).map(|&text| text.to_owned()).collect()
    };
    let play = |script| {
        let mut room = Room::new(&request("whale", changes.clone())).with(script);
        room.until("two moves", |room| room.table.saved().tip == 2);
        moves(&room)[..].to_vec()
    };
    let unlevelled = play(script.clone());
    assert_eq!(unlevelled[..2], ["go depth 1 nodes 1000", "go movetime 3000"]);
    greeting.push("option name USI_LimitStrength type check default false");
    greeting.push("option name USI_Elo type spin default 3000 min 0 max 3000");
    let levelled = play(Script { greeting, ..script });
    let expected = [
        "setoption name USI_LimitStrength value true",
        "setoption name USI_Elo value 400",
        "go depth 1 nodes 1000",
        "setoption name USI_LimitStrength value false",
        "setoption name USI_Elo value 3000",
        "go movetime 3000",
    ];
    assert_eq!(levelled[..6], expected);
}

fn lines(room: &Room) -> Option<&Lines> {
    room.record.iter().rev().find_map(|(_, entry)| match entry {
        Entry::ToAll(Message::Lines(lines)) => Some(lines),
        _ => None,
    })
}

#[test]
fn analysis_follows_the_position_shown() {
    let mut room = Room::new(&request("great", json!({}))).with(Script::default());
    room.ask(json!({"type": "analysis", "on": true, "lines": 2}));
    room.until("two lines", |room| lines(room).is_some_and(|lines| lines.lines.len() == 2));
    let (role, node) = lines(&room).map(|lines| (lines.role, lines.node)).unwrap();
    assert_eq!((role, node), (Role::Analyst, 0));
    let LineView { usi, text, depth, .. } = &lines(&room).unwrap().lines[0];
    assert_eq!((usi.len(), text.len(), *depth), (1, 1, 9));
    assert_eq!(room.sent(Role::Analyst).last(), Some(&"go infinite"));
    // It never ends by itself, and nothing else is asked of it.
    let before = room.sent(Role::Analyst).len();
    room.pass(1_000 * SECOND);
    assert_eq!(room.sent(Role::Analyst).len(), before);
    room.play(&["6h6g"]);
    room.until("lines there", |room| lines(room).is_some_and(|lines| lines.node == 1));
    let tail = room.sent(Role::Analyst);
    assert_eq!(&tail[tail.len() - 3..], ["stop", "position startpos moves 6h6g", "go infinite"]);
    // White is to move there: what is good for it is bad for Black.
    let shown = serde_json::to_value(&lines(&room).unwrap().lines[1]).unwrap();
    assert_eq!(shown["score"], json!({"cp": 10}));
    assert_eq!(room.table.saved().game.node(1).unwrap().score.unwrap().1, 9, "it is kept");
    room.ask(json!({"type": "analysis", "on": false, "lines": 2}));
    room.until("rest", |room| room.state().now.analyst.state == "ready");
    assert_eq!(room.sent(Role::Analyst).last(), Some(&"stop"));
}

#[test]
fn a_hint_is_a_move_for_the_position_shown() {
    let mut room = Room::new(&request("paulowich", json!({}))).with(Script::default());
    room.ask(json!({"type": "hint"}));
    room.until("a hint", |room| room.state().now.hint.is_some());
    let state = room.state();
    let (node, usi) = state.now.hint.clone().unwrap();
    assert!(node == 0 && state.shown.position.legal.iter().any(|m| m.usi == usi), "{usi}");
    assert!(room.sent(Role::Analyst).contains(&"go movetime 1500"));
    room.play(&[&usi]);
    assert_eq!(room.state().now.hint, None, "it has been taken");
    // While analysis has looked deep enough already, its move is the hint.
    room.ask(json!({"type": "analysis", "on": true, "lines": 1}));
    room.until("lines", |room| lines(room).is_some_and(|lines| lines.node == 1));
    room.ask(json!({"type": "hint"}));
    assert_eq!(room.state().now.hint.as_ref().unwrap().1, lines(&room).unwrap().lines[0].usi[0]);
}

#[test]
fn a_sweep_looks_at_every_position_of_the_line() {
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.play(&["2e2d", "3b3c", "5e5d", "2b2c"]);
    room.ask(json!({"type": "goto", "node": 1}));
    room.ask(json!({"type": "sweep", "on": true}));
    assert_eq!(room.state().now.sweep, Some([0, 5]));
    room.until("its end", |room| room.state().now.sweep.is_none());
    let searched = room.sent(Role::Analyst).into_iter().filter(|&t| t == "go nodes 50000");
    assert_eq!(searched.count(), 5);
    let game = &room.table.saved().game;
    assert!(game.reachable().iter().all(|&id| game.node(id).unwrap().score.is_some()));
    // One that is called off ends.
    room.ask(json!({"type": "sweep", "on": true}));
    room.pass(SECOND);
    room.ask(json!({"type": "sweep", "on": false}));
    room.until("rest", |room| room.state().now.analyst.state == "ready");
    assert_eq!(room.state().now.sweep, None);
}

#[test]
fn an_engine_is_hurried_and_plays_what_it_has() {
    let thinks = Script { thinks: 60 * SECOND, ..Script::default() };
    let players = json!([ENGINE, {"kind": "human"}]);
    let time = json!({"main": 600_000, "increment": 0, "byoyomi": 0});
    let request = request("whale", json!({"players": players, "time": time}));
    let mut room = Room::new(&request).with(thinks);
    room.until("a search", |room| room.state().now.player.state == "searching");
    room.pass(SECOND);
    room.ask(json!({"type": "move_now"}));
    room.until("a move", |room| room.table.saved().tip == 1);
    assert_eq!(room.sent(Role::Player).last(), Some(&"stop"));
    assert!(room.clocks().0[0] > 590_000);
}

#[test]
fn players_change_places_while_the_game_goes_on() {
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.play(&["2e2d"]);
    room.ask(json!({"type": "players", "players": [{"kind": "human"}, ENGINE]}));
    room.until("a move", |room| room.table.saved().tip == 2);
    room.ask(json!({"type": "players", "players": [ENGINE, {"kind": "human"}]}));
    room.until("a search", |room| room.state().now.player.state == "searching");
    room.ask(json!({"type": "players", "players": [{"kind": "human"}, {"kind": "human"}]}));
    room.pass(100 * SECOND);
    assert_eq!(room.table.saved().tip, 2, "what it was at is not played");
}

#[test]
fn what_engines_may_use_is_set_within_bounds() {
    let mut room = Room::new(&request("whale", json!({}))).with(Script::default());
    room.ask(json!({"type": "resources", "threads": 0, "hash": 4_000_000_000u32}));
    assert_eq!((room.state().now.threads, room.state().now.hash), (1, 4096));
    room.ask(json!({"type": "hint"}));
    room.until("a hint", |room| room.state().now.hint.is_some());
    // The engine says that it takes 32 at most.
    assert!(room.sent(Role::Analyst).contains(&"setoption name USI_Hash value 32"));
}

#[test]
fn a_position_put_together_is_checked_and_played() {
    let mut room = Room::new(&request("whale", json!({})));
    let draft = json!({
        "variant": "whale", "squares": {"3f": "W", "3a": "w", "2b": "d"},
        "hands": [{"K": 2}, {}], "side": "w",
    });
    let Message::Verdict(verdict) = room.answer(json!({"type": "check", "draft": draft})) else {
        panic!("a verdict")
    };
    let sfen = verdict.sfen.expect("a position");
    let changes = json!({"sfen": sfen, "players": [{"kind": "human"}, ENGINE]});
    let mut room = Room::new(&request("whale", changes)).with(Script::default());
    room.until("a move", |room| room.table.saved().tip == 1);
    assert!(room.sent(Role::Player).contains(&&*format!("position sfen {sfen}")));
    let Message::Explanation { text, why } =
        room.answer(json!({"type": "explain", "at": 0, "from": "2b", "to": "2f"}))
    else {
        panic!("an explanation")
    };
    assert!(text.unwrap().contains("does not move from 2b to 2f"));
    let why = why.unwrap();
    assert_eq!(
        (why.reason, why.kind, why.square.as_deref()),
        ("unreachable", Some("D"), Some("2f"))
    );
}

#[test]
fn a_game_read_from_a_text_goes_on_when_it_is_taken_up() {
    let text = "startpos moves 2e2d 3b3c";
    let changes = json!({"text": text, "players": [ENGINE, {"kind": "human"}]});
    let mut room = Room::new(&request("whale", changes)).with(Script::default());
    room.pass(100 * SECOND);
    let saved = room.table.saved();
    assert_eq!((saved.playing, saved.tip, room.running(Role::Player)), (false, 2, None));
    room.ask(json!({"type": "resume"}));
    room.until("a move", |room| room.table.saved().tip == 3);
    let engine: EngineId = room.running(Role::Player).unwrap();
    // Its next answer comes when nobody has asked: it is not heard.
    room.engine(engine, &line("bestmove 2b2c"));
    assert_eq!(room.table.saved().tip, 3);
}
