//! Engines at the board: ours, and some that die, hang, and answer nonsense.

mod common;

use common::clock::still;
use common::{built_in, config, fake, game, impatient, moves, poll, start};
use kujira_board::engine::Launch;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn our_engine_answers_analyses_and_hints() {
    let state = tempfile::tempdir().unwrap();
    let server = start(config(built_in()), state.path()).await;
    let mut wishes = game("great", true);
    wishes["players"][1]["level"] = json!(2);
    let (_, mut page) = server.begin(wishes).await;
    page.send(json!({"type": "play", "at": 0, "usi": "6h6g"})).await;
    let state = page.state("the answer", |state| moves(state).len() == 2).await;
    let answer = &state["nodes"][2];
    assert_eq!(answer["side"], "b", "it is Black's turn again");
    assert!(state["nodes"][1]["score"].is_null(), "what a weak engine thinks is no score: {state}");
    page.send(json!({"type": "analysis", "on": true, "lines": 2})).await;
    let lines = page
        .wait("two lines", |m| m["type"] == "lines" && m["lines"].as_array().unwrap().len() == 2)
        .await;
    assert_eq!(lines["role"], "analyst");
    let line = &lines["lines"][0];
    assert_eq!(line["usi"].as_array().unwrap().len(), line["text"].as_array().unwrap().len());
    page.send(json!({"type": "analysis", "on": false, "lines": 2})).await;
    page.send(json!({"type": "hint"})).await;
    let state = page.state("a hint", |state| !state["hint"].is_null()).await;
    let legal = state["position"]["legal"].as_array().unwrap();
    assert!(legal.iter().any(|m| m["usi"] == state["hint"][1]), "{}", state["hint"]);
}

#[tokio::test(start_paused = true)]
async fn a_dead_engine_is_reported_and_restarted() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    // It dies at its first search; restarted, it finds its mark and plays.
    let mark = state.path().join("died");
    let go = format!(
        "if [ -e '{0}' ]; then echo 'info depth 3 score cp -20 pv 3b3c'; echo 'bestmove 3b3c'; \
         else touch '{0}'; echo 'out of luck' >&2; exit 3; fi",
        mark.display()
    );
    let server = start(config(fake(&go, "true")), state.path()).await;
    let mut wishes = game("whale", true);
    // In full strength, which is what scores are of.
    wishes["players"][1]["level"] = json!(25);
    let (_, mut page) = server.begin(wishes).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    let state = page.state("the failure", |state| state["player"]["state"] == "failed").await;
    assert_eq!(state["player"]["message"], "the engine has ended: out of luck");
    assert_eq!(moves(&state), ["2e2d"], "the game is kept");
    page.send(json!({"type": "restart", "role": "player"})).await;
    let state = page.state("the move", |state| moves(state) == ["2e2d", "3b3c"]).await;
    assert_eq!(state["nodes"][1]["score"], json!([{"cp": 20}, 3]), "as Black sees it");
}

