//! The server as pages meet it: who may talk to it, what it refuses, games played and found again.

mod common;

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::clock::{meanwhile, pass, still};
use common::{Server, built_in, config, fake, game, moves, poll, start, until};
use kujira_board::sessions::Sessions;
use kujira_board::store::Store;
use kujira_position::VariantId;
use kujira_table::message::Command;
use kujira_table::{Levels, Saved, new_game};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

async fn quiet(state: &tempfile::TempDir) -> Server {
    start(config(fake("true", "echo bestmove resign")), state.path()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_comes_whole_and_locked_down() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let (status, page) = server.request("GET", "/", "", "").await;
    assert_eq!(status, 200);
    let head = page.to_ascii_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(head.contains(header), "{header} in {page}");
    }
    // Everything the page loads is there, and nothing comes from elsewhere.
    let mut names = vec!["index.html".to_owned()];
    for folder in ["puzzles", "openings", "learn"] {
        let file = |variant: &VariantId| format!("{folder}/{}.json", variant.spec().id);
        names.extend(VariantId::ALL.iter().map(file));
    }
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        let (status, text) = server.request("GET", &format!("/{name}"), "", "").await;
        assert_eq!(status, 200, "{name}");
        let kind = match name.rsplit_once('.').unwrap().1 {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            other => panic!("a file of another kind: {other}"),
        };
        let head = text.to_ascii_lowercase();
        assert!(head.contains(&format!("content-type: {kind}\r\n")), "{name}: {text}");
        assert!(head.contains("cache-control: no-cache\r\n"), "{name}");
        for address in addresses(&name, &text) {
            if !names.contains(&address) {
                names.push(address);
            }
        }
        let foreign = text.replace("http://www.w3.org/", "").contains("http://");
        assert!(!foreign && !text.contains("https://"), "{name} names an address elsewhere");
        next += 1;
    }
    names.sort();
    assert_eq!(names, page_files(), "all files are used, and none but them");
    assert!(kujira_board::weight() < 500_000, "{} bytes", kujira_board::weight());
    for path in
        ["/../Cargo.toml", "/%2e%2e%2fCargo.toml", "/none.js", "/etc/passwd", "/api", "/ws/"]
    {
        assert_eq!(server.request("GET", path, "", "").await.0, 404, "{path}");
    }
}

/// What a file of the page loads, as addresses relative to the page.
fn addresses(file: &str, text: &str) -> Vec<String> {
    let loads: &[&str] = match file.rsplit_once('.').unwrap().1 {
        "html" => &[" href=\"", " src=\""],
        "js" => &[" from \"", "import \"", "import(\""],
        "json" => &[],
        _ => &["url("],
    };
    let found = loads.iter().flat_map(|&load| text.split(load).skip(1));
    let found = found.filter_map(|rest| Some(rest.split_once('"')?.0));
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let relative = |address: &str| {
        let mut parts: Vec<_> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in address.split('/') {
            match part {
                "." => {}
                ".." => assert!(parts.pop().is_some(), "{address} leads out of the page"),
                // An address that begins with "/" would not work below a folder of another server.
                "" => panic!("{file}: expected a relative address, found {address}"),
                name => parts.push(name),
            }
        }
        parts.join("/")
    };
    found.filter(|address| !address.starts_with('#')).map(relative).collect()
}

