//! Texts that people have and that readers before this crate refused or misread.

use kujira_position::{Rules, VariantId, Whale};
use kujira_record::{FileFormat, LONGEST_TEXT, Read, Record, games, list, read, text};
use kujira_usi::{Ending, Reason, Side};

const HEAD: &str = "[Variant \"whale\"]\n\n";
const TWO: &str = "startpos moves 2e2d 5b5c";

/// The main line of the first game of a text, and how many more games there are.
fn line(text: &str) -> (String, usize) {
    let Read { game, more } =
        read(text, VariantId::Whale).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (game.usi(game.end()), more)
}

fn is_read(text: &str, expected: &str) {
    assert_eq!(line(text), (expected.to_owned(), 0), "{text}");
    // Line ends of Windows and a byte-order mark change nothing.
    let edited = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(line(&edited), (expected.to_owned(), 0), "{edited}");
}

#[test]
fn a_comment_to_the_end_of_its_line_is_one() {
    is_read(&format!("{HEAD}1. 2e2d ; good\n5b5c *"), TWO);
    is_read(&format!("{HEAD}1. 2e2d;good\n5b5c ; {{ ( [\n*"), TWO);
}

#[test]
fn suffixes_and_signs_stand_behind_moves() {
    is_read(&format!("{HEAD}1. 2e2d! 5b5c?! *"), TWO);
    is_read(&format!("{HEAD}2e2d$1 *"), "startpos moves 2e2d");
    is_read(&format!("{HEAD}1.2e2d!!5b5c $14 $3*"), TWO);
}

#[test]
fn tags_may_come_late() {
    for before in ["{made by x}", "; made by x", "% x", "# x", "\n\n{a}\n% b\n; c\n"] {
        is_read(&format!("{before}\n{HEAD}1. 2e2d 5b5c *"), TWO);
        is_read(&format!("{before}\n1. 2e2d 5b5c *"), TWO);
    }
}

#[test]
fn tags_stand_as_they_like() {
    for tags in [
        "[Event \"x\"] [Variant \"whale\"]",
        "[Event \"x\"][Variant \"whale\"]",
        "[Event\t\"x\"]\n[Variant\t\"whale\"]",
        "[variant \"whale\"]",
        "[VARIANT \"Whale\"]",
        "[Variant \"Whale Shogi\"]",
        "  [ Event \"a { b ; c\" ]  \n[Variant \"whale\"]",
    ] {
        is_read(&format!("{tags}\n\n1. 2e2d 5b5c *"), TWO);
        is_read(&format!("{tags} 1. 2e2d 5b5c *"), TWO);
    }
}

#[test]
fn a_comment_may_look_like_a_tag() {
    is_read(&format!("{HEAD}1. 2e2d {{see\n[Event \"another\"]\nthere}} 5b5c *"), TWO);
    is_read(&format!("{HEAD}1. 2e2d ; [Event \"another\"]\n5b5c *"), TWO);
}

#[test]
fn both_square_conventions_are_read() {
    let moves = "startpos moves 2e2d 4b4c 3e3d 5a5c 3d3c 3b3c";
    for text in [
        "1. D-e3 D-c4 2. D-d3 N-b4 3. D-d4 Dxd4 *",
        "1. D-2d D-4c 2. D-3d N-5c 3. D-3c Dx3c *",
        "1. 2e2d D-c4 2. D-d3 5a5c 3. D-d4 Dxd4 *",
    ] {
        is_read(&format!("{HEAD}{text}"), moves);
        is_read(text, moves);
    }
}

