//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What shells make of a program that Ctrl-C ended: 128 and the number of the signal.
pub(super) const EXIT: u8 = 130;

/// A flag that Ctrl-C sets, saying `finishing`; the second time it ends the program at once.
pub(super) fn stop_on_interrupt(finishing: &'static str) -> Result<Arc<AtomicBool>, String> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(EXIT.into());
        }
        eprintln!("{finishing}; once more to end at once");
    })
    .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    Ok(stopped)
}
