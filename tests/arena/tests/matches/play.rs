//! Matches that go well: formats, dialects, clocks, files.

use std::collections::HashMap;
use std::fs;

use kujira_arena::journal::Line;
use kujira_position::{Color, VariantId};
use kujira_record::played::GameRecord;
use kujira_record::{list, pgn, text};
use kujira_usi::{Ending, Reason, Score, Side};

use crate::harness::{Place, resummed, said};

#[test]
fn an_engine_against_itself_draws_every_pair() {
    for game in ["whale", "paulowich", "great"] {
        let place = Place::new();
        let arguments = [&format!("--game={game}")[..]];
        let engines =
            [place.engine(&arguments, &["name=A"]), place.engine(&arguments, &["name=B"])];
        let pairs = if game == "great" { "3" } else { "10" };
        let (text, games) = place.run(
            &format!("match {game}"),
            &engines,
            &["--nodes=1", "--pairs", pairs, "--max-plies=300", "--seed=5"],
        );
        assert_eq!(games.len(), pairs.parse::<usize>().unwrap() * 2);
        let mut by_round = HashMap::<u32, Vec<_>>::new();
        for game in &games {
            assert!(game.ending.reason.is_regular(), "{:?}", game.ending);
            by_round.entry(game.id.round).or_default().push(game);
        }
        for legs in by_round.values() {
            let moves = |i: usize| legs[i].moves.iter().map(|m| &m.usi).collect::<Vec<_>>();
            assert_eq!(moves(0), moves(1));
            assert_eq!(legs[0].opening, legs[1].opening);
            assert_eq!(legs[0].black.name, legs[1].white.name);
        }
        assert!(text.contains(&format!("pairs    0: 0, ½: 0, 1: {pairs}, 1½: 0, 2: 0")), "{text}");
        assert!(text.contains("Elo +0.0 (all results alike"), "{text}");
    }
}

#[test]
fn fairy_dialects_are_understood_both_ways() {
    for game in ["whale", "paulowich"] {
        let place = Place::new();
        let arguments = format!("--game={game}");
        let engines = [
            place.engine(&[&arguments], &["name=Usi"]),
            place.engine(&[&arguments, "--seed=2"], &["name=Uci", "proto=uci"]),
            place.engine(
                &[&arguments, "--seed=3", "--dialect=fairy-usi"],
                &["name=FairyUsi", "moves=fairy-usi"],
            ),
        ];
        let (text, games) = place.run(
            &format!("match {game}"),
            &engines,
            &["--tc=60+1", "--pairs=12", "--format=round-robin"],
        );
        assert_eq!(games.len(), 72);
        let mut spelt = 0;
        for game in &games {
            // A move misunderstood would have made the engine end.
            assert!(game.ending.reason.is_regular(), "{:?}", game.ending);
            spelt += game.moves.len();
        }
        assert!(spelt > 2000 && text.contains("\n  Black is worth "), "{text}");
        assert!(!text.contains("lost by failure"), "{text}");
    }
}

#[test]
fn a_gauntlet_pairs_the_first_engine_with_all_others() {
    let place = Place::new();
    let engines: Vec<_> = (1..=4)
        .map(|seed| place.engine(&[&format!("--seed={seed}")], &[&format!("name=E{seed}")]))
        .collect();
    let (text, games) =
        place.run("match whale", &engines, &["--nodes=1", "--pairs=4", "--format=gauntlet"]);
    assert_eq!(games.len(), 24);
    assert!(games.iter().all(|game| game.black.name == "E1" || game.white.name == "E1"));
    for other in 2..=4 {
        let name = format!("E{other}");
        let count = games.iter().filter(|g| g.black.name == name || g.white.name == name).count();
        assert_eq!(count, 8);
        assert!(text.contains(&format!("E1 against E{other}")), "{text}");
    }
}

