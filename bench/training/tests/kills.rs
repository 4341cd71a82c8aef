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

/// Kills of one of three machines lose and double nothing: what is collected are the games of one machine, in their order.
#[test]
fn shards_of_self_play_that_are_killed() {
    let scratch = Scratch::new("shards");
    let line = "datagen --game whale --nodes 300 --openings 60 --out";
    let one = scratch.file("one");
    let run = |command: &mut Command| assert!(command.output().unwrap().status.success());
    run(training(line).arg(&one));
    let trial = Trial::new("datagen in shards");
    let command = |folder: &Path, shard: &str| {
        let mut command = training(line);
        command.arg(folder.join("games.ktd")).args(["--threads=2", "--shard", shard]);
        command
    };
    trial.run(
        wanted(FEW),
        |folder| command(folder, "1/3"),
        |folder| {
            for shard in ["0/3", "2/3"] {
                run(&mut command(folder, shard));
            }
            let all = folder.join("games.ktd");
            let shards = [2, 0, 1].map(|shard| folder.join(format!("games.{shard}-of-3.ktd")));
            for new in ["60", "0"] {
                let output =
                    training("collect").args(&shards).arg("--out").arg(&all).output().unwrap();
                let said = String::from_utf8_lossy(&output.stdout);
                let games = read(&one).len().to_string();
                let new = if new == "0" { "0" } else { &games };
                assert!(said.starts_with(&format!("{games} games in ")), "{said}");
                assert!(said.ends_with(&format!(", {new} of them new\n")), "{said}");
            }
            assert!(read(&all) == read(&one), "the games of one machine");
            let again = training("collect").args([&shards[0]; 2]).arg("--out").arg(&all).output();
            let error = String::from_utf8_lossy(&again.unwrap().stderr).into_owned();
            assert!(error.contains("found share 2/3 beside share 2/3 of "), "{error}");
            std::fs::write(&shards[2], "").unwrap();
            let part = folder.join("part.ktd");
            let some = training("collect").args(&shards).arg("--out").arg(&part).output().unwrap();
            let said = String::from_utf8_lossy(&some.stdout);
            let told = format!("nothing yet in {}\nno file of 1/3\n", shards[2].display());
            assert!(some.status.success() && said.starts_with(&told), "{said}");
            std::fs::remove_file(&all).unwrap();
        },
    );
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
