//! Sessions of the binary, with the real engine.

mod cecp;
mod cecp_games;
mod files;
#[path = "../support/mod.rs"]
mod support;
mod tiles;
mod usi;
mod xboard;
