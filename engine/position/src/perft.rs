//! Perft: counting the leaves of the tree of legal moves, the standard test of a move generator.

use rayon::prelude::*;

use crate::board::Board;
use crate::movegen::{Threats, Wanted};
use crate::position::Position;
use crate::types::Move;
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
        1 => return board.count_moves() as u64,
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

/// The leaves below each legal move, in the order of generation, counted on the threads of the
/// current rayon pool.
///
/// The work is split two plies deep: the first moves alone are too few and too uneven to share out.
#[must_use]
pub fn divide<V: Variant>(position: &Position<V>, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
    let root = *position.board();
    let mut first = V::MoveList::default();
    if depth > 0 {
        root.generate(Wanted::All, &Threats::default(), &mut first);
    }
    if depth < 3 {
        return first.iter().map(|&m| (m, below(&root, &[m], depth, leaves))).collect();
    }
    let mut lines = Vec::new();
    for (index, &m) in first.iter().enumerate() {
        let mut after = root;
        after.apply(m);
        let mut replies = V::MoveList::default();
        after.generate(Wanted::All, &Threats::default(), &mut replies);
        lines.extend(replies.iter().map(|&reply| (index, [m, reply])));
    }
    let counts: Vec<(usize, u64)> = lines
        .par_iter()
        .with_max_len(1)
        .map(|(index, line)| (*index, below(&root, line, depth, leaves)))
        .collect();
    let mut divided: Vec<(Move, u64)> = first.iter().map(|&m| (m, 0)).collect();
    for (index, count) in counts {
        divided[index].1 += count;
    }
    divided
}

/// The leaves at `depth` from `root` below the moves of `line`.
fn below<V: Variant>(root: &Board<V>, line: &[Move], depth: u32, leaves: Leaves) -> u64 {
    let mut board = *root;
    for &m in line {
        board.apply(m);
    }
    let depth = depth - line.len() as u32;
    match leaves {
        Leaves::Bulk => bulk(&mut board, depth),
        Leaves::Played => played(&mut board, depth),
    }
}