#[test]
fn every_file_tells_the_same_games() {
    let place = Place::new();
    let engines = [
        place.engine(&["--score=31"], &["name=One \"1\""]),
        place.engine(&["--score=-7"], &["option.Seed=9"]),
    ];
    let (_, games) = place.run("match whale", &engines, &["--nodes=77", "--pairs=6"]);
    assert_eq!(games.len(), 12);
    let usi = list::open(&place.path("match.usi")).unwrap();
    let pgn = text::open(&place.path("match.pgn")).unwrap();
    let pgn: Vec<_> =
        pgn::games(pgn.as_bytes(), VariantId::Great).collect::<Result<_, _>>().unwrap();
    assert_eq!((usi.len(), pgn.len()), (12, 12));
    for ((game, usi), pgn) in games.iter().zip(&usi).zip(&pgn) {
        assert_eq!(game.usi(), usi.opening.to_string());
        let end = pgn.game.end();
        assert_eq!(game.usi(), pgn.game.usi(end));
        assert_eq!(pgn.tags.players(), [&game.black.name, &game.white.name]);
        let ending = pgn.game.node(end).and_then(|node| node.ending).unwrap();
        assert_eq!((ending.winner, pgn.game.variant()), (game.ending.winner, VariantId::Whale));
        assert_eq!(pgn.tags.get("Termination"), Some(game.ending.reason.name()));
        let one = if game.black.name == "One \"1\"" { 0 } else { 1 };
        let begins = usize::from(!game.black_begins());
        for (index, m) in game.moves.iter().enumerate() {
            let color = (index + begins) % 2;
            let shown = if color == one { 31 } else { -7 };
            let expected = if color == 0 { shown } else { -shown };
            assert_eq!(m.score, Some(Score::Cp(expected)), "move {index}");
            assert_eq!((m.depth, m.seldepth), (Some(1), Some(2)));
            assert!(m.nodes.is_some_and(|nodes| nodes > 0) && m.us > 0);
        }
        let two = if one == 0 { &game.white } else { &game.black };
        assert_eq!((&two.name[..], &two.limit[..]), ("Scripted 1", "nodes 77"));
        assert_eq!(two.options["Seed"], "9");
    }
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"))
        .arg("report")
        .arg(place.path("match.jsonl"))
        .output()
        .unwrap();
    assert!(said(&output).contains("games      12 ("), "{}", said(&output));
}

/// Games are replayed under the rules that they were played under.
#[test]
fn rule_switches_hold_in_the_report() {
    let place = Place::new();
    let retreats = "3k1w/2D3/6/6/2N3/3W2 b - 1";
    fs::write(place.path("book.epd"), format!("{retreats}\n")).unwrap();
    let book = place.path("book.epd").display().to_string();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let arguments = ["--nodes=1", "--pairs=1", "--max-plies=12", "--retreat=two", "--impasse"];
    let mut arguments = arguments.to_vec();
    arguments.extend(["--openings", &book]);
    let (_, games) = place.run("match whale", &engines, &arguments);
    assert_eq!(games.len(), 2);
    let journal = place.path("match.jsonl");
    let report = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.arg("report").arg(&journal).output().unwrap()
    };
    let output = report();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).starts_with("whale retreat two, impasse\n"), "{}", said(&output));

    // A slide of three squares is a move under the usual rules alone.
    let text = fs::read_to_string(&journal).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    let mut game = games[0].clone();
    game.opening = "sfen 4D1/4k1/5w/6/6/3W2 b - 1".to_owned();
    game.moves.truncate(1);
    game.moves[0].usi = "2a5d".to_owned();
    game.ending = Ending::draw(Reason::PlyLimit);
    let line = serde_json::to_string(&Line::Game(Box::new(game))).unwrap();
    let write = |header: &str| {
        fs::write(&journal, resummed(&format!("{header}\n{line}\n"))).unwrap();
    };
    write(header);
    let output = report();
    assert!(!output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("game 1.1: move 1: expected a legal move"), "{}", said(&output));
    write(&header.replace("retreat two, impasse", ""));
    let output = report();
    assert!(output.status.success(), "{}", said(&output));
}

