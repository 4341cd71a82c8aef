//! `report` on several journals, made here so that the counts are known.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use kujira_arena::header::{EngineHeader, MatchHeader, RunNumber};
use kujira_arena::journal::Line;
use kujira_arena::openings::RandomOpenings;
use kujira_position::{Paulowich, Rules, Variant, VariantId, Whale, with_variant};
use kujira_record::played::{GameId, GameRecord, Player};
use kujira_usi::{Ending, Reason};

use crate::harness::{Place, bare, resummed, said};

fn player(name: &str) -> Player {
    Player { name: name.to_owned(), ..Player::default() }
}

/// A journal of a match between engines of these names with so many pairs of 0, ½, 1, 1½, 2 points.
pub(crate) fn journal(game: VariantId, names: &[&str], counts: [u32; 5], seed: u64) -> String {
    let engine = |name: &&str| EngineHeader {
        player: player(name),
        command: vec!["none".to_owned()],
        files: Default::default(),
        settings: Vec::new(),
        signature: None,
        version: None,
    };
    let header = MatchHeader {
        game: game.spec().id.to_owned(),
        rules: Default::default(),
        engines: names.iter().map(engine).collect(),
        format: Default::default(),
        openings: format!("seed {seed}"),
        max_plies: 500,
        adjudication: Default::default(),
        sprt: None,
        title: None,
        shard: None,
        experiment: None,
        run: RunNumber::random().ok(),
    };
    let mut text = Vec::new();
    kujira_record::journal::write(&mut text, &Line::Match(Box::new(header))).unwrap();
    let openings = with_variant!(game, V => openings::<V>(counts.iter().sum(), seed));
    let points = (0..5).zip(counts).flat_map(|(half, count)| (0..count).map(move |_| half));
    for ((round, opening), half_points) in (0..).zip(openings).zip(points) {
        for leg in 0..2 {
            let id = GameId { round, engines: [0, 1], leg };
            let first = id.first_is();
            let ending = match (half_points + usize::from(leg)) / 2 {
                0 => Ending::win(!first, Reason::Resignation),
                1 => Ending::draw(Reason::PlyLimit),
                _ => Ending::win(first, Reason::Resignation),
            };
            let [black, white] = id.by_color().map(|engine| player(names[engine]));
            let (variant, opening) = (game.spec().id.to_owned(), opening.clone());
            let game = GameRecord {
                id,
                variant,
                black,
                white,
                opening,
                moves: vec![],
                ending,
                detail: String::new(),
                began: String::new(),
                machine: None,
            };
            kujira_record::journal::write(&mut text, &Line::Game(Box::new(game))).unwrap();
        }
    }
    String::from_utf8(text).unwrap()
}

fn openings<V: Variant>(count: u32, seed: u64) -> Vec<String> {
    let mut made = RandomOpenings::<V>::new(seed, 6..=9, Rules::DEFAULT, None, Vec::new()).unwrap();
    (0..count).map(|_| made.another().unwrap().to_string()).collect()
}

pub(crate) fn write(place: &Place, name: &str, text: &str) -> PathBuf {
    let path = place.path(name);
    fs::write(&path, text).unwrap();
    path
}

fn report(journals: &[&PathBuf], more: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    let output = command.arg("report").args(journals).args(more).output().unwrap();
    (output.status.success(), said(&output))
}

const NAMES: [&str; 2] = ["new", "old"];
const TEST: [&str; 4] = ["--elo0", "0", "--elo1", "10"];

