//! The program is killed, or asked to end, at any moment: what it has told is kept.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use common::{Server, game, launch, moves, program};
use kujira_table::{Levels, Saved};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

/// How often the board is killed; the environment may ask for more.
const KILLS: u64 = 6;

/// Time on a clock with which an engine thinks for longer than anybody waits, in milliseconds.
const HOURS: u64 = 36_000_000;

/// When the board is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Directly after the answer to a new game.
    Begun,
    /// Directly after a move was shown.
    Shown,
    /// At any time while moves are sent.
    Any,
}

fn signal(server: &Server, signal: Signal) {
    kill(Pid::from_raw(server.process().try_into().unwrap()), signal).unwrap();
}

/// Any legal move of the position shown; none at the end of a game.
fn any(state: &Value, random: &mut impl Rng) -> Option<String> {
    let legal = state["position"]["legal"].as_array().unwrap();
    if legal.is_empty() || state["playing"] == false {
        return None;
    }
    Some(legal[random.random_range(0..legal.len())]["usi"].as_str().unwrap().to_owned())
}

/// Plays a game until it is over or the board is killed; returns its name and the moves shown.
async fn play(server: Server, moment: Moment, random: &mut impl Rng) -> (String, Vec<String>) {
    let variant = ["whale", "paulowich", "great"][random.random_range(0..3)];
    let (status, answer) = server.post(&game(variant, false)).await;
    assert_eq!(status, 200, "{answer}");
    let id = answer["id"].as_str().unwrap().to_owned();
    if matches!(moment, Moment::Begun) {
        signal(&server, Signal::SIGKILL);
        return (id, Vec::new());
    }
    let mut page = server.open(&id).await;
    let mut state = page.next_state().await.unwrap();
    let last = random.random_range(1..12);
    let killer = matches!(moment, Moment::Any).then(|| {
        let (pause, pid) = (random.random_range(0..60_000), server.process());
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(pause));
            let _ = kill(Pid::from_raw(pid.try_into().unwrap()), Signal::SIGKILL);
        })
    });
    let mut shown = Vec::new();
    while let Some(usi) = any(&state, random) {
        page.try_send(&json!({"type": "play", "at": state["current"], "usi": usi})).await;
        let Some(next) = page.next_state().await else { break };
        state = next;
        shown = moves(&state);
        assert_eq!(shown.last(), Some(&usi));
        assert_eq!(state["unsaved"], Value::Null);
        if matches!(moment, Moment::Shown) && shown.len() == last {
            signal(&server, Signal::SIGKILL);
        }
    }
    // A game may be over before. Nobody else has the number of the process yet: it is not waited for.
    let _ = kill(Pid::from_raw(server.process().try_into().unwrap()), Signal::SIGKILL);
    if let Some(killer) = killer {
        killer.join().unwrap();
    }
    (id, shown)
}

/// The moves of a game's file.
fn kept(state: &Path, id: &str) -> Vec<String> {
    let json = fs::read(state.join(format!("games/{id}.json"))).expect("the game is on disk");
    let saved = Saved::from_json(&json, &Levels::kujira()).expect("as a whole");
    let line = saved.game.line_through(0);
    let usi = |&id: &usize| saved.game.node(id).unwrap().usi.clone();
    line.iter().skip(1).map(usi).collect()
}

/// `KUJIRA_KILLS=60 cargo test --locked -p kujira-board --test kills` kills it more often.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_board_has_kept_all_that_it_told() {
    let kills = std::env::var("KUJIRA_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(34);
    let (mut told, mut more) = (0, 0);
    let mut games = Vec::new();
    for number in 0..kills {
        let server = launch(program("", folder.path()));
        // The board that was started after the last kill has removed what that one left.
        for entry in fs::read_dir(folder.path().join("games")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(name.strip_suffix(".json").is_some_and(|id| games.contains(&id.to_owned())));
        }
        let moment = [Moment::Shown, Moment::Any, Moment::Begun, Moment::Any][number as usize % 4];
        let (id, shown) = play(server, moment, &mut random).await;
        let kept = kept(folder.path(), &id);
        assert!(kept.starts_with(&shown), "{moment:?}: shown {shown:?}, kept {kept:?}");
        assert!(kept.len() <= shown.len() + 1, "{moment:?}: shown {shown:?}, kept {kept:?}");
        (told, more) = (told + shown.len(), more + kept.len() - shown.len());
        games.push(id);
    }
    println!("{kills} kills: {told} moves told, all kept, and {more} that were not told yet");
    let server = launch(program("", folder.path()));
    assert_eq!(server.games().await.len(), games.len(), "every game is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_signal_to_end_is_obeyed_alike() {
    for ends in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let folder = tempfile::tempdir().unwrap();
        let mut server = launch(program("", folder.path()));
        let mut wishes = game("whale", true);
        wishes["time"] = json!({"main": HOURS, "increment": 0, "byoyomi": 0});
        wishes["players"][1]["level"] = json!(25);
        let (id, mut page) = server.begin(wishes).await;
        page.send(json!({"type": "play", "at": 0, "usi": "2e2d"})).await;
        page.state("the engine's turn", |state| state["player"]["state"] == "searching").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        signal(&server, ends);
        assert_eq!(server.status().await.code(), Some(130), "{ends}");
        assert!(page.closed().await);
        assert_eq!(kept(folder.path(), &id), ["2e2d"], "{ends}");
        // What the engine thought until then is on its clock.
        let json = fs::read(folder.path().join(format!("games/{id}.json"))).unwrap();
        let left = Saved::from_json(&json, &Levels::kujira()).unwrap().left.unwrap();
        assert!(left[1] <= HOURS - 300, "{ends}: {left:?}");
    }
}