/// Games in which dolphins retreat.
fn retreats(arguments: &[&str], words: &[&str], more: &[&str]) -> (String, Vec<GameRecord>) {
    let place = Place::new();
    let book = "D4w/6/6/6/6/W5 b - 1\n5D/6/w5/5W/6/6 b - 1\n3D2/w5/6/6/6/W5 b - 1\n";
    fs::write(place.path("book.epd"), book).unwrap();
    let book = place.path("book.epd").display().to_string();
    let engine = |name: &str, seed: &str| {
        place.engine(&[arguments, &[seed]].concat(), &[words, &[name]].concat())
    };
    let engines = [engine("name=A", "--seed=1"), engine("name=B", "--seed=2")];
    let usual = ["--nodes=1", "--pairs=3", "--max-plies=60", "--openings", &book];
    place.run("match whale", &engines, &[&usual, more].concat())
}

fn illegal_moves(games: &[GameRecord]) -> usize {
    games.iter().filter(|game| game.ending.reason == Reason::IllegalMove).count()
}

#[test]
fn engines_are_told_the_rules() {
    let (text, games) = retreats(&["--rules"], &[], &["--retreat=two"]);
    assert_eq!((games.len(), illegal_moves(&games)), (6, 0), "{text}");
    assert!(games.iter().all(|game| game.ending.reason.is_regular()), "{text}");
    assert!(!text.contains("not told"), "{text}");
    // What is as the engine has it by itself is not told; of repetitions its own rule is another.
    let told = [("Rule_DolphinRetreat", "two"), ("Rule_Repetition", "fourfold")];
    for options in games.iter().flat_map(|game| [&game.black.options, &game.white.options]) {
        assert!(options.iter().map(|(name, value)| (&name[..], &value[..])).eq(told));
    }

    // Without the rule, and to an engine that speaks UCI.
    let place = Place::new();
    let engines = [
        place.engine(&["--rules"], &["name=A", "proto=uci"]),
        place.engine(&["--rules"], &["name=B"]),
    ];
    let (text, games) = place.run("match whale", &engines, &["--nodes=1", "--pairs=1"]);
    for options in games.iter().flat_map(|game| [&game.black.options, &game.white.options]) {
        assert!(options.iter().map(|(name, value)| (&name[..], &value[..])).eq(told[1..].to_vec()));
    }
    assert_eq!(games.len(), 2, "{text}");
}

#[test]
fn engines_that_cannot_be_told_the_rules_are_named() {
    let (text, games) = retreats(&[], &[], &["--retreat=two"]);
    for name in ["A", "B"] {
        let complaint = "expected an option Rule_DolphinRetreat that can be two, found none: the \
                         engine is not told this rule\n";
        assert_eq!(text.matches(&format!("{name}: {complaint}")).count(), 1, "{text}");
    }
    // They play by their own rules then, and it is seen.
    assert!(illegal_moves(&games) > 0 && text.contains("VOID"), "{text}");
    assert!(games.iter().all(|game| game.black.options.is_empty()));

    let (text, _) = retreats(&[], &[], &[]);
    assert!(!text.contains("not told"), "{text}");
}

#[test]
fn rules_of_an_engine_that_its_user_sets_stay() {
    let words = ["option.Rule_DolphinRetreat=slide"];
    let (text, games) = retreats(&["--rules"], &words, &["--retreat=two"]);
    assert!(illegal_moves(&games) > 0, "{text}");
    assert!(games.iter().all(|game| game.black.options["Rule_DolphinRetreat"] == "slide"));
    assert!(!text.contains("not told"), "{text}");
}

#[test]
fn the_clock_is_kept() {
    let place = Place::new();
    // 60 ms a move against a clock of 200 ms.
    let engines = [
        place.engine(&[], &["name=Quick"]),
        place.engine(&["--pause=60", "--seed=2"], &["name=Slow", "tc=0.2", "margin=0"]),
    ];
    let (_, games) = place.run("match whale", &engines, &["--pairs=1", "--tc=60+1"]);
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.ending.reason, Reason::Time, "{:?}", game.ending);
        let loser = match game.ending.winner {
            Some(Side::Black) => &game.white,
            _ => &game.black,
        };
        assert_eq!((&loser.name[..], &loser.limit[..]), ("Slow", "0.2+0"));
        // No more than three moves fit.
        assert!(game.moves.len() <= 7, "{}", game.moves.len());
    }
}

