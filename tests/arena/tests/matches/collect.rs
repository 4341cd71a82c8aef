//! What `collect` makes of journals of shards that grew, broke off, or were played on several machines.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use kujira_arena::host::Host;
use kujira_arena::journal::{Line, Stream};
use kujira_record::played::GameId;

use crate::harness::{Place, bare, resummed, said};
use crate::shards::{Pair, bench, collect, read, refused, shards_of, well};

/// The games of a journal in its order, each with the machine that played it.
fn games(journal: &Path) -> Vec<(GameId, Option<String>)> {
    let mut stream = Stream::open(journal, false).unwrap();
    let next = || {
        let id = stream.next_game().unwrap()?.game.id;
        Some((id, stream.host().map(|host| host.name.clone())))
    };
    std::iter::from_fn(next).collect()
}

fn sorted(journal: &Path) -> Vec<GameId> {
    let mut ids: Vec<_> = games(journal).into_iter().map(|(id, _)| id).collect();
    ids.sort_unstable();
    ids
}

/// A third engine for [`Pair`].
fn third(place: &Place) -> Vec<String> {
    place.engine(&["--seed=7"], &["name=C"])
}

/// Its pairs have other numbers once an engine has joined; its games are the same.
#[test]
fn a_match_that_an_engine_joined_is_collected() {
    let place = Place::new();
    let (pair, third) = (Pair::new(&place), third(&place));
    let here = place.path("");
    let with_third = |name: &str| {
        let mut command = pair.play(&here, name, &["--pairs=3", "--concurrency=1"]);
        well(command.args(&third));
    };
    // Of one machine.
    well(&mut pair.play(&here, "one", &["--pairs=3", "--concurrency=1"]));
    with_third("one");
    let one = place.path("one.jsonl");
    assert_eq!(games(&one).len(), 18);
    for _ in 0..2 {
        well(&mut collect(&here, "pool", std::slice::from_ref(&one)));
        let found = games(&place.path("pool.jsonl"));
        let order: Vec<_> = found.iter().map(|(id, _)| (id.round, id.engines, id.leg)).collect();
        let mut expected = order.clone();
        expected.sort_unstable();
        assert_eq!(order, expected);
        assert_eq!(sorted(&place.path("pool.jsonl")), sorted(&one));
    }
    let said = well(pair.play(&here, "pool", &["--pairs=3"]).args(&third));
    assert!(said.contains("taking up the match after 18 games"), "{said}");
    // Of shards, which are collected again after it has joined.
    let journals = shards_of(&here, "match", 2);
    for shard in ["--shard=0/2", "--shard=1/2"] {
        well(&mut pair.play(&here, "match", &[shard, "--pairs=3"]));
    }
    well(&mut collect(&here, "match", &journals));
    with_third("match");
    let said = well(&mut collect(&here, "match", &journals));
    assert!(said.contains("\n18 games in ") && !said.contains("counted from 0"), "{said}");
    assert_eq!(sorted(&place.path("match.jsonl")), sorted(&one));
    // What was collected before lacks nothing, though its journal is not there any more.
    let said = well(&mut collect(&here, "match", &journals[..1]));
    assert!(!said.contains("no journal"), "{said}");
    // Whoever plays there is told of, too.
    let more = |more: &[&str]| pair.play(&here, "more", &[&["--pairs=3"], more].concat());
    well(more(&["--shard=0/4"]).args(&third));
    let both = [journals[0].clone(), place.path("more.0-of-4.jsonl")];
    let output = collect(&here, "both", &both).output().unwrap();
    refused(&output, "found another: 2 engines, there 3");
    // An engine that one of them lacks is none of another experiment; another engine is.
    let mut other = pair.play(&here, "other", &["--shard=1/2", "--pairs=3"]);
    well(other.args(place.engine(&["--seed=7"], &["name=D"])));
    let output = collect(&here, "match", &[place.path("other.1-of-2.jsonl")]).output().unwrap();
    refused(&output, "found another: engine C: name C, there D");
}

