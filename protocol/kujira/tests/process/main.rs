//! Sessions of the binary, with the real engine.

mod cecp;
mod cecp_games;
#[path = "../support/mod.rs"]
mod support;
mod tiles;
mod usi;
mod xboard;