#[test]
fn byoyomi_saves_a_slow_engine() {
    let place = Place::new();
    let engines = [
        place.engine(&[], &["name=Quick"]),
        place.engine(&["--pause=20", "--seed=2"], &["name=Slow", "tc=0.05", "byoyomi=60"]),
    ];
    let (_, games) =
        place.run("match whale", &engines, &["--pairs=1", "--nodes=1", "--max-plies=40"]);
    for game in &games {
        assert!(game.ending.reason.is_regular(), "{:?}", game.ending);
        assert!(game.moves.len() > 10);
    }
}

#[test]
fn scores_that_agree_end_a_game() {
    let place = Place::new();
    let engines = [
        place.engine(&["--score=1500"], &["name=A"]),
        place.engine(&["--score=1200", "--seed=2"], &["name=B"]),
    ];
    let arguments = ["--pairs=2", "--nodes=1", "--win-score=1000", "--win-moves=3"];
    let (_, games) = place.run("match whale", &engines, &arguments);
    for game in &games {
        assert_eq!(game.ending.winner, Some(Side::Black));
        assert_eq!((game.ending.reason, game.moves.len()), (Reason::AdjudicatedWin, 6));
    }
    let even = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let arguments =
        ["--pairs=1", "--nodes=1", "--draw-score=5", "--draw-moves=2", "--draw-from=9", "--fresh"];
    let (_, games) = place.run("match whale", &even, &arguments);
    for game in &games {
        assert_eq!(game.ending.reason, Reason::AdjudicatedDraw);
        let given = game.opening.split_once("moves ").unwrap().1.split(' ').count();
        assert_eq!(given + game.moves.len(), given.max(9).max(given + 4));
    }
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let place = Place::new();
    let engines = [
        place.engine(&[], &["name=Good"]),
        place.engine(&["--fault=resign", "--seed=2"], &["name=Bad"]),
    ];
    let arguments = ["--nodes=1", "--pairs=1000", "--elo0=0", "--elo1=20", "--model=logistic"];
    let (text, games) = place.run("sprt whale", &engines, &arguments);
    assert!(text.contains("LLR") && text.contains(", passed"), "{text}");
    assert!(games.len() < 400, "{}", games.len());
    // Asked again it knows the answer already.
    let (again, more) = place.run("sprt whale", &engines, &arguments);
    assert!(again.contains(", passed") && more.len() == games.len(), "{again}");
}

/// Pairs played before are no new evidence: a test ends with its openings.
#[test]
fn a_test_plays_no_opening_twice() {
    let place = Place::new();
    std::fs::write(place.path("book"), "startpos\nstartpos moves 2e2d\nstartpos moves 5e5d\n")
        .unwrap();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let book = place.path("book").display().to_string();
    let arguments = ["--nodes=1", "--openings", &book, "--elo0=0", "--elo1=10"];
    let (text, games) = place.run("sprt whale", &engines, &arguments);
    assert_eq!(games.len(), 6, "{text}");
    assert!(!text.contains(", passed") && !text.contains(", failed"), "{text}");
}

