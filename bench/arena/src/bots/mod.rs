//! Reference bots: simple players of fixed strength, against which the rungs of the engine's ladder are measured.
//!
//! Each chooses by a rule that a sentence describes, and by chance among the moves that the rule likes equally well.
//! None knows mates but by their rules: a side without legal moves has lost, a white whale that can be captured is worth
//! more than everything else.

mod bot;
mod material;
mod usi;

pub use bot::{Bot, Choice};
pub use material::{Material, Worth};
pub use usi::Session;
