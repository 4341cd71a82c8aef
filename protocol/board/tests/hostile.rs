//! Clients that mean harm: half requests, slow ones, too many, and nonsense of every sort.

mod common;

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::clock::{meanwhile, pass, still};
use common::{Server, config, fake, game, moves, start};
#[cfg(unix)]
use common::{launch, program};
use kujira_board::config::Config;
use kujira_trial::PATIENCE;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What an attacker begins and never ends.
const HALF: &str = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ";

fn quiet() -> Config {
    config(fake("true", "true"))
}

/// A connection on which this was sent.
async fn connect(server: &Server, text: &[u8]) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(server.address).await?;
    stream.write_all(text).await?;
    Ok(stream)
}

/// All that comes until the server closes the connection, while time passes by `step` again and again.
async fn end(mut stream: TcpStream, step: Duration) -> String {
    let mut answer = Vec::new();
    // One that ends with something unread ends with an error.
    let _ = meanwhile(step, stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(start_paused = true)]
async fn whoever_does_not_go_on_asking_is_cut_off() {
    let _still = still();
    let folder = tempfile::tempdir().unwrap();
    let config = quiet();
    let (head, body) = (config.head, config.body);
    let server = start(config, folder.path()).await;
    // Nothing, half a head, and a connection that is not used any more.
    let host = server.address;
    let whole = format!("GET /app.js HTTP/1.1\r\nHost: {host}\r\n\r\n");
    for (text, expected) in [("", ""), (HALF, ""), (&whole, "HTTP/1.1 200 OK")] {
        let mut stream = connect(&server, text.as_bytes()).await.unwrap();
        // What is asked in time is answered.
        let mut first = vec![0; expected.len()];
        stream.read_exact(&mut first).await.unwrap();
        assert_eq!(first, expected.as_bytes());
        let rest = end(stream, head).await;
        assert!(!rest.contains("200 OK"), "{rest}");
    }
    // A head that comes letter by letter has no more time.
    let mut slow = connect(&server, HALF.as_bytes()).await.unwrap();
    let begun = Instant::now();
    while slow.write_all(b"x").await.is_ok() {
        assert!(begun.elapsed() < PATIENCE, "a slow head is never ended");
        pass(head / 10).await;
    }
    // Nor has a body, which is told so. It is waited for once that is said.
    let post = format!(
        "POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: 100000\r\n\r\n"
    );
    let mut stream = connect(&server, post.as_bytes()).await.unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"{").await.unwrap();
    let answer = end(stream, body).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("expected the whole request within 30 s"), "{answer}");
    assert_eq!(server.request("GET", "/", "", "").await.0, 200);
}

/// An attacker who takes every place, again and again, keeps nobody out: the oldest of his connections goes. Nothing
/// is a question of time here: that stands still.
#[tokio::test(start_paused = true)]
async fn half_requests_keep_nobody_out() {
    let _still = still();
    let folder = tempfile::tempdir().unwrap();
    let mut config = quiet();
    config.most_connections = 20;
    let server = start(config, folder.path()).await;
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(connect(&server, HALF.as_bytes()).await.unwrap());
    }
    let (_, mut page) = server.begin(game("whale", false)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    for _ in 0..100 {
        held.push(connect(&server, HALF.as_bytes()).await.unwrap());
    }
    // Who plays stays connected.
    page.state("the move", |state| moves(state) == ["2e2d"]).await;
    page.send(json!({"type": "ping"})).await;
    page.wait("a sign of life", |message| message["type"] == "pong").await;
    // The first of them has made room.
    end(held.swap_remove(0), Duration::ZERO).await;
}

