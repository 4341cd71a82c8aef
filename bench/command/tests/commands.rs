//! `perft` and `nps` as people run them.

use std::process::Output;

use kujira_position::VariantId;
use kujira_search::{BenchLimit, Control, engine};
use kujira_trial::{Deaf, Program, assert_tells_of_itself, unread};

const PROGRAM: Program = Program::new(env!("CARGO_BIN_EXE_kujira-bench"));

fn bench(arguments: &[&str]) -> Output {
    PROGRAM.output(arguments)
}

fn printed(arguments: &[&str]) -> String {
    PROGRAM.printed(arguments)
}

fn refused(arguments: &[&str]) -> String {
    PROGRAM.refused(arguments)
}

#[test]
fn it_tells_of_itself() {
    assert_tells_of_itself(PROGRAM);
}

#[test]
fn perft_counts() {
    for (arguments, leaves) in [
        (&["perft", "whale", "6"] as &[&str], 302_268),
        (&["perft", "whale", "5", "--played", "--threads", "2"], 30_664),
        (&["perft", "whale", "4", "--peer-rules"], 3_230),
        // Some mating drops more than ours: as Fairy-Stockfish counts.
        (&["perft", "whale", "5", "--peer-rules"], 30_668),
        (&["perft", "whale", "7", "--peer-rules"], 3_377_323),
        (&["perft", "paulowich", "6", "--threads", "3"], 558_162),
        (&["perft", "great", "3"], 73_627),
        (&["perft", "great", "0"], 1),
        (&["perft", "whale", "1", "--sfen", "5w/3K2/5W/6/6/6 b D 1"], 44),
    ] {
        let text = printed(arguments);
        assert!(text.contains(&format!(": {leaves} leaves in ")), "{arguments:?}: {text}");
        assert!(text.contains(" leaves/s"), "{text}");
    }
    let divided = printed(&["perft", "whale", "3", "--divide"]);
    let counts: Vec<u64> = divided
        .lines()
        .filter_map(|line| line.split_once(' ').filter(|(m, _)| m.len() == 4)?.1.parse().ok())
        .collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (7, 398));
}

#[test]
fn suites_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("suite.epd");
    let start = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1";
    std::fs::write(&path, format!("{start} ;D1 7 ;D2 49 ;D3 398\n{start} ;D4 3230\n")).unwrap();
    let name = path.display().to_string();
    let text = printed(&["perft", "whale", "--suite", &name]);
    assert!(text.contains("2 positions, 4 counts, 0 wrong\ntotal: 3684 leaves"), "{text}");
    let text = printed(&["perft", "whale", "2", "--suite", &name]);
    assert!(text.contains("2 positions, 2 counts, 0 wrong"), "{text}");

    std::fs::write(&path, format!("{start} ;D1 7 ;D2 50\n{start} ;D3 399\n")).unwrap();
    let output = bench(&["perft", "whale", "--suite", &name]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success());
    for line in ["depth 2: expected 50, found 49", "depth 3: expected 399, found 398", "2 wrong"] {
        assert!(text.contains(line), "{text}");
    }
    std::fs::write(&path, "# nothing\n").unwrap();
    assert!(refused(&["perft", "whale", "--suite", &name]).contains("expected counts to check"));
    std::fs::write(&path, format!("{start} ;D1 7\n6/6 b - 1 ;D1 7\n")).unwrap();
    assert!(refused(&["perft", "whale", "--suite", &name]).contains("line 2: expected"));
}

/// Fairy-Stockfish's own counts, where they differ from ours.
#[test]
fn peer_rules_count_as_the_peer_does() {
    for (game, positions) in [("whale", 65), ("paulowich", 32)] {
        let suite = format!("{}/tests/peer/{game}.epd", env!("CARGO_MANIFEST_DIR"));
        let text = printed(&["perft", game, "--suite", &suite, "--peer-rules"]);
        let all = format!("{positions} positions, {positions} counts, 0 wrong");
        assert!(text.contains(&all), "{text}");
        let output = bench(&["perft", game, "--suite", &suite]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains(&format!("{positions} wrong")), "ours differ in each: {text}");
    }
}

