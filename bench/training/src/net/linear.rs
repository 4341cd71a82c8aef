//! What the linear evaluation says, which a network may be added to.

use kujira_position::{Board, Variant};
use kujira_search::eval::linear::{Features, UNIT};

/// The evaluation of a board by linear weights, by feature, in centipawns for the side to move.
///
/// # Panics
/// If there are fewer weights than features.
#[must_use]
pub fn score<V: Variant>(weights: &[i32], board: &Board<V>) -> f32 {
    let mut sum = 0;
    Features::<V>::each(board, |feature, times| sum += times * weights[feature]);
    sum as f32 / UNIT as f32
}
