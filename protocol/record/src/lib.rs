#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod book;
mod ended;
mod error;
mod formats;
mod game;
mod head;
pub mod hodges;
pub mod journal;
pub mod jsonl;
pub mod list;
mod notation;
pub mod pgn;
pub mod played;
pub mod review;
mod seat;
mod spoken;
mod start;
mod tags;
pub mod text;
pub mod usi;

use kujira_position::{HodgesError, MoveError, VariantId};
use serde::Deserialize;

use pgn::PgnGame;

pub use ended::finish;
pub use error::{Error, Fault, Place};
pub use formats::{FileFormat, Games, games};
pub use game::{Game, MOST_NODES, Node, NodeId, Notation, Notes, PlayError};
pub use head::{Head, Record};
pub use notation::read_move;
pub use spoken::{Spoken, squares_of};

/// What a game is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One line, `startpos moves …`, under comments that name game and rules.
    Usi,
    /// Portable Game Notation with USI moves, branches in brackets.
    Pgn,
}

/// The longest text that is read as a game, in bytes.
pub const LONGEST_TEXT: usize = 4 * 1024 * 1024;

/// The first game of a text.
#[derive(Clone, Debug)]
pub struct Read {
    /// The game.
    pub game: Game,
    /// How many more games the text has.
    pub more: usize,
}

/// Writes a game; `names` are the players', Black's first, `date` is `YYYY.MM.DD` or empty. USI text has
/// neither.
#[must_use]
pub fn write(game: &Game, format: Format, names: &[String; 2], date: &str) -> String {
    match format {
        Format::Usi => usi::write(game),
        Format::Pgn => pgn::write(game, names, date),
    }
}

/// Reads the first game of a text, PGN or USI. `hint` is the game to try first where the text does not name one; without
/// it they are tried in their usual order.
///
/// # Errors
/// If the text is longer than [`LONGEST_TEXT`], or what was expected and what was found where.
pub fn read(text: &str, hint: impl Into<Option<VariantId>>) -> Result<Read, Error> {
    if text.len() > LONGEST_TEXT {
        return Err(Fault::TooLong { most: LONGEST_TEXT, found: text.len() }.into());
    }
    let word = first_word(text::without_mark(text));
    // A bare SFEN. No move has a slash, and of results only a draw.
    let bare = word.contains('/') && !word.starts_with(['[', '(']) && !word.starts_with("1/2");
    if word.is_empty() {
        return Err(Fault::expected("a game as PGN or USI text", "").into());
    }
    if bare || matches!(word, "position" | "startpos" | "sfen") {
        return usi::read(text, hint).map(|(game, more)| Read { game, more });
    }
    let read = pgn::read(text, hint).map(|(PgnGame { game, .. }, more)| Read { game, more });
    read.map_err(|Error { place, fault }| match no_move(&fault) {
        // A text without tags and without a legal first move may be in any format.
        Some(found) if !word.starts_with('[') && place.ply == Some(1) => {
            let fault = Fault::instead("a tag, a move, startpos or sfen", found);
            fault.at(Place { ply: None, ..place })
        }
        _ => Error { place, fault },
    })
}

/// A text that is no move of any position, in quotes; `None` if the fault is another one.
fn no_move(fault: &Fault) -> Option<&str> {
    match fault {
        Fault::Usi(MoveError::Syntax { found, .. }) => Some(found),
        Fault::Hodges(HodgesError::Syntax { text, .. }) => Some(text),
        _ => None,
    }
}

