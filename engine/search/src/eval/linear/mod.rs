//! The linear evaluation: a sum of weights of hand-made features.
//!
//! Networks are trained on what this sum leaves over, and their files hold its weights.
//!
//! - [`Features`]: the list of the features;
//! - `extraction`: which of them a position has;
//! - `LinearWeights`: their weights, laid out for adding up;
//! - `accumulator`: the sums of the positions of a line, which follow a search.

mod accumulator;
mod extraction;
mod features;
mod weights;

pub(in crate::eval) use accumulator::LinearAccumulator;
pub use extraction::Sink;
pub(in crate::eval) use features::MOST_WEIGHT;
pub use features::{Features, Layout, Row, UNIT};
pub(in crate::eval) use weights::LinearWeights;
