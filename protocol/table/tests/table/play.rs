//! The game itself: branches, taking back, giving up, going on.

use kujira_table::message::Message;
use kujira_usi::Reason;
use serde_json::json;

use crate::engine::{Script, line};
use crate::room::{ENGINE, PAGE, Room, request};

fn humans() -> Room {
    Room::new(&request("whale", json!({})))
}

#[test]
fn looking_back_takes_nothing_away() {
    let mut room = humans();
    room.play(&["2e2d", "3b3c", "5e5d"]);
    room.ask(json!({"type": "resign", "side": "w"}));
    room.ask(json!({"type": "goto", "node": 2}));
    room.ask(json!({"type": "take_back"}));
    let saved = room.table.saved();
    assert_eq!((saved.current, saved.playing), (1, false));
    assert_eq!(saved.game.reachable(), [0, 1, 2, 3]);
    room.ask(json!({"type": "take_back"}));
    assert_eq!(room.refused(json!({"type": "take_back"})), "There is no move to take back.");
    // Nor is anything lost where the game is taken up again among its moves.
    room.ask(json!({"type": "goto", "node": 1}));
    room.ask(json!({"type": "resume"}));
    room.ask(json!({"type": "take_back"}));
    let saved = room.table.saved();
    assert_eq!((saved.current, saved.tip, saved.playing), (0, 0, true));
    assert_eq!(saved.game.reachable(), [0, 1, 2, 3]);
}

#[test]
fn on_a_free_board_the_turn_is_given_back() {
    let mut room = Room::new(&request("whale", json!({"playing": false})));
    room.play(&["2e2d", "3b3c"]);
    room.ask(json!({"type": "goto", "node": 1}));
    room.ask(json!({"type": "again", "at": 1}));
    let state = room.state();
    assert_eq!(state.shown.position.sfen, "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB b - 2");
    assert_eq!((state.shown.current, state.nodes.len()), (0, 1));
    room.play(&["2d2c"]);
    assert_eq!(room.table.saved().game.usi(1).rsplit_once(' ').unwrap().1, "2d2c");
    assert_eq!(
        room.refused(json!({"type": "again", "at": 7})),
        "expected a move of this game, found number 7"
    );
    // Whoever gives check can't move twice.
    let sfen = "3w2/6/3D2/6/6/3W2 b - 1";
    let mut room = Room::new(&request("whale", json!({"playing": false, "sfen": sfen})));
    room.play(&["3c3b"]);
    let refusal = room.refused(json!({"type": "again", "at": 1}));
    assert!(refusal.contains("out of check"), "{refusal}");
    let mut room = humans();
    room.play(&["2e2d"]);
    assert_eq!(room.refused(json!({"type": "again", "at": 1})), "Nobody may move twice in a game.");
}

#[test]
fn a_game_taken_up_again_goes_on_where_it_was_given_up() {
    let mut room = humans();
    room.play(&["2e2d", "3b3c"]);
    room.ask(json!({"type": "resign", "side": "b"}));
    room.ask(json!({"type": "goto", "node": 1}));
    room.ask(json!({"type": "resume"}));
    room.play(&["3b3c"]);
    let saved = room.table.saved();
    assert_eq!((saved.tip, saved.playing), (2, true));
    assert_eq!(saved.game.node(2).unwrap().ending, None);
}

#[test]
fn a_game_taken_back_to_where_it_was_given_up_is_on() {
    let mut room = humans();
    room.play(&["2e2d"]);
    room.ask(json!({"type": "resign", "side": "w"}));
    room.play(&["3b3c"]);
    room.ask(json!({"type": "resume"}));
    room.ask(json!({"type": "take_back"}));
    let saved = room.table.saved();
    assert_eq!((saved.tip, saved.playing), (1, true));
    assert_eq!(saved.game.node(1).unwrap().ending, None);
}