/// The files of the page, as addresses relative to it.
fn page_files() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page/src");
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_pages_and_names_are_refused() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for path in ["/", "/api/spec", "/api/games", "/ws/0123456789abcdef01234567"] {
        let foreign = "GET PATH HTTP/1.1\r\nHost: evil.example:80\r\nConnection: close\r\n\r\n";
        let (status, answer) = server.raw(&foreign.replace("PATH", path)).await;
        assert_eq!(status, 403, "{path}: {answer}");
        let own = server.address;
        let text = format!(
            "GET {path} HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil.example\r\n{upgrade}\r\n"
        );
        let text = text.replace("Connection: Upgrade", "Connection: Upgrade, close");
        assert_eq!(server.raw(&text).await.0, 403, "{path}");
    }
    let headers = "Content-Type: application/json\r\nOrigin: null\r\n";
    let body = game("whale", false).to_string();
    assert_eq!(server.request("POST", "/api/games", headers, &body).await.0, 403);
    // What a foreign form can send without asking is no game either.
    let headers = "Content-Type: text/plain\r\n";
    assert_eq!(server.request("POST", "/api/games", headers, &body).await.0, 415);
    let headers =
        format!("Content-Type: application/json\r\nOrigin: http://{}\r\n", server.address);
    assert_eq!(server.request("POST", "/api/games", &headers, &body).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_requests_are_told_what_is_wrong() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let human = json!({"kind": "human"});
    for (body, expected) in [
        (json!({"variant": "chess", "players": [human, human]}), "expected a game among whale"),
        (json!({"variant": "whale", "players": [human]}), "invalid length 1"),
        (json!({"variant": "whale", "players": [human, human], "x": 1}), "unknown field `x`"),
        (
            json!({"variant": "whale", "players": [human, {"kind": "engine", "level": 26}]}),
            "expected levels of engines from 1 to 25",
        ),
        (
            json!({"variant": "great", "handicap": "P", "players": [human, human]}),
            "Great Whale Shogi has no handicap",
        ),
        (
            json!({"variant": "whale", "sfen": "6/6/6/6/6/6 b - 1", "players": [human, human]}),
            "expected one white whale of Black, found 0; expected one white whale of White",
        ),
        (
            json!({"variant": "whale", "players": [human, human],
                   "time": {"main": 0, "increment": 0, "byoyomi": 0}}),
            "expected at least a second",
        ),
    ] {
        let (status, answer) = server.post(&body).await;
        assert_eq!(status, 422, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(expected), "{answer}");
    }
    let json_type = "Content-Type: application/json\r\n";
    assert_eq!(server.request("POST", "/api/games", json_type, "{").await.0, 400);
    let long = format!("{{\"text\": \"{}\"}}", "x".repeat(17_000_000));
    assert_eq!(server.request("POST", "/api/games", json_type, &long).await.0, 413);
    assert_eq!(server.request("DELETE", "/api/games/..", "", "").await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_from_a_page_changes_nothing() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let (_, mut page) = server.begin(game("whale", false)).await;
    page.state("the start", |state| state["nodes"].as_array().unwrap().len() == 1).await;
    for (text, expected) in [
        ("", "expected a command"),
        ("{}", "missing field `type`"),
        (r#"{"type":"shell","command":"ls"}"#, "unknown variant `shell`"),
        (r#"{"type":"play","at":-1,"usi":"2e2d"}"#, "expected a command"),
        (r#"{"type":"play","at":99,"usi":"2e2d"}"#, "found number 99"),
        (r#"{"type":"play","at":0,"usi":"2e2c"}"#, "expected a legal move, found 2e2c"),
        (r#"{"type":"goto","node":5}"#, "found number 5"),
        (r#"{"type":"delete","node":0}"#, "cannot be deleted"),
        (r#"{"type":"take_back"}"#, "no move to take back"),
        (r#"{"type":"claim"}"#, "cannot be claimed"),
    ] {
        page.say(text).await;
        let error = page.error().await;
        assert!(error.contains(expected), "{text}: {error}");
    }
    page.message(Message::Binary(vec![0, 1, 2].into())).await;
    assert_eq!(page.error().await, "expected text, found bytes");
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    page.state("the move", |state| moves(state) == ["2e2d"]).await;
    page.message(Message::Text("x".repeat(400_000).into())).await;
    assert!(page.closed().await, "what is too long ends the connection");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_outlives_the_server() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let (id, mut page) = server.begin(game("great", false)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "6h6g"})).await;
    page.send(json!({"type": "play", "at": 1, "usi": "6d6e"})).await;
    page.send(json!({"type": "play", "at": 1, "usi": "3d3e"})).await;
    let before = page.state("both", |state| state["nodes"].as_array().unwrap().len() == 4).await;
    // Another page sees the same, also what is done after it came.
    let mut other = server.open(&id).await;
    let seen = other.state("the state", |_| true).await;
    assert_eq!(seen["nodes"], before["nodes"]);
    page.send(json!({"type": "pause"})).await;
    other.state("the pause", |state| state["playing"] == false).await;
    // What one of them steps to is for that one, and for who opens the game next.
    page.send(json!({"type": "goto", "node": 1})).await;
    page.state("the step back", |state| state["current"] == 1).await;
    other.send(json!({"type": "analysis", "on": false, "lines": 1})).await;
    let seen = other.state("another change", |_| true).await;
    assert_eq!((&seen["current"], &seen["position"]["ply"]), (&json!(3), &json!(3)));
    drop((server, page, other));
    let server = quiet(&state).await;
    let mut page = server.open(&id).await;
    let after = page.state("the game", |_| true).await;
    assert_eq!(moves(&after), ["6h6g", "3d3e"]);
    assert_eq!(after["nodes"].as_array().unwrap().len(), 4);
    assert_eq!(after["current"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_told_why_it_does_not_get_its_game() {
    let state = tempfile::tempdir().unwrap();
    let mut config = config(fake("true", "true"));
    config.most_sessions = 1;
    let server = start(config, state.path()).await;
    let broken = "0123456789abcdef01234567";
    fs::write(state.path().join(format!("games/{broken}.json")), "{}").unwrap();
    let mut wishes = game("whale", false);
    wishes["handicap"] = json!("P");
    let (kept, mut page) = server.begin(wishes.clone()).await;
    for (id, why, expected) in [
        ("76543210fedcba9876543210", "unknown", "no such game"),
        ("no%20name", "unknown", "no such game"),
        (broken, "unreadable", "cannot be read: missing field"),
    ] {
        let gone = server.open(id).await.wait("why", |message| message["type"] == "gone").await;
        assert_eq!(gone["why"], why);
        assert!(gone["text"].as_str().unwrap().contains(expected), "{gone}");
    }
    // The game that is open is saved, and takes the only place.
    let other = "00000000000000000000000a";
    let games = state.path().join("games");
    fs::copy(games.join(format!("{kept}.json")), games.join(format!("{other}.json"))).unwrap();
    let gone = server.open(other).await.wait("why", |message| message["type"] == "gone").await;
    assert_eq!(gone["why"], "full");
    page.send(json!({"type": "state"})).await;
    page.state("the game in its place", |_| true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_of_its_own_is_kept_without_a_move() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let sfen = "3w2/6/6/6/6/3W2 w K 1";
    let mut wishes = game("whale", false);
    wishes["sfen"] = json!(sfen);
    wishes["playing"] = json!(false);
    let (id, mut page) = server.begin(wishes).await;
    let set_up = page.state("the start", |_| true).await;
    assert_eq!((&set_up["playing"], &set_up["position"]["sfen"]), (&json!(false), &json!(sfen)));
    drop((server, page));
    let server = quiet(&state).await;
    let back = server.open(&id).await.state("the start", |_| true).await;
    assert_eq!((&back["playing"], &back["position"]["sfen"]), (&json!(false), &json!(sfen)));
}

/// Whoever is told the name of a game finds it again; a usual one without a move goes when everybody has left.
#[tokio::test(start_paused = true)]
async fn a_game_is_on_disk_before_its_name_is_told() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let config = config(fake("true", "true"));
    let idle = config.idle;
    let server = start(config, state.path()).await;
    let path = |id: &str| state.path().join(format!("games/{id}.json"));
    let mut ids = Vec::new();
    for wishes in [
        game("whale", false),
        json!({"variant": "whale", "text": "startpos moves 2e2d", "players": game("whale", false)["players"]}),
    ] {
        let (status, answer) = server.post(&wishes).await;
        assert_eq!(status, 200, "{answer}");
        let id = answer["id"].as_str().unwrap();
        let saved = fs::read(path(id)).expect("the file is there already");
        Saved::from_json(&saved, &Levels::kujira()).expect("as a whole");
        ids.push(id.to_owned());
    }
    let mut page = server.open(&ids[0]).await;
    let begun = page.state("the start", |_| true).await;
    assert_eq!(begun["playing"], true, "as usual");
    pass(2 * idle).await;
    page.send(json!({"type": "state"})).await;
    page.state("the start", |_| true).await;
    assert!(path(&ids[0]).exists(), "somebody looks on");
    drop(page);
    let gone = poll("the game without a move goes", || !path(&ids[0]).exists());
    meanwhile(idle, gone).await;
    assert!(path(&ids[1]).exists(), "what was played stays");
    // It may still be leaving the memory.
    let mut page = server.open(&ids[0]).await;
    let gone = page.wait("why", |message| message["type"] == "gone");
    assert_eq!(meanwhile(Duration::from_millis(20), gone).await["why"], "unknown");
}

/// A fleeting game is played as any, on no disk and in no list, and gone some time after everybody has left.
#[tokio::test(start_paused = true)]
async fn a_fleeting_game_leaves_nothing_behind() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let config = config(fake("true", "true"));
    let idle = config.idle;
    let server = start(config, state.path()).await;
    let mut wishes = game("whale", false);
    wishes["sfen"] = json!("w5/6/1W4/6/6/6 b K 1");
    wishes["fleeting"] = json!(true);
    let (id, mut page) = server.begin(wishes).await;
    page.state("the start", |_| true).await;
    page.send(json!({"type": "play", "at": 0, "usi": "K*5b"})).await;
    let mated = page.state("the move", |state| moves(state) == ["K*5b"]).await;
    assert_eq!(mated["unsaved"], Value::Null);
    let again = server.open(&id).await.state("the move, to another page", |_| true).await;
    assert_eq!(moves(&again), ["K*5b"]);
    let files = || fs::read_dir(state.path().join("games")).unwrap().count();
    assert_eq!((server.games().await.len(), files()), (0, 0));
    drop(page);
    // Whoever looks whether it is there makes it wait once more.
    let gone = meanwhile(Duration::from_millis(20), async {
        loop {
            for _ in 0..10 {
                pass(idle).await;
            }
            let mut page = server.open(&id).await;
            let first = page.wait("an answer", |message| message["type"] != "change").await;
            if first["type"] == "gone" {
                break first;
            }
        }
    });
    assert_eq!((&gone.await["why"], files()), (&json!("unknown"), 0));
}

/// Moves to and fro from the start of a game: one of Black, the same of White with the board turned round, and back.
fn to_and_fro(state: &Value, start: &str, side: u8) -> Option<[String; 4]> {
    let turned = |square: &str| {
        let (file, rank) = square.split_at(square.len() - 1);
        let file = side + 1 - file.parse::<u8>().unwrap();
        format!("{file}{}", char::from(b'a' + side - 1 - (rank.as_bytes()[0] - b'a')))
    };
    state["position"]["legal"].as_array().unwrap().iter().find_map(|legal| {
        let (from, to) = (legal["from"].as_str()?, legal["to"].as_str()?);
        let [far, near] = [from, to].map(turned);
        let cycle = [from, to, &far, &near, to, from, &near, &far];
        let moves: Vec<_> = cycle.chunks(2).map(|pair| pair.concat()).collect();
        let list = format!("{start} moves {}", moves.join(" "));
        let wishes =
            json!({"variant": state["variant"], "text": list, "players": state["players"]});
        let plays = new_game(&serde_json::from_value(wishes).unwrap(), &Levels::kujira()).is_ok();
        plays.then(|| moves.try_into().unwrap())
    })
}

/// A move costs what has changed, however long the game is. The time is printed, without that of a disk.
#[tokio::test(flavor = "multi_thread")]
async fn a_move_in_a_long_game_is_told_in_few_words() {
    const BEFORE: usize = 3980;
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let state = tempfile::tempdir_in(folder).unwrap();
    let server = quiet(&state).await;
    for (variant, start, side, most) in
        [("whale", "sfen 3w2/6/6/6/6/2W3 b - 1", 6, 4000), ("great", "startpos", 11, 12_000)]
    {
        let mut wishes = game(variant, false);
        wishes["text"] = json!(format!("# USI_Variant {variant}\n{start}"));
        let (_, mut page) = server.begin(wishes).await;
        let shown = page.state("the start", |_| true).await;
        let cycle = to_and_fro(&shown, start, side).expect("moves to and fro");
        let list: Vec<_> = cycle.iter().map(String::as_str).cycle().take(BEFORE).collect();
        let list = list.join(" ");
        let rules = "Rules repetition off";
        let mut wishes = game(variant, false);
        wishes["text"] = json!(format!("# USI_Variant {variant}\n# {rules}\n{start} moves {list}"));
        let (id, mut page) = server.begin(wishes).await;
        let all = |state: &Value| state["nodes"].as_array().unwrap().len() == BEFORE + 1;
        page.state("all moves", all).await;
        assert!(page.heard > 500_000, "{} bytes", page.heard);
        page.send(json!({"type": "resume"})).await;
        page.state("the game", |state| state["playing"] == true).await;
        let (mut times, mut largest) = (Vec::new(), 0);
        for (number, usi) in cycle.iter().cycle().take(16).enumerate() {
            let (at, before) = (BEFORE + number, page.heard);
            let begun = Instant::now();
            page.send(json!({"type": "play", "at": at, "usi": usi})).await;
            page.hear("the move", &format!("\"current\":{},", at + 1)).await;
            times.push(begun.elapsed());
            largest = largest.max(page.heard - before);
        }
        assert!(largest < most, "{variant}: {largest} bytes");
        times.sort();
        let (middle, last) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{variant}: a move in a game of {BEFORE} moves takes {middle:.1?} at the median, \
             {last:.1?} at most, and {largest} bytes"
        );
        let saved = fs::read(state.path().join(format!("games/{id}.json"))).unwrap();
        let saved = Saved::from_json(&saved, &Levels::kujira()).unwrap();
        assert_eq!(saved.game.line_through(0).len(), BEFORE + 17);
    }
}

/// Who is too slow to hear of every change is told the whole state before the next.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_misses_changes_is_told_all() {
    let state = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(state.path(), Levels::kujira()).unwrap());
    let sessions = Sessions::new(Arc::new(config(fake("true", "true"))), store);
    let text = "# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1";
    let human = json!({"kind": "human"});
    let wishes = json!({"variant": "whale", "text": text, "players": [human, human]});
    let made = new_game(&serde_json::from_value(wishes).unwrap(), &Levels::kujira()).unwrap();
    let id = sessions.create(made.saved).await.unwrap();
    let mut slow = sessions.join(&id).await.unwrap();
    let mut quick = sessions.join(&id).await.unwrap();
    let read = |text: Arc<str>| serde_json::from_str::<Value>(&text).unwrap();
    assert_eq!(read(slow.next().await.unwrap())["type"], "state");
    assert_eq!(read(quick.next().await.unwrap())["type"], "state");
    let cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
    for (at, &usi) in cycle.iter().cycle().take(100).enumerate() {
        quick.ask(Command::Play { at, usi: usi.to_owned() }).await.unwrap();
        while read(quick.next().await.unwrap())["current"] != at + 1 {}
    }
    let caught_up = read(slow.next().await.unwrap());
    assert_eq!((&caught_up["type"], moves(&caught_up).len()), (&json!("state"), 100));
    quick.ask(Command::Delete { node: 100 }).await.unwrap();
    let change = read(slow.next().await.unwrap());
    assert_eq!((&change["type"], &change["removed"]), (&json!("change"), &json!([100])));
    assert_eq!(change["current"], 99);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_file_is_listed_and_can_be_deleted() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    assert!(server.games().await.is_empty());
    let games = state.path().join("games");
    for number in 0..250 {
        fs::write(games.join(format!("{number:024x}.json")), "no game").unwrap();
    }
    let listed = server.games().await;
    assert_eq!(listed.len(), 250);
    for game in listed {
        assert!(game["unreadable"].as_str().unwrap().contains("expected"), "{game}");
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        assert_eq!(server.request("DELETE", &path, "", "").await.0, 200);
    }
    assert!(server.games().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_in_memory_is_deleted_once_nobody_looks_on() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let (id, mut page) = server.begin(game("whale", false)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    page.state("the move", |state| state["current"] == 1).await;
    let path = format!("/api/games/{id}");
    let (status, answer) = server.request("DELETE", &path, "", "").await;
    assert_eq!(status, 409);
    assert!(answer.contains("close its pages first"), "{answer}");
    page.send(json!({"type": "state"})).await;
    page.state("the game goes on", |state| state["current"] == 1).await;
    drop(page);
    until("the game without a page is deleted", async || {
        server.request("DELETE", &path, "", "").await.0 == 200
    })
    .await;
    assert!(server.games().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_page_that_falls_silent_makes_room() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let mut config = config(fake("true", "true"));
    config.most_pages = 1;
    let ping = config.ping;
    let server = start(config, state.path()).await;
    // A page that does not read does not answer pings.
    let (id, _silent) = server.begin(game("whale", false)).await;
    let url = format!("ws://{}/ws/{id}", server.address);
    assert!(tokio_tungstenite::connect_async(&url).await.is_err());
    until("the silent page makes room", async || {
        pass(ping).await;
        tokio_tungstenite::connect_async(&url).await.is_ok()
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_page_that_answers_pings_stays() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let config = config(fake("true", "true"));
    let ping = config.ping;
    let server = start(config, state.path()).await;
    let (_, mut page) = server.begin(game("whale", false)).await;
    for _ in 0..3 {
        pass(ping).await;
        page.pings(1).await;
        // The answer to the ping comes before this.
        page.send(json!({"type": "ping"})).await;
        page.wait("a sign of life", |message| *message == json!({"type": "pong"})).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_saved_is_told_once() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let (id, mut page) = server.begin(game("whale", false)).await;
    let games = state.path().join("games");
    fs::remove_dir_all(&games).unwrap();
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    assert!(page.error().await.contains("could not be saved"));
    let complained = Cell::new(false);
    for (at, usi) in [(1, "3b3c"), (2, "5e5d"), (3, "2b2c")] {
        page.send(json!({"type": "play", "at": at, "usi": usi})).await;
        page.wait("the move", |message| {
            complained.set(complained.get() | (message["type"] == "error"));
            message["type"] == "state" && message["current"] == at + 1
        })
        .await;
    }
    assert!(!complained.get(), "what was told already");
    // With the next move it is tried again; once that has worked, new trouble is news.
    fs::create_dir(&games).unwrap();
    page.send(json!({"type": "play", "at": 4, "usi": "6e6d"})).await;
    poll("the game is saved", || games.join(format!("{id}.json")).exists()).await;
    fs::remove_dir_all(&games).unwrap();
    page.send(json!({"type": "play", "at": 5, "usi": "6b6c"})).await;
    assert!(page.error().await.contains("could not be saved"));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_branch_and_end_in_every_way_people_choose() {
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let (_, mut page) = server.begin(game("whale", false)).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    page.send(json!({"type": "play", "at": 1, "usi": "3b3c"})).await;
    page.state("both moves", |state| moves(state) == ["2e2d", "3b3c"]).await;
    page.send(json!({"type": "take_back"})).await;
    let state = page.state("the move taken back", |state| moves(state) == ["2e2d"]).await;
    assert_eq!(state["current"], 1);
    page.send(json!({"type": "play", "at": 1, "usi": "5b5c"})).await;
    page.send(json!({"type": "play", "at": 0, "usi": "5e5d"})).await;
    let state =
        page.state("the branch", |state| state["nodes"].as_array().unwrap().len() == 4).await;
    let branch = state["current"].clone();
    assert_eq!(state["tip"], branch, "the game goes on there");
    assert_eq!(moves(&state), ["5e5d"], "and has its main line there");
    page.send(json!({"type": "promote", "node": 1})).await;
    page.state("the other line", |state| moves(state) == ["2e2d", "5b5c"]).await;
    page.send(json!({"type": "promote", "node": branch})).await;
    page.state("the main line", |state| moves(state) == ["5e5d"]).await;
    page.send(json!({"type": "resign", "side": "w"})).await;
    let state = page.state("the end", |state| state["playing"] == false).await;
    let last = state["nodes"].as_array().unwrap().iter().find(|node| node["id"] == branch).unwrap();
    assert_eq!(last["ending"], json!({"winner": "b", "reason": "resignation"}));
    page.send(json!({"type": "resume"})).await;
    page.state("the game again", |state| state["playing"] == true).await;
    page.send(json!({"type": "draw"})).await;
    let state = page.state("the draw", |state| state["playing"] == false).await;
    assert!(state["nodes"].to_string().contains(r#"{"reason":"agreement","winner":null}"#));
    page.send(json!({"type": "export", "format": "pgn", "date": "2026.11.21"})).await;
    let text = page.wait("the text", |message| message["type"] == "text").await;
    assert!(text["text"].as_str().unwrap().contains("1. 5e5d ( 1. 2e2d 5b5c )"), "{text}");
    page.send(json!({"type": "explain", "at": 0, "from": "2e", "to": "2c"})).await;
    let answer = page.wait("why", |message| message["type"] == "explanation").await;
    assert_eq!(answer["text"], "The dolphin does not move from 2e to 2c.");
}

#[tokio::test(start_paused = true)]
async fn time_runs_out() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let server = quiet(&state).await;
    let mut wishes = game("whale", false);
    wishes["time"] = json!({"main": 1000, "increment": 0, "byoyomi": 0});
    let (_, mut page) = server.begin(wishes).await;
    page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
    page.state("the move", |state| moves(state) == ["2e2d"]).await;
    pass(Duration::from_millis(999)).await;
    page.send(json!({"type": "state"})).await;
    assert_eq!(page.state("the last moment", |_| true).await["playing"], true);
    pass(Duration::from_millis(2)).await;
    let state = page.state("the end", |state| state["playing"] == false).await;
    assert!(state["nodes"].to_string().contains(r#"{"reason":"time","winner":"b"}"#), "{state}");
    assert_eq!(state["clocks"]["left"][1], 0);
}

#[tokio::test(start_paused = true)]
async fn there_are_not_too_many_games_and_pages() {
    let _still = still();
    let state = tempfile::tempdir().unwrap();
    let mut config = config(built_in());
    config.most_sessions = 2;
    config.most_pages = 2;
    let coming = config.coming;
    let server = start(config, state.path()).await;
    let (id, _one) = server.begin(game("whale", false)).await;
    let (_, two) = server.begin(game("whale", false)).await;
    let (status, answer) = server.post(&game("whale", false)).await;
    assert_eq!(status, 429);
    assert!(answer["error"].as_str().unwrap().contains("At most 2 games"), "{answer}");
    let url = format!("ws://{}/ws/{id}", server.address);
    assert!(tokio_tungstenite::connect_async(url).await.is_err(), "a third page");
    // A page that is closed makes room, and so does its game where another wants that.
    drop(two);
    until("the closed game makes room", async || {
        pass(coming).await;
        server.post(&game("whale", false)).await.0 == 200
    })
    .await;
}
