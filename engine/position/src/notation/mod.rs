//! Positions and moves as text. Everything here is total: no text from outside panics.

mod diagram;
mod hodges;
mod picture;
pub mod sfen;
pub mod usi;

pub use diagram::{Diagram, Mark, diagram, diagrams};
pub use hodges::HodgesError;
pub use sfen::SfenError;
pub use usi::{MoveError, UsiMove};
