//! What a table is told when it is set up.
use serde::Serialize;

use crate::players::Levels;
use crate::saved::GameId;
use crate::slot::Timeouts;

/// What an engine uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Resources {
    /// Threads.
    pub threads: u32,
    /// Table size in MiB.
    pub hash: u32,
}

impl Resources {
    /// What engines use on a machine of their own.
    pub const USUAL: Self = Self { threads: 1, hash: 64 };
    /// The most that can be asked for there.
    pub const MOST: Self = Self { threads: 64, hash: 4096 };

    /// The nearest that is no more than `most`, and something.
    #[must_use]
    pub fn within(self, most: Self) -> Self {
        Self {
            threads: self.threads.min(most.threads).max(1),
            hash: self.hash.min(most.hash).max(1),
        }
    }
}

/// What a table is told when it is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of the game.
    pub id: GameId,
    /// The levels that engines play at.
    pub levels: Levels,
    /// How long engines may take to answer.
    pub timeouts: Timeouts,
    /// What each engine uses until something else is asked for.
    pub resources: Resources,
    /// The most that can be asked for.
    pub most: Resources,
    /// Whether the game is kept already. One that is not is kept as soon as it holds anything that a new one
    /// would not.
    pub kept: bool,
}

impl Config {
    /// The usual waiting times, for a game that nobody keeps yet.
    #[must_use]
    pub fn new(id: GameId, levels: Levels) -> Self {
        Self {
            id,
            levels,
            timeouts: Timeouts::default(),
            resources: Resources::USUAL,
            most: Resources::MOST,
            kept: false,
        }
    }
}
