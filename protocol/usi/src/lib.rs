//! What USI says, as values.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod ending;
pub mod rules;
mod score;
mod side;

pub use ending::{Ending, Reason};
pub use rules::{RuleSwitch, Switches};
pub use score::Score;
pub use side::Side;
