//! Bit patterns, most of which are no moves, are legal exactly if they are a generated move.

use std::collections::HashSet;

use kujira_position::{Move, Position, Square, Variant};

/// Tries bit patterns. Returns how many there were.
///
/// # Panics
/// With the position as SFEN, if one is legal and not generated, or generated and not legal.
pub fn check<V: Variant>(position: &Position<V>, patterns: impl Iterator<Item = u32>) -> usize {
    let legal: HashSet<u32> = position.legal_moves().iter().map(|m| m.bits()).collect();
    let mut tried = 0;
    for bits in patterns {
        tried += 1;
        let accepted = Move::from_bits(bits).is_some_and(|m| position.is_legal(m));
        assert_eq!(accepted, legal.contains(&bits), "{bits:#x} in {}", position.sfen());
    }
    tried
}

/// Tries the legal moves and all that differ from one of them in a single bit. Returns how many there were.
///
/// # Panics
/// As [`check`].
pub fn check_damaged<V: Variant>(position: &Position<V>) -> usize {
    let damaged = |m: &Move| {
        let bits = m.bits();
        std::iter::once(bits).chain((0..32).map(move |flipped| bits ^ 1 << flipped))
    };
    check(position, position.legal_moves().iter().flat_map(damaged))
}

/// `bits` with the fields for the piece and its square put right: those of a piece on `from`.
///
/// # Panics
/// If no piece stands there.
#[must_use]
pub fn well_founded<V: Variant>(position: &Position<V>, from: Square, bits: u32) -> u32 {
    let kind = position.piece_on(from).expect("a piece of the side to move").kind();
    let right = Move::board(kind, from, Square::from_index(0), false).bits();
    // End square, promotion, drop and way stay random; a way only sometimes, the rest is unused.
    let way = if bits >> 31 == 0 { 0x07c0_0000 } else { 0 };
    right | bits & (0x0010_007f | way)
}
