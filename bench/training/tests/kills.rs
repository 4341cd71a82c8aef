//! Runs that are killed at random moments and started again come to what a run comes to that nobody kills.
//!
//! A few kills each among the tests; `KUJIRA_KILLS=50 cargo test --locked -p kujira-training --test kills -- --nocapture` kills
//! as often as that says, and tells how it went.

#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{Scratch, make, read, settings};
use kujira_position::{VariantId, Whale};
use kujira_trial::kills::{Trial, wanted};

/// Enough for tests that run every day.
const FEW: u32 = 3;

fn training(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-training"));
    command.args(line.split(' '));
    command
}

/// As many games as an undisturbed run makes, and the same.
fn self_play(name: &'static str, threads: u32) {
    let trial = Trial::new(name);
    let line = format!("datagen --game whale --nodes 300 --games 60 --threads {threads} --out");
    let games = |folder: &Path| {
        let mut games = read(&folder.join("games"));
        games.sort_by_key(|game| game.number);
        games
    };
    let command = |folder: &Path| {
        let mut command = training(&line);
        command.arg(folder.join("games"));
        command
    };
    trial.run(wanted(FEW), command, |folder| {
        let found = games(folder);
        assert_eq!(found.len(), 60);
        assert!(found == games(&trial.whole()), "the games of an undisturbed run");
    });
}

#[test]
fn self_play_that_is_killed() {
    self_play("datagen", 1);
}

#[test]
fn self_play_on_threads_that_is_killed() {
    self_play("datagen on two threads", 2);
}

/// A command that makes a network of some games leaves it whole, or none.
fn networks(name: &'static str, line: &str, made: &[&str]) {
    let scratch = Scratch::new(&name.replace(' ', "-"));
    let data = scratch.file("games");
    make::<Whale>(&data, &settings(VariantId::Whale), 60, 1);
    let trial = Trial::new(name);
    let command = |folder: &Path| {
        let mut command = training(line);
        command.arg("--data").arg(&data).arg("--out").arg(folder.join("x.net"));
        command
    };
    trial.run(wanted(FEW), command, |folder| {
        for name in made {
            let found = std::fs::read(folder.join(name)).unwrap();
            assert!(found == std::fs::read(trial.whole().join(name)).unwrap(), "{name}");
        }
    });
}

#[test]
fn training_that_is_killed() {
    let line = "train --game whale --hidden 16 --batch 256 --held-out 0.2 --epochs 40 --threads 1";
    networks("train", line, &["x.net", "x.csv", "x.svg"]);
}

#[test]
fn tuning_that_is_killed() {
    networks("tune", "tune --game whale --epochs 60", &["x.net"]);
}