/// The first word of a text that is neither in a comment nor in a line left out.
fn first_word(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let end = match rest.chars().next() {
            Some('#' | ';' | '%') => "\n",
            Some('{') => "}",
            _ => return rest.split_whitespace().next().unwrap_or_default(),
        };
        rest = rest.split_once(end).map_or("", |(_, rest)| rest).trim_start();
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::Rules;
    use kujira_usi::Score;

    use super::*;

    /// A game with a branch in a branch, an evaluation, and a start of its own.
    pub(crate) fn sample() -> Game {
        let rules = Rules { impasse: true, ..Rules::DEFAULT };
        let start = "bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1";
        let mut game = Game::new(VariantId::Whale, start, rules).unwrap();
        let a = game.play(0, "6b6c").unwrap();
        let b = game.play(a, "2e2d").unwrap();
        let _ = game.play(b, "5b5c").unwrap();
        let c = game.play(a, "1e1d").unwrap();
        let d = game.play(c, "4b4c").unwrap();
        let _ = game.play(c, "5b5c").unwrap();
        let _ = game.play(d, "2e2d").unwrap();
        game.node_mut(b).unwrap().score = Some((Score::Cp(-125), 9));
        game
    }

    fn shape(game: &Game) -> Vec<(Option<usize>, String)> {
        game.reachable()
            .iter()
            .map(|&id| {
                let node = game.node(id).unwrap();
                (node.parent.map(|p| game.path(p).len()), node.usi.clone())
            })
            .collect()
    }

    #[test]
    fn games_come_back_from_both_formats() {
        let game = sample();
        let names = ["a \"b\"".to_owned(), "c\\".to_owned()];
        let pgn = write(&game, Format::Pgn, &names, "2026.11.21");
        let back = read(&pgn, VariantId::Great).unwrap().game;
        assert_eq!(shape(&back), shape(&game), "{pgn}");
        assert_eq!((back.start(), back.rules()), (game.start(), game.rules()));
        assert_eq!(back.node(2).unwrap().score, game.node(2).unwrap().score);
        let usi = write(&game, Format::Usi, &names, "");
        let back = read(&usi, VariantId::Great).unwrap().game;
        let end = *game.line_through(0).last().unwrap();
        assert_eq!(back.usi(*back.line_through(0).last().unwrap()), game.usi(end));
        assert_eq!(back.rules(), game.rules());
    }

    #[test]
    fn games_are_told_by_their_boards() {
        for &variant in VariantId::ALL {
            let text = format!("position sfen {}", variant.spec().start);
            assert_eq!(read(&text, VariantId::Whale).unwrap().game.variant(), variant);
            assert_eq!(read("startpos", variant).unwrap().game.variant(), variant);
        }
    }

    /// Texts as the documents and the page show them, read while another game is on the board.
    #[test]
    fn what_is_shown_elsewhere_is_read() {
        let whale = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -";
        for (text, variant, line) in [
            (
                "position startpos moves 6f6e",
                VariantId::Paulowich,
                "startpos moves 6f6e".to_owned(),
            ),
            (
                "startpos moves 6h6g 6d6e resign",
                VariantId::Great,
                "startpos moves 6h6g 6d6e".to_owned(),
            ),
            (
                "startpos moves 2e2d 5b5c ; good",
                VariantId::Whale,
                "startpos moves 2e2d 5b5c".to_owned(),
            ),
            ("1… D-e3 1... D-c4", VariantId::Whale, "startpos moves 2e2d 4b4c".to_owned()),
            (whale, VariantId::Whale, "startpos".to_owned()),
            (
                "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - bm 2e2d; id \"a; b\";",
                VariantId::Whale,
                "startpos".to_owned(),
            ),
            (
                "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1 ;D1 7 ;D2 49",
                VariantId::Whale,
                "startpos".to_owned(),
            ),
        ] {
            for hint in VariantId::ALL {
                let game = read(text, *hint).unwrap_or_else(|error| panic!("{text}: {error}")).game;
                assert_eq!(
                    (game.variant(), game.usi(game.end())),
                    (variant, line.clone()),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (text, expected) in [
            (" ", "found nothing"),
            ("startpos moves 2e2d 2e2d", "move 2: expected a legal move, found 2e2d"),
            ("hello", "expected a tag, a move, startpos or sfen, found \"hello\""),
            ("1. e4 e5", "column 4: expected a tag, a move, startpos or sfen, found \"e4\""),
            ("1. 2e2d ((5e5d))", "column 10: expected a move before (, found \"(\""),
            ("position 2e2d", "expected startpos or sfen, found \"2e2d\""),
            ("sfen", "expected an SFEN"),
            ("startpos 2e2d", "expected moves, found \"2e2d\""),
            ("# USI_Variant chess\nstartpos", "found \"chess\""),
            ("sfen 6/6/6/6/6/6 b - 1", "expected one white whale of Black, found 0"),
            ("[Variant \"whale\"\n", "expected \"] at the end of a tag"),
            ("[Variant \"whale\"]\n\n1. 2e2d (5e5d", "expected ) at the end"),
            ("[Variant \"whale\"]\n\n1. 2e2d ) 3b3c", "found \")\""),
            ("[Variant \"whale\"]\n\n( 2e2d )", "expected a move before ("),
            ("[Variant \"whale\"]\n\n1. 2e2a", "2e2a"),
            ("[Variant \"whale\"]\n[Rules \"x\"]\n\n*", "expected rule switches"),
        ] {
            let error = read(text, VariantId::Whale).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