/// A shard that was killed before its first line is a shard without games.
#[test]
fn a_shard_that_is_not_begun_has_no_games() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    let journals = shards_of(&here, "match", 3);
    well(&mut pair.play(&here, "match", &["--shard=0/3", "--pairs=6"]));
    let head = read(&journals[0]);
    for (name, torn) in [("empty", ""), ("begun", "{\"mat"), ("half", &head[..200])] {
        fs::write(&journals[1], torn).unwrap();
        // That of the whole match may be so, too.
        fs::write(place.path(&format!("{name}.jsonl")), torn).unwrap();
        let said = well(&mut collect(&here, name, &journals[..2]));
        let told = format!("nothing yet in {}\n", journals[1].display());
        assert!(said.contains(&told) && said.contains("no journal of 1/3, 2/3\n4 games"), "{said}");
    }
    let output = collect(&here, "none", &journals[1..2]).output().unwrap();
    refused(&output, "expected journals of shards, found none that is begun");
    for other in ["hello", "[Event \"mine\"]\n", "{\"analysis\":", "\0\0\0"] {
        fs::write(&journals[1], other).unwrap();
        let output = collect(&here, "other", &journals[..2]).output().unwrap();
        assert!(said(&output).contains("1-of-3.jsonl: "), "{}", said(&output));
        assert!(!output.status.success() && !place.path("other.jsonl").exists());
    }
}

/// What is missing is told by its number, wherever it is.
#[test]
fn pairs_that_nobody_played_are_told() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    let journals = shards_of(&here, "match", 3);
    for shard in ["--shard=0/3", "--shard=1/3"] {
        well(&mut pair.play(&here, "match", &[shard, "--pairs=40", "--concurrency=1"]));
    }
    // It stopped after pair 3, and a game of pair 9 was lost with a disk.
    let whole = read(&journals[0]);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    fs::write(&journals[0], lines[..6].concat()).unwrap();
    let said = well(&mut collect(&here, "match", &journals[..2]));
    let expected = "0-of-3.jsonl; counted from 0, it lacks the pairs 6, 9, 12, 15, 18, 21, 24, 27 and 3 more before 37\n";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("1-of-3.jsonl\n") && said.contains("no journal of 2/3\n"), "{said}");
    well(&mut pair.play(&here, "batch", &["--first=2", "--count=2"]));
    well(&mut pair.play(&here, "batch", &["--first=6", "--count=1"]));
    let batches = ["2-and-2", "6-and-1"].map(|name| place.path(&format!("batch.{name}.jsonl")));
    let said = well(&mut collect(&here, "batch", &batches));
    assert!(
        said.contains("counted from 0, no journal has the pairs 0, 1, 4, 5 before 6\n"),
        "{said}"
    );
}

