//! How commands end: signals, and standard output that takes nothing.

use std::fs;
use std::process::Command;

use kujira_position::VariantId;
use kujira_trial::signals::{asking, ended_by, shell_status};
use kujira_trial::{Deaf, Program, assert_ended, deafened, said};

use crate::harness::Place;

const BENCH: Program = Program::new(env!("CARGO_BIN_EXE_bench-in-matches"));

/// Every command, whether files are what it is for, and its further arguments; `long` ones take minutes.
fn commands(place: &Place, long: bool) -> Vec<(&'static str, bool, Vec<String>)> {
    let all = |own: &[&str], engines: &[Vec<String>]| {
        let own = own.iter().map(|&word| word.to_owned());
        own.chain(engines.concat()).collect::<Vec<String>>()
    };
    let (pause, many) = if long { ("--pause=20", "500") } else { ("--pause=0", "2") };
    let engine = |words: &[&str]| place.engine(&["--numbers", pause], words);
    let one = [engine(&["option.EvalFile=none"])];
    let rungs = [place.engine(&["--rungs", pause], &[])];
    let two = [engine(&["name=A"]), engine(&["name=B"])];
    let nodes = if long { "1000000000" } else { "1" };
    // The start, where there is no mate to be found.
    let mates = place.path("mates.epd");
    fs::write(&mates, format!("{} ;M 9\n", VariantId::Whale.spec().start)).unwrap();
    let mates = mates.display().to_string();
    let sound = place.path("sound.epd");
    let line = "2w3/6/2D3/6/6/3W2 b K 1 ;M 1; pv K*4b; nodes 7; strict yes; source x\n";
    fs::write(&sound, line).unwrap();
    let sound = sound.display().to_string();
    let several = if long { "1000000" } else { "1" };
    let problems = ["problems", "whale", "selfplay", "--play-nodes=50", "--nodes=500"];
    let cup = place.path("cup.toml").display().to_string();
    let _ = fs::remove_file(&cup);
    let save = ["match", "whale", "--nodes=1", "--pairs", many, "--out=cup", "--save", &cup];
    let words = all(&save, &two);
    let saved = BENCH.command(&words.iter().map(String::as_str).collect::<Vec<_>>()).output();
    assert!(saved.is_ok_and(|saved| saved.status.success()));
    let games = if long { "100000" } else { "1" };
    let journal = place.path("report.jsonl").display().to_string();
    let game = place.path("game.usi");
    fs::write(&game, "startpos moves 2e2d\n").unwrap();
    let game = game.display().to_string();
    let mut judged = vec!["openings", "whale", "--count", many];
    judged.extend(long.then_some(["--nodes", "9"]).into_iter().flatten());
    let judge: &[Vec<String>] = if long { &one } else { &[] };
    vec![
        ("match", true, all(&["match", "whale", "--nodes=1", "--pairs", many], &two)),
        ("sprt", true, all(&["sprt", "whale", "--nodes=1", "--elo1=1", "--pairs", many], &two)),
        ("tournament", true, all(&["tournament", &cup], &[])),
        (
            "spsa",
            true,
            all(&["spsa", "whale", "--nodes=1", "--params=Seed", "--iterations", many], &one),
        ),
        (
            "factorial",
            true,
            all(
                &["factorial", "whale", "--nodes=1", "--factor=idle=1,2", "--pairs-per-row", many],
                &one,
            ),
        ),
        (
            "ladder",
            true,
            all(&["ladder", "whale", "--nodes=1", "--from=1", "--to=2", "--pairs", many], &rungs),
        ),
        ("openings", true, all(&judged, judge)),
        ("perft", false, all(&["perft", "great", if long { "6" } else { "1" }], &[])),
        ("nps", false, all(&["nps", "great", "--nodes", nodes], &[])),
        ("mates", false, all(&["mates", "whale", &mates, "--nodes", nodes], &[])),
        ("problems", true, all(&[&problems[..], &["--count", several]].concat(), &[])),
        (
            "book",
            true,
            all(
                &["book", "build", "whale", "--nodes=500", "--hash=1", "--positions", several],
                &[],
            ),
        ),
        ("select", true, all(&["select", "whale", &sound], &[])),
        ("puzzles", true, all(&["puzzles", "whale", &sound], &[])),
        ("course", true, all(&["course", "paulowich"], &[])),
        (
            "coach",
            false,
            all(&["coach", "whale", "--games", games, "--plies=4", "--truth-nodes=100"], &[]),
        ),
        ("collect", true, all(&["collect", &journal], &[])),
        ("report", false, all(&["report", &journal], &[])),
        ("survey", false, all(&["survey", "games", &journal], &[])),
        ("ratings", false, all(&["ratings", &journal], &[])),
        ("convert", true, all(&["convert", "--to=usi", &journal], &[])),
        ("replay", false, all(&["replay", &journal], &[])),
        ("analyse", true, all(&["analyse", "--to=pgn", &game, "--nodes", nodes], &[])),
    ]
}

fn command(place: &Place, name: &str, files: bool, words: &[String]) -> Command {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = BENCH.command(&words);
    if files {
        command.arg("--out").arg(place.path(name));
    }
    command
}

/// What only prints ends quietly with 141 where nobody listens and with an error where the disk is full; what makes
/// files makes them.
#[test]
fn every_command_ends_well_without_an_output() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    fs::copy(place.path("match.jsonl"), place.path("report.jsonl")).unwrap();
    let commands = commands(&place, false);
    let mut named: Vec<_> = commands.iter().map(|&(name, ..)| name.to_owned()).collect();
    let mut known = BENCH.commands();
    // It is an engine: it says nothing before it is asked.
    known.retain(|name| name != "bot");
    named.sort();
    known.sort();
    assert_eq!(named, known, "every command is tried");
    for &deaf in Deaf::ALL {
        for (name, files, words) in &commands {
            let own = command(&place, &format!("{name}-{deaf:?}"), *files, words);
            let output = deafened(own, deaf).output().unwrap();
            let expected = match deaf {
                _ if *files => 0,
                Deaf::Pipe => 141,
                // Opened anew by Rust: nothing tells that nobody reads.
                Deaf::Closed => 0,
                Deaf::Full => 1,
            };
            assert_ended(&output, expected, &format!("{name} {deaf:?}"));
        }
    }
}

/// One rule: 130 where a run can be taken up or nothing was made yet; the system ends what only prints.
#[test]
fn every_command_is_ended_by_signals() {
    for signal in asking() {
        let place = Place::new();
        for (name, files, words) in &commands(&place, true) {
            // Those take no time.
            let quick = [
                "collect", "report", "ratings", "survey", "select", "puzzles", "course", "convert",
                "replay",
            ];
            if quick.contains(name) {
                continue;
            }
            let output = ended_by(&mut command(&place, name, *files, words), signal, *files);
            let expected = if *files { 130 } else { 128 + signal as i32 };
            assert_eq!(shell_status(output.status), expected, "{name} {signal}: {}", said(&output));
            assert!(!said(&output).contains("panicked"), "{name} {signal}: {}", said(&output));
        }
        assert!(!place.something_runs());
    }
}
