//! How good a position is, without looking ahead.
//!
//! - [`features`]: what the evaluation looks at;
//! - [`weights`]: what each of them counts, learnt from games;
//! - `linear`: the evaluation, the sum of the weights of a position's features;
//! - [`net`]: a network that judges positions;
//! - `trail`: what the moves of a line changed;
//! - `tally`: weights laid out for adding up;
//! - `threats`: the features that are found anew in every position;
//! - `worth`: what pieces are worth in exchanges;
//! - [`appraisal`]: averages of that over positions;
//! - `captures`: what a move captures;
//! - `judge`: which evaluation is in use;
//! - `explain`: what it says, for people.

pub mod appraisal;
mod captures;
mod explain;
pub mod features;
mod judge;
mod linear;
#[cfg(test)]
mod mirror;
pub mod net;
mod tally;
mod threats;
mod trail;
pub mod weights;
mod worth;

use kujira_position::{Board, Move, Threats, Variant};

pub(crate) use captures::captured;
pub(crate) use judge::Judge;
pub use linear::{Linear, Terms};
pub(crate) use worth::Worth;

use crate::score::Value;

/// Judges positions. It is told every change of the position, so that it may keep sums, or the
/// first layer of a network, up to date instead of computing them anew.
pub trait Evaluator<V: Variant>: Send {
    /// Starts anew from `board`.
    fn reset(&mut self, board: &Board<V>);
    /// The legal move `m` is about to be made on `board`.
    fn make(&mut self, board: &Board<V>, m: Move);
    /// The turn is about to be passed.
    fn pass(&mut self);
    /// The last move or pass is taken back.
    fn undo(&mut self);
    /// Centipawns from the point of view of the side to move, within ±15,000. `board` is the one
    /// arrived at, `threats` what is known of it.
    fn evaluate_knowing(&mut self, board: &Board<V>, threats: &Threats<V>) -> Value;

    /// The same, with nothing known.
    fn evaluate(&mut self, board: &Board<V>) -> Value {
        self.evaluate_knowing(board, &Threats::default())
    }
}
