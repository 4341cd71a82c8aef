//! Games at random.

use std::sync::atomic::{AtomicBool, Ordering};

use kujira_position::{Outcome, Position, Rules, Variant};
use pyo3::prelude::*;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Board;
use crate::given::MoveLike;

/// How many games are begun anew before it is said that none comes so far.
const TRIES: usize = 1_000;

/// What is said where [`position`] finds none.
pub const NONE: &str =
    "expected a number of plies that games have, found one that no random game reached";

/// Plays random moves to the end of the game, `most` plies at most, unless stopped; returns how it ended.
pub fn playout<V: Variant>(
    position: &mut Position<V>,
    most: u32,
    random: &mut Xoshiro256PlusPlus,
    stopped: &AtomicBool,
) -> Option<Outcome> {
    for _ in 0..most {
        let outcome = position.outcome();
        if outcome.is_some() || stopped.load(Ordering::Relaxed) {
            return outcome;
        }
        let moves = position.legal_moves();
        position.make(moves[random.random_range(0..moves.len())]);
    }
    position.outcome()
}

/// A position after random moves from the start, as many as drawn from a range, in which the game is not over; `None`
/// if no game came so far, or it was stopped.
pub fn position<V: Variant>(
    (least, most): (u32, u32),
    rules: Rules,
    random: &mut Xoshiro256PlusPlus,
    stopped: &AtomicBool,
) -> Option<Position<V>> {
    let start = Position::<V>::from_sfen_under(V::SPEC.start, rules).ok()?;
    for _ in 0..TRIES {
        let mut position = start.clone();
        let plies = random.random_range(least..=most);
        let outcome = playout(&mut position, plies, random, stopped);
        if stopped.load(Ordering::Relaxed) {
            return None;
        }
        if outcome.is_none() {
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
