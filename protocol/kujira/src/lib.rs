//! The engine's front end: a session over any input and output, in USI, UCI or CECP (XBoard).
//!
//! [`run`] holds one session; the first word it reads says in which protocol. What both share stands
//! here: the engine with its settings ([`engine_state`]), the table of [`options`], lines in and out.
//!
//! ```
//! let input = std::io::Cursor::new("position startpos\ngo depth 1\nquit\n");
//! kujira::run(input, std::io::stdout(), kujira_search::engine);
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod bench;
pub mod book;
#[cfg(feature = "cecp")]
mod cecp;
pub mod engine_state;
pub mod errors;
pub mod files;
mod front;
pub mod lines;
pub mod logging;
pub mod options;
pub mod output;
pub mod usi;

pub use front::run;
pub use output::End;

/// The engine's name and version, by which it introduces itself.
pub const NAME: &str = concat!("Kujira ", env!("CARGO_PKG_VERSION"));
