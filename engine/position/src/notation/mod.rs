//! Positions and moves as text. Everything here is total: no text from outside panics.

mod picture;
pub mod sfen;
pub mod usi;

pub use sfen::SfenError;
pub use usi::{MoveError, SquareText, UsiMove};
