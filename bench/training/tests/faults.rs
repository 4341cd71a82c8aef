//! Full disks, folders that may not be written, signals, and standard output that takes nothing.

#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{Scratch, make, read, settings};
use kujira_position::{VariantId, Whale};
use kujira_trial::disk::{Mount, limited};
use kujira_trial::kills::leftovers;
use kujira_trial::signals::{asking, ended_by, shell_status};
use kujira_trial::{Deaf, Program, assert_ended, assert_tells_of_itself, deafened, said};

const TRAINING: Program = Program::new(env!("CARGO_BIN_EXE_kujira-training"));

/// A command in a folder.
fn training(folder: &Path, line: &str) -> Command {
    let words: Vec<&str> = line.split(' ').collect();
    let mut command = TRAINING.command(&words);
    command.current_dir(folder);
    command
}

fn well(folder: &Path, line: &str) {
    let output = training(folder, line).output().unwrap();
    assert!(output.status.success(), "{line}: {}", said(&output));
}

const TRAIN: &str = "train --game whale --hidden 16 --batch 256 --held-out 0.2 --epochs 2";

/// Every command that makes a file at its end, all but the file.
const MAKERS: [&str; 4] = [
    "train --game whale --hidden 16 --batch 256 --held-out 0.2 --epochs 2 --data d.ktd --out",
    "worth --game whale --positions 50 --net n.net --data d.ktd --out",
    "export d.ktd --force --out",
    "import d.npz --force --out",
];

/// A folder with games, as arrays, too, and a network.
fn furnished(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    make::<Whale>(&scratch.file("d.ktd"), &settings(VariantId::Whale), 30, 1);
    well(&scratch.file(""), &format!("{TRAIN} --data d.ktd --out n.net"));
    well(&scratch.file(""), "export d.ktd --out d.npz");
    scratch
}

/// As [`assert_ended`], apart from lines such as `12/150 games, … 251 plies/s, 00:00:06 left`: whoever takes long prints
/// one every half minute.
#[track_caller]
fn assert_stopped(output: &Output, expected: i32, what: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    let is_progress = |line: &&str| line.contains("s/s, ") && line.ends_with(" left");
    let told: String =
        error.lines().filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect();
    assert_ended(&Output { stderr: told.into_bytes(), ..output.clone() }, expected, what);
}

#[test]
fn it_tells_of_itself() {
    assert_tells_of_itself(TRAINING);
}

#[test]
fn a_full_disk_stops_self_play_and_loses_nothing() {
    let scratch = Scratch::new("full-games");
    let (folder, line) = (scratch.file(""), "datagen --game whale --nodes 50 --games 150 --out");
    well(&folder, &format!("{line} whole"));
    let size = fs::metadata(scratch.file("whole")).unwrap().len();
    for share in 1..4 {
        let blocks = size * share / 4 / 512;
        let output =
            limited(&training(&folder, &format!("{line} games")), blocks).output().unwrap();
        assert_stopped(&output, 1, "datagen");
        assert!(said(&output).contains("games: File too large"), "{}", said(&output));
        // What is there is whole.
        let _ = read(&scratch.file("games"));
    }
    well(&folder, &format!("{line} games"));
    assert!(read(&scratch.file("games")) == read(&scratch.file("whole")));

    let small = scratch.file("small");
    let Some(disk) = Mount::small(&small, 8) else { return };
    let output = training(&small, &format!("{line} games")).output().unwrap();
    assert_stopped(&output, 1, "datagen");
    assert!(said(&output).contains("games: No space left"), "{}", said(&output));
    disk.grow(1024);
    well(&small, &format!("{line} games"));
    assert!(read(&small.join("games")) == read(&scratch.file("whole")));
}

