//! What a search asks of an evaluation.

use kujira_position::{Board, Move, Threats, Variant};

use crate::score::Value;

/// An evaluation that follows a search. It is told every change of the position, so that it keeps sums or
/// hidden units up to date instead of computing them anew.
pub trait Evaluator<V: Variant>: Send {
    /// Starts anew from `board`.
    fn reset(&mut self, board: &Board<V>);
    /// The legal move `m` is about to be made on `board`.
    fn make(&mut self, board: &Board<V>, m: Move);
    /// The turn is about to be passed.
    fn pass(&mut self);
    /// The last move or pass is taken back.
    fn undo(&mut self);
    /// Centipawns from the point of view of the side to move, within ±15,000. `board` is the one arrived at,
    /// `threats` are its threats as far as the caller knows them; [`Threats::default`] knows none.
    fn evaluate(&mut self, board: &Board<V>, threats: &Threats<V>) -> Value;
}
