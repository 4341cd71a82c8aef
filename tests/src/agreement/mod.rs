//! What holds of every position: all that lists, counts, judges, plays, writes and turns it agrees.

pub mod bits;
pub mod keys;
pub mod lists;
pub mod notations;
pub mod turned;

use kujira_position::{Move, Position, Variant};

/// The most moves of a position that are played, written and read by [`check`].
const MOST_MOVES: usize = 60;

/// Holds everything in this module against each other. Of a position with very many moves only some, evenly spread,
/// are written and followed by a whole look at what they lead to.
///
/// # Panics
/// With the position as SFEN, if two of them do not agree.
pub fn check<V: Variant>(position: &Position<V>) {
    lists::check(position);
    turned::check(position);
    bits::check_damaged(position);
    keys::check_node(position);
    notations::check_position(position);
    let legal = position.legal_moves();
    let mut there = position.clone();
    for &m in spread(&legal) {
        notations::check_move(position, m);
        keys::there_and_back(&mut there, m, |after| keys::check_node(after));
    }
}

/// Some of a list, evenly spread: all if it is not long.
fn spread(moves: &[Move]) -> impl Iterator<Item = &Move> {
    moves.iter().step_by(moves.len().div_ceil(MOST_MOVES).max(1))
}
