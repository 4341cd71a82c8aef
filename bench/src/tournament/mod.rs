//! Tournaments whose rounds depend on the results of those before, the file that describes a tournament, and the page
//! that shows one.
//!
//! Who meets whom is a function of the games that are finished and of nothing else, so that a tournament that was killed
//! goes on with the pairings that it would have had.

pub mod file;
pub mod knockout;
pub mod page;
mod rounds;
pub mod swiss;
mod table;

pub use rounds::{Encounter, Results, Round, games};
pub use table::{Placing, Table};
