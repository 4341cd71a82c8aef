//! Moves: listing them, counting them set-wise, and judging a single one.
//!
//! - [`setwise`]: all pieces that leap or slide alike moved at once;
//! - [`quads`]: the same in four directions at once;
//! - [`check`]: checks and pins, where whales must be saved from attack;
//! - [`drops`]: where pieces in hand may go, the mating-drop test;
//! - [`threats`]: which squares a side attacks, for evaluations;
//! - [`count`]: how many legal moves there are, without listing them;
//! - [`generate`]: the list of legal moves;
//! - [`aim`]: from where pieces would give check, directly or by stepping aside;
//! - [`checks`]: the list of quiet moves that give check;
//! - [`mate`]: mate in one;
//! - [`legal`]: whether one packed move, wherever it came from, is legal.

mod aim;
mod check;
mod checks;
mod count;
mod drops;
mod generate;
mod legal;
mod mate;
mod quads;
mod setwise;
mod threats;

pub use generate::Wanted;
pub use threats::{SideThreats, Threats};