#[test]
fn wrong_arguments_are_named() {
    for (arguments, expected) in [
        (&["perft", "chess", "3"] as &[&str], "expected one of whale, paulowich, great"),
        (&["perft", "whale", "x"], "invalid value 'x'"),
        (&["perft", "whale"], "<DEPTH>"),
        (&["perft", "whale", "3", "--sfen", "6/6 b - 1"], "expected"),
        (&["perft", "great", "3", "--peer-rules"], "expected a game that Fairy-Stockfish plays"),
        (&["perft", "whale", "--suite", "./none.epd"], "./none.epd: "),
        (&["nps", "go"], "expected one of whale, paulowich, great"),
        (&["nps", "--threads", "0"], "invalid value '0'"),
        (&["nps", "--nodes", "0"], "invalid value '0'"),
        (&["nps", "--nodes", "5", "--depth", "5"], "cannot be used with"),
        (&["nps", "great", "--positions", "x"], "expected --nodes or --depth with --positions"),
        (&["nps", "--nodes", "5", "--positions", "x"], "expected one kind of whale shogi"),
        (&["nps", "great", "--nodes", "5", "--positions", "./none.sfen"], "./none.sfen: "),
        (&["openings", "whale", "--plies", "9-6", "--out", "x"], "expected a number of plies"),
        (&["openings", "whale", "--plies", "9-999", "--out", "x"], "expected at most 200 plies"),
        (&["match", "whale", "--out", "x"], "--engine"),
        (
            &["sprt", "whale", "--engine", "cmd=x", "--out", "x", "--elo0", "5", "--elo1", "5"],
            "expected --elo0 below --elo1",
        ),
        (&["sprt", "whale", "--engine", "cmd=x", "--out", "x"], "expected --engine twice"),
        (&["match", "whale", "--engine", "cmd=x", "--out", "x", "--pairs", "0"], "value '0'"),
        (&["match", "whale", "--engine", "cmd=x", "--out", "x", "--concurrency", "0"], "value '0'"),
        (
            &["ladder", "whale", "--engine", "cmd=x", "--nodes=1", "--out=x", "--from=5", "--to=3"],
            "expected --from below --to and below",
        ),
        (
            &["ladder", "whale", "--engine", "cmd=x", "--nodes=1", "--out=x", "--from=99"],
            "the highest rung, found 99",
        ),
        (&["report", "./none.jsonl"], "./none.jsonl: "),
        (&["ratings", "./none.jsonl"], "./none.jsonl: "),
        (&["ratings", "./none.jsonl", "--anchor", "x"], "expected the name of an engine and its"),
        (
            &["openings", "great", "--handicap", "PG", "--out", "x"],
            "expected no --handicap, because Great Whale Shogi has none, found PG",
        ),
        (
            &[
                "match",
                "whale",
                "--engine",
                "cmd=x",
                "--engine",
                "cmd=x",
                "--out",
                "x",
                "--handicap",
                "W",
            ],
            "--handicap: expected one of G, H, P, PG, PH, PHG, which Whale Shogi has, found W",
        ),
        (
            &["match", "whale", "--engine", "cmd=x", "--out", "x", "--handicap=G", "--openings=x"],
            "cannot be used with '--openings <FILE>'",
        ),
        (
            &[
                "sprt", "whale", "--engine", "cmd=x", "--engine", "cmd=x", "--out", "x", "--plies",
                "0",
            ],
            "expected --plies from 1 on for a test, found 0",
        ),
    ] {
        let text = refused(arguments);
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

/// A set without positions is no set of which all is solved.
#[test]
fn an_empty_set_of_mates_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mates.epd");
    for text in ["", "# nothing\n\n"] {
        std::fs::write(&path, text).unwrap();
        let error = refused(&["mates", "whale", &path.display().to_string()]);
        assert!(error.contains("expected positions with a mate, found none"), "{error}");
    }
}

/// No wrong answer is a success.
#[test]
fn wrong_answers_to_a_set_of_mates_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mates.epd");
    let ask = ["mates", "whale", &path.display().to_string(), "--nodes=5000", "--solver"];
    std::fs::write(&path, "2w3/6/2D3/6/6/3W2 b K 1 ;M 1\n").unwrap();
    assert!(printed(&ask).contains("100.0%"));
    std::fs::write(&path, "2w3/6/2D3/6/6/3W2 b K 1 ;M 3\n").unwrap();
    let error = refused(&ask);
    assert!(error.contains("expected the answers of the set, found 1 others"), "{error}");
}

