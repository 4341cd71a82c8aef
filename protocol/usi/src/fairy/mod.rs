//! The small games as Fairy-Stockfish and its clients know them: chess coordinates and suffixes, FEN, and the points in
//! which its rules differ from ours.
//!
//! White begins there: it is our Black, who moves up the board. The dolphin is two pieces that promote into each other
//! on the farthest rank, and the porpoise a promoted killer whale.

pub mod fen;
mod game;
pub mod rules;
mod spelling;

pub use fen::{FenError, Style};
pub use game::{Game, GameError};
pub use spelling::{Dialect, spell};
