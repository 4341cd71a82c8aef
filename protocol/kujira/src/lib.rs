//! The engine's front end: a USI session over any input and output.
//!
//! [`run`] holds one session. Two threads share it: the reader owns the input and reacts at once to
//! what cannot wait (`stop`, `ponderhit`, `quit`, `isready` during a search); the session takes the
//! other lines in order and may spend its time in a search.
//!
//! ```
//! let input = std::io::Cursor::new("position startpos\ngo depth 1\nquit\n");
//! kujira::run(input, std::io::stdout(), kujira_search::engine);
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod bench;
pub mod command;
pub mod cpu;
pub mod errors;
pub mod go;
pub mod host;
pub mod logging;
mod network;
pub mod options;
pub mod output;
mod reader;
mod searches;
mod session;

pub use session::run;

/// What the engine calls itself: name and version.
pub const NAME: &str = concat!("Kujira ", env!("CARGO_PKG_VERSION"));
