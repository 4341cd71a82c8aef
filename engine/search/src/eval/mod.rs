//! How good a position is, without looking ahead.
//!
//! A network that is updated move by move (NNUE: Yu Nasu, "Efficiently Updatable Neural-Network-based
//! Evaluation Function for computer Shogi", 2018) judges positions. It has one hidden layer over many
//! inputs of which few change with a move.
//!
//! - [`NetworkFile`]: the weights of a network, and the file that they come in;
//! - [`Inputs`]: what a network sees of a position;
//! - `siege`: how a white whale is besieged, as numbers of inputs;
//! - [`Network`]: the weights laid out for looking up;
//! - `kernels`: the arithmetic on whole rows of weights;
//! - [`Accumulator`]: the hidden units of the positions of a line, which follow a search;
//! - `dirty_pieces`: what the moves of a line changed;
//! - `definition`: a score computed from the file alone, for tests and training;
//! - [`Evaluator`]: what a search asks of an evaluation;
//! - `piece_values`: what pieces are worth in exchanges;
//! - `built_in`: the network files that the program is built with, or that were lent to it;
//! - `captures`: what a move captures;
//! - `explain`: an evaluation as text for people;
//! - `identity`: the number by which a file says which inputs it was made for.
//!
//! The side to move and the other side each have a view of the board. In a view the weights of the
//! inputs that are on are added up to `hidden` units; these are clipped to 0…[`ACTIVATION`], squared
//! (SCReLU, squared clipped rectified linear units, as in bullet and Stormphrax) and weighed by the
//! output weights of the position's bucket. The last unit is neither clipped nor squared: what pieces are
//! worth wherever others are is a sum, and that unit is one.
//!
//! ```text
//! unit  = bias + Σ weight of the inputs on
//! part  = clamp(unit, 0, ACTIVATION)²                  of the last: unit × ACTIVATION
//! sum   = output bias + Σ part × output weight         over both views, the side to move first
//! score = sum × scale / (ACTIVATION² × OUTPUT)         in centipawns
//! ```

mod accumulator;
mod built_in;
mod captures;
mod definition;
mod dirty_pieces;
mod evaluator;
mod explain;
mod identity;
mod inputs;
mod kernels;
mod network;
mod network_file;
mod piece_values;
#[cfg(test)]
mod random;
mod siege;

pub use accumulator::Accumulator;
pub use built_in::lend_network;
pub use captures::{Capture, captured};
pub use evaluator::Evaluator;
pub(crate) use explain::explain;
pub use inputs::{Inputs, View};
pub use network::Network;
pub use network_file::{ACTIVATION, NetworkError, NetworkFile, OUTPUT};
pub(crate) use piece_values::PieceValues;
