//! The system that the search runs on: all that it asks of the world outside.
//!
//! - `control`: what reaches a search from outside while it runs, and the one way of waiting for it;
//! - `instant`: the time;
//! - `memory`: how much of it is left, and how it is handed out;
//! - `page`: what a page in a browser lends, where there is nothing else;
//! - `random`: a seed that differs from run to run.
//!
//! A system without one of these, such as a browser, has its stand-in here and nowhere else. (Threads are started
//! by `pool`, which does without where there are none.)

mod control;
mod instant;
mod memory;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page;
mod random;

pub use control::Control;
pub use instant::Instant;
pub(crate) use memory::{advise_huge, available};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::{Page, set_page};
pub(crate) use random::seed;
