//! Moves from books.

use kujira_position::{Position, Variant, VariantId, Whale, with_variant};
use kujira_record::book::{BookMove, Compact, Entry};
use kujira_usi::Score;

use crate::TempFile;
use crate::support::gui::Gui;
use crate::support::xboard::XBoard;

/// A book that holds, for each line of play from the start, this move and its score.
fn book<V: Variant>(lines: &[(&str, &str, i32)]) -> Vec<u8> {
    let entries = lines.iter().map(|(played, text, score)| {
        let mut position = Position::<V>::start();
        for text in played.split_ascii_whitespace() {
            position.make(position.parse_usi(text).unwrap());
        }
        let moves = vec![BookMove { text: (*text).to_owned(), score: Score::Cp(*score) }];
        Entry { key: position.key(), moves }
    });
    Compact::new(V::ID, entries.collect()).to_bytes().unwrap()
}

/// The start, and what two orders of the same moves lead to. No search would play these moves.
fn odd() -> Vec<u8> {
    book::<Whale>(&[("", "6e6d", 35), ("6e6d", "1b1c", -35), ("2e2d 5b5c 3e3d", "6b6c", -7)])
}

/// The lines of a `go`, without those of the session before it.
fn go(gui: &mut Gui, position: &str, go: &str) -> Vec<String> {
    assert_eq!(gui.ask(&format!("position {position}")), [""; 0]);
    gui.send(go);
    gui.until("bestmove ")
}

fn is_of_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line == "info string book")
}

#[test]
fn a_book_answers_at_once_also_by_transposition() {
    let file = TempFile::new("whale.book", &odd());
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.send(&format!("setoption name BookFile value {}", file.path()));
    gui.send("setoption name USI_Ponder value true");
    let off = go(&mut gui, "startpos", "go nodes 100");
    assert!(!is_of_book(&off), "{off:?}");
    gui.send("setoption name OwnBook value true");
    let lines = go(&mut gui, "startpos", "go btime 60000 wtime 60000");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0], "info string book");
    assert!(lines[1].starts_with("info depth 1 seldepth 1 score cp 35 nodes 0 "), "{lines:?}");
    assert!(lines[1].ends_with(" pv 6e6d 1b1c"), "{lines:?}");
    assert_eq!(lines[2], "bestmove 6e6d ponder 1b1c");
    for played in ["2e2d 5b5c 3e3d", "3e3d 5b5c 2e2d"] {
        let lines = go(&mut gui, &format!("startpos moves {played}"), "go byoyomi 1000");
        assert_eq!(lines.last().unwrap(), "bestmove 6b6c", "{lines:?}");
    }
    // Nor is it another position's when the board is the same.
    assert!(!is_of_book(&go(&mut gui, "startpos moves 2e2d", "go nodes 100")));
}

#[test]
fn analysis_knows_no_book() {
    let file = TempFile::new("analysis.book", &odd());
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.send(&format!("setoption name BookFile value {}", file.path()));
    gui.send("setoption name USI_OwnBook value true");
    let mut searched = |settings: &str, words: &str| {
        gui.ask(&format!("setoption name {settings}"));
        gui.ask("position startpos");
        gui.send(words);
        gui.send("stop");
        !is_of_book(&gui.until(if words.contains("mate") { "checkmate " } else { "bestmove " }))
    };
    assert!(!searched("MultiPV value 1", "go nodes 100"));
    for words in
        ["go infinite", "go ponder nodes 100", "go mate 50", "go nodes 100 searchmoves 2e2d"]
    {
        assert!(searched("MultiPV value 1", words), "{words}");
    }
    for (settings, usual) in [
        ("MultiPV value 2", "MultiPV value 1"),
        ("Level value 9", "Level value 10"),
        ("Rule_DolphinRetreat value two", "Rule_DolphinRetreat value slide"),
        ("BookDepth value 0", "BookDepth value 1"),
    ] {
        assert!(searched(settings, "go nodes 100"), "{settings}");
        assert!(!searched(usual, "go nodes 100"), "{usual}");
    }
}

