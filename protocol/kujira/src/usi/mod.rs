//! USI, the Universal Shogi Interface.
//!
//! Mostly two threads share a session: the reader owns the input and reacts at once to what cannot wait
//! (`stop`, `ponderhit`, `quit`, `isready` during a search); the session takes the other lines in order
//! and may spend its time in a search.

mod alive;
pub mod command;
mod fault;
pub mod go;
pub mod info;
mod reader;
mod searches;
mod session;

pub use reader::Reader;
pub(crate) use session::run;
pub use session::{Session, open};
