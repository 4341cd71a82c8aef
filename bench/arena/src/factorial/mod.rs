//! Screening many numbers of an engine at once: a two-level factorial design played as matches.
//!
//! Every number, a *factor*, has two values. A row of the design sets each factor to one of them, and the
//! engine set so plays a match against itself with every factor turned to the other. The rows are those
//! of a Hadamard matrix, so that over all rows each factor is told apart from each other, and all games
//! tell of every factor: as many factors as rows cost hardly more games than one. R. L. Plackett and
//! J. P. Burman, *The design of optimum multifactorial experiments*, Biometrika 33 (1946); the matrices
//! are Sylvester's. A row against its opposite is a foldover: what two factors do together is the same
//! on both sides and falls out; what three do together does not.
//!
//! - `design`: which row sets what;
//! - `run`: the games;
//! - `effects`: what the results of the rows say about each factor.

mod design;
mod effects;
mod run;

pub use design::{Design, Factor};
pub use effects::Effects;
pub use run::{FactorialSpec, Looked, look, name_all_outputs, run};