/// A test that passes because engines fail says nothing about strength.
#[test]
fn failures_pass_no_test() {
    let place = Place::new();
    let engines = [
        place.engine(&[], &["name=Good"]),
        place.engine(&["--fault=die", "--seed=2"], &["name=Bad"]),
    ];
    let arguments = ["--nodes=1", "--pairs=1000", "--elo0=0", "--elo1=20", "--model=logistic"];
    let output = place.command("sprt whale", &engines, &arguments).output().unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for expected in [
        ", withheld\n",
        "WITHHELD: ",
        "the test is not passed: too many games were lost by failures",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let allowed = [&arguments[..], &["--allow-failures"]].concat();
    let (text, _) = place.run("sprt whale", &engines, &allowed);
    assert!(text.contains(", passed\n") && !text.contains("WITHHELD"), "{text}");
}

#[test]
fn openings_are_made_and_used() {
    let place = Place::new();
    let file = place.path("book.usi");
    let make = |format: &str, extra: &[String]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"))
            .args(["openings", "whale", "--count=20", "--plies=4-5", "--seed=3", "--force", format])
            .args(extra)
            .arg("--out")
            .arg(&file)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        fs::read_to_string(&file).unwrap()
    };
    let plain = make("--format=usi", &[]);
    assert_eq!(plain.lines().count(), 20);
    assert!(plain.lines().all(|line| line.starts_with("startpos moves ")));
    assert_eq!(plain, make("--format=usi", &[]), "the same seed, the same openings");
    // This engine sees every position at 100 centipawns.
    let mut judge = place.engine(&["--score=100"], &[]);
    judge.push("--max-score=100".to_owned());
    assert_eq!(plain, make("--format=usi", &judge));
    // Whoever is to move, the scores that are wanted are Black's.
    judge.push("--min-score=100".to_owned());
    assert_eq!(plain, make("--format=usi", &judge));
    let mut judge = place.engine(&["--score=-100"], &[]);
    judge.extend(["--min-score=-100", "--max-score=-100"].map(str::to_owned));
    assert_eq!(plain, make("--format=usi", &judge));
    // This one sees a mate, nobody knows how far away, in half of them.
    let mut judge = place.engine(&["--fault=unknown"], &[]);
    judge.push("--max-score=100".to_owned());
    let even = make("--format=usi", &judge);
    assert!(even.lines().count() == 20 && even != plain, "{even}");
    // This one dies again and again, and is begun afresh.
    let mut judge = place.engine(&["--fault=expire", "--at=8"], &[]);
    judge.push("--max-score=100".to_owned());
    assert_eq!(plain, make("--format=usi", &judge));
    let epd = make("--format=epd", &[]);
    assert!(epd.lines().all(|line| line.split(' ').count() == 4), "{epd}");

    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let file = file.display().to_string();
    let arguments = ["--nodes=1", "--pairs=20", "--openings", &file];
    let (_, games) = place.run("match whale", &engines, &arguments);
    for game in &games {
        let opening = format!("sfen {}", epd.lines().nth(game.id.round as usize).unwrap());
        assert_eq!(game.opening, opening);
    }
}

#[test]
fn openings_that_are_there_are_kept() {
    let place = Place::new();
    let file = place.path("book.usi");
    let make = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        let command = command.args(["openings", "whale", "--count=5"]).args(more);
        command.arg("--out").arg(&file).output().unwrap()
    };
    assert!(make(&[]).status.success());
    let first = fs::read_to_string(&file).unwrap();
    assert_eq!(first.lines().count(), 5);

    let output = make(&["--seed=2"]);
    let expected = format!("expected no file yet at {}, found one (--force", file.display());
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains(&expected), "{}", said(&output));
    assert_eq!(fs::read_to_string(&file).unwrap(), first);

    let output = make(&["--seed=2", "--force"]);
    assert!(output.status.success(), "{}", said(&output));
    let second = fs::read_to_string(&file).unwrap();
    assert!(second.lines().count() == 5 && second != first, "{second}");
    // One that always dies is not begun afresh for ever.
    let mut judge = vec!["--force".to_owned()];
    judge.extend(place.engine(&["--fault=die"], &[]));
    let judge: Vec<&str> = judge.iter().map(String::as_str).collect();
    let text = said(&make(&judge));
    assert!(text.contains("the engine that judges openings: ended: exit status: 3"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), second);
    // What cannot be written to is found out before the work.
    for (out, expected) in [
        (place.path("none/book.usi"), "expected a folder to write in, found none"),
        (place.path("."), "expected a file or nothing, found a folder"),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        let command = command.args(["openings", "whale", "--count=5", "--force", "--out"]).arg(out);
        let output = command.output().unwrap();
        assert!(!output.status.success() && said(&output).contains(expected), "{}", said(&output));
    }
    // Nothing is there to be thrown away.
    fs::remove_file(&file).unwrap();
    assert!(make(&["--force"]).status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), first);
}

