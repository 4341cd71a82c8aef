//! USI squares and moves.

use std::fmt;

use thiserror::Error;

use crate::board::Board;
use crate::coordinates::SquareText;
use crate::movegen::{Threats, Wanted};
use crate::position::Position;
use crate::types::{Kind, Move, Square};
use crate::variant::Variant;

use super::sfen::quoted;

/// A move as USI writes it, for [`fmt::Display`].
pub struct UsiMove<V: Variant> {
    m: Move,
    game: std::marker::PhantomData<V>,
}

impl<V: Variant> UsiMove<V> {
    /// The text of `m`, a move of this game: displaying it panics if `m` drops a kind that the game
    /// does not have.
    #[must_use]
    pub fn new(m: Move) -> Self {
        Self { m, game: std::marker::PhantomData }
    }
}

impl<V: Variant> fmt::Display for UsiMove<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let m = self.m;
        let square = |square| SquareText(V::SPEC.geometry, square);
        if m.is_drop() {
            return write!(f, "{}*{}", V::SPEC.kind(m.kind()).token, square(m.to()));
        }
        write!(f, "{}", square(m.from()))?;
        for on in Board::<V>::captured_on_way(m) {
            write!(f, "{}", square(on))?;
        }
        write!(f, "{}{}", square(m.to()), if m.promotes() { "+" } else { "" })
    }
}

/// Why a text is no move, in USI, of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is no USI move on this board.
    #[error(
        "expected a USI move for the {board} board such as {} or {}, found {found}",
        examples[0],
        examples[1]
    )]
    Syntax {
        /// What was found.
        found: String,
        /// The board, such as `6x6`.
        board: String,
        /// A move and a drop of this game.
        examples: [String; 2],
    },
    /// The text is a move that is not legal in this position.
    #[error("expected a legal move, found {text} in {sfen}")]
    Illegal {
        /// The move.
        text: String,
        /// The position.
        sfen: String,
    },
}

impl<V: Variant> Position<V> {
    /// The legal move with this USI text. Only the canonical text of a move is accepted.
    ///
    /// # Errors
    /// If the text is no move on this board, or the move is not legal here.
    pub fn parse_usi(&self, text: &str) -> Result<Move, MoveError> {
        if !looks_like_a_move::<V>(text) {
            let geometry = V::SPEC.geometry;
            return Err(MoveError::Syntax {
                found: quoted(text),
                board: format!("{}x{}", geometry.files, geometry.ranks),
                examples: examples::<V>(),
            });
        }
        let mut list = V::MoveList::default();
        self.board().generate(Wanted::All, &Threats::default(), &mut list);
        // Comparing texts makes the canonical spelling the only one.
        let mut written = String::with_capacity(16);
        let found = list.iter().copied().find(|&m| {
            written.clear();
            fmt::Write::write_fmt(&mut written, format_args!("{}", UsiMove::<V>::new(m))).is_ok()
                && written == text
        });
        found.ok_or_else(|| MoveError::Illegal { text: text.to_owned(), sfen: self.sfen() })
    }

    /// The USI text of a move of this game.
    ///
    /// # Panics
    /// If the move drops a kind that the game does not have.
    #[must_use]
    pub fn usi(&self, m: Move) -> String {
        UsiMove::<V>::new(m).to_string()
    }

    /// The USI texts of moves of this game.
    ///
    /// # Panics
    /// If a move drops a kind that the game does not have.
    #[must_use]
    pub fn usi_line(&self, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&m| self.usi(m)).collect()
    }
}

/// A step and a drop of a kind that can be in hand, as examples for messages.
fn examples<V: Variant>() -> [String; 2] {
    let kind = Kind::from_index(V::SPEC.hand_kinds);
    let near = V::SPEC.geometry.square(2, 2).unwrap_or(Square::from_index(0));
    let next = V::SPEC.geometry.square(2, 3).unwrap_or(near);
    [Move::board(kind, near, next, false), Move::drop(kind, near)]
        .map(|m| UsiMove::<V>::new(m).to_string())
}

/// Whether the text has the form of a move: squares of this board, or a drop of one of its kinds.
fn looks_like_a_move<V: Variant>(text: &str) -> bool {
    let geometry = V::SPEC.geometry;
    if let Some((token, square)) = text.split_once('*') {
        return V::SPEC.find_kind(token).is_some()
            && SquareText::parse_prefix(geometry, square).is_some_and(|(_, rest)| rest.is_empty());
    }
    let mut rest = text.strip_suffix('+').unwrap_or(text);
    let mut squares = 0;
    while !rest.is_empty() {
        let Some((_, tail)) = SquareText::parse_prefix(geometry, rest) else { return false };
        rest = tail;
        squares += 1;
    }
    (2..=4).contains(&squares)
}
