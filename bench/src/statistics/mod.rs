//! What results say about strength: Elo with error bars, ratings, and when to stop playing.

mod counts;
mod elo;
mod matrix;
mod ratings;
mod sprt;

pub use counts::{Counts, Pentanomial, Trinomial};
pub use elo::{ELO_PER_SCORE, Estimate, Z95, elo_of_score, elo_width, score_of_elo};
pub(crate) use matrix::{Factor, Matrix};
pub use ratings::{Encounter, Ratings};
pub use sprt::{Model, Sprt, Verdict};
