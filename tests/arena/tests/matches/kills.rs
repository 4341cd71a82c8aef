//! Runs that are killed at random moments and taken up again come to what a run comes to that nobody kills.
//!
//! A few kills each among the tests; `KUJIRA_KILLS=50 cargo test --locked -p kujira-arena-tests --test matches kills -- --nocapture`
//! kills as often as that says, and tells how it went.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use kujira_arena::journal::read_journal;
use kujira_position::VariantId;
use kujira_record::played::GameId;
use kujira_trial::kills::{Trial, wanted};

use crate::harness::Place;

/// Enough for tests that run every day.
pub(crate) const FEW: u32 = 3;

/// What must not depend on kills: each game once, with its moves and its end.
pub(crate) fn essence(journal: &Path) -> BTreeMap<GameId, (String, String)> {
    let text = fs::read(journal).unwrap();
    let (header, games, whole) = read_journal(&text, false).unwrap();
    assert!(header.is_some() && whole == text.len() as u64);
    let essence: BTreeMap<_, _> =
        games.iter().map(|game| (game.id, (game.usi(), format!("{:?}", game.ending)))).collect();
    assert_eq!(essence.len(), games.len(), "no game is counted twice");
    essence
}

/// The journals of a folder by their names.
fn journals(folder: &Path) -> Vec<std::path::PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    paths.sort();
    paths
}

/// Kills runs of a command of `kujira-bench`, and compares the `games` that its journals hold in the end.
fn trial(name: &'static str, engines: &[Vec<String>], more: &[&str], games: usize) {
    let trial = Trial::new(name);
    let command = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.args([name, "whale", "--plain", "--out"]).arg(folder.join("match"));
        command
            .args(["--nodes=1", "--max-plies=60", "--seed=11"])
            .args(engines.concat())
            .args(more);
        command
    };
    trial.run(wanted(FEW), command, |folder| {
        let (found, expected) = (journals(folder), journals(&trial.whole()));
        assert_eq!(found.len(), expected.len());
        let mut counted = 0;
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.file_name(), expected.file_name());
            let found = essence(found);
            counted += found.len();
            assert_eq!(found, essence(expected));
        }
        assert_eq!(counted, games);
        for journal in found {
            // What follows the journal.
            let games = essence(&journal).len();
            let text = fs::read_to_string(journal.with_extension("usi")).unwrap();
            assert_eq!(text.lines().count(), games);
            let pgn = fs::read_to_string(journal.with_extension("pgn")).unwrap();
            let read = kujira_record::pgn::games(pgn.as_bytes(), VariantId::Whale);
            assert_eq!(read.map(Result::unwrap).count(), games);
        }
        let openings = |folder: &Path| fs::read_to_string(folder.join("match.openings")).unwrap();
        assert_eq!(openings(folder), openings(&trial.whole()));
    });
}

fn two(place: &Place) -> [Vec<String>; 2] {
    [place.engine(&["--pause=1"], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])]
}

#[test]
fn matches_that_are_killed() {
    let place = Place::new();
    trial("match", &two(&place), &["--pairs=12", "--concurrency=2"], 24);
}

#[test]
fn tests_that_are_killed() {
    let place = Place::new();
    // Not decided by so few games.
    let more = ["--pairs=12", "--concurrency=2", "--elo0=0", "--elo1=1"];
    trial("sprt", &two(&place), &more, 24);
}

#[test]
fn designs_that_are_killed() {
    let place = Place::new();
    let engine = [place.engine(&["--numbers", "--pause=1"], &["option.EvalFile=none"])];
    let more = ["--factor=idle=-3,9", "--factor=Seed=3,4", "--pairs-per-row=3", "--concurrency=2"];
    trial("factorial", &engine, &more, 24);
}

#[test]
fn tuning_runs_that_are_killed() {
    let place = Place::new();
    let engine = [place.engine(&["--pause=1"], &["option.Seed=5000"])];
    let trial = Trial::new("spsa");
    let command = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.args(["spsa", "whale", "--plain", "--out"]).arg(folder.join("match"));
        command.args(["--nodes=1", "--max-plies=60", "--seed=3", "--params=Seed:2000"]);
        command.args(["--iterations=6", "--pairs-per-iteration=2", "--concurrency=2"]);
        command.args(&engine[0]);
        command
    };
    let read = |folder: &Path| {
        let text = fs::read(folder.join("match.jsonl")).unwrap();
        let (header, iterations, whole) = kujira_arena::spsa::read(&text, false).unwrap();
        assert!(header.is_some() && whole == text.len() as u64);
        iterations
    };
    trial.run(wanted(FEW), command, |folder| {
        let found = read(folder);
        assert_eq!(found.len(), 6);
        assert_eq!(found, read(&trial.whole()));
    });
}

#[test]
fn analyses_that_are_killed() {
    let place = Place::new();
    let games = place.path("games.usi");
    let game = "startpos moves 2e2d 6b6c 1e1d 5b5c 4e4d 6a5b 5e5d 6c6d 6f5e 4b4c 5e6d 1b1c D*1e 3a4b 6d5e 4a3a";
    fs::write(&games, format!("{game}\n{game} 4f4e 3b3c 4d4c 5b4c D*3d D*5b\n")).unwrap();
    let trial = Trial::new("analyse");
    let command = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.arg("analyse").arg(&games).args(["--nodes=2000", "--hash=1", "--out"]);
        command.arg(folder.join("games.pgn"));
        command
    };
    let read = |folder: &Path| {
        ["games.pgn", "games.pgn.analysis"]
            .map(|name| fs::read_to_string(folder.join(name)).unwrap())
    };
    trial.run(wanted(FEW), command, |folder| {
        let [games, looks] = read(folder);
        assert_eq!((games.matches("[Event").count(), looks.lines().count()), (2, 1 + 17 + 23));
        assert_eq!([games, looks], read(&trial.whole()));
    });
}
