//! Work that takes long: without the interpreter's lock, and ended by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often it is looked whether Ctrl-C was pressed.
pub const LOOK: Duration = Duration::from_millis(20);

/// Runs `work`, which ends soon after `stop` was called, on a thread of its own.
///
/// # Errors
/// `KeyboardInterrupt`, or whatever another handler of a signal raised; `RuntimeError` if the work panicked.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let done = AtomicBool::new(false);
    let waiting = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            done.store(true, Ordering::Release);
            waiting.unpark();
            found
        });
        let mut interrupted = None;
        while !done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(LOOK));
            if interrupted.is_none()
                && let Err(error) = py.check_signals()
            {
                stop();
                interrupted = Some(error);
            }
        }
        let found = worker.join();
        match (interrupted, found) {
            (Some(error), _) => Err(error),
            (None, Ok(Ok(found))) => Ok(found),
            _ => Err(panicked()),
        }
    })
}

/// What is raised where code that should not panicked.
pub fn panicked() -> PyErr {
    PyRuntimeError::new_err(
        "internal error: please report what was asked, and the text on standard error",
    )
}
