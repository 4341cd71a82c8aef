//! The small value types every other module speaks: none of them knows which game it is in.

mod color;
mod hand;
mod kind;
mod moves;
mod piece;
mod square;

pub use color::Color;
pub use hand::Hand;
pub use kind::{Class, Kind};
pub use moves::{Move, Way};
pub use piece::Piece;
pub use square::Square;
