//! What perft counts.

use kujira_position::{Leaves, Move, Position, Variant, perft};

/// What is counted: a list of moves, usually that of the rules ([`Leaves`]), and how the leaves of a small
/// tree of them are counted at once.
pub trait MoveTree<V: Variant>: Sync {
    /// The moves from `position`.
    fn moves(&self, position: &Position<V>) -> Vec<Move>;

    /// The position after `m`, one of [`Self::moves`] from `position`.
    fn after(&self, position: &Position<V>, m: Move) -> Position<V>;

    /// The number of sequences of `depth` moves from `position`; 1 for a depth of 0.
    fn leaves(&self, position: &Position<V>, depth: u32) -> u64;

    /// What [`Self::leaves`] would return, where that is known from before.
    fn known(&self, _position: &Position<V>, _depth: u32) -> Option<u64> {
        None
    }

    /// Takes note of a count.
    fn keep(&self, _position: &Position<V>, _depth: u32, _count: u64) {}
}

impl<V: Variant> MoveTree<V> for Leaves {
    fn moves(&self, position: &Position<V>) -> Vec<Move> {
        position.legal_moves().to_vec()
    }

    fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
        let mut after = position.clone();
        after.make(m);
        after
    }

    fn leaves(&self, position: &Position<V>, depth: u32) -> u64 {
        perft(position, depth, *self)
    }
}
