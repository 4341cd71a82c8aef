//! Tuning an engine's numbers by games: simultaneous perturbation stochastic approximation.
//!
//! In every iteration all numbers are moved at once, each up or down by chance, and the engine with
//! these plays the engine with the opposite moves. Whichever wins, the numbers follow it a little.
//! However many numbers there are, an iteration costs the same games. J. C. Spall, *Implementation of
//! the simultaneous perturbation algorithm for stochastic optimization*, IEEE Transactions on
//! Aerospace and Electronic Systems 34 (1998); gains as in fishtest, the test framework of Stockfish.
//!
//! - `tuner`: the algorithm, without games;
//! - `journal`: the file of a tuning run, and taking it up again;
//! - `run`: the games.

mod journal;
mod run;
mod tuner;

pub use journal::{IterationRecord, Opened, TUNING, TuningHeader, open, read};
pub use run::{SpsaSpec, run};
pub use tuner::{Gains, Parameter, Trial, Tuner};
