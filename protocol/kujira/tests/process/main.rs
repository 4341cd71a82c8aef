//! Sessions of the binary, with the real engine.

#[path = "../support/mod.rs"]
mod support;
mod tiles;
mod usi;
