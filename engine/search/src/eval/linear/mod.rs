//! The linear evaluation: a sum of weights of hand-made features.
//!
//! Networks are trained on what this sum leaves over, and their files hold its weights.
//!
//! - [`Features`]: the list of the features;
//! - `extraction`: which of them a position has;
//! - [`LinearWeights`]: their weights, laid out for adding up;
//! - `accumulator`: the sums of the positions of a line, which follow a search.

mod accumulator;
pub mod appraisal;
mod extraction;
mod features;
mod weights;

pub use accumulator::Linear;
pub(in crate::eval) use accumulator::LinearAccumulator;
pub use extraction::Sink;
pub use features::{Features, Layout, OFFSETS, REACH, Row, VERSION};
pub use weights::LinearWeights;

/// A centipawn in units of a linear weight: weights are sixteenths of a centipawn.
pub const UNIT: i32 = 16;

/// The greatest linear weight, of either sign: 4,000 centipawns.
pub(super) const MOST_WEIGHT: i32 = 4_000 * UNIT;
