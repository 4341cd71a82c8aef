//! Squares and moves as XBoard writes them; positions are FEN ([`kujira_usi::fairy::fen`]).
//!
//! XBoard's White is the side that moves first and up the board: our Black. A square is its file letter
//! from that side's left and its rank number from that side's end: `a1` is the bottom left corner.

use std::fmt;

use kujira_position::{Spec, Tokens, VariantId};

/// Whether the game can be written in this notation and played with it: every piece is a letter.
/// Where pieces have names, moves have several legs and more kinds are in hand than XBoard has room for.
#[must_use]
pub fn is_offered(game: VariantId) -> bool {
    game.spec().tokens == Tokens::Letters
}

/// The games XBoard can play.
pub fn offered() -> impl Iterator<Item = VariantId> {
    VariantId::ALL.iter().copied().filter(|&game| is_offered(game))
}

/// A square as file and rank, both from 0: the file from the left, the rank from the end of the side
/// that moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) file: u8,
    pub(crate) rank: u8,
}

impl Place {
    /// Reads a square of XBoard's at the start of `text`; returns it with the rest.
    fn parse(spec: &Spec, text: &str) -> Option<(Self, String)> {
        let mut rest = text.chars();
        let file = letter_index(rest.next()?)?;
        let rank = rest.next()?.to_digit(10)?.checked_sub(1).and_then(|r| u8::try_from(r).ok())?;
        let there = file < spec.geometry.files && rank < spec.geometry.ranks;
        there.then(|| (Self { file, rank }, rest.collect()))
    }

    /// Reads a square of USI's at the start of `text`; returns it with the rest.
    fn parse_usi(spec: &Spec, text: &str) -> Option<(Self, String)> {
        let mut rest = text.chars();
        let file = u8::try_from(rest.next()?.to_digit(10)?).ok()?;
        let rank = letter_index(rest.next()?)?;
        let place = Self {
            file: spec.geometry.files.checked_sub(file)?,
            rank: spec.geometry.ranks.checked_sub(rank + 1)?,
        };
        (place.file < spec.geometry.files).then(|| (place, rest.collect()))
    }

