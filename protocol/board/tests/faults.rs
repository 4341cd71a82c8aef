//! Disks that are full or read-only, and nobody who reads what the program prints.
#![cfg(unix)]

mod common;

use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{Page, Server, game, launch, moves, program};
use kujira_table::{Levels, Saved};
use kujira_trial::{Program, assert_tells_of_itself, program::link, unread};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Plays a move; returns what is shown of it and what was complained of before.
async fn play(page: &mut Page, at: &Value, usi: &str) -> (Value, Option<String>) {
    page.send(json!({"type": "play", "at": at, "usi": usi})).await;
    let complaint = std::cell::RefCell::new(None);
    let state = page.wait("the move", |message| {
        if message["type"] == "error" {
            complaint.replace(message["text"].as_str().map(str::to_owned));
        }
        message["type"] == "state" && moves(message).last().is_some_and(|last| last == usi)
    });
    (state.await, complaint.into_inner())
}

#[test]
fn it_tells_of_itself() {
    assert_tells_of_itself(Program::new(env!("CARGO_BIN_EXE_kujira-board")));
}

/// A board whose files may have 4 KiB: as on a full disk, the file before stays, and the page is told.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_the_game_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let server = launch(program("ulimit -f 8;", folder.path()));
    let mut wishes = game("whale", false);
    wishes["rules"] = json!({"retreat_two": false, "retreat_file_limit": false,
                             "impasse": false, "repetition": false});
    wishes["sfen"] = json!("3w2/6/6/6/6/3W2 b - 1");
    let (id, mut page) = server.begin(wishes.clone()).await;
    let path = folder.path().join(format!("games/{id}.json"));
    let mut state = page.state("the start", |_| true).await;
    let mut before = fs::read(&path).unwrap();
    let cycle = ["3f2e", "3a2b", "2e3f", "2b3a"];
    let mut complaint = None;
    for usi in cycle.iter().cycle().take(400) {
        (state, complaint) = play(&mut page, &state["current"].clone(), usi).await;
        if complaint.is_some() {
            break;
        }
        assert_eq!(state["unsaved"], Value::Null);
        before = fs::read(&path).unwrap();
    }
    let complaint = complaint.expect("the disk is full at last");
    assert!(complaint.starts_with("The game could not be saved: File too large"), "{complaint}");
    assert!(state["unsaved"].as_str().unwrap().contains("File too large"), "{state}");
    assert_eq!(fs::read(&path).unwrap(), before, "the file is as it was");
    let names = fs::read_dir(folder.path().join("games")).unwrap().count();
    assert_eq!(names, 1, "nothing unfinished is left");
    // A new game that is too large is refused, and the server lives.
    let list: Vec<_> = cycle.iter().copied().cycle().take(400).collect();
    let start = "# USI_Variant whale\n# Rules repetition off\nsfen 3w2/6/6/6/6/3W2 b - 1 moves";
    wishes = game("whale", false);
    wishes["text"] = json!(format!("{start} {}", list.join(" ")));
    let (status, answer) = server.post(&wishes).await;
    assert_eq!(status, 500, "{answer}");
    let error = answer["error"].as_str().unwrap();
    assert!(error.starts_with("The game could not be saved: File too large"), "{error}");
    assert_eq!(server.games().await.len(), 1);
    // With room again all is saved. A file is ahead of what pages are shown: each step is waited for.
    let all = moves(&state).len();
    for left in [all - 1, all - 2] {
        page.send(json!({"type": "take_back"})).await;
        state = page.state("room", |state| moves(state).len() == left).await;
    }
    assert!(state["unsaved"].is_null() && moves(&state).len() > 10);
    let kept = Saved::from_json(&fs::read(&path).unwrap(), &Levels::kujira()).unwrap();
    assert_eq!(kept.game.line_through(0).len(), moves(&state).len() + 1);
}

/// Whom nothing belongs to.
const NOBODY: u32 = 65_534;

