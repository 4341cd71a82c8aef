//! What is told of moves in words.

use kujira_position::{Move, Position, Square, SquareText, UsiMove, Variant};
use serde::Serialize;

/// The squares that the USI text of a move names, in order: start, captures on the way, end. A drop
/// has its end only.
#[must_use]
pub fn squares_of<V: Variant>(m: Move) -> Vec<Square> {
    let usi = UsiMove::<V>::new(m).to_string();
    let mut rest = usi.rsplit('*').next().unwrap_or_default();
    let mut squares = Vec::new();
    while let Some((square, tail)) = SquareText::parse_prefix(V::SPEC.geometry, rest) {
        squares.push(square);
        rest = tail;
    }
    squares
}

/// What a move does, for whoever tells it in words.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Spoken {
    /// The token of what moves or is dropped.
    pub kind: &'static str,
    /// The tokens of what it captures, in the order travelled.
    pub taken: Vec<&'static str>,
    /// Whether it promotes.
    pub promotes: bool,
    /// Whether it gives check.
    pub check: bool,
}

/// What a move does, but for a check.
pub(crate) fn spoken<V: Variant>(position: &Position<V>, m: Move) -> Spoken {
    let token = |kind| V::SPEC.kind(kind).token;
    let squares = squares_of::<V>(m);
    // Not the square where it starts, to which it may return.
    let visited = squares.iter().skip(1).filter(|&&on| on != m.from());
    let enemies = visited
        .filter_map(|&on| position.piece_on(on).filter(|found| found.color() != position.side()));
    let taken = enemies.map(|found| token(found.kind())).collect();
    Spoken { kind: token(m.kind()), taken, promotes: m.promotes(), check: false }
}
