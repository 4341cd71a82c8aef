//! When a search is to end.

use std::time::Duration;

use kujira_position::Move;

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Time left to each side, Black first; not counting `byoyomi`.
    pub left: [Duration; 2],
    /// Time each side gains with every move.
    pub increment: [Duration; 2],
    /// Time for each move once the time left is used up.
    pub byoyomi: Duration,
}

/// The request of a search. The limit that is reached first ends it; without any limit it goes on until it
/// is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The game clocks.
    pub times: Option<Times>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The most plies.
    pub depth: Option<u32>,
    /// The most nodes; exact on one thread.
    pub nodes: Option<u64>,
    /// No iteration begins that would go beyond so many nodes if it took no more than the one before it.
    /// For games that are played for their data: as reproducible as `nodes`, not much more on average,
    /// and without the waste of iterations broken off.
    pub soft_nodes: Option<u64>,
    /// Search until stopped, and answer only then.
    pub infinite: bool,
    /// Search on the opponent's time: answer only after a ponder hit or a stop.
    pub ponder: bool,
    /// Find the best move for somebody else to play: neither a level nor the wish to resign is a reason for
    /// another one.
    pub advice: bool,
    /// The moves to choose among; all legal moves if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Whether the answer is a move to be played, or may become one.
    pub(crate) fn plays(&self) -> bool {
        !self.infinite && !self.advice
    }
}
