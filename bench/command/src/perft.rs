//! Which moves perft counts.

use kujira_position::{Leaves, Move, Position, Variant};
use kujira_search::perft::{CountTable, MoveTree, Tabled};

use crate::peer_rules;

/// Most plies that are counted: each takes a list of moves on the stack, and nobody lives to see as many.
pub const DEEPEST: u32 = 64;

/// Which moves are counted.
#[derive(Clone, Copy)]
pub enum List<'a> {
    /// Ours; the last ply as said.
    Ours(Leaves),
    /// Ours, with a table of what was counted before.
    Tabled(&'a CountTable),
    /// Fairy-Stockfish's, see [`peer_rules`].
    Peer,
}

impl<V: Variant> MoveTree<V> for List<'_> {
    fn moves(&self, position: &Position<V>) -> Vec<Move> {
        match self {
            Self::Ours(leaves) => leaves.moves(position),
            Self::Tabled(table) => Tabled::new(table).moves(position),
            Self::Peer => peer_rules::moves(position),
        }
    }

    fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
        match self {
            Self::Ours(leaves) => leaves.after(position, m),
            Self::Tabled(table) => Tabled::new(table).after(position, m),
            Self::Peer => peer_rules::after(position, m),
        }
    }

    fn leaves(&self, position: &Position<V>, depth: u32) -> u64 {
        match self {
            Self::Ours(leaves) => leaves.leaves(position, depth),
            Self::Tabled(table) => Tabled::new(table).leaves(position, depth),
            Self::Peer => peer_rules::count(position, depth),
        }
    }

    fn known(&self, position: &Position<V>, depth: u32) -> Option<u64> {
        match self {
            Self::Tabled(table) => Tabled::new(table).known(position, depth),
            Self::Ours(_) | Self::Peer => None,
        }
    }

    fn keep(&self, position: &Position<V>, depth: u32, count: u64) {
        if let Self::Tabled(table) = self {
            Tabled::new(table).keep(position, depth, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Whale};
    use kujira_search::Control;
    use kujira_search::perft::divide;

    use super::*;

    fn divided<V: Variant>(depth: u32, list: List<'_>) -> Vec<u64> {
        let divided = divide(&Position::<V>::start(), depth, &list, &Control::new(), |_, _| ());
        divided.unwrap().into_iter().map(|(_, count)| count).collect()
    }

    #[test]
    fn divided_counts_add_up() {
        let ours = List::Ours(Leaves::Bulk);
        for list in [ours, List::Ours(Leaves::Played), List::Peer] {
            let counts = divided::<Whale>(4, list);
            assert_eq!((counts.len(), counts.iter().sum()), (7, 3230_u64));
        }
        for (depth, leaves) in [(1, 42), (2, 1764), (3, 73627)] {
            assert_eq!(divided::<Great>(depth, ours).iter().sum::<u64>(), leaves);
        }
        // Longer lines, with moves that are none of ours.
        assert_eq!(divided::<Whale>(5, List::Peer).iter().sum::<u64>(), 30_668);
    }
}