/// Neither the pairings nor the ratings know an error bar where all results are alike.
#[test]
fn a_rating_list_invents_no_error_bars() {
    let place = Place::new();
    let engines = ["name=A", "name=B", "name=C"].map(|name| place.engine(&[], &[name]));
    let (text, _) = place.run("match whale", &engines, &["--nodes=1", "--pairs=2"]);
    assert_eq!(text.matches("  Elo +0.0 (all results alike: no error bar)\n").count(), 3, "{text}");
    for row in ["   1 A", "   2 B", "   3 C"] {
        let expected = format!("{row}           0.0        –       8   50.0 %  ");
        let found = text.lines().find(|line| line.starts_with(&expected));
        assert!(found.is_some_and(|line| line.ends_with(" –")), "{expected} in {text}");
    }
    assert!(!text.contains("LOS "), "{text}");
    assert_eq!(text.matches('±').count(), 1, "{text}");
    for row in ["1 A       4.0/8     x 2.0/4 2.0/4\n", "3 C       4.0/8 2.0/4 2.0/4     x\n"] {
        assert!(text.contains(row), "{row} in {text}");
    }
}

#[test]
fn handicaps_are_openings() {
    let place = Place::new();
    let engines = [("name=A", "--seed=1"), ("name=B", "--seed=2")];
    let engines = engines.map(|(name, seed)| place.engine(&["--rules", seed], &[name]));
    let usual = ["--nodes=1", "--retreat=two", "--impasse", "--pairs=4"];
    let (text, games) = place.run(
        "match whale",
        &engines,
        &[&usual[..], &["--handicap=pg", "--plies=2-3"]].concat(),
    );
    assert_eq!(games.len(), 8);
    let mut counts = [0; 3];
    for game in &games {
        let opening = &game.opening;
        assert!(
            opening.starts_with("sfen bn1w1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves "),
            "{opening}"
        );
        assert!((8..=9).contains(&opening.split(' ').count()), "{opening}");
        assert_eq!(game.handicap().map(|handicap| handicap.id), Some("PG"));
        counts[game.ending.half_points(Color::White)] += 1;
    }
    let [losses, draws, wins] = counts;
    let score = 100.0 * (f64::from(wins) + f64::from(draws) / 2.0) / 8.0;
    let side = format!("\nWhite      +{wins} ={draws} -{losses}, {score:.1} %, giving PG\n");
    assert!(text.contains(&side), "{side} in {text}");
    let journal = place.path("match.jsonl").display().to_string();
    let told = |what: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        said(&command.args([what, &journal]).output().unwrap())
    };
    let report = told("report");
    for expected in ["whale retreat two, impasse\n", "openings: handicap PG, 2 to 3 random", &side]
    {
        assert!(report.contains(expected), "{expected} in {report}");
    }
    let ratings = told("ratings");
    assert!(
        ratings.starts_with("8 games in whale, retreat two, impasse, handicap PG\n"),
        "{ratings}"
    );
    // The same goes on, another is refused.
    let more = ["--nodes=1", "--retreat=two", "--impasse", "--pairs=5", "--plies=2-3"];
    let (_, games) = place.run("match whale", &engines, &[&more[..], &["--handicap=PG"]].concat());
    assert_eq!(games.len(), 10);
    let other = [&more[..], &["--handicap=G"]].concat();
    let refused = said(&place.command("match whale", &engines, &other).output().unwrap());
    let differs =
        "openings handicap G, 2 to 3 random plies, seed 1, there handicap PG, 2 to 3 random";
    assert!(refused.contains(differs), "{refused}");
}

