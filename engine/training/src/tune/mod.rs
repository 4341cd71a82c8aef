//! Tuning the weights of the linear evaluation.
//!
//! Texel's method: the evaluation of quiet positions, put through a sigmoid, is to predict how the games
//! went; here with a share of what the search thought of the position mixed in. The evaluation is linear
//! in its weights, so that this is logistic regression; Adam minimises the mean square error plus a pull
//! towards the weights it began with.
//!
//! - [`dataset`]: positions as sparse lists of features with their targets;
//! - [`scale`]: how many centipawns make an even game a won one;
//! - [`regression`]: the error, its gradient, Adam.
//!
//! See P. Österlund, "Texel's Tuning Method" (chessprogramming.org), and D. P. Kingma and J. Ba, "Adam: A
//! Method for Stochastic Optimization" (2015).

pub mod dataset;
pub mod regression;
pub mod scale;

use kujira_position::{Kind, Variant};
use kujira_search::eval::linear::Features;
use kujira_search::eval::linear::UNIT;
use kujira_search::eval::weights::Weights;

pub use dataset::{Dataset, Filter};
pub use regression::{Epoch, Regression, Settings};

/// What a pawn-like piece in hand is worth, in centipawns, on average over the kinds of a game: this
/// defines the centipawn.
const PAWN: f64 = kujira_search::PAWN as f64;

/// Weights in the unit of the logarithm of odds, by feature, as a regression begins with them.
#[must_use]
pub fn to_odds(weights: &Weights, scale: f64) -> Vec<f32> {
    let unit = scale * f64::from(UNIT);
    weights.features.iter().map(|&weight| (f64::from(weight) / unit) as f32).collect()
}

/// The weights that a regression found, in centipawns such that a pawn-like piece in hand is worth
/// 100 of them; exchange values are averages over the training positions of `dataset`. Where such a piece
/// would be worth nothing the scale stays `scale` centipawns to a unit of odds.
///
/// Returns the weights and the centipawns to a unit of odds that they have.
#[must_use]
pub fn from_odds<V: Variant>(
    odds: &[f32],
    start: &Weights,
    dataset: &Dataset<V>,
    scale: f64,
) -> (Weights, f64) {
    let weights = |scale: f64| {
        let mut weights = start.clone();
        let unit = scale * f64::from(UNIT);
        for row in Features::<V>::rows() {
            let range = row.first..row.first + row.width;
            for (weight, &odds) in weights.features[range.clone()].iter_mut().zip(&odds[range]) {
                *weight = (f64::from(odds) * unit).round() as i32;
            }
        }
        dataset.appraisal().appraise(&mut weights);
        weights
    };
    let found = weights(scale);
    let pawns: Vec<f64> = (1..=V::SPEC.hand_kinds)
        .map(Kind::from_index)
        .filter(|&kind| V::SPEC.is_pawn(kind))
        .map(|kind| f64::from(found.in_hand[kind.index()]) / f64::from(UNIT))
        .collect();
    let pawn = pawns.iter().sum::<f64>() / pawns.len() as f64;
    if pawn < 1.0 {
        return (found, scale);
    }
    let scale = scale * PAWN / pawn;
    (weights(scale), scale)
}