/// Where games were played is known after they are collected, and after the match went on.
#[test]
fn machines_are_known_after_games_are_collected() {
    let place = Place::new();
    let engines = [place.engine(&["--fault=die", "--at=4"], &["name=A"]), Vec::new()];
    let lame = [engines.concat(), place.engine(&["--seed=2"], &["name=B"])].concat();
    let here = place.path("");
    let play = |more: &[&str]| {
        let mut command = bench(&["match", "whale", "--nodes=1", "--seed=11", "--plain"]);
        command.args(["--max-plies=30", "--concurrency=1", "--out"]).arg(place.path("match"));
        well(command.args(&lame).args(more));
    };
    let journals = shards_of(&here, "match", 2);
    for (shard, name) in [("--shard=0/2", "east"), ("--shard=1/2", "west")] {
        play(&["--pairs=3", shard]);
        let journal = &journals[usize::from(name == "west")];
        let named = |line: &str| match line.starts_with("{\"host\":") {
            false => format!("{line}\n"),
            true => {
                let host: Line = serde_json::from_str(line).unwrap();
                let Line::Host(host) = host else { panic!("{line}") };
                let host = Host { name: name.to_owned(), ..host };
                serde_json::to_string(&Line::Host(host)).unwrap() + "\n"
            }
        };
        let text: String = bare(&read(journal)).lines().map(named).collect();
        fs::write(journal, resummed(&text)).unwrap();
    }
    let pool = place.path("match.jsonl");
    let mut texts = Vec::new();
    for _ in 0..2 {
        let said = well(&mut collect(&here, "match", &journals));
        for (name, games) in [("east", 4), ("west", 2)] {
            let told = said.lines().find(|line| line.starts_with(name)).unwrap();
            assert!(told.starts_with(&format!("{name}: {games} games, ")), "{said}");
            assert!(told.ends_with(&format!(", lost by failures: {games} engine ended")), "{said}");
        }
        let hosts: Vec<_> = games(&pool).into_iter().map(|(_, host)| host.unwrap()).collect();
        assert_eq!(hosts, ["east", "east", "west", "west", "east", "east"]);
        texts.push(read(&pool));
    }
    assert_eq!(texts[0], texts[1]);
    for reported in [&journals[..], std::slice::from_ref(&pool)] {
        let said = said(&bench(&["report"]).args(reported).output().unwrap());
        for (name, games) in [("east", 4), ("west", 2)] {
            assert!(
                said.contains(&format!("\n  on {name}: {games} games lost by failure\n")),
                "{said}"
            );
        }
    }
    // Whoever goes on is another machine, and nobody takes its games for those of the last one.
    play(&["--pairs=4"]);
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for (_, host) in games(&pool) {
        *counts.entry(host.unwrap()).or_default() += 1;
    }
    assert_eq!((counts["east"], counts["west"], counts.len()), (4, 2, 3));
    // One of which nothing is known stays so, between others.
    let text = read(&pool);
    let bare = text.lines().filter(|line| !line.starts_with("{\"host\":"));
    let bare: String = bare.take(3).map(|line| format!("{line}\n")).collect();
    fs::write(&pool, bare).unwrap();
    well(&mut collect(&here, "match", &journals[1..]));
    let hosts: Vec<_> = games(&pool).into_iter().map(|(_, host)| host).collect();
    assert_eq!(hosts, [None, None, Some("west".to_owned()), Some("west".to_owned())]);
    well(&mut collect(&here, "match", &journals));
    assert!(games(&pool).iter().all(|(_, host)| host.is_some()));
    for command in ["report", "ratings"] {
        well(bench(&[command]).arg(&pool));
    }
}

/// The PGN of what is collected says what that of one machine says.
#[test]
fn title_and_versions_are_collected() {
    let place = Place::new();
    let engines = [
        place.engine(&["--name=Some 1.2"], &["name=A"]),
        place.engine(&["--seed=2", "--name=Other 7"], &["name=B"]),
        third(&place),
    ];
    let file = place.path("cup.toml");
    let mut save = bench(&["match", "whale", "--nodes=1", "--max-plies=30", "--pairs=2"]);
    save.arg("--concurrency=1").arg("--out").arg(place.path("cup")).args(engines.concat());
    well(save.arg("--save").arg(&file));
    fs::write(&file, format!("title = \"The cup\"\n{}", read(&file))).unwrap();
    for shard in ["--shard=0/2", "--shard=1/2"] {
        well(bench(&["tournament", "--plain", shard]).arg(&file));
    }
    let here = file.parent().unwrap();
    well(&mut collect(here, "cup", &shards_of(here, "cup", 2)));
    let collected = read(here.join("cup.pgn"));
    for (tag, times) in [
        ("[Event \"The cup\"]\n", 12),
        ("Version \"Some 1.2 1\"]\n", 8),
        ("Version \"Other 7 2\"]\n", 8),
    ] {
        assert_eq!(collected.matches(tag).count(), times, "{tag}{collected}");
    }
    // A title is no part of what is played, and an engine that is withdrawn has its version.
    let text = read(&file).replace("The cup", "Another");
    fs::write(&file, text.replacen("name = \"B\"", "name = \"B\"\nwithdrawn = true", 1)).unwrap();
    well(bench(&["tournament", "--plain"]).arg(&file));
    let pgn = read(here.join("cup.pgn"));
    assert_eq!(pgn.matches("[Event \"Another\"]\n").count(), 12, "{pgn}");
    assert_eq!(pgn.matches("Version \"Other 7 2\"]\n").count(), 8, "{pgn}");
}

