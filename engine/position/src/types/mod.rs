//! The small value types every other module speaks: none of them knows which game it is in.
//!
//! They pack what they hold into few bits. The numbers that a caller may give are asserted to fit, so that
//! the casts here, in [`crate::bitboard`] and in [`crate::hand`] lose nothing; code elsewhere names what it
//! converts instead of casting.

mod color;
mod kind;
mod moves;
mod piece;
mod square;

pub use color::Color;
pub use kind::{Class, Kind};
pub use moves::{Move, Way};
pub use piece::Piece;
pub use square::Square;
