//! A network that judges positions (NNUE, Yu Nasu 2018): one hidden layer over many inputs of which
//! few change with a move, so that it is kept up to date instead of computed anew.
//!
//! - [`Inputs`]: what it sees;
//! - [`Net`]: its weights, and the file they come in;
//! - `layers`: the weights laid out for looking up;
//! - `kernels`: the arithmetic on whole rows;
//! - `network`: the evaluator, which follows a search;
//! - `definition`: what it must come to;
//! - `built_in`: the networks the program is built with.
//!
//! For the side to move and for the other side, each with its own view of the board, the sums of the
//! weights of the inputs that are on make `hidden` numbers; clipped to 0…[`ACTIVATION`] and squared they
//! are weighed by the output weights of the position's bucket:
//!
//! ```text
//! unit  = clamp(bias + Σ weight of the inputs on, 0, ACTIVATION)
//! sum   = output bias + Σ unit² × output weight        over both views, the side to move first
//! score = sum × scale / (ACTIVATION² × OUTPUT)         in centipawns
//! ```
//!
//! A net may also carry weights for the features of the linear evaluation
//! ([`Features`](super::features::Features)): their sum is added to its score, and the net says what is
//! left over.

mod built_in;
mod definition;
mod file;
mod inputs;
mod kernels;
mod layers;
mod network;
#[cfg(test)]
mod random;

pub(crate) use built_in::built_in;
pub use built_in::built_in_checksum;
pub use file::{Net, NetError};
pub use inputs::{Inputs, View};
pub use layers::Layers;
pub use network::Network;

/// The hidden layer's 1: units are clipped to it. Weights of inputs and hidden biases are in this unit.
pub const ACTIVATION: i32 = 255;

/// The output weights' 1.
pub const OUTPUT: i32 = 64;
