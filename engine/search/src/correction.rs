//! How far the evaluation was off in similar positions.
//!
//! Searches of many positions with the same hands, the same places of the whales, the same pieces near them or the
//! same last move err in the same direction; the average error is taken back from the evaluation (the
//! "correction history" of Caissa, 2023, which many engines have taken up).

use std::marker::PhantomData;

use kujira_position::{Position, Square, Variant, Window};

use crate::history::{Context, History, narrow};
use crate::params::{
    correction_bonus_limit, correction_divisor, correction_hands, correction_move, correction_near,
    correction_whales,
};
use crate::score::{EVAL_LIMIT, Value};

/// Greatest error remembered, in 1/16 centipawns; scores are 16 bits wide.
const LIMIT: i32 = 2048;

/// Values of the hash by which hands are told apart, and the pieces near the whales.
const HASHES: usize = 1 << 14;

/// How many steps from a whale are near.
const NEAR: i8 = 2;

/// Average errors in 1/16 centipawns, from the point of view of the side to move, by side to move
/// and
/// - hash of both hands;
/// - squares of its own and the enemy whale;
/// - hash of the pieces near both whales;
/// - the last move.
pub(crate) struct Corrections<V: Variant> {
    hands: Box<[i16]>,
    whales: Box<[i16]>,
    near: Box<[i16]>,
    moves: Box<[i16]>,
    /// The squares near each square; none near a whale that was captured.
    neighbors: Box<[Window]>,
    variant: PhantomData<V>,
}

/// Where the errors of a position are kept: a place in each table.
#[derive(Clone, Copy)]
pub(crate) struct Place([usize; 4]);

/// The place of a key among [`HASHES`] places.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "below HASHES")]
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HASHES.ilog2())) as usize
}

impl<V: Variant> Corrections<V> {
    /// Places for a whale: one more for a whale that was captured.
    const PLACES: usize = V::SPEC.geometry.squares() + 1;

    pub(crate) fn new() -> Self {
        let geometry = V::SPEC.geometry;
        let neighbors = |at: usize| {
            let at = Square::from_index(at);
            let near = |a: i8, b: i8| (a - b).abs() <= NEAR;
            let is_near = |&square: &Square| {
                near(geometry.x(square), geometry.x(at)) && near(geometry.y(square), geometry.y(at))
            };
            geometry.reading_order().filter(is_near).collect()
        };
        let none = std::iter::once(Window::default());
        Self {
            hands: vec![0; 2 * HASHES].into_boxed_slice(),
            whales: vec![0; 2 * Self::PLACES * Self::PLACES].into_boxed_slice(),
            near: vec![0; 2 * HASHES].into_boxed_slice(),
            moves: vec![0; History::<V>::CONTEXTS].into_boxed_slice(),
            neighbors: (0..geometry.squares()).map(neighbors).chain(none).collect(),
            variant: PhantomData,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for table in [&mut self.hands, &mut self.whales, &mut self.near, &mut self.moves] {
            table.fill(0);
        }
    }

    /// Where the errors of `position`, arrived at by the move `last`, are kept.
    #[inline]
    pub(crate) fn place(&self, position: &Position<V>, last: Context) -> Place {
        let us = position.side();
        let whale = |color| position.whale(color).first().map_or(Self::PLACES - 1, Square::index);
        let (side, own, enemy) = (us.index(), whale(us), whale(!us));
        let near = position.hash_of(&(&self.neighbors[own] | &self.neighbors[enemy]));
        Place([
            side * HASHES + hash(position.hand_key()),
            (side * Self::PLACES + own) * Self::PLACES + enemy,
            side * HASHES + hash(near),
            last.index(),
        ])
    }

    /// `eval` with the average errors taken back.
    #[inline]
    pub(crate) fn correct(&self, eval: Value, Place([hands, whales, near, last]): Place) -> Value {
        let sum = i32::from(self.hands[hands]) * correction_hands()
            + i32::from(self.whales[whales]) * correction_whales()
            + i32::from(self.near[near]) * correction_near()
            + i32::from(self.moves[last]) * correction_move();
        (eval + sum / (16 * 64)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Learns from a search of `depth` plies that found an error of `error` centipawns.
    #[inline]
    pub(crate) fn learn(&mut self, place: Place, error: Value, depth: i32) {
        let Place([hands, whales, near, last]) = place;
        let limit = correction_bonus_limit();
        let bonus = (error * 16 * depth / correction_divisor()).clamp(-limit, limit);
        let entries = [
            &mut self.hands[hands],
            &mut self.whales[whales],
            &mut self.near[near],
            &mut self.moves[last],
        ];
        // Where there is no last move either side may be to move.
        let known = if last == Context::NONE.index() { 3 } else { 4 };
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
        let mut corrections = Corrections::<Whale>::new();
        let position = Position::<Whale>::start();
        let place = corrections.place(&position, Context::NONE);
        assert_eq!(corrections.correct(37, place), 37);
        for _ in 0..200 {
            corrections.learn(place, 50, 8);
        }
        let corrected = corrections.correct(37, place);
        assert!(corrected > 47 && corrected < 37 + 4 * LIMIT / 16, "{corrected}");
        let turned = corrections.place(&position.turned(), Context::NONE);
        assert_ne!(turned.0, place.0);
        for _ in 0..400 {
            corrections.learn(place, -50, 8);
        }
        assert!(corrections.correct(37, place) < 27);
        corrections.clear();
        assert_eq!(corrections.correct(37, place), 37);
    }

    #[test]
    fn what_is_near_the_whales_is_told_apart_and_nothing_else_of_the_board() {
        let corrections = Corrections::<Whale>::new();
        let near = |sfen: &str| {
            let position = sfen.parse::<Position<Whale>>().unwrap();
            corrections.place(&position, Context::NONE).0[2]
        };
        let known = near("w5/6/6/6/2D3/5W b - 1");
        assert_eq!(known, near("w5/6/3D2/6/2D3/5W b - 1"));
        assert_ne!(known, near("w5/6/6/6/3D2/5W b - 1"));
        assert_ne!(near("w5/1d4/6/6/6/5W b - 1"), near("w5/2d3/6/6/6/5W b - 1"));
    }
}