/// The counts of a change that was accepted by its games at 6×6 and 7×7 together, neither of which would
/// have been enough (docs/strength.md).
#[test]
fn games_of_several_journals_are_tested_together() {
    let place = Place::new();
    let whale = journal(VariantId::Whale, &NAMES, [119, 34, 401, 36, 164], 1);
    let whale = write(&place, "6x6.jsonl", &whale);
    let paulowich = journal(VariantId::Paulowich, &NAMES, [112, 27, 268, 34, 141], 1);
    let paulowich = write(&place, "7x7.jsonl", &paulowich);

    let (well, text) = report(&[&whale, &paulowich], &TEST);
    assert!(well, "{text}");
    let (apart, together) = text.split_once("\nall 2 together\n").unwrap();
    for (path, line) in [(&whale, "whale \n"), (&paulowich, "paulowich \n")] {
        assert!(apart.contains(&format!("{}\n{line}  new: ", path.display())), "{text}");
    }
    assert!(apart.contains("  pairs    0: 119, ½: 34, 1: 401, 1½: 36, 2: 164\n"), "{text}");
    assert!(apart.contains("  pairs    0: 112, ½: 27, 1: 268, 1½: 34, 2: 141\n"), "{text}");
    assert!(!apart.contains("LLR"), "the test is of all games: {text}");
    for expected in [
        "games      2672 (0 plies)\n",
        "new against old\n",
        "  pairs    0: 231, ½: 61, 1: 669, 1½: 70, 2: 305\n",
        "  Elo +20.4 ± 12.2, nElo +22.2 ± 13.2, LOS 100.0 %\n",
        "  SPRT nElo [0, 10], alpha 0.05, beta 0.05: LLR 3.793 in [-2.944, 2.944], passed\n",
    ] {
        assert!(together.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("pairs begin"), "{text}");

    // Without bounds there is no test, and of one journal the account is that of one.
    let (well, text) = report(&[&whale, &paulowich], &[]);
    assert!(well && text.contains("0: 231, ½: 61") && !text.contains("LLR"), "{text}");
    let (well, text) = report(&[&whale], &TEST);
    assert!(well && !text.contains("together"), "{text}");
    // Its pairs count in order: those lost come first here, and the test ends before the others.
    let ended = text.split_once(", failed after ").unwrap().1;
    let (counted, rest) = ended.split_once(' ').unwrap();
    assert!(rest.starts_with("of 754 pairs\n") && counted.parse::<u32>().unwrap() < 119, "{text}");
    assert!(text.starts_with("whale \n  new: "), "{text}");
    let (_, text) = report(&[&whale], &["--elo0=10", "--elo1=40", "--model=logistic"]);
    assert!(text.contains("  SPRT Elo [10, 40], alpha 0.05, beta 0.05: LLR "), "{text}");
}

/// Shards are one test in the order of their pairs, whatever the order of the journals; other journals are counted whole.
#[test]
fn shards_are_tested_in_the_order_of_their_pairs() {
    let place = Place::new();
    let whole = journal(VariantId::Whale, &NAMES, [0, 0, 8, 0, 160], 1);
    let one = write(&place, "one.jsonl", &whole);
    let shard = |index: usize| {
        let lines = bare(&whole);
        let lines = lines.lines().enumerate().filter_map(|(number, line)| {
            let mut line: Line = serde_json::from_str(line).unwrap();
            match &mut line {
                Line::Match(header) => {
                    header.shard = Some(format!("{index}/2").parse().unwrap());
                    header.run = RunNumber::random().ok();
                }
                _ if (number - 1) / 2 % 2 != index => return None,
                _ => {}
            }
            Some(line)
        });
        let mut text = Vec::new();
        lines.for_each(|line| kujira_record::journal::write(&mut text, &line).unwrap());
        write(&place, &format!("{index}.jsonl"), std::str::from_utf8(&text).unwrap())
    };
    let shards = [shard(0), shard(1)];
    let wide = ["--elo0=0", "--elo1=50"];
    let ended = |text: &str| {
        let (_, ended) = text.split_once(": LLR ").unwrap();
        ended.lines().next().unwrap().to_owned()
    };
    let (well, text) = report(&[&one], &wide);
    let expected = ended(&text);
    assert!(well && expected.contains(", passed after "), "{text}");
    assert!(expected.ends_with(" of 168 pairs") && !expected.contains("after 168"), "{text}");
    for journals in [[&shards[0], &shards[1]], [&shards[1], &shards[0]]] {
        let (well, text) = report(&journals, &wide);
        assert!(well && ended(&text) == expected, "{expected} in {text}");
    }
    let other = journal(VariantId::Whale, &NAMES, [0, 0, 8, 0, 160], 2);
    let other = write(&place, "other.jsonl", &other);
    let (_, text) = report(&[&one, &other], &wide);
    assert!(ended(&text).ends_with(", passed"), "{text}");
}

#[test]
fn what_cannot_be_counted_together_is_refused() {
    let place = Place::new();
    let whale = |names: &[&str], seed| journal(VariantId::Whale, names, [1, 0, 2, 0, 1], seed);
    let text = whale(&NAMES, 1);
    let one = write(&place, "one.jsonl", &text);
    let copy = write(&place, "copy.jsonl", &text);
    let shorter: String = text.split_inclusive('\n').take(4).collect();
    let cut_off = write(&place, "cut-off.jsonl", &format!("{shorter}{{\"game\":{{\"rou"));
    let shorter = write(&place, "shorter.jsonl", &shorter);
    let others = write(&place, "others.jsonl", &whale(&["new", "older"], 2));
    let turned = write(&place, "turned.jsonl", &whale(&["old", "new"], 2));
    let three = write(&place, "three.jsonl", &whale(&["new", "old", "oldest"], 2));
    let shown = one.display();
    for (second, more, expected) in [
        (&one, &[] as &[&str], &format!("expected every journal once, found the match of {shown}")),
        (&copy, &[], &format!("expected every journal once, found the match of {shown} again")),
        (&shorter, &[], &format!("expected every journal once, found the match of {shown} again")),
        (&cut_off, &[], &format!("expected every journal once, found the match of {shown} again")),
        (&others, &[], &format!("expected new against old as in {shown}, found new against older")),
        (&turned, &[], &format!("expected new against old as in {shown}, found old against new")),
        (&three, &[], &"expected a match between two engines, found 3".to_owned()),
        (&others, &["--elo0=5", "--elo1=5"], &"expected --elo0 below --elo1".to_owned()),
        (&others, &["--elo0=5"], &"--elo1".to_owned()),
        (&others, &["--alpha=0.01"], &"--elo0 <ELO0>".to_owned()),
        (&others, &["--beta=0.05"], &"--elo0 <ELO0>".to_owned()),
        (&others, &["--model=logistic"], &"--elo0 <ELO0>".to_owned()),
        (&others, &["--elo0=0", "--elo1=5", "--alpha=0.7"], &"expected --alpha and".to_owned()),
    ] {
        let (well, text) = report(&[&one, second], more);
        assert!(!well && text.contains(expected), "{expected} in {text}");
    }
    // A tournament has its account, but no test.
    assert!(report(&[&three], &[]).0);
    let (well, text) = report(&[&three], &TEST);
    assert!(!well && text.contains("expected a match between two engines, found 3"), "{text}");

    // One that says nothing about strength must not speak through another.
    let disputed = whale(&NAMES, 3).replace("\"resignation\"", "\"illegal-move\"");
    let disputed = write(&place, "disputed.jsonl", &resummed(&disputed));
    let (well, text) = report(&[&one, &disputed], &TEST);
    assert!(!well && text.contains("VOID"), "{text}");
    assert!(text.contains("disputed.jsonl: expected matches that are not void"), "{text}");
}

/// A test that says nothing fails, be it of one journal or of several; an account alone is one anyway.
#[test]
fn a_test_that_says_nothing_fails() {
    let place = Place::new();
    let text = |seed| journal(VariantId::Whale, &NAMES, [0, 0, 2, 0, 60], seed);
    let disputed = text(1).replace("\"resignation\"", "\"illegal-move\"");
    let disputed = write(&place, "disputed.jsonl", &resummed(&disputed));
    let (well, text_of) = report(&[&disputed], &TEST);
    assert!(!well && text_of.contains("VOID: "), "{text_of}");
    assert!(text_of.contains("kujira-bench: the match is void: "), "{text_of}");
    let (well, text_of) = report(&[&disputed], &[]);
    assert!(well && text_of.contains("VOID: "), "{text_of}");

    let late = |name, seed| {
        write(&place, name, &resummed(&text(seed).replacen("\"resignation\"", "\"time\"", 5)))
    };
    let (one, other) = (late("one.jsonl", 1), late("other.jsonl", 2));
    for journals in [&[&one] as &[&PathBuf], &[&one, &other]] {
        let wide = ["--elo0=0", "--elo1=100"];
        let (well, text) = report(journals, &wide);
        assert!(!well && text.contains(", withheld") && text.contains("WITHHELD: "), "{text}");
        assert!(text.contains("kujira-bench: the test is not passed: "), "{text}");
        let (well, text) = report(journals, &[&wide[..], &["--allow-failures"]].concat());
        assert!(well && text.contains(", passed") && !text.contains("WITHHELD"), "{text}");
        assert!(report(journals, &[]).0);
    }
}

#[test]
fn openings_played_again_are_told() {
    let place = Place::new();
    let text = |game, counts| journal(game, &NAMES, counts, 5);
    let one = write(&place, "one.jsonl", &text(VariantId::Whale, [1, 0, 2, 0, 1]));
    let more = write(&place, "more.jsonl", &text(VariantId::Whale, [0, 1, 4, 0, 1]));
    let other = write(&place, "other.jsonl", &text(VariantId::Paulowich, [1, 0, 2, 0, 1]));
    let (well, text) = report(&[&one, &more], &[]);
    assert!(
        well && text.contains("\n4 of 10 pairs begin from an opening that an earlier"),
        "{text}"
    );
    // Of another game nothing is known by them.
    let (well, text) = report(&[&one, &other], &[]);
    assert!(well && !text.contains("pairs begin"), "{text}");
    // The seeds make different openings of the games, if they are any of theirs at all.
    assert_ne!(openings::<Whale>(4, 5), openings::<Paulowich>(4, 5));
}

/// The lines of a journal with something done to each.
fn each_line(text: &str, change: impl Fn(serde_json::Value) -> serde_json::Value) -> String {
    let line = |line| format!("{}\n", change(serde_json::from_str(line).unwrap()));
    text.lines().map(line).collect()
}

fn refused_as_again(place: &Place, journals: [&str; 2], expected: &str) {
    let one = write(place, "one.jsonl", journals[0]);
    let other = write(place, "other.jsonl", journals[1]);
    let (well, text) = report(&[&one, &other], &[&TEST[..], &["--unchecked"]].concat());
    let expected =
        format!("expected every journal once, found the match of {} {expected}\n", one.display());
    assert!(!well && text.contains(&expected), "{expected}: {text}");
}

/// However a copy is written, its games are the same games.
#[test]
fn every_game_counts_once() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let arguments = ["--nodes=1", "--pairs=6"];
    place.run("match whale", &engines, &arguments);
    let read = || bare(&fs::read_to_string(place.path("match.jsonl")).unwrap());
    let journal = read();
    let (header, games) = journal.split_once('\n').unwrap();
    let lines: Vec<&str> = games.lines().collect();
    let of = |lines: &[&str]| format!("{header}\n{}\n", lines.join("\n"));
    let turned: Vec<&str> = lines.iter().rev().copied().collect();
    for copy in [
        journal.replace('\n', "\r\n"),
        journal.replace("\":", "\": "),
        each_line(&journal, |line| line),
        of(&turned),
        of(&lines[..3]),
        of(&lines[9..]),
        journal.replace("\"name\":\"A\"", "\"name\":\"A\",\"note\":1"),
    ] {
        refused_as_again(&place, [&journal, &copy], "again");
        refused_as_again(&place, [&copy, &journal], "again");
    }

    // The same match played again is another run, whose games say nothing new.
    place.run("match whale", &engines, &[&arguments[..], &["--fresh"]].concat());
    let again = read();
    // From other openings they are other games.
    place.run("match whale", &engines, &[&arguments[..], &["--fresh", "--seed=7"]].concat());
    let more = read();
    let left_out =
        "\n12 games are left out: another journal has them move for move, from the same ";
    let first = write(&place, "one.jsonl", &journal);
    let second = write(&place, "other.jsonl", &again);
    let third = write(&place, "third.jsonl", &more);
    let (well, text) = report(&[&first, &second], &["--unchecked"]);
    assert!(
        well && text.contains("together\n\ngames      12 (") && text.contains(left_out),
        "{text}"
    );
    let (well, text) = report(&[&first, &third], &["--unchecked"]);
    assert!(well && text.contains("\ngames      24 (") && !text.contains("left out"), "{text}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
    let output = command.arg("ratings").args([&first, &second, &third]).arg("--unchecked").output();
    let text = said(&output.unwrap());
    assert!(text.starts_with("24 games in whale\n12 games are left out: "), "{text}");
}

/// A journal that was gone on with twice: the games of its beginning would count twice.
#[test]
fn two_continuations_of_a_journal_are_told() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=2"]);
    let path = place.path("match.jsonl");
    let begun = fs::read_to_string(&path).unwrap();
    let [one, other] = [(); 2].map(|()| {
        fs::write(&path, &begun).unwrap();
        let (_, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=4"]);
        assert_eq!(games.len(), 8);
        bare(&fs::read_to_string(&path).unwrap())
    });
    assert_ne!(one, other);
    refused_as_again(&place, [&one, &other], "again, gone on with otherwise");
}

/// One game under two numbers, as where journals were put together by hand.
#[test]
fn a_game_counts_once_in_its_journal() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    let text = fs::read_to_string(place.path("match.jsonl")).unwrap();
    let twice =
        format!("{text}{}\n", text.lines().nth(1).unwrap().replace("\"round\":0", "\"round\":7"));
    let path = write(&place, "twice.jsonl", &resummed(&twice));
    let (well, said) = report(&[&path], &[]);
    assert!(!well && said.contains("expected every game once, found game 1."), "{said}");
}