/// As it was tried: more half requests than files that a program may have, on every network.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_half_requests_lock_nobody_out() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    const SOCKETS: usize = 1100;
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    if most < 2 * SOCKETS as u64 {
        println!("skipped: this system lets a program open {most} files only");
        return;
    }
    setrlimit(Resource::RLIMIT_NOFILE, most.min(8192), most).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut command = program("ulimit -n 1024;", folder.path());
    command.args(["--listen", "0.0.0.0", "--no-token"]).stderr(std::process::Stdio::null());
    let server = launch(command);
    let mut held = Vec::new();
    for _ in 0..SOCKETS {
        held.push(connect(&server, HALF.as_bytes()).await.unwrap());
    }
    let begun = Instant::now();
    let (_, mut page) = server.begin(game("whale", true)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    let state = page.state("the engine's move", |state| moves(state).len() == 2).await;
    assert_eq!(state["unsaved"], serde_json::Value::Null);
    println!("a game is begun and answered in {:.1?}", begun.elapsed());
    assert_eq!(held.len(), SOCKETS);
}

/// Panics of any thread of this program.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Changes some bytes, or leaves some out.
fn damage(text: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..text.len().max(1));
        match random.random_range(0..5) {
            0 if at < text.len() => text[at] = random.random(),
            1 => text.truncate(at),
            2 => text.insert(at.min(text.len()), random.random()),
            3 => {
                let piece = text[at.min(text.len())..].to_vec();
                text.extend(piece);
            }
            _ if at < text.len() => drop(text.remove(at)),
            _ => {}
        }
    }
    text
}

/// A frame of a WebSocket as a client sends it, with any length said to follow.
fn frame(head: u8, said: u64, mask: bool, payload: &[u8]) -> Vec<u8> {
    let flag = if mask { 0x80 } else { 0 };
    let mut frame = vec![head];
    match said {
        0..126 => frame.push(flag | said as u8),
        126..65_536 => {
            frame.push(flag | 126);
            frame.extend((said as u16).to_be_bytes());
        }
        _ => {
            frame.push(flag | 127);
            frame.extend(said.to_be_bytes());
        }
    }
    if mask {
        // A mask of nothing changes nothing.
        frame.extend([0; 4]);
    }
    frame.extend(payload);
    frame
}

/// Commands that are almost right, and some that are far from it.
fn command(random: &mut impl Rng) -> Vec<u8> {
    let commands = [
        r#"{"type":"play","at":0,"usi":"2e2d"}"#,
        r#"{"type":"goto","node":18446744073709551615}"#,
        r#"{"type":"players","players":[{"kind":"engine","level":1},{"kind":"human"}]}"#,
        r#"{"type":"analysis","on":false,"lines":4294967295}"#,
        r#"{"type":"export","format":"pgn","date":"2026.01.01"}"#,
        r#"{"type":"explain","at":0,"from":"2e","drop":null,"to":"9z"}"#,
        r#"{"type":"check","draft":{"variant":"whale","squares":{"1a":"W"},"hands":[{},{"D":99999}],
            "side":"b","rules":{"retreat_two":true,"retreat_file_limit":true,"impasse":true,"repetition":true}}}"#,
        r#"{"type":"resources","threads":1e99,"hash":-1}"#,
        r#"{"type":"state"}"#,
    ];
    let text = commands[random.random_range(0..commands.len())].as_bytes();
    match random.random_range(0..8) {
        0 => b"[".repeat(random.random_range(1..200_000)),
        1 => br#"{"type":"#.repeat(random.random_range(1..20_000)),
        2 => (0..random.random_range(0..2000)).map(|_| random.random()).collect(),
        3 => text.to_vec(),
        _ => damage(text, random),
    }
}

/// What is sent on a WebSocket: frames that are right, and others.
fn frames(random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..random.random_range(1..6) {
        let payload = command(random);
        let length = payload.len() as u64;
        bytes.extend(match random.random_range(0..10) {
            0 => frame(random.random(), length, true, &payload),
            1 => frame(0x81, random.random(), true, &payload),
            2 => frame(0x81, u64::MAX >> random.random_range(0..2), true, &payload),
            3 => frame(0x81, length, false, &payload),
            // A control frame is short, and whole.
            4 => frame(0x89 - random.random_range(0..2), length, true, &payload),
            5 => frame(random.random_range(0..3), length, true, &payload),
            6 => frame(0x82, length, true, &payload),
            _ => frame(0x81, length, true, &payload),
        });
    }
    bytes
}