/// As after `| head -0`: a reader that has gone away is no reason for a panic, nor for a word.
#[test]
fn a_closed_output_ends_quietly() {
    let mates = format!("{}/../positions/mates-whale.epd", env!("CARGO_MANIFEST_DIR"));
    for arguments in [
        &["--help"] as &[&str],
        &["--version"],
        &["match", "--help"],
        &["perft", "whale", "3", "--divide"],
        &["nps", "whale", "--depth", "1"],
        &["mates", "whale", &mates, "--nodes", "1"],
    ] {
        let output = PROGRAM.unheard(Deaf::Pipe, arguments);
        assert_eq!(output.status.code(), Some(141), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
    // Where nobody reads the errors either, there is still a status.
    let mut command = PROGRAM.command(&["report", "./none.jsonl"]);
    let status = command.stderr(unread()).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

/// Output that cannot be written is a failure, other than output that nobody wants.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let output = PROGRAM.unheard(Deaf::Full, &["perft", "whale", "1"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.starts_with("kujira-bench: standard output: "), "{said}");
}

#[test]
fn nps_searches_what_the_engine_does() {
    let text = printed(&["nps", "whale", "great", "--depth", "3", "--threads", "2"]);
    for (game, line) in [(VariantId::Whale, 1), (VariantId::Great, 3)] {
        let words: Vec<_> = text.lines().nth(line).unwrap().split_ascii_whitespace().collect();
        let report = engine(game).bench(BenchLimit::Depth(3), 1, 16, &Control::new()).unwrap();
        assert_eq!(words[..3], [game.spec().id, "1", &report.nodes.to_string()]);
        assert!(words[4].parse::<f64>().unwrap() > 0.0);
        let second: Vec<_> = text.lines().nth(line + 1).unwrap().split_ascii_whitespace().collect();
        assert_eq!(second[..2], [game.spec().id, "2"]);
    }
    assert!(!text.contains("signature"), "another depth has no signature: {text}");

    let text = printed(&["nps", "paulowich", "--nodes", "2000"]);
    let game = VariantId::Paulowich;
    let report = engine(game).bench(BenchLimit::Nodes(2000), 1, 16, &Control::new()).unwrap();
    let words: Vec<_> = text.lines().nth(1).unwrap().split_ascii_whitespace().collect();
    assert_eq!(words[..3], ["paulowich", "1", &report.nodes.to_string()]);
    assert!(!text.contains("signature"), "{text}");
}

/// Byte-order mark, line ends of Windows, tabs, comments of both sorts, operations of EPD, blank lines.
#[test]
fn every_reader_of_lines_takes_the_same_lines() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lines.epd");
    let name = path.display().to_string();
    let mate = "2w3/6/2D3/6/6/3W2 b K";
    let text = format!(
        "\u{feff}# positions\r\n\r\n; with a mate\r\n{mate} 1\t;M3 ;D1 39 ; id \"a; b\"\r\n\
         sfen\t{}\t1\t;D1\t39;M\t3\r\n{mate} bm K*4b; D1 39; M 3; id \"x\";\r\n\r\n\r\n",
        mate.replace(' ', "\t")
    );
    std::fs::write(&path, &text).unwrap();
    let counted = printed(&["perft", "whale", "--suite", &name]);
    assert!(counted.contains("3 positions, 3 counts, 0 wrong"), "{counted}");
    let searched = printed(&["nps", "whale", "--nodes", "50", "--positions", &name]);
    assert!(searched.contains(" 150 "), "{searched}");
    let solved = printed(&["mates", "whale", "--nodes", "20000", &name]);
    assert!(solved.contains("      3         3  100.0%"), "{solved}");
    // What is no text is told with its place, and so is what is no line.
    let mut bytes = text.clone().into_bytes();
    let place = text.find("a; b").unwrap();
    bytes[place] = 0xe9;
    std::fs::write(&path, &bytes).unwrap();
    for command in [
        &["perft", "whale", "--suite"] as &[&str],
        &["nps", "whale", "--nodes", "50", "--positions"],
        &["mates", "whale", "--nodes", "50"],
    ] {
        let error = refused(&[command, &[&name[..]]].concat());
        let expected =
            format!("{name}: line 4, column 42: expected a text in UTF-8, found the byte 0xe9");
        assert!(error.contains(&expected), "{error}");
        std::fs::write(&path, format!("{mate} 1 ;D1 39 ;M3\n\n6/6 b - 1 ;D1 7 ;M3\n")).unwrap();
        let error = refused(&[command, &[&name[..]]].concat());
        assert!(error.contains(&format!("{name}: line 3: ")), "{error}");
        std::fs::write(&path, &bytes).unwrap();
    }
}

#[test]
fn nps_searches_the_positions_of_a_file() {
    let positions = |name: &str| format!("{}/../positions/{name}", env!("CARGO_MANIFEST_DIR"));
    let set = positions("great-rich.sfen");
    let text = printed(&["nps", "great", "--nodes", "50", "--positions", &set]);
    let words: Vec<_> = text.lines().nth(1).unwrap().split_ascii_whitespace().collect();
    assert_eq!(words[..3], ["great", "1", "10000"]);
    let text = refused(&["nps", "whale", "--nodes", "50", "--positions", &set]);
    assert!(text.contains("great-rich.sfen: line 1: "), "{text}");
}
