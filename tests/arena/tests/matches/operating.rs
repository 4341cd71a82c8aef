//! What operators of long matches need: a log, openings of games, figures as data, engines that come and go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use kujira_arena::journal::{Line, read_journal};
use kujira_position::Color;
use kujira_record::journal::write;
use kujira_record::played::{GameRecord, Machine};
use kujira_usi::{Ending, Reason};
use serde_json::Value;

use crate::harness::{Place, said};

fn bench(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench-in-matches")).args(words).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_conversation_is_logged_game_by_game() {
    let place = Place::new();
    let log = place.path("talk.log");
    let engines = [
        place.engine(&["--fault=die", "--at=2"], &["name=A"]),
        place.engine(&["--seed=2"], &["name=The other"]),
    ];
    let to = format!("--log={}", log.display());
    let arguments = ["--nodes=1", "--pairs=1", "--concurrency=1", "--max-plies=20", &to];
    let (_, games) = place.run("match whale", &engines, &arguments);
    let text = fs::read_to_string(&log).unwrap();
    let mut told: BTreeMap<&str, Vec<[&str; 3]>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.splitn(5, '\t').collect();
        let &[time, game, engine, sign, words] = &fields[..] else { panic!("{line}") };
        assert!(time.ends_with('Z') && time.contains('T'), "{line}");
        told.entry(game).or_default().push([engine, sign, words]);
    }
    let known: Vec<_> = told.keys().copied().collect();
    assert_eq!(known, ["-", "1.1", "1.2"]);
    for game in &games {
        let lines = &told[&format!("1.{}", game.id.leg + 1)[..]];
        let said_by = |who: &str, how: &str, begin: &str| {
            let fits =
                |line: &&[&str; 3]| line[0] == who && line[1] == how && line[2].starts_with(begin);
            lines.iter().filter(fits).count()
        };
        assert!(said_by("A", "!", "dying as told") == 1, "{lines:?}");
        let moves = said_by("A", "<", "bestmove ") + said_by("The other", "<", "bestmove ");
        assert_eq!((moves, said_by("A", ">", "go nodes 1")), (game.moves.len(), 2), "{lines:?}");
    }
    // Games of other pairings have other names, and a share has a log of its own.
    let three = [&engines[..], &[place.engine(&["--seed=3"], &["name=C"])]].concat();
    let share = [&arguments[..], &["--shard=0/1", "--fresh"]].concat();
    let output = place.command("match whale", &three, &share).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(fs::read_to_string(&log).unwrap(), text);
    let text = fs::read_to_string(place.path("talk.0-of-1.log")).unwrap();
    let mut told: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        told.entry(fields[1]).or_default().insert(fields[2]);
    }
    let ["-", pairs @ ..] = &told.keys().copied().collect::<Vec<_>>()[..] else {
        panic!("{told:?}")
    };
    assert_eq!(pairs, ["1.1", "1.1:1-3", "1.1:2-3", "1.2", "1.2:1-3", "1.2:2-3"]);
    assert_eq!(told["1.2:2-3"], BTreeSet::from(["C", "The other"]));
    // Nothing of somebody else's is added to.
    fs::write(&log, "mine").unwrap();
    let output = place.command("match whale", &engines, &arguments).output().unwrap();
    let expected = "talk.log: expected a log of ours or no file, found another file";
    assert!(said(&output).contains(expected), "{}", said(&output));
    assert_eq!(fs::read_to_string(&log).unwrap(), "mine");
}

