//! Who may play on a board that others on the network can reach: whoever has the link, and within limits.

mod common;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use common::{Server, built_in, config, game, launch, program, start};
use kujira_board::token::Token;
use kujira_table::Resources;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A board with a token, and the token.
async fn closed(state: &tempfile::TempDir) -> (Server, String) {
    let token = Token::new(8330).unwrap();
    let secret = token.query().replace("?token=", "");
    let config = kujira_board::config::Config { token: Some(token), ..config(built_in()) };
    (start(config, state.path()).await, secret)
}

/// The status of a request for a socket, with these headers.
async fn socket(server: &Server, path: &str, cookie: &str) -> u16 {
    let mut request = format!("ws://{}{path}", server.address).into_client_request().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    match connect_async(request).await {
        Ok((_, answer)) => answer.status().as_u16(),
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => answer.status().as_u16(),
        Err(error) => panic!("{error}"),
    }
}

const REQUESTS: [(&str, &str); 8] = [
    ("GET", "/"),
    ("GET", "/index.html"),
    ("GET", "/app.js"),
    ("GET", "/api/spec"),
    ("GET", "/api/games"),
    ("POST", "/api/games"),
    ("DELETE", "/api/games/000000000000000000000000"),
    ("GET", "/nothing"),
];

#[tokio::test]
async fn without_the_token_nothing_is_answered() {
    let state = tempfile::tempdir().unwrap();
    let (server, secret) = closed(&state).await;
    let other = if secret.starts_with('0') { "1" } else { "0" };
    let wrong =
        ["", "x", &secret[..31], &format!("{secret}0"), &format!("{other}{}", &secret[1..])];
    for (method, path) in REQUESTS {
        let (status, answer) = server.request(method, path, "", "{}").await;
        assert_eq!(status, 403, "{method} {path}");
        assert!(!answer.contains(&secret), "{answer}");
        for wrong in wrong {
            let linked = format!("{path}?token={wrong}");
            assert_eq!(server.request(method, &linked, "", "{}").await.0, 403, "{linked}");
            let cookie = format!("Cookie: kujira-board-8330={wrong}\r\n");
            assert_eq!(server.request(method, path, &cookie, "{}").await.0, 403, "{path} {cookie}");
        }
        // Nor under another name, or from a page elsewhere.
        let cookie = format!("Cookie: kujira-board-1={secret}\r\n");
        assert_eq!(server.request(method, path, &cookie, "{}").await.0, 403, "{path}");
        let foreign =
            format!("Cookie: kujira-board-8330={secret}\r\nOrigin: http://evil.example\r\n");
        assert_eq!(server.request(method, path, &foreign, "{}").await.0, 403, "{path}");
    }
    assert_eq!(socket(&server, "/ws/000000000000000000000000", "a=b").await, 403);
}

#[tokio::test]
async fn the_link_leads_to_the_page_and_leaves_the_address_clean() {
    let state = tempfile::tempdir().unwrap();
    let (server, secret) = closed(&state).await;
    let (status, answer) = server.request("GET", &format!("/?token={secret}"), "", "").await;
    let head = answer.to_lowercase();
    assert_eq!(status, 303, "{answer}");
    assert!(head.contains("\r\nlocation: ./\r\n"), "{answer}");
    let cookie = format!("kujira-board-8330={secret}");
    assert!(head.contains(&format!("set-cookie: {cookie}; path=/; httponly; samesite=strict\r\n")));
    for (method, path) in REQUESTS {
        let cookie = format!("Cookie: other=1; {cookie}\r\nContent-Type: application/json\r\n");
        let (status, _) =
            server.request(method, path, &cookie, &game("whale", false).to_string()).await;
        let expected = if path == "/nothing" { 404 } else { 200 };
        assert_eq!(status, expected, "{method} {path}");
        // Programs may show it with each request.
        let linked = format!("{path}?a=b&token={secret}");
        let (status, _) = server.request(method, &linked, "", "").await;
        assert_ne!(status, 403, "{method} {linked}");
    }
    assert_eq!(socket(&server, "/ws/000000000000000000000000", &cookie).await, 101);
    let linked = format!("/ws/000000000000000000000000?token={secret}");
    assert_eq!(socket(&server, &linked, "a=b").await, 101);
}