/// Engines complain in many ways, not only in ours.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_engine_complains_of_is_shown() {
    let state = tempfile::tempdir().unwrap();
    let go = "echo 'info string ERROR: no network'; echo 'bestmove 3b3c'";
    let server = start(config(fake(go, "true")), state.path()).await;
    let (_, mut page) = server.begin(game("whale", true)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    let state = page.state("the move", |state| moves(state) == ["2e2d", "3b3c"]).await;
    assert_eq!(state["player"]["refusal"], "no network");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_engine_is_reported() {
    let state = tempfile::tempdir().unwrap();
    let server = start(impatient(fake("true", "true")), state.path()).await;
    let (_, mut page) = server.begin(game("whale", true)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    let state = page.state("the failure", |state| state["player"]["state"] == "failed").await;
    assert_eq!(state["player"]["message"], "the engine did not answer stop within 0.3 s");
    // Analysis has an engine of its own, which hangs only when it is to stop.
    page.send(json!({"type": "analysis", "on": true, "lines": 1})).await;
    page.state("the search", |state| state["analyst"]["state"] == "searching").await;
    page.send(json!({"type": "analysis", "on": false, "lines": 1})).await;
    page.state("the failure", |state| state["analyst"]["state"] == "failed").await;
    // The game goes on between people.
    let human = json!({"kind": "human"});
    page.send(json!({"type": "players", "players": [human, human]})).await;
    page.send(json!({"type": "play", "at": 1, "usi": "3b3c"})).await;
    page.state("the move", |state| moves(state) == ["2e2d", "3b3c"]).await;
}

#[tokio::test(start_paused = true)]
async fn an_engine_has_time_to_quit() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let mark = state.path().join("quit");
    let mut launch = fake("true", "true");
    let script = launch.arguments.last_mut().unwrap();
    *script = script.replace("quit) ", &format!("quit) sleep 0.2; touch '{}'; ", mark.display()));
    let server = start(config(launch), state.path()).await;
    let (_, mut page) = server.begin(game("whale", false)).await;
    page.send(json!({"type": "analysis", "on": true, "lines": 1})).await;
    page.state("the search", |state| state["analyst"]["state"] == "searching").await;
    page.send(json!({"type": "restart", "role": "analyst"})).await;
    poll("the engine has put its things in order", || mark.exists()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_for_a_set_time_has_a_deadline() {
    let state = tempfile::tempdir().unwrap();
    let server = start(impatient(fake("true", "true")), state.path()).await;
    for command in [json!({"type": "hint"}), json!({"type": "sweep", "on": true})] {
        let (_, mut page) = server.begin(game("whale", false)).await;
        page.send(command).await;
        let state = page.state("the failure", |state| state["analyst"]["state"] == "failed").await;
        assert_eq!(state["analyst"]["message"], "the engine did not answer stop within 0.3 s");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_answers_end_no_game() {
    for (go, expected) in [
        ("echo 'bestmove 9z9z'", "the engine answered wrongly: expected a USI move"),
        ("echo 'bestmove 2e2d'", "the engine answered wrongly: expected a legal move"),
        ("echo 'bestmove win'", "it claims an impasse where there is none"),
    ] {
        let state = tempfile::tempdir().unwrap();
        let server = start(config(fake(go, "true")), state.path()).await;
        let (_, mut page) = server.begin(game("whale", true)).await;
        page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
        let state = page.state("the failure", |state| state["player"]["state"] == "failed").await;
        let message = state["player"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
        assert_eq!(state["playing"], true);
    }
    let state = tempfile::tempdir().unwrap();
    let server = start(config(fake("echo bestmove resign", "true")), state.path()).await;
    let (_, mut page) = server.begin(game("whale", true)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    let state = page.state("the end", |state| state["playing"] == false).await;
    assert!(state["nodes"].to_string().contains(r#"{"reason":"resignation","winner":"b"}"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_that_cannot_play_are_told_apart() {
    let missing = Launch { program: "/nonexistent/engine".into(), arguments: Vec::new() };
    let script = "while read line; do [ \"$line\" = usi ] && echo usiok; done";
    let other =
        Launch { program: "sh".into(), arguments: vec!["-c".to_owned(), script.to_owned()] };
    for (launch, variant, expected) in [
        (missing, "whale", "could not be started"),
        (other, "whale", "the engine has no option USI_Variant"),
        (fake("true", "true"), "paulowich", "expected an engine that plays paulowich"),
    ] {
        let state = tempfile::tempdir().unwrap();
        let server = start(config(launch), state.path()).await;
        let (_, mut page) = server.begin(game(variant, false)).await;
        page.send(json!({"type": "analysis", "on": true, "lines": 1})).await;
        let state = page.state("the failure", |state| state["analyst"]["state"] == "failed").await;
        let message = state["analyst"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
    }
}
