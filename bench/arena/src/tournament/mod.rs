//! The file that describes a tournament, the table of how it stands, and the page that shows it.

pub mod file;
pub mod page;
mod table;

pub use table::{Placing, Table};