/// A part of a pair that is left out with the whole: whichever journal has it, its game counts once, too.
#[test]
fn games_of_unfinished_pairs_count_once() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    place.run("match whale", &engines, &["--nodes=1", "--pairs=3"]);
    let text = bare(&fs::read_to_string(place.path("match.jsonl")).unwrap());
    // Played on another machine, and stopped in the second pair.
    let part: String = text.split_inclusive('\n').take(4).collect();
    let part = each_line(&part, |mut line| {
        if let Some(header) = line.get_mut("match") {
            header["run"] = "0123456789abcdef".into();
        }
        for m in line
            .pointer_mut("/game/moves")
            .and_then(|moves| moves.as_array_mut())
            .into_iter()
            .flatten()
        {
            m["us"] = (m["us"].as_u64().unwrap() + 1).into();
        }
        line
    });
    let (whole, part) = (write(&place, "whole.jsonl", &text), write(&place, "part.jsonl", &part));
    for journals in [[&whole, &part], [&part, &whole]] {
        let (well, text) = report(&journals, &["--unchecked"]);
        assert!(well && text.contains("together\n\ngames      6 ("), "{text}");
        assert!(text.contains("\n3 games are left out: "), "{text}");
    }
}

/// One name for two engines: what differs is told, and they are counted together where that is wanted.
#[test]
fn engines_of_one_name_are_one_engine() {
    let place = Place::new();
    let text = |seed| journal(VariantId::Whale, &NAMES, [1, 0, 2, 0, 1], seed);
    let made = |text: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let changed = each_line(&bare(text), |mut line| {
            for player in ["/match/engines/0", "/game/black", "/game/white"] {
                let player = line.pointer_mut(player);
                player.filter(|player| player["name"] == NAMES[0]).into_iter().for_each(change);
            }
            line
        });
        resummed(&changed)
    };
    let limit =
        |limit: &'static str| move |player: &mut serde_json::Value| player["limit"] = limit.into();
    let one = write(&place, "one.jsonl", &made(&text(1), &limit("nodes 300")));
    let there = format!(" in {} (--mixed counts them together)", one.display());
    for (change, expected) in [
        (&limit("depth 6") as &dyn Fn(&mut serde_json::Value), "new: depth 6, there nodes 300"),
        (
            &|player: &mut serde_json::Value| {
                player["limit"] = "nodes 300".into();
                player["options"] = serde_json::json!({"Threads": "2"});
            },
            "new: option Threads 2, there not set",
        ),
    ] {
        let other = write(&place, "other.jsonl", &made(&text(2), change));
        for command in ["report", "ratings"] {
            let run = |more: &[&str]| {
                let mut program = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
                said(&program.arg(command).args([&one, &other]).args(more).output().unwrap())
            };
            let text = run(&[]);
            assert!(text.contains(&format!("other.jsonl: {expected}{there}\n")), "{text}");
            assert!(run(&["--mixed"]).contains("new"), "{command}");
        }
    }
    // Builds, and what the account of each journal says of them.
    let build = |print: &'static str| {
        move |player: &mut serde_json::Value| {
            player["limit"] = "nodes 300".into();
            if player.get("files").is_some() {
                player["command"] = serde_json::json!(["bin/k"]);
                player["files"] = serde_json::json!({"bin/k": print, "a.net": "77"});
            }
            player["options"] = serde_json::json!({"EvalFile": "a.net", "Threads": "1"});
        }
    };
    let one = write(&place, "one.jsonl", &made(&text(1), &build("0a")));
    let other = write(&place, "other.jsonl", &made(&text(2), &build("0b")));
    let (well, text) = report(&[&one, &other], &[]);
    assert!(
        !well && text.contains("other.jsonl: new: build 0b, a.net 77, there 0a, a.net 77 in "),
        "{text}"
    );
    let (well, text) = report(&[&one, &other], &["--mixed"]);
    let told = "  new: nodes 300, bin/k\n    options: EvalFile a.net, Threads 1\n    build: 0a, a.net 77\n";
    assert!(well && text.contains(told), "{text}");
}

