//! Games as text, as people have them, given to `POST /api/games`.

mod common;

use common::{Server, config, fake, moves, start};
use serde_json::{Value, json};

async fn quiet(state: &tempfile::TempDir) -> Server {
    start(config(fake("true", "echo bestmove resign")), state.path()).await
}

fn wishes(text: &str) -> Value {
    let human = json!({"kind": "human"});
    json!({"variant": "whale", "players": [human, human], "text": text})
}

/// The state of the game that a text becomes, and what the page is told beside it.
async fn load(server: &Server, text: &str) -> (Value, Value) {
    let (status, answer) = server.post(&wishes(text)).await;
    assert_eq!(status, 200, "{text}: {answer}");
    let mut page = server.open(answer["id"].as_str().unwrap()).await;
    (page.state("the game", |_| true).await, answer["notice"].clone())
}

const HEAD: &str = "[Variant \"whale\"]\n\n";

/// The inputs of the issue "The house" that the board refused or read wrong, each with its moves.
#[tokio::test(flavor = "multi_thread")]
async fn games_as_people_have_them_are_read() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let two: &[&str] = &["2e2d", "5b5c"];
    let western = "1. D-e3 D-c4 2. D-d3 N-b4 3. D-d4 Dxd4 *";
    let japanese = "1. D-2d D-4c 2. D-3d N-5c 3. D-3c Dx3c *";
    let hodges: &[&str] = &["2e2d", "4b4c", "3e3d", "5a5c", "3d3c", "3b3c"];
    let moves_of = |text: &str| format!("{HEAD}{text}");
    for (text, expected) in [
        (moves_of("1. 2e2d ; good\n5b5c *"), two),
        (moves_of("1. 2e2d! 5b5c?! *"), two),
        (moves_of("2e2d$1 *"), &two[..1]),
        (format!("{{made by x}}\n{HEAD}1. 2e2d 5b5c *"), two),
        (format!("; made by x\n{HEAD}1. 2e2d 5b5c *"), two),
        (format!("% x\n{HEAD}1. 2e2d 5b5c *"), two),
        ("[Event \"x\"] [Variant \"whale\"]\n\n1. 2e2d 5b5c *".to_owned(), two),
        ("[Event\t\"x\"]\n[variant \"whale\"]\n\n1. 2e2d 5b5c *".to_owned(), two),
        (moves_of("1. 2e2d {a\n[Event \"b\"]\nc} 5b5c *"), two),
        (moves_of(western), hodges),
        (moves_of(japanese), hodges),
        (western.to_owned(), hodges),
        ("1. 2e2d 5b5c *".to_owned(), two),
        ("1. D-2d D-5c *".to_owned(), two),
        ("startpos moves 2e2d 5b5c resign".to_owned(), two),
        (format!("\u{feff}{}", moves_of("1. 2e2d 5b5c *").replace('\n', "\r\n")), two),
    ] {
        let (shown, notice) = load(&server, &text).await;
        assert_eq!(moves(&shown), expected, "{text}");
        assert_eq!((&shown["variant"], notice), (&json!("whale"), Value::Null), "{text}");
    }
    let (shown, _) = load(&server, "startpos moves 2e2d 5b5c resign").await;
    let last = shown["nodes"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["result"], &last["ending"]),
        (&json!("0-1"), &json!({"winner": "w", "reason": "resignation"}))
    );
    assert_eq!((&shown["playing"], &shown["current"]), (&json!(false), &json!(2)));
    // A text without tags is of the game that its moves fit.
    let (shown, _) = load(&server, "1. 6h6g 6d6e *").await;
    assert_eq!(moves(&shown), ["6h6g", "6d6e"]);
    assert_eq!(shown["variant"], "great");
}

/// What a record says of its moves outlives the server.
#[tokio::test(flavor = "multi_thread")]
async fn comments_are_kept_with_their_game() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let moves = "{a start} 1. 2e2d $1 {why not} ( {or} 1. 5e5d $6 ) 1... 5b5c {[%clk 0:00:05]} *\n";
    let id = {
        let (status, answer) = server.post(&wishes(&format!("{HEAD}{moves}"))).await;
        assert_eq!(status, 200, "{answer}");
        answer["id"].as_str().unwrap().to_owned()
    };
    let written = async |server: &Server| {
        let mut page = server.open(&id).await;
        page.state("the game", |_| true).await;
        page.send(json!({"type": "export", "format": "pgn"})).await;
        let reply = page.wait("the text", |message| message["type"] == "text").await;
        let text = reply["text"].as_str().unwrap().to_owned();
        text.split_once("\n\n").unwrap().1.to_owned()
    };
    assert_eq!(written(&server).await, moves);
    drop(server);
    let server = quiet(&state).await;
    assert_eq!(written(&server).await, moves);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_of_several_games_is_read_and_told() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    for text in [
        "startpos moves 2e2d\nstartpos moves 5e5d\n\nstartpos\n".to_owned(),
        format!("{HEAD}1. 2e2d *\n\n{HEAD}1. 5e5d 1-0\n\n{HEAD}*\n"),
    ] {
        let (shown, notice) = load(&server, &text).await;
        assert_eq!(moves(&shown), ["2e2d"]);
        assert_eq!(notice, "The text has 3 games: this is the first.");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn four_megabytes_are_taken_and_more_is_refused_in_a_sentence() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let of = |bytes: usize| {
        let text = format!("{HEAD}1. 2e2d {{\n\"}} 5b5c *");
        text.replace("\n\"", &"a line of words, \"quoted\"\n".repeat(bytes / 26))
    };
    let (shown, _) = load(&server, &of(4_000_000)).await;
    assert_eq!(moves(&shown), ["2e2d", "5b5c"]);
    for bytes in [4_300_000, 12_000_000] {
        let (status, answer) = server.post(&wishes(&of(bytes))).await;
        assert_eq!(status, 422, "{answer}");
        let expected = "expected a game of at most 4 MiB (4194304 bytes), found ";
        assert!(answer["error"].as_str().unwrap().starts_with(expected), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_told_with_its_place() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    for (text, expected) in [
        ("1. 2e2d 5b5c\n2. 2d2b *", "line 2, column 4: move 3: expected a legal move, found 2d2b"),
        ("1. D-e3 D-5c *", "move 2: expected a move in Western squares, as before"),
        ("1. 2e2d -- *", "move 2: expected a move, found the null move --"),
        ("[Variant \"chess\"]\n\n1. e4 *", "line 1, column 1: expected a game among whale"),
        ("startpos moves 2e2d 2e2d", "move 2: expected a legal move, found 2e2d"),
    ] {
        let (status, answer) = server.post(&wishes(text)).await;
        assert_eq!(status, 422, "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(expected), "{answer}");
    }
}
