//! What a search says while it runs: it never prints, it calls a [`Reporter`].

use std::fmt;
use std::time::Duration;

use kujira_position::Move;

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Score {
    /// Centipawns: 100 is a dolphin or the average calf in hand.
    Centipawns(i32),
    /// The side to move wins (positive) or loses (negative) with the ply of this number: the mating
    /// move, or the capture of the white whale where whales are captured. Zero: it has lost.
    Mate(i32),
}

impl fmt::Display for Score {
    /// Writes the score as USI does: `cp 30`, `mate -4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(value) => write!(f, "cp {value}"),
            Self::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

/// How a score stands to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// State of a search after an iteration, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Greatest depth reached, in plies.
    pub selective_depth: u32,
    /// Rank of this line, from 1.
    pub multipv: usize,
    /// The score.
    pub score: Score,
    /// How the score is meant.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the request arrived.
    pub time: Duration,
    /// Fill of the transposition table in permille.
    pub hashfull: u32,
    /// The line expected, legal to its end.
    pub pv: Vec<Move>,
}

/// The listener to a search; whatever it does not want to hear it leaves out. It is called from the searching thread
/// and must not block for long.
pub trait Reporter: Sync {
    /// A new state of the search.
    fn info(&self, info: &Info);
    /// The root move now searched, and its number from 1; only told after the first second.
    fn current_move(&self, _depth: u32, _move: Move, _number: usize) {}
    /// What a search for a mate took so far, told every second: nodes, the time since the request arrived, and the
    /// fill of the table in permille.
    fn effort(&self, _nodes: u64, _time: Duration, _hashfull: u32) {}
    /// Something people should know.
    fn note(&self, _text: &str) {}
}

/// A reporter that is told everything and says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn info(&self, _: &Info) {}
}