/// Journals whose lines were changed by hand, with the check sums that they had and without.
#[test]
fn no_command_believes_a_line_that_contradicts_the_head() {
    let place = Place::new();
    let good = journal(VariantId::Whale, &NAMES, [1, 0, 2, 0, 1], 1);
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        let output = command.args(words).current_dir(place.path("")).output().unwrap();
        (output.status.code(), said(&output))
    };
    let commands: [&[&str]; 7] = [
        &["report", "x.jsonl"],
        &["ratings", "x.jsonl"],
        &["survey", "games", "x.jsonl"],
        &["survey", "values", "x.jsonl"],
        &["convert", "x.jsonl", "--to=pgn"],
        &["replay", "x.jsonl"],
        &["book", "build", "whale", "--journal=book.usi", "--games", "x.jsonl"],
    ];
    for (from, to, line, expected) in [
        ("\"leg\":0", "\"leg\":2", 2, "expected a game of this match"),
        ("[0,1]", "[0,7]", 2, "expected a game of this match"),
        ("[0,1]", "[1,1]", 2, "expected a game of this match"),
        ("\"round\":1", "\"round\":0", 4, "expected every game once, found that of line 2 again"),
        (
            "\"round\":3,\"engines\":[0,1],\"leg\":1",
            "\"round\":9,\"engines\":[0,1],\"leg\":2",
            9,
            "expected a game of this match",
        ),
        (
            "\"black\":{\"name\":\"new\"",
            "\"black\":{\"name\":\"old\"",
            2,
            "expected Black to be engine 1 of this match",
        ),
        ("\"variant\":\"whale\"", "\"variant\":\"great\"", 2, "expected a game of whale, found"),
    ] {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good, "{from}");
        for (text, more, expected) in [
            (
                changed.clone(),
                &[] as &[&str],
                "expected a line of a journal as it was written, with the check sum",
            ),
            (resummed(&changed), &[], expected),
            (bare(&changed), &["--unchecked"], expected),
        ] {
            fs::write(place.path("x.jsonl"), text).unwrap();
            for command in &commands {
                let (code, said) = run(&[*command, more].concat());
                let expected = format!("x.jsonl: line {line}: {expected}");
                assert!(
                    code == Some(1) && said.contains(&expected),
                    "{command:?}: {expected}: {said}"
                );
            }
        }
    }
    // Without check sums only where that is said.
    fs::write(place.path("x.jsonl"), bare(&good)).unwrap();
    for command in &commands {
        let (code, said) = run(command);
        assert!(code == Some(1) && said.contains("line 1: expected a check sum (crc32)"), "{said}");
    }
    assert_eq!(run(&["report", "x.jsonl", "--unchecked"]).0, Some(0));
    // What is wrong is left out, if that is wanted.
    fs::write(place.path("x.jsonl"), good.replacen("\"leg\":0", "\"leg\":1", 1)).unwrap();
    let (code, said) = run(&["convert", "x.jsonl", "--to=usi", "--skip"]);
    assert!(code == Some(0) && said.contains("left out: x.jsonl: line 2: "), "{said}");
    assert_eq!(said.matches("# Result").count(), 7, "{said}");
}
