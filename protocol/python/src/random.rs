//! Games at random.

use std::sync::atomic::{AtomicBool, Ordering};

use kujira_position::{Outcome, Position, Rules, Variant};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

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