/// A board that the modes of files bind: the superuser's is somebody else's, from a folder that anybody may read.
fn bound(state: &Path, programs: &Path) -> Command {
    let mut command = program("", state);
    if chown(programs, Some(NOBODY), None).is_err() {
        return command;
    }
    let own = programs.join("kujira-board");
    if !own.exists() {
        link(env!("CARGO_BIN_EXE_kujira-board").as_ref(), &own);
    }
    command = Command::new(own);
    command.args(["--port", "0", "--state"]).arg(state).stdout(Stdio::piped());
    command.uid(NOBODY).gid(NOBODY);
    command
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    // Only the superuser may give it away, and need.
    let _ = chown(path, Some(NOBODY), Some(NOBODY));
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_folder_that_takes_no_file_the_game_stays_as_it_was() {
    let programs = tempfile::tempdir().unwrap();
    mode(programs.path(), 0o755);
    let folder = tempfile::tempdir().unwrap();
    // From the start on it is refused in one line.
    mode(folder.path(), 0o555);
    let mut command = bound(folder.path(), programs.path());
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("kujira-board: games cannot be kept in "), "{said}");
    assert!(said.contains("Permission denied") && said.lines().count() == 1, "{said}");
    mode(folder.path(), 0o755);
    let server = launch(bound(folder.path(), programs.path()));
    let (id, mut page) = server.begin(game("whale", false)).await;
    let (games, path) =
        (folder.path().join("games"), folder.path().join(format!("games/{id}.json")));
    let (_, complaint) = play(&mut page, &json!(0), "2e2d").await;
    assert_eq!(complaint, None);
    let before = fs::read(&path).unwrap();
    mode(&games, 0o555);
    let (state, complaint) = play(&mut page, &json!(1), "3b3c").await;
    assert!(complaint.unwrap().contains("Permission denied"));
    assert!(state["unsaved"].as_str().unwrap().contains("Permission denied"));
    assert_eq!(fs::read(&path).unwrap(), before);
    let (status, answer) = server.post(&game("whale", false)).await;
    assert!(status == 500 && answer.to_string().contains("could not be saved"), "{answer}");
    mode(&games, 0o755);
    let (state, complaint) = play(&mut page, &json!(2), "5e5d").await;
    assert_eq!((complaint, &state["unsaved"]), (None, &Value::Null));
    assert_ne!(fs::read(&path).unwrap(), before);
}

/// Who started the board may have closed its output: it serves on. Who may be reached from elsewhere is told its port
/// apart.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_need_read_what_the_board_prints() {
    let full = File::options().write(true).open("/dev/full").map(Stdio::from);
    for output in [Stdio::from(unread()), full.unwrap_or(Stdio::null())] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-board"));
        command
            .args(["--port", "0", "--listen", "0.0.0.0", "--no-token", "--state"])
            .arg(folder.path());
        let mut child = command.stdout(output).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut told).unwrap();
        let port = told.split_once("reaches port ").and_then(|(_, rest)| rest.split_once(' '));
        let port = port.unwrap_or_else(|| panic!("{told}")).0.parse().unwrap();
        let answer = ask(port).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

async fn ask(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Files that the system lets the board open are the least there is: what is missing is told of.
#[tokio::test(flavor = "multi_thread")]
async fn a_board_with_few_files_lives() {
    let folder = tempfile::tempdir().unwrap();
    let server: Server = launch(program("ulimit -n 40;", folder.path()));
    let (id, mut page) = server.begin(game("whale", false)).await;
    let mut idle = Vec::new();
    for _ in 0..60 {
        idle.extend(TcpStream::connect(server.address).await);
    }
    let (state, complaint) = play(&mut page, &json!(0), "2e2d").await;
    assert_eq!((complaint, &state["unsaved"]), (None, &Value::Null));
    let file = fs::read(folder.path().join(format!("games/{id}.json"))).unwrap();
    assert!(String::from_utf8(file).unwrap().contains("2e2d"));
    assert_eq!(server.request("GET", "/", "", "").await.0, 200);
}
