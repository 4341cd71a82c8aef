//! Games converted, shown and analysed: what is kept, what is told of wrong files, what goes on.

use std::fs;
use std::process::Output;

use kujira_trial::Program;

use crate::harness::{Place, said};

const BENCH: Program = Program::new(env!("CARGO_BIN_EXE_bench-in-matches"));

/// A game of a few moves from a handicap, with everything that is said of one.
const PGN: &str = r#"[Event "a match"]
[White "A"]
[Black "B"]
[Result "0-1"]
[Variant "whale"]
[SFEN "bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1"]
[Rules "impasse"]
[Termination "time"]

1... 6b6c {book} 2. 2e2d! {-1.25/7 0.002s} {why} ( 2. 1e1d ) 5b5c 0-1

[White "C"]
[Variant "whale"]

1. D-e3 D-c4 *
"#;

/// Runs the program in the folder of a place.
fn run(place: &Place, words: &[&str]) -> Output {
    BENCH.command(words).current_dir(place.path("")).output().unwrap()
}

fn printed(place: &Place, words: &[&str]) -> String {
    let output = run(place, words);
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(place: &Place, words: &[&str], expected: &str) {
    let output = run(place, words);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: expected {expected}, found {said}");
}

#[test]
fn games_go_through_every_format() {
    let place = Place::new();
    fs::write(place.path("a.pgn"), PGN).unwrap();
    let usi = printed(&place, &["convert", "a.pgn", "--to=usi"]);
    assert!(
        usi.contains("# Rules impasse\n# Black A\n# White B\n# Result 0-1 time ran out\nsfen ")
    );
    assert!(usi.ends_with("\n# USI_Variant whale\n# Black C\nstartpos moves 2e2d 4b4c\n"), "{usi}");
    printed(&place, &["convert", "a.pgn", "--out=b.jsonl"]);
    printed(&place, &["convert", "b.jsonl", "--out=c.txt", "--squares=western"]);
    let text = fs::read_to_string(place.path("c.txt")).unwrap();
    let moves =
        "\n\n1... D-a4 {book}\n2. D-e3 $1 {-1.25/7 0.002s} {why} ( 2. D-f3 ) 2... D-b4 0-1\n";
    assert!(text.contains(moves) && text.contains("\nBlack: A\nWhite: B\n"), "{text}");
    let back = printed(&place, &["convert", "c.txt", "--to=pgn"]);
    let first = printed(&place, &["convert", "a.pgn", "--to=pgn"]);
    assert_eq!(back, first);
    assert!(first.contains("[Event \"a match\"]") && first.contains("( 2. 1e1d ) 2... 5b5c 0-1\n"));
    let second = printed(&place, &["convert", "a.pgn", "c.txt", "--games=2-3", "--to=usi"]);
    assert_eq!((second.matches("startpos").count(), second.matches("sfen").count()), (1, 1));

    // Nothing is written over that is read, or that is there.
    let foreign = "expected no file yet at c.txt, found one (--force writes over it";
    refused(&place, &["convert", "a.pgn", "--out=c.txt"], foreign);
    refused(&place, &["convert", "c.txt", "--out=c.txt", "--force"], "expected another file than");
    assert_eq!(fs::read_to_string(place.path("c.txt")).unwrap(), text);
    printed(&place, &["convert", "a.pgn", "--out=c.txt", "--force"]);
}

#[test]
fn wrong_games_are_told_with_their_place() {
    let place = Place::new();
    let write = |name: &str, text: &str| fs::write(place.path(name), text).unwrap();
    write("a.pgn", &PGN.replace("D-c4", "D-c3"));
    write("b.usi", "startpos moves 2e2d\nstartpos moves 2e2d 2e2d\nstartpos\n");
    write("c.pgn", PGN);
    let lines = printed(&place, &["convert", "c.pgn", "--to=jsonl"]);
    write("c.jsonl", &lines.replace("4b4c", "4b4b"));
    write("d.jsonl", lines.replace("\"time\"", "\"checkmate\"").as_str());
    write("e.jsonl", "{\"spsa\":{}}\n");
    let text = printed(&place, &["convert", "c.pgn", "--to=hodges"]);
    write("f.txt", &text.replace("D-4c", "D-4d"));
    write("empty.pgn", "");
    write("g.kif", "x");
    for (name, expected) in [
        (
            "a.pgn",
            "a.pgn: line 15, column 9: game 2, move 2: expected a legal move, found \"D-c3\"",
        ),
        ("b.usi", "b.usi: line 2, column 21: game 2, move 2: expected a legal move, found 2e2d"),
        ("c.jsonl", "c.jsonl: line 2: game 2, move 2: expected a legal move, found 4b4b"),
        (
            "d.jsonl",
            "d.jsonl: line 1: game 1: expected the end to be \"White wins: checkmate\", found",
        ),
        ("e.jsonl", "e.jsonl: line 1: game 1: expected a line of games: unknown variant `spsa`"),
        ("f.txt", "game 2, move 2: expected a legal move, found \"D-4d\""),
        ("empty.pgn", "empty.pgn: expected games, found none"),
        ("none.pgn", "none.pgn: "),
        ("g.kif", "g.kif: expected a name that ends with .usi, .jsonl, .pgn or .txt, or --from"),
    ] {
        refused(&place, &["convert", name, "--to=usi", "--out=out"], expected);
        assert!(!place.path("out").exists(), "{name}");
    }
    // Those before and behind it are kept on request, and what a crash left of a last line anyway.
    let skipped = run(&place, &["convert", "b.usi", "--skip", "--to=usi"]);
    assert!(skipped.status.success() && said(&skipped).contains("left out: b.usi: line 2"));
    assert_eq!(String::from_utf8_lossy(&skipped.stdout).matches("\nstartpos").count(), 2);
    // They keep their numbers; that of the game left out is no other's.
    for (number, says) in [("1", "game 1 of 3: "), ("3", "game 3 of 3: ")] {
        let shown = printed(&place, &["replay", "b.usi", "--skip", "--game", number]);
        assert!(shown.starts_with(says), "{shown}");
    }
    let two = ["replay", "b.usi", "--skip", "--game=2"];
    refused(&place, &two, "expected --game of a game that is not left out, found 2");
    let only = printed(&place, &["convert", "b.usi", "--skip", "--to=usi", "--games=2-3"]);
    assert_eq!(only.matches("\nstartpos").count(), 1, "{only}");
    write("half.jsonl", &lines[..lines.len() - 20]);
    let half = run(&place, &["convert", "half.jsonl", "--to=usi"]);
    let expected = "half.jsonl: line 2: game 2: expected the end of the line, found a line that was \
                    cut off";
    assert!(half.status.success() && said(&half).contains(expected), "{}", said(&half));
    assert_eq!(String::from_utf8_lossy(&half.stdout).matches("sfen").count(), 1);
}

#[test]
fn a_game_is_shown_as_boards() {
    let place = Place::new();
    fs::write(place.path("a.pgn"), PGN).unwrap();
    let all = printed(&place, &["replay", "a.pgn"]);
    assert!(all.starts_with("game 1 of 2: A – B, Whale Shogi, impasse\n\nstart\n"), "{all}");
    assert!(all.ends_with("\n\nWhite wins: time ran out\n"), "{all}");
    assert_eq!(all.matches("White in hand").count(), 4);
    let one = printed(&place, &["replay", "a.pgn", "--plies=2", "--squares=western"]);
    let board =
        " 6 5 4 3 2 1\n b n p w . h  a\n . d d d d d  b\n d . . . . .  c\n . . . . D .  d\n";
    assert!(
        one.contains("\n\nmove 2: Black: D-e3 (2e2d), -1.25 at depth 7, 0.002 s\nwhy\n"),
        "{one}"
    );
    assert!(one.contains(board) && one.matches("White in hand").count() == 1, "{one}");
    refused(&place, &["replay", "a.pgn", "--game=3"], "expected --game from 1 to 2, found 3");
    refused(&place, &["replay", "a.pgn", "--plies=2-4"], "expected --plies up to 3, found 4");
}

#[test]
fn an_analysis_goes_on_where_it_was() {
    let place = Place::new();
    fs::write(place.path("a.pgn"), PGN).unwrap();
    let analyse = ["analyse", "a.pgn", "--nodes=300", "--hash=1", "--out=b.pgn"];
    let told = printed(&place, &analyse);
    assert_eq!(told.lines().count(), 4, "{told}");
    let (out, journal) = (place.path("b.pgn"), place.path("b.pgn.analysis"));
    let (whole, looks) = (fs::read_to_string(&out).unwrap(), fs::read(&journal).unwrap());
    assert!(whole.contains("[WhiteAccuracy \"") && whole.contains("[Annotator \"kujira-bench"));
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(lines(&looks), 1 + 4 + 3);
    // As after a kill: half a line, and some of the games that were looked at whole.
    for share in 0..10 {
        let left = looks.len() * share / 10;
        fs::write(&journal, &looks[..left]).unwrap();
        let written = if lines(&looks[..left]) < 1 + 4 { 0 } else { 40 * share };
        fs::write(&out, &whole[..written]).unwrap();
        printed(&place, &analyse);
        assert_eq!(fs::read_to_string(&out).unwrap(), whole, "{share}");
        assert_eq!(fs::read(&journal).unwrap(), looks, "{share}");
    }
    let printed_games = ["analyse", "a.pgn", "--to=pgn", "--out=-"];
    refused(&place, &printed_games, "--out: expected a file, found - (./- is a file of that name)");
    let other = [&analyse[..], &["--threads=2"]].concat();
    refused(&place, &other, "b.pgn.analysis: expected the analysis of these games, found another");
    fs::write(&out, format!("{whole}mine\n")).unwrap();
    refused(&place, &analyse, "b.pgn: expected what an earlier run wrote, found something else");
    let fresh = [&other[..], &["--fresh"]].concat();
    refused(&place, &fresh, "expected no file yet at b.pgn, found one (--force writes over it");
    printed(&place, &[&fresh[..], &["--force"]].concat());
    fs::write(place.path("mine.pgn"), "mine\n").unwrap();
    let foreign = ["analyse", "a.pgn", "--out=mine.pgn"];
    refused(
        &place,
        &foreign,
        "mine.pgn: expected annotated games or no file, found something else",
    );
    fs::write(place.path("mine.pgn.analysis"), "mine\n").unwrap();
    refused(
        &place,
        &foreign,
        "expected the journal of an analysis or no file, found something else",
    );
}

/// A move that mates, as every engine comments on it, keeps score, depth and time.
#[test]
fn mates_are_kept_and_told() {
    let place = Place::new();
    let mated = "[Variant \"whale\"]\n[SFEN \"W5/6/6/6/5w/6 b 2G4D8d 1\"]\n\n\
                 1. G*1d {+M1/19 0.002s} 1-0\n";
    fs::write(place.path("a.pgn"), mated).unwrap();
    let mut from = "a.pgn".to_owned();
    for (to, says) in [
        ("b.jsonl", "\"score\":{\"mate\":1},\"depth\":19,\"us\":2000"),
        ("c.txt", " {+M1/19 0.002s}"),
        ("d.pgn", "1. G*1d {+M1/19 0.002s} 1-0\n"),
        ("e.jsonl", "\"score\":{\"mate\":1},\"depth\":19,\"us\":2000"),
    ] {
        printed(&place, &["convert", &from, &format!("--out={to}")]);
        let text = fs::read_to_string(place.path(to)).unwrap();
        assert!(text.contains(says), "{to}: {text}");
        let shown = printed(&place, &["replay", to]);
        assert!(shown.contains(" (G*1d), +M1 at depth 19, 0.002 s\n"), "{shown}");
        from = to.to_owned();
    }
}

#[test]
fn results_that_contradict_each_other_are_told() {
    let place = Place::new();
    let write = |name: &str, text: &str| fs::write(place.path(name), text).unwrap();
    write("tag.pgn", &PGN.replace("[Result \"0-1\"]", "[Result \"1-0\"]"));
    write("dash.pgn", &PGN.replace(" 5b5c 0-1", " 5b5c 0–1"));
    write("word.usi", "# Result 0-1 time ran out\nstartpos moves 2e2d resign\n");
    for (name, expected) in [
        (
            "tag.pgn",
            "tag.pgn: line 4, column 1: game 1: expected the result 0-1 as behind the moves, found \"1-0\"",
        ),
        ("dash.pgn", "move 4: expected a move, or a result: 1-0, 0-1, 1/2-1/2 or *, found \"0–1\""),
        ("word.usi", "expected the result 1-0 as behind the moves, found \"0-1\""),
    ] {
        refused(&place, &["convert", name, "--to=jsonl"], expected);
    }
}
