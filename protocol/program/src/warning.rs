//! Standard error.
use std::io::{self, Write};

/// Writes `text` to standard error; if nobody reads there, nobody is told.
pub fn warn(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
