//! USI, the Universal Shogi Interface, and UCI, from which it comes, as clients of Fairy-Stockfish speak it.
//!
//! The first word says which of them a session speaks. They differ in the words of commands ([`command`]), in names and
//! values of options ([`crate::options`]), and in how moves and positions are spelt ([`kujira_usi::fairy`]).
//!
//! Mostly two threads share a session: the reader owns the input and reacts at once to what cannot wait
//! (`stop`, `ponderhit`, `quit`, `isready` during a search); the session takes the other lines in order
//! and may spend its time in a search.

mod alive;
pub mod command;
mod fault;
pub mod go;
mod info;
mod reader;
mod refused;
mod root;
mod searches;
mod session;
mod voice;

pub use reader::Reader;
pub(crate) use session::run;
pub use session::{Session, open};
