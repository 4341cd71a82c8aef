//! What the linear evaluation says, which a network may be added to.

use kujira_position::{Board, Variant};
use kujira_search::eval::linear::Features;
use kujira_search::eval::linear::UNIT;
use kujira_search::eval::weights::Weights;

/// The evaluation of a board by `weights`, in centipawns for the side to move.
#[must_use]
pub fn score<V: Variant>(weights: &Weights, board: &Board<V>) -> f32 {
    let mut sum = 0;
    Features::<V>::each(board, |feature, times| sum += times * weights.features[feature]);
    sum as f32 / UNIT as f32
}
