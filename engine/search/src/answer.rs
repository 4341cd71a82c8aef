//! What a search answers.

use std::time::Duration;

use kujira_position::Move;

use crate::report::{Info, Score};

/// What to do, by a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Play this, and expect that reply.
    Move {
        /// The best move.
        best: Move,
        /// The reply to ponder on.
        ponder: Option<Move>,
    },
    /// The game is lost or drawn, so that there is no move to play, or so bad that the operator would
    /// give it up ([`crate::SearchOptions::resignation`]).
    Resign,
    /// The side to move has won, by the enemy's perpetual check, or can claim the win of an impasse.
    Win,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// What to do.
    pub answer: Answer,
    /// The best lines, as many as were asked for and there are, best first: what the reporter heard last.
    pub lines: Vec<Info>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the request arrived.
    pub time: Duration,
}

impl Analysis {
    /// The move to play, if there is one to be played.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        match self.answer {
            Answer::Move { best, .. } => Some(best),
            Answer::Resign | Answer::Win => None,
        }
    }

    /// The score of the best line, from the point of view of the side to move.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// The transposition table could not be made as large as asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected memory for a table of {wanted} MiB, found less; keeping {kept} MiB")]
pub struct HashError {
    /// Size asked for, in MiB.
    pub wanted: usize,
    /// Size of the table still in use, in MiB.
    pub kept: usize,
}

/// A fixed search over fixed positions: the same node count on every machine and build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchReport {
    /// Total nodes: the signature of the search.
    pub nodes: u64,
    /// Wall-clock time.
    pub time: Duration,
}

/// Why a bench has no report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The bench was stopped.
    #[error("stopped")]
    Stopped,
    /// There is no memory for a table of this size in MiB.
    #[error("expected memory for a table of {0} MiB, found less")]
    Memory(usize),
}
