//! An engine for one game behind one object-safe trait: the only dynamic dispatch, one virtual call
//! a command.

use std::time::Duration;

use kujira_position::{Leaves, MoveError, Outcome, Rules, SetupError, SfenError, VariantId};

use crate::bench::BenchLimit;
use crate::conduct::Conduct;
use crate::eval::NetworkError;
use crate::limits::Limits;
use crate::mate::Doubt;
use crate::report::Reporter;
use crate::system::Control;

/// Answer to a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Play this, and expect that reply.
    Move {
        /// The best move as USI text.
        best: String,
        /// The reply to ponder on.
        ponder: Option<String>,
    },
    /// The game is lost or drawn, so that there is no move to play, or so bad that the operator would
    /// give it up ([`Conduct::resignation`]).
    Resign,
    /// The side to move has won, by the enemy's perpetual check, or can claim the win of an impasse.
    Win,
}

/// Answer to the question for a mate by checks alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateAnswer {
    /// The side to move mates.
    Mate {
        /// The moves of both sides as USI texts, with the longest defence; where there is a [doubt](MateReport::doubt)
        /// with some defence.
        line: Vec<String>,
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

/// Why a position was not taken over.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The SFEN was refused.
    #[error("sfen: {0}")]
    Sfen(SfenError),
    /// A move was refused.
    #[error("move {number}: {error}")]
    Move {
        /// Its number in the list, from 1.
        number: usize,
        /// Why.
        error: MoveError,
    },
    /// The game was over before this move.
    #[error("move {number}: expected no move after the end of the game ({outcome})")]
    Over {
        /// Its number in the list, from 1.
        number: usize,
        /// How the game ended.
        outcome: Outcome,
    },
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

/// Leaves below each legal move, and the time it took to count them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerftReport {
    /// Each legal move as USI text, with the leaves below it.
    pub moves: Vec<(String, u64)>,
    /// Wall-clock time.
    pub time: Duration,
}

impl PerftReport {
    /// All leaves.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.moves.iter().map(|(_, leaves)| leaves).sum()
    }
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
pub enum BenchError {
    /// The bench was stopped.
    #[error("stopped")]
    Stopped,
    /// There is no memory for a table of this size in MiB.
    #[error("expected memory for a table of {0} MiB, found less")]
    Memory(usize),
}

/// An engine for one game: it holds a position and searches it.
pub trait Engine: Send {
    /// The game that is played.
    fn game(&self) -> VariantId;
    /// Forgets everything learnt from earlier searches.
    fn new_game(&mut self);

    /// Takes over a position: the starting position (`None`) or an SFEN, and the moves played from
    /// it.
    ///
    /// # Errors
    /// If anything is refused; then the old position stays.
    fn set_position(&mut self, sfen: Option<&str>, moves: &[&str]) -> Result<(), PositionError>;
    /// Sets the rule switches, for this position and all to come.
    ///
    /// # Errors
    /// If the position is impossible under these rules; then the old ones stay.
    fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError>;
    /// Turns the board round: colors, hands and side to move swap.
    fn flip(&mut self);
    /// The position as SFEN.
    fn sfen(&self) -> String;
    /// The position as a picture for people, with its key.
    fn picture(&self) -> String;
    /// What the evaluation says of the position, piece by piece, for people.
    fn explain(&self) -> String;
    /// The legal moves as USI texts, sorted.
    fn legal_moves(&self) -> Vec<String>;
    /// How the game ended, if it did.
    fn outcome(&self) -> Option<Outcome>;

    /// Takes the network in a file (see [`NetworkFile`](crate::eval::NetworkFile)) for judging positions, or, with
    /// `None`, what the engine was built with. Forgets what was learnt from earlier searches.
    ///
    /// # Errors
    /// If the bytes are no network for the game; then the old one stays.
    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError>;
    /// Sets the size of the transposition table.
    ///
    /// # Errors
    /// If there is no memory for it; then the table keeps its size, and what it holds unless there is no room
    /// for both and it had to go before the attempt. Where the system then refuses its size, too, the smallest
    /// table there is remains.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError>;
    /// Empties the transposition table.
    fn clear_hash(&mut self);
    /// Sets the number of searching threads.
    fn set_threads(&mut self, threads: usize);
    /// Sets how many lines a search reports.
    fn set_multipv(&mut self, lines: usize);
    /// Sets how to play, in all searches to come.
    fn set_conduct(&mut self, conduct: Conduct);

    /// Searches the position; returns when a limit is reached or the search is stopped. With
    /// `infinite` or while pondering it returns only after a stop or a ponder hit.
    fn go(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Answer;
    /// Looks for a mate by checks alone ([`mate`](crate::mate)); returns when the answer is known, a limit is reached
    /// or the search is stopped. Of `limits` the times, nodes, depth (the longest mate, in plies) and first moves
    /// count; nodes are looked at every 128. The reporter hears of each mate found, every one shorter than that before. It takes memory for a table
    /// as large as that of the search may become.
    fn solve(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> MateReport;
    /// Counts the leaves of the position; `None` if `control` stopped it.
    fn perft(
        &self,
        depth: u32,
        leaves: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport>;
    /// Searches the bench positions of the game to `limit` on `threads` threads with a fresh table of
    /// `mebibytes`.
    ///
    /// # Errors
    /// If `control` stopped it, or there is no memory for the table.
    fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError>;
}