/// What is answered to nonsense: by hyper, axum, the guard, the sockets, the commands.
const ANSWERS: [&str; 7] = [
    "400 Bad Request",
    "403 Forbidden",
    "404 Not Found",
    "101 Switching Protocols",
    "expected a command, found none",
    "expected text, found bytes",
    "\"type\":\"state\"",
];

/// Whatever bytes come, nothing panics, the server goes on, and a game that others play stays as it is.
#[tokio::test(start_paused = true)]
async fn nonsense_of_every_sort_does_no_harm() {
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        told(panic);
    }));
    let rounds = std::env::var("KUJIRA_NONSENSE").map_or(300, |rounds| rounds.parse().unwrap());
    let mut _still = still();
    let folder = tempfile::tempdir().unwrap();
    let mut config = quiet();
    let head = config.head;
    // The page that others play at reads nothing meanwhile.
    config.ping = Duration::from_secs(u32::MAX.into());
    let server = start(config, folder.path()).await;
    let (_, mut page) = server.begin(game("whale", false)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    page.state("the move", |state| moves(state) == ["2e2d"]).await;
    let (victim, answer) = server.post(&game("whale", false)).await;
    assert_eq!(victim, 200);
    let victim = answer["id"].as_str().unwrap().to_owned();
    let host = server.address;
    let wishes = game("whale", false).to_string();
    let requests = [
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
        format!(
            "POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{wishes}",
            wishes.len()
        ),
        format!(
            "POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{wishes}\r\n0\r\n\r\n"
        ),
        format!("DELETE /api/games/{victim} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
    ];
    let upgrade = format!(
        "GET /ws/{victim} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let mut random = Xoshiro256PlusPlus::seed_from_u64(34);
    let mut open = Vec::new();
    let mut heard: BTreeSet<&str> = BTreeSet::new();
    let (mut round, mut begun) = (0, Instant::now());
    // Some answers are rare.
    while round < rounds || heard.len() < ANSWERS.len() {
        assert!(begun.elapsed() < PATIENCE, "the nonsense got no further: {heard:?}");
        let mut bytes = match round % 3 {
            0 => damage(requests[random.random_range(0..requests.len())].as_bytes(), &mut random),
            1 => upgrade.clone().into_bytes(),
            _ => (0..random.random_range(0..3000)).map(|_| random.random()).collect(),
        };
        if round % 3 == 1 {
            bytes.extend(frames(&mut random));
        }
        if let Ok(stream) = TcpStream::connect(server.address).await {
            let (read, mut write) = stream.into_split();
            open.push(read);
            // What it does not read, it need not.
            tokio::spawn(async move {
                let _ = write.write_all(&bytes).await;
                write.forget();
            });
        }
        pass(head / 20).await;
        // Some of them stay for a while.
        if open.len() > 12 {
            let stream = open.swap_remove(random.random_range(0..open.len()));
            let mut answer = vec![0; 1 << 16];
            let read = stream.try_read(&mut answer).unwrap_or(0);
            let answer = String::from_utf8_lossy(&answer[..read]);
            heard.extend(ANSWERS.iter().filter(|&&part| answer.contains(part)));
        }
        if round % 50 == 0 {
            _still = still();
            if round < rounds {
                begun = Instant::now();
            }
            assert_eq!(server.request("GET", "/", "", "").await.0, 200);
        }
        round += 1;
    }
    drop(open);
    page.send(json!({"type": "play", "at": 1, "usi": "3b3c"})).await;
    page.state("the next move", |state| moves(state) == ["2e2d", "3b3c"]).await;
    assert_eq!(server.request("GET", "/api/games", "", "").await.0, 200);
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
}
