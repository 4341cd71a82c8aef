//! Which moves perft counts.

use kujira_position::{Leaves, Move, Position, Variant};
use kujira_search::perft::MoveTree;

use crate::peer_rules;

/// Most plies that are counted: each takes a list of moves on the stack, and nobody lives to see as many.
pub const DEEPEST: u32 = 64;

/// Which moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// Ours; the last ply as said.
    Ours(Leaves),
    /// Fairy-Stockfish's, see [`peer_rules`].
    Peer,
}

impl<V: Variant> MoveTree<V> for List {
    fn moves(&self, position: &Position<V>) -> Vec<Move> {
        match self {
            Self::Ours(leaves) => leaves.moves(position),
            Self::Peer => peer_rules::moves(position),
        }
    }

    fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
        match self {
            Self::Ours(leaves) => leaves.after(position, m),
            Self::Peer => peer_rules::after(position, m),
        }
    }

    fn leaves(&self, position: &Position<V>, depth: u32) -> u64 {
        match self {
            Self::Ours(leaves) => leaves.leaves(position, depth),
            Self::Peer => peer_rules::count(position, depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Whale};
    use kujira_search::Control;
    use kujira_search::perft::divide;

    use super::*;

    fn divided<V: Variant>(depth: u32, list: List) -> Vec<u64> {
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
