//! How far the evaluation was off in similar positions.
//!
//! Searches of many positions with the same hands, the same places of the whales or the same last
//! move err in the same direction; the average error is taken back from the evaluation (the
//! "correction history" of Caissa, 2023, which many engines have taken up).

use kujira_position::{Position, Variant};

use crate::history::{Context, History, narrow};
use crate::params::{
    correction_bonus_limit, correction_divisor, correction_hands, correction_move,
    correction_whales,
};
use crate::score::{EVAL_LIMIT, Value};

/// Greatest error remembered, in 1/16 centipawns; scores are 16 bits wide.
const LIMIT: i32 = 2048;

/// Values of the hash by which hands are told apart.
const HANDS: usize = 1 << 14;

/// Average errors in 1/16 centipawns, from the point of view of the side to move, by side to move
/// and
/// - hash of both hands;
/// - squares of its own and the enemy whale;
/// - the last move.
pub(crate) struct Corrections {
    hands: Box<[i16]>,
    whales: Box<[i16]>,
    moves: Box<[i16]>,
    squares: usize,
}

/// Where the errors of a position are kept: a place in each table.
#[derive(Clone, Copy)]
pub(crate) struct Place([usize; 3]);

/// The place of hands with this key among [`HANDS`] places.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "below HANDS")]
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HANDS.ilog2())) as usize
}

impl Corrections {
    pub(crate) fn new<V: Variant>() -> Self {
        // A place more for a whale that was captured.
        let squares = V::SPEC.geometry.squares() + 1;
        Self {
            hands: vec![0; 2 * HANDS].into_boxed_slice(),
            whales: vec![0; 2 * squares * squares].into_boxed_slice(),
            moves: vec![0; History::<V>::CONTEXTS].into_boxed_slice(),
            squares,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for table in [&mut self.hands, &mut self.whales, &mut self.moves] {
            table.fill(0);
        }
    }

    /// Where the errors of `position`, arrived at by the move `last`, are kept.
    #[inline]
    pub(crate) fn place<V: Variant>(&self, position: &Position<V>, last: Context) -> Place {
        let us = position.side();
        let whale = |color| position.whale(color).first().map_or(self.squares - 1, |s| s.index());
        let side = us.index();
        Place([
            side * HANDS + hash(position.hand_key()),
            (side * self.squares + whale(us)) * self.squares + whale(!us),
            last.index(),
        ])
    }

    /// `eval` with the average errors taken back.
    #[inline]
    pub(crate) fn correct(&self, eval: Value, Place([hands, whales, last]): Place) -> Value {
        let sum = i32::from(self.hands[hands]) * correction_hands()
            + i32::from(self.whales[whales]) * correction_whales()
            + i32::from(self.moves[last]) * correction_move();
        (eval + sum / (16 * 64)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Learns from a search of `depth` plies that found an error of `error` centipawns.
    #[inline]
    pub(crate) fn learn(&mut self, Place([hands, whales, last]): Place, error: Value, depth: i32) {
        let limit = correction_bonus_limit();
        let bonus = (error * 16 * depth / correction_divisor()).clamp(-limit, limit);
        let entries = [&mut self.hands[hands], &mut self.whales[whales], &mut self.moves[last]];
        // Where there is no last move either side may be to move.
        let known = if last == Context::NONE.index() { 2 } else { 3 };
        for entry in entries.into_iter().take(known) {
            let old = i32::from(*entry);
            *entry = narrow(old + bonus - old * bonus.abs() / LIMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::Whale;

    use super::*;

    #[test]
    fn errors_are_learnt_and_taken_back() {
        let mut corrections = Corrections::new::<Whale>();
        let position = Position::<Whale>::start();
        let place = corrections.place(&position, Context::NONE);
        assert_eq!(corrections.correct(37, place), 37);
        for _ in 0..200 {
            corrections.learn(place, 50, 8);
        }
        let corrected = corrections.correct(37, place);
        assert!(corrected > 47 && corrected < 37 + 3 * LIMIT / 16, "{corrected}");
        let turned = corrections.place(&position.turned(), Context::NONE);
        assert_ne!(turned.0, place.0);
        for _ in 0..400 {
            corrections.learn(place, -50, 8);
        }
        assert!(corrections.correct(37, place) < 27);
        corrections.clear();
        assert_eq!(corrections.correct(37, place), 37);
    }
}
