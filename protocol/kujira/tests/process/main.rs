//! Sessions of the binary, with the real engine.

mod cecp;
mod cecp_games;
#[cfg(target_os = "linux")]
mod ends;
mod files;
mod readme;
#[path = "../support/mod.rs"]
mod support;
mod tiles;
mod usi;
mod xboard;
