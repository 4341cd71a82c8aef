//! Which moves perft counts.

use kujira_position::{Move, Position, Variant};
use kujira_search::perft::MoveTree;

use crate::peer_rules;

/// Most plies that are counted: each takes a list of moves on the stack, and nobody lives to see as many.
pub const DEEPEST: u32 = 64;

/// Fairy-Stockfish's list of moves, see [`peer_rules`].
#[derive(Clone, Copy)]
pub struct PeerMoves;

impl<V: Variant> MoveTree<V> for PeerMoves {
    fn moves(&self, position: &Position<V>) -> Vec<Move> {
        peer_rules::moves(position)
    }

    fn after(&self, position: &Position<V>, m: Move) -> Position<V> {
        peer_rules::after(position, m)
    }

    fn leaves(&self, position: &Position<V>, depth: u32) -> u64 {
        peer_rules::count(position, depth)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Leaves, Whale};
    use kujira_search::Control;
    use kujira_search::perft::divide;

    use super::*;

    fn divided<V: Variant>(depth: u32, tree: &impl MoveTree<V>) -> Vec<u64> {
        let divided = divide(&Position::<V>::start(), depth, tree, &Control::new(), |_, _| ());
        divided.unwrap().into_iter().map(|(_, count)| count).collect()
    }

    #[test]
    fn divided_counts_add_up() {
        let sets = [
            divided::<Whale>(4, &Leaves::Bulk),
            divided::<Whale>(4, &Leaves::Played),
            divided::<Whale>(4, &PeerMoves),
        ];
        for counts in sets {
            assert_eq!((counts.len(), counts.iter().sum()), (7, 3230_u64));
        }
        for (depth, leaves) in [(1, 42), (2, 1764), (3, 73627)] {
            assert_eq!(divided::<Great>(depth, &Leaves::Bulk).iter().sum::<u64>(), leaves);
        }
        // Longer lines, with moves that are none of ours.
        assert_eq!(divided::<Whale>(5, &PeerMoves).iter().sum::<u64>(), 30_668);
    }
}
