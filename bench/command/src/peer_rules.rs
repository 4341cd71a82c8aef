//! Perft with Fairy-Stockfish's list of moves, to compare counts with it.

use kujira_position::{Leaves, Move, Position, Variant, perft};
use kujira_search::perft::MoveTree;
use kujira_usi::fairy::rules::{dropped, extra_drops};

/// Whether Fairy-Stockfish plays this game.
#[must_use]
pub fn are_known<V: Variant>() -> bool {
    V::SPEC.fairy.is_some()
}

/// The number of sequences of `depth` moves of Fairy-Stockfish's list.
#[must_use]
pub fn count<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => perft(position, 1, Leaves::Bulk) + extra_drops(position).len() as u64,
        _ => moves(position).into_iter().map(|m| count(&after(position, m), depth - 1)).sum(),
    }
}

/// The moves of Fairy-Stockfish's list.
#[must_use]
pub fn moves<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.extend(extra_drops(position));
    moves
}

/// The position after `m`.
///
/// # Panics
/// If `m` is none of [`moves`].
#[must_use]
pub fn after<V: Variant>(position: &Position<V>, m: Move) -> Position<V> {
    if position.is_legal(m) {
        return Leaves::Bulk.after(position, m);
    }
    dropped(position, m).expect("a move of the list")
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn extra<V: Variant>(sfen: &str) -> Vec<String> {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut moves: Vec<_> =
            extra_drops(&position).into_iter().map(|m| position.usi(m)).collect();
        moves.sort();
        let listed = super::moves(&position).len() as u64;
        assert_eq!(count(&position, 1), listed);
        assert_eq!(listed, position.legal_moves().len() as u64 + moves.len() as u64);
        moves
    }

    #[test]
    fn extra_drops_are_counted() {
        assert_eq!(extra::<Whale>("5w/3K2/5W/6/6/6 b D 1"), ["D*1b"]);
    }

    #[test]
    fn counts_agree_where_the_lists_do() {
        let whale = Position::<Whale>::start();
        for (depth, leaves) in [(1, 7), (2, 49), (3, 398), (4, 3230)] {
            assert_eq!(count(&whale, depth), leaves);
        }
        // The first mating drops come at the fifth ply, such as this one.
        let mut mated = whale;
        for text in ["3e3d", "3b3c", "3d3c", "1b1c"] {
            let m = mated.parse_usi(text).unwrap();
            mated.make(m);
        }
        assert_eq!(extra::<Whale>(&mated.sfen()), ["D*3b"]);
        let paulowich = Position::<Paulowich>::start();
        assert_eq!(count(&paulowich, 4), 5329);
        assert!(are_known::<Whale>() && are_known::<Paulowich>() && !are_known::<Great>());
    }
}