#[test]
fn games_are_openings() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let games = ["--nodes=1", "--pairs=3", "--max-plies=30"];
    let (_, first) = place.run("match whale", &engines, &games);
    let pgn = place.path("first.pgn");
    fs::rename(place.path("match.pgn"), &pgn).unwrap();
    let from = format!("--openings={}", pgn.display());
    let begun = |more: &[&str]| -> Vec<String> {
        let words =
            [&["--nodes=1", "--pairs=6", "--max-plies=30", "--fresh", "--force", &from], more];
        let (_, games) = place.run("match whale", &engines, &words.concat());
        let rounds: BTreeMap<u32, String> =
            games.into_iter().map(|game| (game.id.round, game.opening)).collect();
        rounds.into_values().collect()
    };
    let cut = |game: &GameRecord| {
        let usi = game.usi();
        let (start, moves) = usi.split_once(" moves ").unwrap();
        let moves: Vec<_> = moves.split(' ').take(9).collect();
        format!("{start} moves {}", moves.join(" "))
    };
    let all = begun(&["--opening-plies=9"]);
    let known: BTreeSet<String> = first.iter().map(cut).collect();
    assert_eq!(all.iter().cloned().collect::<BTreeSet<_>>(), known);
    let count = known.len();
    assert!(count > 3);
    let mut turned = all[..count].to_vec();
    turned.rotate_left(2);
    assert_eq!(begun(&["--opening-plies=9", "--opening-start=3"])[..count], turned);
    let random = ["--opening-plies=9", "--opening-order=random", "--seed=5"];
    let mixed = begun(&random);
    assert!(mixed[..count] != all[..count] && mixed == begun(&random), "{mixed:?}");
    for (more, expected) in [
        ("--opening-start=7", "expected --opening-start up to "),
        (
            "--impasse",
            "first.pgn: game 1: expected a game of whale with impasse, found one of whale with the usual",
        ),
    ] {
        let words = ["--nodes=1", "--opening-plies=9", "--fresh", "--force", &from, more];
        let output = place.command("match whale", &engines, &words).output().unwrap();
        assert!(said(&output).contains(expected), "{}", said(&output));
    }
}

#[test]
fn figures_are_data_for_other_programs() {
    let place = Place::new();
    let engines =
        [place.engine(&[], &["name=A", "tc=9+0.1"]), place.engine(&["--seed=2"], &["name=B"])];
    let (_, games) =
        place.run("match whale", &engines, &["--nodes=1", "--pairs=4", "--max-plies=40"]);
    let journal = place.path("match.jsonl").display().to_string();
    let report = json(&bench(&["report", &journal, "--json", "--elo0=0", "--elo1=5"]));
    let account = &report["journals"][0]["account"];
    assert_eq!(
        (&account["games"], &report["journals"][0]["match"]["game"]),
        (&8.into(), &"whale".into())
    );
    let won = |engine: usize| -> usize {
        games
            .iter()
            .map(|game| game.ending.half_points(game.id.first_is()))
            .map(|half| usize::from(half == 2 * (1 - engine)))
            .sum()
    };
    let results = &account["pairings"][0]["results"];
    assert_eq!((&results[2], &results[0]), (&won(0).into(), &won(1).into()));
    assert_eq!(report["together"]["account"]["test"]["verdict"], "undecided");
    let ratings = json(&bench(&["ratings", &journal, "--json"]));
    assert_eq!(
        (&ratings["games"], ratings["engines"].as_array().map(Vec::len)),
        (&8.into(), Some(2))
    );
    let pgn = fs::read_to_string(place.path("match.pgn")).unwrap();
    for (tag, times) in [
        ("[WhiteVersion \"Scripted 1\"]\n", 4),
        ("[WhiteVersion \"Scripted 2\"]\n", 4),
        ("[WhiteTimeControl \"9+0.1\"]\n", 4),
        ("[BlackTimeControl \"-\"]\n", 4),
        ("[Date \"20", 8),
    ] {
        assert_eq!(pgn.matches(tag).count(), times, "{tag}: {pgn}");
    }
}

#[test]
fn losses_that_the_machine_may_have_caused_are_told() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=2", "--max-plies=20"]);
    let journal = place.path("match.jsonl");
    let (header, games, _) = read_journal(&fs::read(&journal).unwrap(), false).unwrap();
    assert!(games.iter().all(|game| game.machine.is_some() && game.began.ends_with('Z')));
    let mut text = Vec::new();
    write(&mut text, &Line::Match(Box::new(header.unwrap()))).unwrap();
    let fared = |load, still_ms| Some(Machine { load, still_ms });
    for (mut game, machine) in
        games.into_iter().zip([fared(400, 0), fared(20, 310), fared(90, 0), None])
    {
        game.moves.truncate(2);
        game.ending = Ending::win(Color::Black, Reason::Time);
        game.machine = machine;
        write(&mut text, &Line::Game(Box::new(game))).unwrap();
    }
    fs::write(&journal, text).unwrap();
    let journal = journal.display().to_string();
    let report = said(&bench(&["report", &journal]));
    let told = "2 of the losses on time came while the machine stood still or was overloaded";
    assert!(report.contains(told), "{report}");
    let data = json(&bench(&["report", &journal, "--json"]));
    assert_eq!(data["journals"][0]["account"]["strained"], 2);
}

/// A file of a round robin of these engines.
fn cup(place: &Place, engines: &[Vec<String>]) -> std::path::PathBuf {
    let path = place.path("cup.toml");
    let _ = fs::remove_file(&path);
    let save = format!("--save={}", path.display());
    let settings = ["--nodes=1", "--max-plies=30", "--pairs=2", "--concurrency=1", &save];
    let output = place.command("match whale", engines, &settings).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    path
}

