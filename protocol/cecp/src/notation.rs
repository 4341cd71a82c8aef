//! Squares and moves as XBoard writes them; positions are FEN ([`kujira_usi::fairy::fen`]).
//!
//! XBoard's White is the side that moves first and up the board: our Black. A square is its file letter
//! from that side's left and its rank number from that side's end: `a1` is the bottom left corner.

use kujira_position::{Coordinates, Move, Spec, Square, Tokens, VariantId};

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

/// The game XBoard calls so, if it is one that it can play.
#[must_use]
pub fn named(name: &str) -> Option<VariantId> {
    offered().find(|game| game.spec().id == name)
}

/// The square XBoard calls so, if the board has it.
#[must_use]
pub fn square(spec: &Spec, name: &str) -> Option<Square> {
    let (square, rest) = Coordinates::Western.parse_prefix(spec.geometry, name)?;
    rest.is_empty().then_some(square)
}

/// The sign of a drop, and how squares are called.
type Spelling = (char, Coordinates);

const XBOARD: Spelling = ('@', Coordinates::Western);
const USI: Spelling = ('*', Coordinates::Japanese);

/// A move spelt another way; `None` if it has not the form of a move on this board.
fn respelt(spec: &Spec, text: &str, from: Spelling, to: Spelling) -> Option<String> {
    let square = |text| from.1.parse_prefix(spec.geometry, text);
    let name = |square| to.1.name(spec.geometry, square);
    let (begin, end) = match text.split_once(from.0) {
        Some((piece, end)) => {
            let token = piece.to_ascii_uppercase();
            spec.find_kind(&token)?;
            (format!("{token}{}", to.0), end)
        }
        None => square(text).map(|(begin, end)| (name(begin), end))?,
    };
    let (end, rest) = square(end)?;
    rest.is_empty().then(|| begin + &name(end))
}

/// The USI text of a move of XBoard's (`e2e3`, `D@c4`, the piece in any case); `None` if it has not the
/// form of a move on this board.
#[must_use]
pub fn usi_of_move(spec: &Spec, text: &str) -> Option<String> {
    respelt(spec, text, XBOARD, USI)
}

/// A USI move of a game that is offered as XBoard reads it. A text that is no such move stays as it is.
#[must_use]
pub fn move_of_usi(spec: &Spec, usi: &str) -> String {
    respelt(spec, usi, USI, XBOARD).unwrap_or_else(|| usi.to_owned())
}

/// A move of a game that is offered as XBoard reads it.
#[must_use]
pub fn text(game: VariantId, m: Move) -> String {
    move_of_usi(game.spec(), &game.usi(m))
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Variant, with_variant};
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
                let place =
                    Coordinates::Japanese.name(spec.geometry, square(spec, xboard).unwrap());
                assert_eq!(place, usi);
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
