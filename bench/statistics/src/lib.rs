//! What results of games say about strength: Elo with error bars, sequential tests, ratings. Nothing here knows which
//! game was played.
//!
//! - [`Pentanomial`], [`Trinomial`]: results counted by pairs and by games; [`Estimate`]: what they say in Elo;
//! - [`Sprt`]: a test that stops as soon as enough is known; [`in_order`]: one whose pairs come in any order;
//! - [`Ratings`], [`pool`]: any number of engines by all their games at once, and by their names;
//! - [`rating_list`], [`cross_table`]: that as tables;
//! - [`Stream`]: random numbers that are the same for ever; [`Matrix`], [`Factor`]: what fits need.
//!
//! ```
//! use kujira_statistics::{Estimate, Pentanomial};
//!
//! // Pairs of games by their points: none, a half, one, one and a half, two.
//! let pairs = Pentanomial::new([2, 10, 40, 30, 8]);
//! assert!(Estimate::of(&pairs).is_some());
//! ```

#![forbid(unsafe_code)]

pub mod cross_table;
pub mod in_order;
pub mod pool;
pub mod rating_list;

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
