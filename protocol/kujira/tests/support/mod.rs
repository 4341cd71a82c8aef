//! What the tests of sessions share: a GUI at the other end of two pipes, and an engine that does
//! not think.

#![allow(dead_code, reason = "each test binary uses a part")]

pub mod fake;
pub mod gui;
pub mod xboard;
