//! Tuning the weights of the linear evaluation.
//!
//! Texel's method: the evaluation of quiet positions, put through a sigmoid, is to predict how the games
//! went; here with a share of what the search thought of the position mixed in. The evaluation is linear
//! in its weights, so that this is logistic regression; Adam minimises the mean square error plus a pull
//! towards the weights it began with.
//!
//! - [`appraisal`]: what pieces are worth on average;
//! - [`dataset`]: positions as sparse lists of features with their targets;
//! - [`scale`]: how many centipawns make an even game a won one;
//! - [`regression`]: the error, its gradient, Adam.
//!
//! See P. Österlund, "Texel's Tuning Method" (chessprogramming.org), and D. P. Kingma and J. Ba, "Adam: A
//! Method for Stochastic Optimization" (2015).

pub mod appraisal;
pub mod dataset;
pub mod regression;
pub mod scale;

use kujira_position::{Kind, Variant};
use kujira_search::eval::NetworkFile;
use kujira_search::eval::linear::{Features, Row, UNIT};

pub use dataset::{Dataset, Filter};
pub use regression::{Epoch, Regression, Settings};

/// What a pawn-like piece in hand is worth, in centipawns, on average over the kinds of a game: this
/// defines the centipawn.
const PAWN: f64 = kujira_search::PAWN as f64;

/// What an output of 1 would count in a network whose hidden units are all 0, in centipawns.
const SCALE: i32 = 400;

/// Linear weights in the unit of the logarithm of odds, by feature, as a regression begins with them.
#[must_use]
pub fn to_odds(weights: &[i32], scale: f64) -> Vec<f32> {
    let unit = scale * f64::from(UNIT);
    weights.iter().map(|&weight| (f64::from(weight) / unit) as f32).collect()
}

/// A network that says what the linear evaluation says and nothing else: the weights that a regression found,
/// in centipawns such that a pawn-like piece in hand is worth 100 of them. Its piece values are averages over the
/// training positions of `dataset`; a kind that was not met has the value that it has in `start`. Where a pawn-like
/// piece would be worth nothing the scale stays `scale` centipawns to a unit of odds.
///
/// Returns the network and the centipawns to a unit of odds that its weights have.
#[must_use]
pub fn from_odds<V: Variant>(
    odds: &[f32],
    start: &NetworkFile,
    dataset: &Dataset<V>,
    scale: f64,
) -> (NetworkFile, f64) {
    let weights = |scale: f64| {
        let unit = scale * f64::from(UNIT);
        let mut weights = vec![0; Features::<V>::LAYOUT.len()];
        for Row { first, width, .. } in Features::<V>::rows() {
            let range = first..first + width;
            for (weight, &odds) in weights[range.clone()].iter_mut().zip(&odds[range]) {
                *weight = (f64::from(odds) * unit).round() as i32;
            }
        }
        weights
    };
    let found = dataset.appraisal().appraise(&weights(scale));
    let pawns: Vec<f64> = (1..=V::SPEC.hand_kinds)
        .map(Kind::from_index)
        .filter(|&kind| V::SPEC.is_pawn(kind))
        .map(|kind| {
            let kept = f64::from(start.in_hand[kind.index()]);
            found.in_hand[kind.index()].map_or(kept, |value| f64::from(value) / f64::from(UNIT))
        })
        .collect();
    let pawn = pawns.iter().sum::<f64>() / pawns.len() as f64;
    let scale = if pawn < 1.0 { scale } else { scale * PAWN / pawn };
    let linear = weights(scale);
    let found = dataset.appraisal().appraise(&linear);
    let values = |found: &[Option<i32>], kept: &[i32]| -> Vec<i32> {
        let value = |(found, &kept): (&Option<i32>, &i32)| found.map_or(kept, |found| found / UNIT);
        found.iter().zip(kept).map(value).collect()
    };
    let network = NetworkFile {
        on_board: values(&found.on_board, &start.on_board),
        in_hand: values(&found.in_hand, &start.in_hand),
        linear,
        ..NetworkFile::zero::<V>(NetworkFile::HIDDEN_STEP, 1, SCALE, false)
    };
    (network, scale)
}
