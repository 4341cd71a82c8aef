//! What a search asks of an evaluation.

use kujira_position::{Board, Move, Threats, Variant};

use crate::score::Value;

/// An evaluation that follows a search. It is told every change of the position, so that it keeps sums or
/// hidden units up to date instead of computing them anew.
pub trait Evaluator<V: Variant>: Send {
    /// Begins a new line at `board`.
    fn reset(&mut self, board: &Board<V>);
    /// Follows the legal move `m`, which is about to be made on `board`.
    fn make(&mut self, board: &Board<V>, m: Move);
    /// Follows a pass of the turn, which is about to be made.
    fn pass(&mut self);
    /// Follows the last move or pass back.
    fn undo(&mut self);
    /// The score in centipawns from the point of view of the side to move, within ±15,000. `board` is the one
    /// arrived at,
    /// `threats` are its threats as far as the caller knows them; [`Threats::default`] knows none.
    fn evaluate(&mut self, board: &Board<V>, threats: &Threats<V>) -> Value;
}
