//! Sides, scores and endings.

pub use kujira_usi::{Ending, Reason, Score, Side};
