//! Mates by checks alone, the tsume of shogi: proved, or proved not to be.
//!
//! The attacker gives check with every move, and the defender may play any legal reply. Where whales are captured a
//! check is a move after which the whale could be captured, the mate ends with the capture, and an attacker whose own
//! whale can be captured has not mated.
//!
//! - `numbers`: proof numbers, lengths, and what a disproof rests on;
//! - `path`: the positions from the root of the search;
//! - `table`: what is known of positions, with one hand and with better or worse ones;
//! - `moves`: checks, and replies to them;
//! - `search`: depth-first proof-number search;
//! - `watch`: what ends a search, and what it tells;
//! - `proof`: the second pass, which answers every legal reply;
//! - `solver`: from a position to an answer;
//! - `answer`: what is answered.

mod answer;
mod moves;
mod numbers;
mod path;
mod proof;
mod search;
mod solver;
mod table;
mod watch;

pub use answer::{MateAnswer, MateReport};
pub use proof::Doubt;
pub use solver::Solver;
pub use watch::Progress;
