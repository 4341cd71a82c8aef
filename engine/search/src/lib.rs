//! Evaluation, transposition table and alpha-beta search for the whale shogi family.

mod control;
mod engine;
mod limits;
mod report;

pub use control::Control;
pub use engine::{Answer, BenchReport, Engine, HashError, PerftReport, PositionError};
pub use limits::{Limits, Times};
pub use report::{Bound, Info, Reporter, Score, Silent};
