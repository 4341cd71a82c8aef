//! Games as text: USI and PGN, written and read.

mod pgn;
mod usi;

use kujira_position::VariantId;
use serde::Deserialize;

use crate::game::Game;
use crate::rules::Switches;

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
pub const LONGEST_TEXT: usize = 256 * 1024;

/// Writes a game; `names` are the players', Black's first, `date` is `YYYY.MM.DD`.
#[must_use]
pub fn write(game: &Game, format: Format, names: &[String; 2], date: &str) -> String {
    match format {
        Format::Usi => usi::write(game),
        Format::Pgn => pgn::write(game, names, date),
    }
}

/// Reads a game that somebody wrote, PGN or USI; `hint` is the game to take a starting position for
/// that the text leaves open.
///
/// # Errors
/// What was expected and what was found.
pub fn read(text: &str, hint: VariantId) -> Result<Game, String> {
    if text.len() > LONGEST_TEXT {
        return Err(format!("expected at most {LONGEST_TEXT} bytes, found {}", text.len()));
    }
    let first = text.trim_start().chars().next();
    match first {
        None => Err("expected a game as PGN or USI text, found nothing".to_owned()),
        Some('[') => pgn::read(text),
        Some(_) => usi::read(text, hint),
    }
}

/// Starts a game from an SFEN of the game named, or of the one it fits, the hint first.
fn start(
    named: Option<VariantId>,
    hint: VariantId,
    sfen: &str,
    rules: Switches,
) -> Result<Game, String> {
    if let Some(variant) = named {
        return Game::new(variant, sfen, rules.into()).map_err(|error| error.to_string());
    }
    let mut choices = vec![hint];
    choices.extend(VariantId::ALL.iter().copied().filter(|&variant| variant != hint));
    let mut first_error = None;
    for variant in choices {
        match Game::new(variant, sfen, rules.into()) {
            Ok(game) => return Ok(game),
            Err(error) => {
                // An impossible position of a game says more than that another has other ranks.
                let impossible = matches!(error, kujira_position::SfenError::Impossible(_));
                if first_error.is_none() || impossible {
                    first_error = Some(error.to_string());
                }
            }
        }
    }
    Err(first_error.unwrap_or_default())
}

/// The game with this id, for a message if there is none.
fn variant(id: &str) -> Result<VariantId, String> {
    VariantId::named(id)
        .ok_or_else(|| format!("expected a game among {}, found {id:?}", VariantId::choices()))
}

/// Reads the rule switches that a record names.
fn rules(text: &str) -> Result<Switches, String> {
    text.trim().parse().map_err(|error: kujira_usi::rules::UnknownSwitch| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::Rules;

    /// A game with a branch in a branch, an evaluation, and a start of its own.
    pub(super) fn sample() -> Game {
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
        game.node_mut(b).unwrap().score = Some((crate::side::Score::Cp(-125), 9));
        game
    }

    pub(super) fn shape(game: &Game) -> Vec<(Option<usize>, String)> {
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
        let back = read(&pgn, VariantId::Great).unwrap();
        assert_eq!(shape(&back), shape(&game), "{pgn}");
        assert_eq!((back.start(), back.rules()), (game.start(), game.rules()));
        assert_eq!(back.node(2).unwrap().score, game.node(2).unwrap().score);
        let usi = write(&game, Format::Usi, &names, "");
        let back = read(&usi, VariantId::Great).unwrap();
        let end = *game.line_through(0).last().unwrap();
        assert_eq!(back.usi(*back.line_through(0).last().unwrap()), game.usi(end));
        assert_eq!(back.rules(), game.rules());
    }

    #[test]
    fn games_are_told_by_their_boards() {
        for &variant in VariantId::ALL {
            let text = format!("position sfen {}", variant.spec().start);
            assert_eq!(read(&text, VariantId::Whale).unwrap().variant(), variant);
            assert_eq!(read("startpos", variant).unwrap().variant(), variant);
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (text, expected) in [
            (" ", "found nothing"),
            ("startpos moves 2e2d 2e2d", "move 2: expected a legal move, found 2e2d"),
            ("hello", "expected startpos or sfen, found \"hello\""),
            ("sfen", "expected an SFEN"),
            ("startpos 2e2d", "expected moves, found \"2e2d\""),
            ("# USI_Variant chess\nstartpos", "found \"chess\""),
            ("sfen 6/6/6/6/6/6 b - 1", "expected one white whale of Black, found 0"),
            ("[Variant \"whale\"\n", "expected [Name \"value\"]"),
            ("[Event \"x\"]\n\n1. 2e2d", "expected the tag Variant"),
            ("[Variant \"whale\"]\n\n1. 2e2d (5e5d", "expected ) at the end"),
            ("[Variant \"whale\"]\n\n1. 2e2d ) 3b3c", "found )"),
            ("[Variant \"whale\"]\n\n( 2e2d )", "expected a move before ("),
            ("[Variant \"whale\"]\n\n1. 2e2a", "2e2a"),
            ("[Variant \"whale\"]\n[Rules \"x\"]\n\n*", "expected rule switches"),
        ] {
            let error = read(text, VariantId::Whale).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
