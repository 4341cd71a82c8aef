//! Games at random.

use kujira_position::{Outcome, Position, Rules, Variant};
use pyo3::prelude::*;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Board;
use crate::given::MoveLike;

/// How many games are begun anew before it is said that none comes so far.
const TRIES: usize = 1_000;

/// Plays random moves to the end of the game, `most` plies at most; returns how it ended, and how many were played.
pub fn playout<V: Variant>(
    position: &mut Position<V>,
    most: u32,
    random: &mut Xoshiro256PlusPlus,
) -> (Option<Outcome>, u32) {
    for ply in 0..most {
        if let Some(outcome) = position.outcome() {
            return (Some(outcome), ply);
        }
        let moves = position.legal_moves();
        position.make(moves[random.random_range(0..moves.len())]);
    }
    (position.outcome(), most)
}

/// A position after random moves from the start, as many as drawn from a range, in which the game is not over; `None`
/// if no game came so far.
pub fn position<V: Variant>(
    (least, most): (u32, u32),
    rules: Rules,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position<V>> {
    let start = Position::<V>::from_sfen_under(V::SPEC.start, rules).ok()?;
    for _ in 0..TRIES {
        let mut position = start.clone();
        let plies = random.random_range(least..=most);
        if playout(&mut position, plies, random).0.is_none() {
            return Some(position);
        }
    }
    None
}

/// Plays the moves that a function of Python chooses, `most` plies at most, from a board, which stays as it is; returns
/// how the game ended.
pub fn play_by(
    py: Python<'_>,
    board: &Board,
    most: u32,
    policy: &Bound<'_, PyAny>,
) -> PyResult<Option<Outcome>> {
    let board = Bound::new(py, board.clone())?;
    for _ in 0..most {
        if board.borrow().position.outcome().is_some() {
            break;
        }
        let m: MoveLike = policy.call1((&board,))?.extract()?;
        board.borrow_mut().play(&m)?;
    }
    let outcome = board.borrow().position.outcome();
    Ok(outcome)
}
