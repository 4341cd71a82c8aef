//! Sessions of the binary, with the real engine.

mod cecp;
#[path = "../support/mod.rs"]
mod support;
mod tiles;
mod usi;
mod xboard;