#[test]
fn what_is_no_book_is_refused_and_the_game_goes_on() {
    let whole = odd();
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.ask("setoption name USI_OwnBook value true");
    for (bytes, expected) in [
        (whole[..whole.len() - 1].to_vec(), "expected a whole book with its check sum"),
        (b"# book whale\n".to_vec(), "expected a compact book, found one as text"),
        (b"\x7fELF".to_vec(), "expected a compact book, found "),
    ] {
        let file = TempFile::new("bad.book", &bytes);
        let error = gui.ask_one(&format!("setoption name BookFile value {}", file.path()));
        let begins = format!("info string error BookFile: {}: {expected}", file.path());
        assert!(error.to_lowercase().starts_with(&begins.to_lowercase()), "{error}");
        assert!(error.ends_with("; the book in use stays"), "{error}");
        assert!(is_of_book(&go(&mut gui, "startpos", "go nodes 100")));
    }
    let error = gui.ask_one("setoption name BookFile value no/such.book");
    assert!(error.contains("BookFile: expected a file to read, found no/such.book: "), "{error}");
    // A book for another game is told once, when it would be looked at, and kept for that game.
    let file = TempFile::new("whale-for-great.book", &whole);
    assert_eq!(gui.ask(&format!("setoption name BookFile value {}", file.path())), [""; 0]);
    gui.send("setoption name USI_OwnBook value false");
    assert_eq!(gui.ask("setoption name USI_Variant value great"), [""; 0], "nobody looks at it");
    gui.send("setoption name USI_OwnBook value true");
    gui.send("position startpos");
    gui.send("go nodes 100");
    let lines = gui.until("bestmove ");
    let said: Vec<_> = lines.iter().filter(|line| line.contains("BookFile")).collect();
    assert_eq!(said.len(), 1, "{lines:?}");
    assert!(said[0].contains("expected a book for great in "), "{said:?}");
    assert!(said[0].ends_with(", found one for whale; moves are searched for"), "{said:?}");
    assert_eq!(gui.sync(), [""; 0]);
    gui.send("setoption name USI_Variant value whale");
    assert_eq!(go(&mut gui, "startpos", "go nodes 100").last().unwrap(), "bestmove 6e6d");
    for internal in ["<internal>", "<empty>"] {
        assert_eq!(gui.ask(&format!("setoption name BookFile value {internal}")), [""; 0]);
        let lines = go(&mut gui, "startpos", "go nodes 100");
        assert!(is_of_book(&lines) && lines.last().unwrap() != "bestmove 6e6d", "{lines:?}");
    }
}

#[test]
fn every_game_has_a_book() {
    let mut gui = Gui::of_session(kujira_search::engine);
    gui.send("setoption name USI_OwnBook value true");
    for &game in VariantId::ALL {
        gui.send(&format!("setoption name USI_Variant value {game}"));
        let lines = go(&mut gui, "startpos", "go movetime 60000");
        assert!(is_of_book(&lines), "{game}: {lines:?}");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        with_variant!(game, V => assert!(Position::<V>::start().parse_usi(best).is_ok(), "{best}"));
    }
}

#[test]
fn a_book_plays_under_xboard() {
    let file = TempFile::new("xboard.book", &odd());
    let gui = Gui::of_session(kujira_search::engine);
    let mut xboard = XBoard::greeted(gui, VariantId::Whale);
    xboard.tell(&format!("option BookFile={}", file.path()));
    assert_eq!(xboard.ask("bk"), [" there is no move in the book", ""]);
    xboard.tell("option USI_OwnBook=1");
    assert_eq!(xboard.ask("bk"), [" a2a3 +0.35", ""]);
    xboard.send("post\nlevel 0 5 0\ngo");
    let lines = xboard.gui.until("move ");
    assert!(lines[0].starts_with("# book"), "{lines:?}");
    assert!(lines[1].starts_with("1 35 0 0 1 0 0\ta2a3 f5f4"), "{lines:?}");
    assert_eq!(lines[2..], ["move a2a3"]);
    // The book has no move for what comes now.
    xboard.send("st 1\nusermove b5b4");
    let lines = xboard.gui.until("move ");
    assert!(!lines.iter().any(|line| line.contains("book")), "{lines:?}");
    assert!(xboard.ask("force\noption BookFile=none.book")[0].contains("tellusererror BookFile: "));
}
