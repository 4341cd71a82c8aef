//! The weights of a network, and the file that they come in.
//!
//! - `weights`: the weights and what goes with them;
//! - `format`: the bytes of a file;
//! - `bounds`: the bounds of sizes and numbers;
//! - `error`: why bytes are no network.

mod bounds;
mod error;
mod format;
mod weights;

pub use bounds::{ACTIVATION, OUTPUT};
pub use error::NetworkError;
pub use weights::NetworkFile;
