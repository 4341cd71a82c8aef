//! Moves in words.

use kujira_position::{Move, Position, Square, SquareText, UsiMove, Variant};

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

/// A move in words: `Black: humpback 6f to 5e, captures dolphin`.
pub(crate) fn spoken<V: Variant>(position: &Position<V>, m: Move) -> String {
    let spec = V::SPEC;
    let name = |square| SquareText(spec.geometry, square).to_string();
    let piece = spec.name_of(m.kind());
    let side = position.side();
    if m.is_drop() {
        return format!("{side}: {piece} dropped on {}", name(m.to()));
    }
    let squares = squares_of::<V>(m);
    let passed = squares.get(1..squares.len().saturating_sub(1)).unwrap_or_default();
    let captured: Vec<_> = passed
        .iter()
        .chain((m.to() != m.from()).then_some(&m.to()))
        .filter_map(|&on| position.piece_on(on).filter(|found| found.color() != side))
        .map(|found| spec.name_of(found.kind()))
        .collect();
    let mut text = format!("{side}: {piece} {}", name(m.from()));
    if m.from() != m.to() {
        text += &format!(" to {}", name(m.to()));
    } else if captured.is_empty() {
        text += " passes";
    } else {
        text += " stays";
    }
    if !captured.is_empty() {
        text += &format!(", captures {}", captured.join(" and "));
    }
    if m.promotes() {
        text += ", promotes";
    }
    text
}