#[test]
fn a_running_game_takes_back_to_where_a_person_moves() {
    let players = json!([{"kind": "human"}, {"kind": "engine", "level": 2}]);
    let mut room = Room::new(&request("whale", json!({"players": players})));
    room.play(&["2e2d"]);
    room.until("an answer", |room| room.table.saved().tip == 2);
    room.ask(json!({"type": "take_back"}));
    let saved = room.table.saved();
    assert_eq!((saved.tip, saved.game.reachable()), (0, vec![0]));
    // An engine that has not answered yet is stopped, and its answer not played.
    let mut room = room.with(Script { thinks: 60_000, ..Script::default() });
    room.ask(json!({"type": "restart", "role": "player"}));
    room.play(&["2e2d"]);
    room.until("a search", |room| room.state().now.player.state == "searching");
    room.ask(json!({"type": "take_back"}));
    room.pass(120_000);
    let saved = room.table.saved();
    assert_eq!((saved.tip, saved.game.reachable()), (0, vec![0]));
    assert_eq!(room.state().now.player.state, "ready");
    // Both sides are moved by hand where no game is on: then it is one move.
    room.ask(json!({"type": "pause"}));
    room.play(&["2e2d", "3b3c", "5e5d"]);
    let shown = room.table.saved().current;
    room.ask(json!({"type": "take_back"}));
    let saved = room.table.saved();
    assert_eq!(saved.game.node(shown).unwrap().parent, Some(saved.current));
    assert_eq!(saved.game.reachable().len(), 4);
}

/// What is kept of a game but the clocks.
fn kept(room: &Room) -> serde_json::Value {
    let json = room.table.saved().to_json().unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    json["left"] = json!(null);
    json
}

