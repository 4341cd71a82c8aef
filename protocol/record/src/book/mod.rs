//! Opening books: what searches found in the first moves of a game.
//!
//! - `text`: a book as people read, edit and merge it, a searched position a line ([`read`], [`Searched`]);
//! - `compact`: what engines and pages look moves up in ([`Compact`]).

mod compact;
mod text;

pub use compact::{BookMove, Compact, Entry};
pub use text::{Found, Searched, game_of, head, read, read_line};
