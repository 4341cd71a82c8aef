//! Moves: listing them, counting them set-wise, and judging a single one.
//!
//! - [`setwise`]: all pieces that leap or slide alike moved at once;
//! - [`check`]: checks and pins, where whales must be saved from attack;
//! - [`drops`]: where pieces in hand may go, the mating-drop test;
//! - [`count`]: how many legal moves there are, without listing them;
//! - [`generate`]: the list of legal moves;
//! - [`legal`]: whether one packed move, wherever it came from, is legal.

mod check;
mod count;
mod drops;
mod generate;
mod legal;
mod setwise;

pub use generate::Wanted;