#[test]
fn what_was_taken_back_comes_back_as_it_was() {
    let time = json!({"main": 60_000, "increment": 500, "byoyomi": 0});
    let players = json!([{"kind": "human"}, ENGINE]);
    let answers = [line("info depth 9 score cp 31 pv 3b3c"), line("bestmove 3b3c")];
    let mut room = Room::new(&request("whale", json!({"players": players, "time": time})))
        .with(Script::does(&answers));
    // Another line first: what comes back is the main one again.
    room.play(&["5e5d"]);
    room.until("an answer", |room| room.table.saved().tip == 2);
    room.ask(json!({"type": "goto", "node": 0}));
    room.pass(2_000);
    room.play(&["2e2d"]);
    room.until("an answer", |room| room.table.saved().tip == 4);
    room.pass(3_000);
    let (before, clocks) = (kept(&room), room.clocks());
    assert!(before.to_string().contains(r#""score":[{"cp":-31},9]"#), "{before}");
    assert!(!room.state().now.taken);
    room.ask(json!({"type": "take_back"}));
    assert_eq!((room.line(), room.state().now.taken), (String::new(), true));
    assert_eq!(room.clocks().0, [60_000, 60_000]);
    // Looks, hints and a pause are no moves; time that passes meanwhile does not count.
    room.pass(7_000);
    room.ask(json!({"type": "goto", "node": 2}));
    room.ask(json!({"type": "hint"}));
    room.ask(json!({"type": "bring_back"}));
    assert_eq!((kept(&room), room.clocks()), (before.clone(), clocks));
    assert_eq!((room.line(), room.looks_at(PAGE)), ("2e2d 3b3c".to_owned(), 4));
    assert_eq!(room.refused(json!({"type": "bring_back"})), "There is no move to bring back.");
    room.check_pages();
    // A game that is paused meanwhile stands.
    room.ask(json!({"type": "take_back"}));
    room.ask(json!({"type": "pause"}));
    room.ask(json!({"type": "bring_back"}));
    assert_eq!((room.clocks().0, room.table.saved().playing), (clocks.0, false));
    room.ask(json!({"type": "resume"}));
    assert_eq!((kept(&room), room.clocks()), (before, clocks));
}

#[test]
fn what_was_taken_back_step_by_step_comes_back_so() {
    let mut room = humans();
    room.play(&["2e2d", "3b3c"]);
    room.ask(json!({"type": "goto", "node": 0}));
    room.play(&["5e5d", "2b2c"]);
    let mut before = Vec::new();
    for _ in 0..2 {
        before.push(kept(&room));
        room.ask(json!({"type": "take_back"}));
    }
    assert_eq!(room.table.saved().game.line_through(0), [0, 1, 2]);
    while let Some(before) = before.pop() {
        assert!(room.state().now.taken);
        room.ask(json!({"type": "bring_back"}));
        assert_eq!(kept(&room), before);
    }
    assert!(!room.state().now.taken);
    assert_eq!(room.table.saved().game.line_through(0), [0, 3, 4]);
    // Where others were played behind them, moves have stayed; where one ended the game it did.
    room.ask(json!({"type": "resign", "side": "w"}));
    room.play(&["3e3d"]);
    room.ask(json!({"type": "resume"}));
    let before = kept(&room);
    room.ask(json!({"type": "take_back"}));
    room.ask(json!({"type": "bring_back"}));
    assert_eq!(kept(&room), before);
    // Engines go on.
    room.ask(json!({"type": "players", "players": [ENGINE, ENGINE]}));
    room.ask(json!({"type": "take_back"}));
    assert!(!room.table.saved().playing);
    room.ask(json!({"type": "bring_back"}));
    assert!(room.table.saved().playing);
}

#[test]
fn nothing_comes_back_where_the_game_has_gone_on() {
    let gone_on: [&[serde_json::Value]; 5] = [
        &[json!({"type": "play", "at": 3, "usi": "2b2c"})],
        &[json!({"type": "play", "at": 2, "usi": "3e3d"})],
        &[json!({"type": "resign", "side": "w"})],
        &[json!({"type": "goto", "node": 1}), json!({"type": "resume"})],
        &[json!({"type": "pause"}), json!({"type": "delete", "node": 3})],
    ];
    for commands in gone_on {
        let mut room = humans();
        room.play(&["2e2d", "3b3c", "5e5d", "2b2c"]);
        room.ask(json!({"type": "take_back"}));
        assert!(room.state().now.taken);
        for command in commands {
            room.ask(command.clone());
        }
        assert!(!room.state().now.taken, "{commands:?}");
        assert_eq!(room.refused(json!({"type": "bring_back"})), "There is no move to bring back.");
    }
}

#[test]
fn a_game_that_goes_on_elsewhere_is_the_main_line() {
    let mut room = humans();
    room.play(&["2e2d", "3b3c"]);
    room.ask(json!({"type": "goto", "node": 0}));
    room.play(&["5e5d", "2b2c"]);
    room.ask(json!({"type": "resign", "side": "w"}));
    let mut export = |format| {
        let answer = room.answer(json!({"type": "export", "format": format}));
        let Message::Text { text, .. } = answer else { panic!("a text") };
        text
    };
    let pgn = export("pgn");
    assert!(pgn.contains("[Result \"1-0\"]"), "{pgn}");
    assert!(pgn.contains("1. 5e5d ( 1. 2e2d 3b3c ) 1... 2b2c 1-0"), "{pgn}");
    assert!(export("usi").contains("startpos moves 5e5d 2b2c\n"));
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let mut room = humans();
    for (command, expected) in [
        (json!({"type": "play", "at": 9, "usi": "2e2d"}), "found number 9"),
        (json!({"type": "play", "at": 0, "usi": "2e2c"}), "expected a legal move, found 2e2c"),
        (json!({"type": "goto", "node": 1}), "found number 1"),
        (json!({"type": "promote", "node": 1}), "found number 1"),
        (json!({"type": "delete", "node": 0}), "The start of the game cannot be deleted."),
        (json!({"type": "claim"}), "An impasse cannot be claimed here."),
        (
            json!({"type": "players", "players": [{"kind": "human"}, {"kind": "engine", "level": 3}]}),
            "expected levels of engines from 1 to 2",
        ),
    ] {
        let error = room.refused(command);
        assert!(error.contains(expected), "{error}");
    }
    room.play(&["2e2d"]);
    let error = room.refused(json!({"type": "delete", "node": 1}));
    assert_eq!(error, "The game is going on there: take moves back instead.");
    room.ask(json!({"type": "pause"}));
    for command in ["draw", "resign"] {
        let error = room.refused(json!({"type": command, "side": "b"}));
        assert_eq!(error, "No game is going on.");
    }
    room.ask(json!({"type": "delete", "node": 1}));
    let saved = room.table.saved();
    assert_eq!((saved.current, saved.tip, saved.game.reachable()), (0, 0, vec![0]));
}

#[test]
fn people_agree_on_draws() {
    let mut room = humans();
    room.ask(json!({"type": "draw"}));
    assert_eq!(room.state().nodes[0].ending.unwrap().to_string(), "Draw: agreement");
    room.ask(json!({"type": "players", "players": [{"kind": "human"}, ENGINE]}));
    room.ask(json!({"type": "resume"}));
    room.play(&["2e2d"]);
    let error = room.refused(json!({"type": "play", "at": 1, "usi": "3b3c"}));
    assert_eq!(error, "It is the engine's turn.");
    room.ask(json!({"type": "players", "players": [ENGINE, ENGINE]}));
    assert_eq!(room.refused(json!({"type": "draw"})), "Engines do not agree on draws.");
}

/// Whales that walk to and fro, nine times each, and a game between a person and an engine from there.
fn long(engine_is_black: bool) -> Room {
    let cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
    let moves: Vec<_> = cycle.iter().copied().cycle().take(18).collect();
    let text = format!(
        "# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1 moves {}",
        moves.join(" ")
    );
    let human = json!({"kind": "human"});
    let players = if engine_is_black { json!([ENGINE, human]) } else { json!([human, ENGINE]) };
    let mut room = Room::new(&request("whale", json!({"text": text, "players": players})));
    room.ask(json!({"type": "resume"}));
    room
}

/// What the engine says to an offer of a draw.
fn offered(room: &mut Room) -> String {
    match room.answer(json!({"type": "draw"})) {
        Message::Notice { text } => text,
        other => panic!("a word, found {other:?}"),
    }
}

#[test]
fn an_engine_agrees_on_a_draw_where_it_is_not_better_off() {
    for (score, agrees) in [("cp 20", true), ("mate -3", true), ("cp 21", false), ("mate 3", false)]
    {
        let answers = [line(format!("info depth 9 score {score} pv 2b3a")), line("bestmove 2b3a")];
        let mut room = long(false).with(Script::does(&answers));
        room.play(&["2e3f"]);
        room.until("an answer", |room| room.table.saved().tip == 20);
        let early = "The engine declines: it agrees on no draw in the first 10 moves.";
        if agrees {
            room.ask(json!({"type": "draw"}));
            assert_eq!(room.state().nodes[20].ending.unwrap().to_string(), "Draw: agreement");
            assert!(!room.table.saved().playing);
        } else {
            assert_eq!(offered(&mut room), "The engine declines the draw.", "{score}");
            assert!(room.table.saved().playing);
        }
        // Whatever it thinks, not at the beginning.
        let mut room = long(false).with(Script::does(&answers));
        assert_eq!(offered(&mut room), early);
    }
}

#[test]
fn an_engine_judges_a_draw_by_its_own_side() {
    // It is better off as Black: the same score that Black sees is its own.
    for (score, agrees) in [("cp -50", true), ("cp 50", false)] {
        let answers = [line(format!("info depth 9 score {score} pv 2e3f")), line("bestmove 2e3f")];
        let mut room = long(true).with(Script::does(&answers));
        room.until("its move", |room| room.table.saved().tip == 19);
        room.play(&["2b3a"]);
        room.command(serde_json::from_value(json!({"type": "draw"})).unwrap());
        assert_eq!(room.table.saved().playing, !agrees, "{score}");
    }
    // One that has said nothing of the game yet does not agree.
    let mut room = long(true).with(Script::hangs());
    room.ask(json!({"type": "players", "players": [{"kind": "human"}, {"kind": "human"}]}));
    room.play(&["2e3f", "2b3a"]);
    room.ask(json!({"type": "players", "players": [ENGINE, {"kind": "human"}]}));
    assert_eq!(offered(&mut room), "The engine declines the draw.");
}

#[test]
fn an_impasse_is_claimed_where_the_rules_have_it() {
    let rules = json!({"impasse": true});
    let start = "W5/6/6/6/5w/6 b 2G4D8d 1";
    let mut room = Room::new(&request("whale", json!({"sfen": start, "rules": rules})));
    assert!(room.state().shown.position.impasse.is_some());
    room.ask(json!({"type": "claim"}));
    let ending = room.state().nodes[0].ending.unwrap();
    assert_eq!(ending.reason, Reason::Impasse);
    let error = room.refused(json!({"type": "resume"}));
    assert!(error.starts_with("The game is over here"), "{error}");
}