#[tokio::test]
async fn a_browser_without_the_cookie_is_told_once_to_ask_again() {
    let state = tempfile::tempdir().unwrap();
    let (server, secret) = closed(&state).await;
    let (_, first) = server.request("GET", "/", "", "").await;
    assert!(first.contains("src=again.js") && first.contains("whole link"), "{first}");
    let (status, script) = server.request("GET", "/again.js", "", "").await;
    assert!(status == 200 && script.contains("./?again"), "{script}");
    let (status, second) = server.request("GET", "/?again", "", "").await;
    assert!(
        status == 403 && !second.contains("script>") && second.contains("whole link"),
        "{second}"
    );
    let cookie = format!("Cookie: kujira-board-8330={secret}\r\n");
    let (status, onward) = server.request("GET", "/?again", &cookie, "").await;
    assert!(status == 303 && onward.to_lowercase().contains("location: ./\r\n"), "{onward}");
}

/// Starts the program; its first line, what it warns of, and the program.
fn started(arguments: &[&str]) -> (String, String) {
    let state = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kujira-board"))
        .args(["--port", "0", "--state"])
        .arg(state.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    // The warning follows the lines about addresses.
    let mut warning = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    if arguments.contains(&"0.0.0.0") {
        errors.read_line(&mut warning).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    errors.read_to_string(&mut warning).unwrap();
    (line, warning)
}

#[test]
fn the_link_has_a_token_where_others_can_reach_the_board() {
    let may =
        "may play for either side, delete all games, and set threads and memory of the engines";
    let (line, warning) = started(&["--listen", "0.0.0.0", "--threads", "2", "--hash", "32"]);
    let secret = line.trim().rsplit_once("/?token=").map_or("", |(_, secret)| secret);
    assert!(secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
    assert!(warning.contains("whoever has the link and reaches port "), "{warning}");
    assert!(warning.contains(may) && warning.contains("at most 2 threads and 32 MiB"), "{warning}");

    let (line, warning) = started(&["--listen", "0.0.0.0", "--no-token"]);
    assert!(line.trim().ends_with('/'), "{line}");
    assert!(warning.contains("anybody who reaches port ") && warning.contains(may), "{warning}");

    let (line, warning) = started(&["--listen", "127.0.0.1"]);
    assert!(line.trim().ends_with('/') && warning.is_empty(), "{line} {warning}");
}

#[tokio::test]
async fn pages_have_engines_use_no_more_than_they_may() {
    let state = tempfile::tempdir().unwrap();
    let mut command = program("", state.path());
    command.args(["--threads", "1", "--hash", "24"]);
    let server = launch(command);
    let (_, answer) = server.request("GET", "/api/spec", "", "").await;
    let spec: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(spec["most"], json!({"threads": 1, "hash": 24}));
    let (_, mut page) = server.begin(game("whale", false)).await;
    // What engines use without a word is within it, too.
    page.state("the usual", |state| state["threads"] == 1 && state["hash"] == 24).await;
    page.send(json!({"type": "resources", "threads": 1, "hash": 8})).await;
    page.state("less", |state| state["hash"] == 8).await;
    let most = Resources::MOST;
    page.send(json!({"type": "resources", "threads": most.threads, "hash": most.hash})).await;
    page.state("the most", |state| state["threads"] == 1 && state["hash"] == 24).await;
}

#[test]
fn limits_beyond_those_of_the_board_are_refused() {
    for arguments in [["--threads", "0"], ["--threads", "65"], ["--hash", "0"], ["--hash", "4097"]]
    {
        let output =
            Command::new(env!("CARGO_BIN_EXE_kujira-board")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
