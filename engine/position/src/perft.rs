//! Perft: counting the leaves of the tree of legal moves, the standard test of a move generator.

use crate::board::Board;
use crate::movegen::{Threats, Wanted};
use crate::position::Position;
use crate::variant::Variant;

/// How the last ply is dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The last moves are counted, not made.
    Bulk,
    /// Every last move is made and taken back, with its key.
    Played,
}

/// The number of sequences of `depth` legal moves from `position`. Repetition is not looked at; a
/// line ends early, with no leaf below it, where a whale has been captured or nothing can move.
///
/// ```
/// use kujira_position::{Leaves, Paulowich, Position, perft};
///
/// let start = Position::<Paulowich>::start();
/// assert_eq!(perft(&start, 4, Leaves::Bulk), 5329);
/// ```
#[must_use]
pub fn perft<V: Variant>(position: &Position<V>, depth: u32, leaves: Leaves) -> u64 {
    let mut board = *position.board();
    match leaves {
        Leaves::Bulk => bulk(&mut board, depth),
        Leaves::Played => played(&mut board, depth),
    }
}

fn bulk<V: Variant>(board: &mut Board<V>, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return u64::try_from(board.count_moves()).unwrap_or(u64::MAX),
        _ => {}
    }
    let mut moves = V::MoveList::default();
    board.generate(Wanted::All, &Threats::default(), &mut moves);
    let mut leaves = 0;
    for &m in moves.iter() {
        let undo = board.apply(m);
        leaves += bulk(board, depth - 1);
        board.revert(undo);
    }
    leaves
}

fn played<V: Variant>(board: &mut Board<V>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = V::MoveList::default();
    board.generate(Wanted::All, &Threats::default(), &mut moves);
    let mut leaves = 0;
    for &m in moves.iter() {
        let undo = board.apply(m);
        if depth == 1 {
            // The key is part of what is measured: keep the optimiser from leaving it out.
            std::hint::black_box(board.key());
            leaves += 1;
        } else {
            leaves += played(board, depth - 1);
        }
        board.revert(undo);
    }
    leaves
}
