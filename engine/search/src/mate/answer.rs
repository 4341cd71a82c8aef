//! What looking for a mate answers.

use kujira_position::Move;

use super::proof::Doubt;

/// Answer to the question for a mate by checks alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateAnswer {
    /// The side to move mates.
    Mate {
        /// The moves of both sides, with the longest defence; where there is a [doubt](MateReport::doubt) with some
        /// defence.
        line: Vec<Move>,
        /// How many plies it takes at most; as many as there are moves where there is no doubt.
        plies: u32,
        /// Whether it is proved that no shorter mate by checks alone exists.
        shortest: bool,
    },
    /// It is proved that there is none.
    NoMate,
    /// The search ended before it knew.
    Unknown,
}

/// What looking for a mate came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateReport {
    /// The answer.
    pub answer: MateAnswer,
    /// Why the mate of the answer, or one that is not told, was proved once and not twice.
    pub doubt: Option<Doubt>,
    /// Moves made.
    pub nodes: u64,
}
