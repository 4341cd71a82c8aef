//! What a table is told when it is set up.
use crate::players::Levels;
use crate::saved::GameId;
use crate::slot::Timeouts;

/// What a table is told when it is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of the game.
    pub id: GameId,
    /// The levels that engines play at.
    pub levels: Levels,
    /// How long engines may take to answer.
    pub timeouts: Timeouts,
    /// Where the random numbers begin by which weak levels choose a move: a table that is told the same at the
    /// same times asks for the same.
    pub seed: u64,
    /// Whether the game is kept already. One that is not is kept as soon as it holds anything that a new one
    /// would not.
    pub kept: bool,
}

impl Config {
    /// The usual waiting times, for a game that nobody keeps yet.
    #[must_use]
    pub fn new(id: GameId, levels: Levels, seed: u64) -> Self {
        Self { id, levels, timeouts: Timeouts::default(), seed, kept: false }
    }
}