    /// The square as USI writes it.
    pub(crate) fn usi(self, spec: &Spec) -> String {
        let rank = spec.geometry.ranks - 1 - self.rank;
        format!("{}{}", spec.geometry.files - self.file, char::from(b'a' + rank))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

/// 0 for `a`.
fn letter_index(letter: char) -> Option<u8> {
    u8::try_from(letter).ok().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a')
}

/// A square of XBoard's; nothing else may follow.
pub(crate) fn parse_square(spec: &Spec, text: &str) -> Option<Place> {
    Place::parse(spec, text).filter(|(_, rest)| rest.is_empty()).map(|(place, _)| place)
}

/// The USI text of a move of XBoard's (`e2e3`, `D@c4`, the piece in any case); `None` if it has not the
/// form of a move on this board.
#[must_use]
pub fn usi_of_move(spec: &Spec, text: &str) -> Option<String> {
    if let Some((piece, square)) = text.split_once('@') {
        let token = piece.to_ascii_uppercase();
        spec.find_kind(&token)?;
        return Some(format!("{token}*{}", parse_square(spec, square)?.usi(spec)));
    }
    let (from, rest) = Place::parse(spec, text)?;
    let to = parse_square(spec, &rest)?;
    Some(format!("{}{}", from.usi(spec), to.usi(spec)))
}

/// A USI move of a game that is offered as XBoard reads it. A text that is no such move stays as it is.
#[must_use]
pub fn move_of_usi(spec: &Spec, usi: &str) -> String {
    let read = || {
        if let Some((token, square)) = usi.split_once('*') {
            return Some(format!("{token}@{}", Place::parse_usi(spec, square)?.0));
        }
        let (from, rest) = Place::parse_usi(spec, usi)?;
        Some(format!("{from}{}", Place::parse_usi(spec, &rest)?.0))
    };
    read().unwrap_or_else(|| usi.to_owned())
}

/// Where a USI move ends, and from where or with what it begins.
pub(crate) fn ends_of_usi(spec: &Spec, usi: &str) -> Option<(Origin, Place)> {
    if let Some((token, square)) = usi.split_once('*') {
        return Some((Origin::Hand(token.to_owned()), Place::parse_usi(spec, square)?.0));
    }
    let (from, rest) = Place::parse_usi(spec, usi)?;
    Some((Origin::Board(from), Place::parse_usi(spec, &rest)?.0))
}

/// Where the piece that moves comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A square.
    Board(Place),
    /// The hand, with the token of its kind.
    Hand(String),
}

/// The pieces on the squares of an SFEN's board, from the top left corner line by line.
pub(crate) fn squares_of_sfen(spec: &Spec, sfen: &str) -> Vec<Option<char>> {
    let board = sfen.split(' ').next().unwrap_or("");
    let mut squares = Vec::with_capacity(64);
    for c in board.chars().filter(|&c| c != '/') {
        match c.to_digit(10) {
            Some(empty) => squares.extend((0..empty).map(|_| None)),
            None => squares.push(Some(c)),
        }
    }
    squares.resize(usize::from(spec.geometry.files) * usize::from(spec.geometry.ranks), None);
    squares
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Variant, VariantId, with_variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn corners_and_middles_of_both_boards() {
        for (game, pairs) in [
            (
                VariantId::Whale,
                [("a1", "6f"), ("f1", "1f"), ("a6", "6a"), ("f6", "1a"), ("c4", "4c")],
            ),
            (
                VariantId::Paulowich,
                [("a1", "7g"), ("g1", "1g"), ("a7", "7a"), ("g7", "1a"), ("c5", "5c")],
            ),
        ] {
            let spec = game.spec();
            for (xboard, usi) in pairs {
                let place = parse_square(spec, xboard).unwrap();
                assert_eq!((place.usi(spec).as_str(), place.to_string().as_str()), (usi, xboard));
                assert_eq!(usi_of_move(spec, &format!("a2{xboard}")).unwrap()[2..], *usi);
                assert_eq!(usi_of_move(spec, &format!("D@{xboard}")), Some(format!("D*{usi}")));
                assert_eq!(move_of_usi(spec, &format!("D*{usi}")), format!("D@{xboard}"));
                assert_eq!(move_of_usi(spec, &format!("{usi}{usi}")), format!("{xboard}{xboard}"));
            }
        }
    }

    #[test]
    fn texts_that_are_no_moves() {
        let spec = VariantId::Whale.spec();
        for text in [
            "",
            "e2",
            "e2e",
            "e2e0",
            "e2e7",
            "g2e2",
            "e2e4q",
            "e2e33",
            "E2E3",
            "@@@@",
            "D@",
            "D@e9",
            "Q@e4",
            "DD@e4",
            "D*e4",
            "e2-e3",
            "O-O",
            "é2e3",
            "e2\u{0662}e3",
        ] {
            assert_eq!(usi_of_move(spec, text), None, "{text}");
        }
        assert_eq!(usi_of_move(spec, "d@c4").as_deref(), Some("D*4c"));
    }

    #[test]
    fn every_move_of_random_games_goes_there_and_back() {
        for game in offered() {
            with_variant!(game, V => moves_there_and_back::<V>());
        }
    }

    fn moves_there_and_back<V: Variant>() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(20_261_121);
        let mut drops = 0;
        for _ in 0..40 {
            let mut position = Position::<V>::start();
            while position.outcome().is_none() && position.moves_made() < 120 {
                let sfen = position.sfen();
                let squares = squares_of_sfen(V::SPEC, &sfen);
                let pieces = squares.iter().flatten().count();
                assert_eq!(pieces as u32, position.board().occupied().count());
                let moves = position.legal_moves();
                for &m in moves.iter() {
                    let usi = position.usi(m);
                    let xboard = move_of_usi(V::SPEC, &usi);
                    assert_eq!(usi_of_move(V::SPEC, &xboard), Some(usi));
                    drops += usize::from(xboard.contains('@'));
                }
                position.make(moves[random.random_range(0..moves.len())]);
            }
        }
        assert!(drops > 1000, "{drops}");
    }
}