/// Analyses of shards are told and refused as matches are.
#[test]
fn shards_of_an_analysis_are_counted() {
    let place = Place::new();
    let list = place.path("games.usi");
    fs::write(&list, "startpos moves 2e2d 6b6c\nstartpos moves 1e1d\nstartpos moves 2e2d\n")
        .unwrap();
    let shard = |number: u32| {
        let mut command = bench(&["analyse", "--hash=1", "--nodes=200", "--out"]);
        command.arg(place.path("all.pgn")).arg(&list);
        well(command.arg(format!("--shard={number}/3")));
        place.path(&format!("all.{number}-of-3.pgn.analysis"))
    };
    let shards: Vec<PathBuf> = [0, 1].map(shard).into();
    let here = place.path("");
    let said = well(&mut collect(&here, "all.pgn", &shards));
    assert!(said.starts_with("no journal of 2/3\n5 positions in "), "{said}");
    let twice = [&shards[..], &shards[..1]].concat();
    let output = collect(&here, "all.pgn", &twice).output().unwrap();
    refused(
        &output,
        "expected games that no other journal has, found share 0/3 beside share 0/3 of ",
    );
    fs::write(&shards[1], "{\"analy").unwrap();
    let said = well(&mut collect(&here, "other.pgn", &shards));
    assert!(
        said.starts_with("nothing yet in ") && said.contains("no journal of 1/3, 2/3"),
        "{said}"
    );
    fs::write(&shards[1], "hello").unwrap();
    let output = collect(&here, "other.pgn", &shards).output().unwrap();
    refused(&output, "1-of-3.pgn.analysis: expected an analysis, found something else");
}

/// Games that two journals of one experiment have count once, or not at all without being asked for.
#[test]
fn shards_that_overlap_are_not_counted_together() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    for shard in ["--shard=0/2", "--shard=1/2"] {
        well(&mut pair.play(&here, "match", &[shard, "--pairs=4"]));
    }
    well(&mut pair.play(&here, "again", &["--first=2", "--count=2", "--pairs=4"]));
    well(&mut collect(&here, "match", &shards_of(&here, "match", 2)));
    let journal = |name: &str| place.path(name);
    let shards = shards_of(&here, "match", 2);
    for command in ["report", "ratings"] {
        well(bench(&[command]).args(&shards));
        for (more, expected) in [
            ("again.2-and-2.jsonl", "found share 2+2 beside share 0/2 of "),
            ("match.jsonl", "found all pairs beside share 0/2 of "),
        ] {
            let with = [&shards[..], &[journal(more)]].concat();
            refused(&bench(&[command]).args(&with).output().unwrap(), expected);
            well(bench(&[command, "--mixed"]).args(&with));
        }
    }
    // A match that was played twice as a whole is what it was.
    well(&mut pair.play(&here, "twice", &["--pairs=4"]));
    well(bench(&["report"]).arg(journal("match.jsonl")).arg(journal("twice.jsonl")));
}

/// A batch that has no pairs is a mistake; a shard that has none is one of more machines than there is work for.
#[test]
fn a_batch_behind_the_last_pair_is_refused() {
    let place = Place::new();
    let pair = Pair::new(&place);
    let here = place.path("");
    let mut late = pair.play(&here, "match", &["--first=12", "--count=5", "--pairs=4"]);
    let output = late.args(third(&place)).output().unwrap();
    refused(&output, "expected --first below 12, the number of pairs, found 12");
    assert_eq!(fs::read_dir(&here).unwrap().count(), 0);
    let mut last = pair.play(&here, "match", &["--first=11", "--count=5", "--pairs=4"]);
    well(last.args(third(&place)));
    assert_eq!(sorted(&place.path("match.11-and-5.jsonl")).len(), 2);
    let said = well(&mut pair.play(&here, "match", &["--shard=7/9", "--pairs=4"]));
    assert!(said.contains("share 7/9 has none of the 4 pairs\n"), "{said}");
}