/// What was there before is there after.
#[test]
fn a_full_disk_keeps_networks_as_they_were() {
    let scratch = furnished("full-nets");
    let folder = scratch.file("");
    fs::copy(scratch.file("n.net"), scratch.file("x.net")).unwrap();
    let before = fs::read(scratch.file("x.net")).unwrap();
    for maker in MAKERS {
        let output = limited(&training(&folder, &format!("{maker} x.net")), 1).output().unwrap();
        assert_stopped(&output, 1, maker);
        let told = said(&output);
        assert!(told.contains("training: x.") && told.contains("File too large"), "{told}");
        assert!(fs::read(scratch.file("x.net")).unwrap() == before);
        assert_eq!(leftovers(&folder), [""; 0]);
        let output = training(&folder, &format!("{maker} /dev/full")).output().unwrap();
        assert_stopped(&output, 1, maker);
        let told = said(&output);
        assert!(told.contains("/dev/full"), "{told}");
    }
    // A training goes on from what it kept.
    well(&folder, &format!("{TRAIN} --data d.ktd --out x.net"));
    assert!(fs::read(scratch.file("x.net")).unwrap() == before);
}

#[test]
fn folders_that_may_not_be_written_are_told() {
    let scratch = furnished("locked");
    let folder = scratch.file("");
    fs::create_dir(scratch.file("locked")).unwrap();
    let Some(_mount) = Mount::read_only(&scratch.file("locked")) else { return };
    let datagen = "datagen --game whale --nodes 50 --games 5 --out";
    for maker in MAKERS.iter().chain([&datagen]) {
        let output = training(&folder, &format!("{maker} locked/x.net")).output().unwrap();
        assert_stopped(&output, 1, maker);
        let said = said(&output);
        assert!(said.contains("locked/x.net: Read-only file system"), "{maker}: {said}");
    }
    assert_eq!(fs::read_dir(scratch.file("locked")).unwrap().count(), 0);
}

/// What only prints ends quietly with 141 where nobody listens and with an error where the disk is full; what makes
/// files makes them.
#[test]
fn every_command_ends_well_without_an_output() {
    let scratch = furnished("deaf");
    let folder = scratch.file("");
    let lines = [
        (true, "datagen --game whale --nodes 50 --games 3 --out"),
        (true, "collect d.ktd --out"),
        (false, "stats d.ktd"),
        (false, "dump d.ktd"),
        (true, MAKERS[0]),
        (true, MAKERS[1]),
        (true, MAKERS[2]),
        (true, MAKERS[3]),
        (false, "worth --game whale --positions 50 --net n.net --data d.ktd"),
    ];
    let names = lines.iter().map(|(_, line)| line.split(' ').next().unwrap());
    let mut known = TRAINING.commands();
    known.sort();
    let tried: std::collections::BTreeSet<_> = names.map(str::to_owned).collect();
    assert_eq!(tried.into_iter().collect::<Vec<_>>(), known, "every command is tried");
    for &deaf in Deaf::ALL {
        for (number, (files, line)) in lines.iter().enumerate() {
            let out = format!("{deaf:?}-{number}.net");
            let line = if *files { format!("{line} {out}") } else { (*line).to_owned() };
            let output = deafened(training(&folder, &line), deaf).output().unwrap();
            let expected = match deaf {
                _ if *files => 0,
                Deaf::Pipe => 141,
                // Opened anew by Rust: nothing tells that nobody reads.
                Deaf::Closed => 0,
                Deaf::Full => 1,
            };
            assert_stopped(&output, expected, &format!("{line} {deaf:?}"));
            assert_eq!(scratch.file(&out).exists(), *files);
        }
    }
}

/// One rule: 130 where a run goes on afterwards; the system ends the others, which leave nothing unfinished.
#[test]
fn every_command_is_ended_by_signals() {
    let scratch = furnished("signals");
    let folder = scratch.file("");
    for signal in asking() {
        for (line, catches) in [
            ("datagen --game whale --nodes 3000 --games 100000 --out games", true),
            (
                "train --game whale --hidden 16 --batch 256 --held-out 0.2 --epochs 999999 --data d.ktd --out y.net",
                true,
            ),
            // More than a pipe holds, and nobody reads it.
            ("dump d.ktd", false),
        ] {
            let output = ended_by(&mut training(&folder, line), signal, catches);
            let expected = if catches { 130 } else { 128 + signal as i32 };
            let said = said(&output);
            assert_eq!(shell_status(output.status), expected, "{line} {signal}: {said}");
            assert!(!said.contains("panicked"), "{said}");
        }
        assert_eq!(leftovers(&folder), [""; 0]);
        assert!(!scratch.file("y.net").exists());
    }
    let _ = read(&scratch.file("games"));
}