#[test]
fn odds_are_told_apart_from_games_from_the_start() {
    let place = Place::new();
    let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
    let taken = "bnpw1h/dddddd/6/6/DDDDDD/HGWPNB b G 1";
    let given = ["--nodes=1", "--pairs=4", "--plies=2", "--sfen", taken];
    let (_, games) = place.run("match whale", &engines, &given);
    let begins = format!("sfen {taken} moves ");
    assert!(games.len() == 8 && games.iter().all(|game| game.opening.starts_with(&begins)));
    // The same goes on, however it is written, and another is refused.
    let blanks = taken.replace(' ', " \t ");
    let more = ["--nodes=1", "--pairs=6", "--plies=2", "--sfen", &blanks];
    assert_eq!(place.run("match whale", &engines, &more).1.len(), 12);
    let other = taken.replace(" G ", " - ");
    let other = ["--nodes=1", "--pairs=6", "--plies=2", "--sfen", &other];
    let refused = said(&place.command("match whale", &engines, &other).output().unwrap());
    assert!(refused.contains("this one differs: openings from bnpw1h/"), "{refused}");
    let odds = place.path("odds.jsonl");
    std::fs::rename(place.path("match.jsonl"), &odds).unwrap();
    let start = Place::new();
    let (_, games) = start.run("match whale", &engines, &["--nodes=1", "--pairs=4", "--plies=2"]);
    assert_eq!(games.len(), 8);
    let even = start.path("match.jsonl");
    let bench = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
        command.args(words).output().unwrap()
    };
    let [odds, even, table, plots] =
        [odds, even, place.path("odds.csv"), place.path("")].map(|path| path.display().to_string());
    let survey = ["survey", "odds", &even, &odds, "--csv", &table, "--plots", &plots];
    let text = said(&bench(&survey));
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("\n| whale | nodes 1 | G | G | Black | 12 | "), "{text}");
    let written = std::fs::read_to_string(&table).unwrap();
    assert!(written.contains("odds,whale,,nodes 1,G,G,Black,12,"), "{written}");
    let picture = std::fs::read_to_string(place.path("odds-whale.svg")).unwrap();
    assert!(picture.contains("without G, G in hand, Black first"), "{picture}");
    // It writes over its own files, and over no others.
    assert!(bench(&survey).status.success());
    std::fs::write(&table, "mine\n").unwrap();
    assert!(!bench(&survey).status.success());
    assert_eq!(std::fs::read_to_string(&table).unwrap(), "mine\n");
    // Games from elsewhere are no curve of those from the start.
    let text = said(&bench(&["survey", "games", &odds]));
    assert!(text.contains(&format!("| whale, from {taken} | nodes 1 | 12 | ")), "{text}");
    let text = said(&bench(&["survey", "games", &odds, "--plots", &plots]));
    assert!(text.contains("--plots: expected matches of several pairs from the start"), "{text}");
    for (words, expected) in [
        (&["--sfen", "6/6/6/6/6/6 b - 1"], "--sfen: "),
        (&["--sfen", "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b D 1"], "--sfen: impossible position"),
    ] {
        let command = place.command("match whale", &engines, words).output().unwrap();
        assert!(said(&command).contains(expected), "{}", said(&command));
    }
    let alone = said(&bench(&["survey", "odds", &odds]));
    assert!(alone.contains("expected a match from the start to compare with"), "{alone}");
}

/// No random moves: every pair begins at the start, and no file of openings is made.
#[test]
fn without_plies_games_begin_at_the_start() {
    for (handicap, opening, side) in [
        (&[] as &[&str], "startpos", "\nBlack      +"),
        (&["--handicap=P"], "sfen bn1wagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB w - 1", "\nWhite      +"),
    ] {
        let place = Place::new();
        let engines = [place.engine(&[], &["name=A"]), place.engine(&["--seed=2"], &["name=B"])];
        let arguments = [&["--nodes=1", "--pairs=2", "--plies=0"], handicap].concat();
        let (text, games) = place.run("match paulowich", &engines, &arguments);
        assert!(
            text.contains("a single opening for 2 pairs: it is played more than once"),
            "{text}"
        );
        assert!(text.contains(side), "{text}");
        assert_eq!(games.len(), 4);
        assert!(games.iter().all(|game| game.opening == opening), "{games:?}");
        assert!(!place.path("match.openings").exists());
    }
}
