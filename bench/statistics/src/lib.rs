//! What results of games say about strength: Elo with error bars, sequential tests, ratings. Nothing here knows which
//! game was played.
//!
//! ```
//! use kujira_statistics::{Estimate, Pentanomial};
//!
//! // Pairs of games by their points: none, a half, one, one and a half, two.
//! let pairs = Pentanomial::new([2, 10, 40, 30, 8]);
//! assert!(Estimate::of(&pairs).is_some());
//! ```

#![forbid(unsafe_code)]

mod counts;
mod elo;
mod matrix;
mod ratings;
mod sprt;
mod stream;

pub use counts::{Counts, Pentanomial, Trinomial};
pub use elo::{ELO_PER_SCORE, Estimate, Z95, elo_of_score, elo_width, score_of_elo};
pub use matrix::{Factor, Matrix};
pub use ratings::{Encounter, Ratings};
pub use sprt::{Model, Sprt, Verdict};
pub use stream::Stream;