/// Who is withdrawn is known by the journal of the share that it has played in.
#[test]
fn an_engine_is_withdrawn_from_a_share_that_knows_it() {
    let place = Place::new();
    let (pair, third) = (Pair::new(&place), third(&place));
    let here = place.path("");
    let with = |words: &[String], more: &[&str]| {
        let mut command = pair.play(&here, "match", &[more, &["--pairs=2"]].concat());
        command.args(words);
        command
    };
    let gone = [&third[..], &["withdrawn=yes".to_owned()]].concat();
    well(&mut with(&third, &["--shard=0/2"]));
    well(&mut with(&gone, &["--shard=0/2"]));
    let output = with(&gone, &["--shard=1/2"]).output().unwrap();
    refused(&output, "match.1-of-2.jsonl with the games of share 1/2 that it has played");
    refused(&output, "(collect the shares, and go on without it on one machine)");
    assert!(!place.path("match.1-of-2.jsonl").exists());
    well(&mut collect(&here, "match", &shards_of(&here, "match", 2)[..1]));
    well(&mut with(&gone, &[]));
    let met = games(&place.path("match.jsonl"));
    assert_eq!(met.iter().filter(|(id, _)| id.engines == [0, 1]).count(), 4);
}

/// The files of a shard that moved go together: all are those of the machine on which it has most games.
#[cfg(unix)]
#[test]
fn a_shard_that_moved_is_fetched_from_one_machine() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    let script = |name: &str, text: &str| {
        let path = place.path(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    fs::create_dir(place.path("bin")).unwrap();
    script("bin/parallel", "cat > /dev/null");
    let copy =
        script("copy", "for to; do from=$last last=$to; done; cp \"${from%%:*}\"/* \"$last\"");
    let file = |path: &str, text: &str| {
        fs::create_dir_all(place.path(path).parent().unwrap()).unwrap();
        fs::write(place.path(path), text).unwrap();
    };
    let games = |count: usize| "{\"game\":{}}\n".repeat(count);
    // What has fewer games may have longer files, and the tenth shard is not the first.
    file("east/a.1-of-10.jsonl", &format!("{{\"match\":{{}}}}\n{}", games(3)));
    file("east/a.1-of-10.usi", "east\n");
    file("west/a.1-of-10.jsonl", &format!("{}\n{}", " ".repeat(500), games(2)));
    file("west/a.1-of-10.usi", "west, which is longer\n");
    file("west/a.1-of-1.jsonl", &games(1));
    file("west/d.0-of-2.ktd", "long");
    file("east/d.0-of-2.ktd", "longer");
    let path = std::env::var("PATH").unwrap();
    let fetch = || {
        let shards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/machines/shards");
        let mut command = std::process::Command::new(shards.canonicalize().unwrap());
        command.args(["east,west", "pool", "10", "true"]).current_dir(place.path(""));
        command.env("PATH", format!("{}:{path}", place.path("bin").display()));
        well(command.env("PARALLEL_RSYNC", &copy));
        let kept = |name: &str| read(place.path("pool").join(name));
        assert_eq!(
            (&kept("a.1-of-1.jsonl")[..], &kept("d.0-of-2.ktd")[..]),
            (&games(1)[..], "longer")
        );
        (kept("a.1-of-10.jsonl").lines().count(), kept("a.1-of-10.usi"))
    };
    assert_eq!(fetch(), (4, "east\n".to_owned()));
    file("west/a.1-of-10.jsonl", &games(9));
    assert_eq!(fetch(), (9, "west, which is longer\n".to_owned()));
}
