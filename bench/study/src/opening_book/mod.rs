//! Opening books: positions that searches were made of, expanded best first by drop-out.
//!
//! Lincke, "Strategies for the automatic construction of opening books" (2000): the next position to look at is the
//! one that is reached with the fewest plies and the smallest losses of both sides together.
//!
//! - `graph`: the positions and the moves between them;
//! - `components`: positions that lead to each other;
//! - `values`: what each is worth by all that is known ([`Values`]);
//! - `expansion`: where to look next ([`Leaf`], [`Price`]);
//! - `builder`: searches, and keeps what they find ([`Builder`]);
//! - `followed`: journals that other processes write ([`Followed`]);
//! - `results`: how games went on ([`Results`]);
//! - `page`: both, for the board ([`Openings`]);
//! - `view`: a position for people ([`Told`]);
//! - `shelf`: several books made one, and a book for engines.

mod builder;
mod components;
mod expansion;
mod followed;
mod graph;
mod page;
mod results;
mod shelf;
#[cfg(test)]
mod tests;
mod values;
mod view;

pub use builder::{Builder, Effort};
pub use expansion::{Leaf, Price};
pub use followed::Followed;
pub use graph::Graph;
pub use page::{Name, Openings, Scope, names};
pub use results::{Results, Tally};
pub use shelf::{Worth, compact, merged};
pub use values::{Values, score_of};
pub use view::Told;
