//! A server on a port of its own, pages that talk to it, and engines that are shell scripts.

#![allow(dead_code, reason = "each test file uses what it needs")]

pub mod clock;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use kujira_board::config::Config;
use kujira_board::engine::Launch;
use kujira_board::server;
use kujira_board::store::Store;
use kujira_table::{Levels, Timeouts};
use kujira_trial::PATIENCE;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// An engine that greets, and answers `go` and `stop` as the test says.
pub fn fake(go: &str, stop: &str) -> Launch {
    let script = format!(
        "while read line; do case \"$line\" in \
         usi) echo 'id name Fake'; \
         echo 'option name USI_Variant type combo default whale var whale var great'; \
         echo 'option name MultiPV type spin default 1 min 1 max 8'; echo usiok;; \
         isready) echo readyok;; \
         go*) {go};; stop) {stop};; quit) exit 0;; esac; done"
    );
    Launch { program: "sh".into(), arguments: vec!["-c".to_owned(), script] }
}

/// The engine built in.
pub fn built_in() -> Launch {
    let program = env!("CARGO_BIN_EXE_kujira-board").into();
    Launch { program, arguments: vec!["usi".to_owned()] }
}

/// As people have it, but that an engine may take its time.
pub fn config(engine: Launch) -> Config {
    let mut config = Config::new(engine, IpAddr::V4(Ipv4Addr::LOCALHOST));
    let long = 60_000;
    config.timeouts = Timeouts { greeting: long, ready: long, stop: long, think: long };
    config
}

/// The same, for an engine that hangs.
pub fn impatient(engine: Launch) -> Config {
    let mut config = config(engine);
    (config.timeouts.stop, config.timeouts.think) = (300, 500);
    config
}

/// A running server, which ends with this value.
pub struct Server {
    pub address: SocketAddr,
    running: Running,
}

enum Running {
    Here(JoinHandle<()>),
    Apart(Child),
}

impl Drop for Server {
    fn drop(&mut self) {
        match &mut self.running {
            Running::Here(task) => task.abort(),
            Running::Apart(child) => {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

/// The program, with its games in a folder and an address that the system chooses. What `setup` is written before
/// it is the shell's.
pub fn program(setup: &str, state: &Path) -> Command {
    let mut command = Command::new("sh");
    let script = format!("{setup} exec \"$@\"");
    let board = env!("CARGO_BIN_EXE_kujira-board");
    command.args(["-c", &script, "sh", board, "--port", "0", "--state"]).arg(state);
    command.stdout(Stdio::piped());
    command
}

/// Starts a server as a program of its own.
pub fn launch(mut command: Command) -> Server {
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Kujira Board: http://");
    let address = address.and_then(|address| address.strip_suffix('/')?.parse().ok());
    let Some(address) = address else {
        let _ = child.kill();
        panic!("expected an address, found {line:?}");
    };
    Server { address, running: Running::Apart(child) }
}

/// Starts a server. Of an earlier one on the same folder all pages must have been closed: when its games have
/// been saved it gives the folder free.
pub async fn start(config: Config, state: &Path) -> Server {
    let mut store = None;
    poll("the folder is free", || {
        store = Store::open(state, Levels::kujira()).ok();
        store.is_some()
    })
    .await;
    let store = store.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = server::app(config, store);
    let task = tokio::spawn(async move {
        server::serve(listener, app, std::future::pending()).await;
    });
    Server { address, running: Running::Here(task) }
}

impl Server {
    /// The number of a server's process.
    pub fn process(&self) -> u32 {
        match &self.running {
            Running::Here(_) => std::process::id(),
            Running::Apart(child) => child.id(),
        }
    }

    /// Waits for the end of a server's process.
    pub async fn status(&mut self) -> ExitStatus {
        let Running::Apart(child) = &mut self.running else { panic!("no process of its own") };
        poll("the board ends", || child.try_wait().unwrap().is_some()).await;
        child.wait().unwrap()
    }

    /// Sends a request as it is written, and returns status and the whole answer.
    pub async fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server that refuses a body early may close while it is written.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String) {
        let host = self.address;
        let length = body.len();
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\
             Content-Length: {length}\r\n\r\n{body}"
        ))
        .await
    }

    pub async fn post(&self, body: &Value) -> (u16, Value) {
        let json = "Content-Type: application/json\r\n";
        let (status, answer) = self.request("POST", "/api/games", json, &body.to_string()).await;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// The list of saved games.
    pub async fn games(&self) -> Vec<Value> {
        let (status, answer) = self.request("GET", "/api/games", "", "").await;
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// Begins a game and opens a page on it.
    pub async fn begin(&self, wishes: Value) -> (String, Page) {
        let (status, answer) = self.post(&wishes).await;
        assert_eq!(status, 200, "{answer}");
        let id = answer["id"].as_str().unwrap().to_owned();
        let page = self.open(&id).await;
        (id, page)
    }

    pub async fn open(&self, id: &str) -> Page {
        let url = format!("ws://{}/ws/{id}", self.address);
        let (socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        Page { socket, shown: Value::Null, heard: 0 }
    }
}

/// Waits until something holds that nobody tells of.
pub async fn poll(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "expected that {what}");
        // Also where the clock stands still.
        std::thread::sleep(Duration::from_millis(2));
        tokio::task::yield_now().await;
    }
}

/// Asks until the answer is yes.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < PATIENCE, "expected that {what}");
    }
}