fn play(file: &Path, more: &[&str]) -> String {
    let output = bench(&[&["tournament", &file.display().to_string(), "--plain"], more].concat());
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

/// How often each pair of engines met.
fn met(games: &[GameRecord]) -> BTreeMap<[usize; 2], usize> {
    let mut met = BTreeMap::new();
    for game in games {
        *met.entry(game.id.engines).or_default() += 1;
    }
    met
}

#[test]
fn engines_come_and_go() {
    let place = Place::new();
    let starts = place.path("starts");
    // It works when it is looked at, and never again.
    fs::write(&starts, format!("+{}", "-".repeat(50))).unwrap();
    let bad = place.engine(&[&format!("--starts={}", starts.display())], &["name=Bad"]);
    let [a, b, c] = [("A", "3"), ("B", "4"), ("C", "5")]
        .map(|(name, seed)| place.engine(&[&format!("--seed={seed}")], &[&format!("name={name}")]));
    let text = play(&cup(&place, &[a.clone(), b.clone(), bad.clone()]), &["--page-every=2"]);
    assert!(text.contains("!!! Bad: failed to start 3 times in a row"), "{text}");
    assert!(text.contains(": it plays no more\n"), "{text}");
    let games = place.games();
    assert_eq!(met(&games)[&[0, 1]], 4, "the rest goes on: {text}");
    let lost = games.iter().filter(|game| game.id.engines[1] == 2);
    assert!((3..8).contains(&lost.count()), "{text}");
    let page = fs::read_to_string(place.path("match.html")).unwrap();
    assert_eq!(page.matches("\"players\":").count(), games.len());

    // It does not start any more, and others have games left: they go on, and nobody takes that for the end.
    let file = cup(&place, &[a.clone(), b.clone(), bad.clone()]);
    let journal = fs::read_to_string(place.path("match.jsonl")).unwrap();
    let begun: String = journal.split_inclusive('\n').take(3).collect();
    fs::write(place.path("match.jsonl"), begun).unwrap();
    let output = bench(&["tournament", &file.display().to_string(), "--plain"]);
    let text = said(&output);
    assert!(
        text.contains("engine 3 (") && text.contains(": the others play without it\n"),
        "{text}"
    );
    assert!(!output.status.success() && text.contains("its games are left"), "{text}");
    let games = place.games();
    assert_eq!(met(&games)[&[0, 1]], 4, "{text}");

    // It is withdrawn, though it is gone altogether, and another joins.
    let gone = ["--engine", "cmd=./gone", "name=Bad", "withdrawn=yes"].map(str::to_owned);
    let text = play(&cup(&place, &[a.clone(), b.clone(), gone.to_vec(), c.clone()]), &[]);
    let later = place.games();
    assert_eq!(later[..games.len()], games[..]);
    let met = met(&later);
    assert_eq!([[0, 1], [0, 3], [1, 3]].map(|pair| met[&pair]), [4, 4, 4], "{text}");
    assert!(!met.contains_key(&[2, 3]), "{text}");
    let report = bench(&["report", &place.path("match.jsonl").display().to_string()]);
    assert!(said(&report).contains("A against C"), "{}", said(&report));
    // Only at the end, and only one that has played is withdrawn.
    for (engines, expected) in [
        ([a.clone(), c.clone(), b.clone()].to_vec(), "this one differs: "),
        (
            [a, b, gone.to_vec(), c, gone.to_vec()].to_vec(),
            "engine 5: expected a round robin or a gauntlet",
        ),
    ] {
        let file = cup(&place, &engines);
        let output = bench(&["tournament", &file.display().to_string(), "--plain"]);
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    }
    assert_eq!(place.games().len(), later.len());
    assert!(!place.something_runs());
}

/// Whatever is on more cores than there are is told before the first game.
#[cfg(target_os = "linux")]
#[test]
fn games_are_kept_on_cores() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let own = ["--nodes=1", "--pairs=1", "--max-plies=20", "--concurrency=1", "--affinity"];
    let (text, games) = place.run("match whale", &engines, &own);
    assert_eq!(games.len(), 2, "{text}");
    let many = ["--nodes=1", "--fresh", "--concurrency=1024", "--affinity"];
    let output = place.command("match whale", &engines, &many).output().unwrap();
    let expected = "expected 1024 cores for 1024 games at a time with 1 each, found ";
    assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
}