#[test]
fn tags_may_be_missing() {
    for text in ["1. 2e2d 5b5c *", "1. D-2d D-5c *", "2e2d 5b5c", "[Event \"x\"]\n\n1. 2e2d 5b5c"] {
        is_read(text, TWO);
    }
    // Which game it is the moves tell: the hint first, then the others.
    for (text, variant) in [
        ("1. 6h6g 6d6e *", VariantId::Great),
        ("1. 2f2e 6b6c *", VariantId::Paulowich),
        ("1. KC-f5 KC-f7 *", VariantId::Great),
    ] {
        assert_eq!(read(text, VariantId::Whale).unwrap().game.variant(), variant, "{text}");
    }
    let error = read("1. 2e2d 5b5c 2. 2d2b *", VariantId::Great).unwrap_err().to_string();
    let expected = "line 1, column 17: move 3: expected a legal move, found 2d2b in ";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn of_several_games_the_first_is_read() {
    for text in [
        "startpos moves 2e2d 5b5c\nstartpos\nsfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1\n",
        "[Variant \"whale\"]\n\n1. 2e2d 5b5c *\n\n[Variant \"whale\"]\n*\n\n1. 2e2d 1-0\n",
        "1. 2e2d 5b5c 1-0\n1. 2e2d 1-0\n1. nonsense",
    ] {
        assert_eq!(line(text), (TWO.to_owned(), 2), "{text}");
    }
    // Something else behind a game is told as another one, and not read.
    assert_eq!(line(&format!("{HEAD}1. 2e2d 5b5c * {{no end")), (TWO.to_owned(), 1));
}

#[test]
fn usi_text_tells_how_a_game_ended() {
    let end = |text: &str| {
        let game = read(text, VariantId::Whale).unwrap().game;
        (game.path(game.end()).len() - 1, game.node(game.end()).unwrap().ending)
    };
    let ending = |winner, reason| Some(Ending { winner, reason });
    let white = Some(Side::White);
    assert_eq!(end("startpos moves 2e2d 5b5c resign"), (2, ending(white, Reason::Resignation)));
    assert_eq!(end("startpos moves 2e2d timeout"), (1, ending(Some(Side::Black), Reason::Time)));
    assert_eq!(end("position startpos moves draw"), (0, ending(None, Reason::Agreement)));
    assert_eq!(end("startpos moves 2e2d"), (1, None));
    let impasse = "# Rules impasse\nsfen W5/6/6/6/5w/6 b 2G4D8d 1 moves win";
    assert_eq!(end(impasse), (0, ending(Some(Side::Black), Reason::Impasse)));
    for (text, expected) in [
        ("startpos moves win", "expected a claim of impasse that the rules allow, found \"win\""),
        ("startpos moves resign 2e2d", "move 1: expected a USI move"),
        ("startpos moves 2e2d resign resign", "move 2: expected a USI move"),
    ] {
        let error = read(text, VariantId::Whale).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// The games of a file: the plies and the end of each, or what is wrong with it.
fn every(format: FileFormat, text: &str) -> Vec<Result<(usize, Option<Ending>), String>> {
    let told = |Record { game, .. }: Record| (game.end(), game.node(game.end()).unwrap().ending);
    let games = games(text.as_bytes(), format, VariantId::Whale);
    games.map(|read| read.map(told).map_err(|error| error.to_string())).collect()
}

/// A position in which Black mates by K*4b.
const MATE: &str = "2w3/6/2D3/6/6/3W2 b K 1";

#[test]
fn a_result_that_the_moves_contradict_is_refused_in_every_format() {
    let mated = Ok((1, Some(Ending { winner: Some(Side::Black), reason: Reason::Checkmate })));
    let told = "game 1: expected the result 1-0 as behind the moves (Black wins: checkmate), found";
    for (format, template) in [
        (FileFormat::Pgn, "[SFEN \"{}\"]\n[Result \"~\"]\n\n1. K*4b *\n"),
        (FileFormat::Pgn, "[SFEN \"{}\"]\n\n1. K*4b ~\n"),
        (FileFormat::Pgn, "[SFEN \"{}\"]\n\n1. K*4b (1. K*4b ~) *\n"),
        (FileFormat::Hodges, "Start: {}\nResult: ~\n\n1. K*4b\n"),
        (FileFormat::Usi, "# Result ~ resignation\nsfen {} moves K*4b\n"),
    ] {
        let text = |result| template.replace("{}", MATE).replace('~', result);
        let other = "startpos moves 2e2d\n";
        let other = if format == FileFormat::Usi { other } else { "[Event \"2\"]\n1. 2e2d *\n" };
        for result in ["0-1", "1/2-1/2", "½"] {
            let [Err(error), Ok((1, None))] = &every(format, &(text(result) + other))[..] else {
                panic!("{format:?} {result}");
            };
            assert!(error.contains(told), "{error}");
        }
        assert_eq!(every(format, &text("1-0"))[0], mated);
    }
    for (end, expected) in [
        ("~", mated.clone()),
        ("", mated.clone()),
        (",\"winner\":\"black\"", mated),
        (",\"winner\":\"white\"", Err(format!("line 1: {told} \"0-1\""))),
    ] {
        let end = end.replace('~', ",\"winner\":\"black\",\"reason\":\"checkmate\"");
        let moves = "\"moves\":[{\"usi\":\"K*4b\"}]";
        let line = format!(
            "{{\"game\":{{\"variant\":\"whale\",\"opening\":\"sfen {MATE}\",{moves}{end}}}}}\n"
        );
        assert_eq!(every(FileFormat::Jsonl, &line), [expected]);
    }
    let [Err(error)] = &every(FileFormat::Usi, &format!("sfen {MATE} moves K*4b draw"))[..] else {
        panic!("a draw");
    };
    assert!(error.contains("move 2: expected the result 1-0 as behind the moves"), "{error}");
}

/// A winner is a result, whoever says no reason.
#[test]
fn results_in_json_lines_are_kept_or_refused() {
    let game = |rest: &str| {
        let line = "{\"game\":{\"variant\":\"whale\",\"opening\":\"startpos\",\"moves\":[{\"usi\":\"2e2d\"}]";
        every(FileFormat::Jsonl, &format!("{line}{rest}}}}}\n")).remove(0)
    };
    let won = Some(Ending { winner: Some(Side::White), reason: Reason::Recorded });
    assert_eq!(game(",\"winner\":\"white\""), Ok((1, won)));
    assert_eq!(game(""), Ok((1, None)));
    let branch = game(",\"branches\":[{\"after\":0,\"usi\":\"1e1d\",\"result\":\"2-0\"}]");
    assert!(branch.unwrap_err().contains("expected 1-0, 0-1, 1/2-1/2 or *, found \"2-0\""));
    let tags = game(",\"tags\":[[\"Round\",\"1\"],[\"round\",\"2\"]]");
    assert!(tags.unwrap_err().contains("expected no second value, or \"1\" again, found \"2\""));
}

#[test]
fn what_a_head_says_is_known_and_said_once() {
    let results = "expected 1-0, 0-1, 1/2-1/2 or *, found";
    for (format, text, expected) in [
        (
            FileFormat::Usi,
            "# Result 2-0\nstartpos\n",
            &format!("line 1: game 1: {results} \"2-0\"")[..],
        ),
        (FileFormat::Usi, "# Result Black wins\nstartpos\n", results),
        (
            FileFormat::Usi,
            "# Result 1-0\n# Result 0-1\nstartpos\n",
            "expected no second value, or \"1-0\" again",
        ),
        (
            FileFormat::Usi,
            "# Black A\n# Black B\nstartpos\n",
            "line 2: game 1: expected no second value",
        ),
        (
            FileFormat::Usi,
            "startpos\n# Result 1-0\n",
            "line 2: game 2: expected a game behind its result",
        ),
        (FileFormat::Hodges, "Result: Black wins\n\n1. D-2d\n", results),
        (
            FileFormat::Hodges,
            "Result: 1-0\nResult: 0-1\n\n1. D-2d\n",
            "line 2, column 1: game 1: expected no second value",
        ),
        (
            FileFormat::Hodges,
            "Black: A\nBlack: B\n\n1. D-2d\n",
            "expected no second value, or \"A\" again",
        ),
        (
            FileFormat::Pgn,
            "[Site \"a\"]\n[site \"b\"]\n\n1. 2e2d *\n",
            "expected no second value, or \"a\" again",
        ),
        (
            FileFormat::Pgn,
            "1. 2e2d 1-0 {why} 1-0\n",
            "column 19: game 1: expected one result behind the moves",
        ),
        (
            FileFormat::Hodges,
            "1. D-2d\n1-0\n\n*\n",
            "line 4, column 1: game 1: expected one result",
        ),
    ] {
        // It is told of its game; those before and behind it are as they were.
        let other = if format == FileFormat::Usi {
            "startpos moves 2e2d\n"
        } else {
            "[Event \"x\"]\n1. 2e2d *\n"
        };
        let found = every(format, text);
        let errors: Vec<_> = found.iter().filter_map(|read| read.as_ref().err()).collect();
        assert!(errors.len() == 1 && errors[0].contains(expected), "{text}: {errors:?}");
        let behind = every(format, &format!("{text}{other}"));
        assert!(behind.contains(&Ok((1, None))) || text.ends_with("# Result 1-0\n"), "{text}");
    }
    for (format, text, count) in [
        (
            FileFormat::Usi,
            "# USI_Variant whale\n# Result 1/2\nstartpos\n# USI_Variant whale\nstartpos\n",
            2,
        ),
        (FileFormat::Hodges, "Game: Whale Shogi\nBlack: A\nBlack: A\n\n1. D-2d\n", 1),
        // Heads of games without moves.
        (FileFormat::Hodges, "Game: Whale Shogi\nBlack: A\n\nGame: Whale Shogi\nBlack: B\n", 2),
        (FileFormat::Hodges, "Black: A\n\nBlack: A\n\n1. D-2d *\n", 2),
        (FileFormat::Pgn, "[Site \"a\"]\n\n[White \"A\"]\n\n*\n", 1),
    ] {
        let found = every(format, text);
        assert!(found.len() == count && found.iter().all(Result::is_ok), "{text}: {found:?}");
    }
}

#[test]
fn four_megabytes_are_read_and_no_more() {
    let of = |bytes: usize| {
        let text = format!("{HEAD}1. 2e2d {{}} 5b5c *");
        text.replace("{}", &format!("{{{}}}", "words and more words\n".repeat(bytes / 21)))
    };
    assert_eq!(line(&of(4_000_000)).0, TWO);
    let long = of(LONGEST_TEXT + 100);
    let error = read(&long, VariantId::Whale).unwrap_err().to_string();
    let found = long.len();
    assert_eq!(
        error,
        format!("expected a game of at most 4 MiB (4194304 bytes), found {found} bytes")
    );
}

/// A line as long as a text may be takes no longer than the same text in many lines.
#[test]
fn a_long_line_is_read_once() {
    for sign in ["%", "#"] {
        let text = format!("{HEAD}1. 2e2d {}", format!("{sign} ").repeat(LONGEST_TEXT / 4));
        let error = read(&text, VariantId::Whale).unwrap_err().to_string();
        let expected = "line 3, column 9: move 2: expected a USI move";
        assert!(error.starts_with(expected), "{error}");
    }
    let long = |word: &str| format!("{HEAD}{} 2e2d *", word.repeat(LONGEST_TEXT / 8));
    assert_eq!(line(&long("1.")).0, "startpos moves 2e2d");
    let error = read(&long("2e2d?"), VariantId::Whale).unwrap_err().to_string();
    assert!(error.starts_with("line 3, column 6: move 2: "), "{error}");
}

#[test]
fn numbers_of_moves_do_not_matter() {
    for text in ["1. 2e2d 1... 5b5c", "1 2e2d 1 ... 5b5c", "7.2e2d 9…5b5c", "2e2d ... 5b5c"] {
        is_read(&format!("{HEAD}{text} *"), TWO);
    }
}

/// Each reader of lists takes the lines of [`list::entries`]; see also the tests of the programs.
#[test]
fn lines_of_lists_stand_as_they_like() {
    let start = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1";
    let plain = format!("{start} ;D1 7 ;M 3\n");
    let bare = start.trim_end_matches(" 1");
    for (what, list) in [
        ("a byte-order mark", format!("\u{feff}{plain}")),
        ("tabs", plain.replace(' ', "\t")),
        ("comments", format!("# a\n; b\n  # c\n\t; d\n{plain}#\n;\n")),
        ("operations", format!("{bare} D1 7; M 3; bm 2e2d; id \"x; y\";\n")),
        ("operations behind a number", format!("{start} D1 7; M3; c0 \"\";\n")),
        ("blank lines", format!("\n \n{plain}\n\n\t\n")),
        ("line ends of Windows", format!("\r\n{}\r\n", plain.replace('\n', "\r\n"))),
        ("no line end", plain.trim_end().to_owned()),
        ("a start", "startpos ;D1 7 ;M 3".to_owned()),
        ("a position command", format!("position sfen {start} moves ;D1 7 ;M 3")),
    ] {
        let text = text::decode(list.as_bytes()).unwrap();
        let entries: Vec<_> = list::entries(text).collect::<Result<_, _>>().unwrap();
        assert_eq!(entries.len(), 1, "{what}");
        let position = entries[0].position::<Whale>(Rules::DEFAULT).unwrap();
        assert_eq!(position.sfen(), start, "{what}");
        assert_eq!(entries[0].counts(64), Ok(vec![(1, 7)]), "{what}");
        assert_eq!(entries[0].mate(), Ok(3), "{what}");
        assert_eq!(list::openings::<Whale>(text, Rules::DEFAULT).unwrap().len(), 1, "{what}");
    }
}