/// Two people, or a person as Black against the strongest engine.
pub fn game(variant: &str, engine: bool) -> Value {
    let white =
        if engine { json!({"kind": "engine", "level": 21}) } else { json!({"kind": "human"}) };
    json!({"variant": variant, "players": [{"kind": "human"}, white]})
}

/// A page that is connected.
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The state as it was told, with the changes since.
    shown: Value,
    /// How many bytes it has been told.
    pub heard: usize,
}

impl Page {
    /// Sends a command to a server that may be gone.
    pub async fn try_send(&mut self, command: &Value) {
        self.message(Message::Text(command.to_string().into())).await;
    }

    pub async fn send(&mut self, command: Value) {
        self.say(&command.to_string()).await;
    }

    pub async fn say(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }

    pub async fn message(&mut self, message: Message) {
        let _ = self.socket.send(message).await;
    }

    /// The next message for which `wanted` holds; others are left out. In place of a change comes the state with it.
    pub async fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let found = tokio::time::timeout(PATIENCE, async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        self.heard += text.len();
                        let value = self.take_in(serde_json::from_str(&text).unwrap());
                        if wanted(&value) {
                            return Some(value);
                        }
                    }
                    Some(Ok(_)) => {}
                    _ => return None,
                }
            }
        });
        match found.await {
            Ok(Some(value)) => value,
            Ok(None) => panic!("the connection ended before {what}"),
            Err(_) => panic!("{what} did not come"),
        }
    }

    /// The next state; none if the connection ends before.
    pub async fn next_state(&mut self) -> Option<Value> {
        let next = async {
            loop {
                if let Message::Text(text) = self.socket.next().await?.ok()? {
                    let message = self.take_in(serde_json::from_str(&text).unwrap());
                    if message["type"] == "state" {
                        return Some(message);
                    }
                }
            }
        };
        tokio::time::timeout(PATIENCE, next).await.expect("a state or an end")
    }

    /// Waits for a change, of which the text has `word`, without a look at the rest.
    pub async fn hear(&mut self, what: &str, word: &str) {
        let found = tokio::time::timeout(PATIENCE, async {
            while let Some(Ok(message)) = self.socket.next().await {
                let text = message.into_text().unwrap_or_default();
                self.heard += text.len();
                if text.contains("\"change\"") && text.contains(word) {
                    return true;
                }
            }
            false
        });
        assert!(found.await.unwrap_or(false), "{what} did not come");
    }

    /// What a page does with states and changes.
    fn take_in(&mut self, mut message: Value) -> Value {
        let kind = message["type"].as_str().unwrap();
        if kind != "state" && kind != "change" {
            return message;
        }
        let mut nodes: BTreeMap<u64, Value> = BTreeMap::new();
        if kind == "state" {
            self.shown = json!({"type": "state", "nodes": []});
        }
        let known = self.shown["nodes"].take();
        let known = known.as_array().expect("a state comes first");
        for node in known.iter().chain(message["nodes"].take().as_array().unwrap()) {
            nodes.insert(node["id"].as_u64().unwrap(), node.clone());
        }
        for gone in message["removed"].take().as_array().into_iter().flatten() {
            nodes.remove(&gone.as_u64().unwrap());
        }
        for (name, value) in message.as_object().unwrap() {
            if name != "type" && name != "removed" {
                self.shown[name] = value.clone();
            }
        }
        self.shown["nodes"] = nodes.into_values().collect();
        self.shown.clone()
    }

    pub async fn state(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.wait(what, |message| message["type"] == "state" && wanted(message)).await
    }

    pub async fn error(&mut self) -> String {
        let message = self.wait("an error", |message| message["type"] == "error").await;
        message["text"].as_str().unwrap().to_owned()
    }

    /// Waits for so many pings, which it answers.
    pub async fn pings(&mut self, mut number: u32) {
        let pinged = async {
            while number > 0 {
                match self.socket.next().await {
                    Some(Ok(message)) => number -= u32::from(message.is_ping()),
                    end => panic!("the connection ended: {end:?}"),
                }
            }
        };
        tokio::time::timeout(PATIENCE, pinged).await.unwrap();
    }

    /// Whether the server ends the connection.
    pub async fn closed(&mut self) -> bool {
        let end = async {
            while let Some(Ok(message)) = self.socket.next().await {
                if message.is_close() {
                    break;
                }
            }
        };
        tokio::time::timeout(PATIENCE, end).await.is_ok()
    }
}

/// The USI moves of the main line of a state.
pub fn moves(state: &Value) -> Vec<String> {
    let nodes = state["nodes"].as_array().unwrap();
    let find = |id: &Value| nodes.iter().find(|node| node["id"] == *id).unwrap();
    let mut at = find(&json!(0));
    let mut moves = Vec::new();
    while let Some(next) = at["children"].get(0) {
        at = find(next);
        moves.push(at["usi"].as_str().unwrap().to_owned());
    }
    moves
}
