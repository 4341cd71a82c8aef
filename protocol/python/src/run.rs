//! Work that takes long: without the interpreter's lock, and ended by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{TryLockError, TryLockResult};
use std::thread;
use std::time::Duration;

use kujira_position::{AnyPosition, Leaves};
use kujira_search::Control;
use pyo3::PyClass;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use pyo3::types::PyDict;

use crate::errors::wrong;

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

/// What is locked, if nobody else is at it: who waited for itself would wait for ever.
///
/// # Errors
/// `RuntimeError` if another thread, or a function that was called in the middle of it, uses it now.
pub fn alone<T>(locked: TryLockResult<T>) -> PyResult<T> {
    match locked {
        Ok(free) => Ok(free),
        Err(TryLockError::Poisoned(left)) => Ok(left.into_inner()),
        Err(TryLockError::WouldBlock) => Err(in_use()),
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err(
        "expected an object that nothing uses now, found another thread or a callback at work with it",
    )
}

/// An object to look at, that nobody changes meanwhile.
///
/// # Errors
/// As [`alone`].
pub fn reading<'py, T: PyClass>(object: &Bound<'py, T>) -> PyResult<PyRef<'py, T>> {
    object.try_borrow().map_err(|_| in_use())
}

/// An object to change, that nobody looks at meanwhile: so it is asked for behind all that runs code of others.
///
/// # Errors
/// As [`alone`].
pub fn changing<'py, T: PyClass<Frozen = False>>(
    object: &Bound<'py, T>,
) -> PyResult<PyRefMut<'py, T>> {
    object.try_borrow_mut().map_err(|_| in_use())
}

/// The process that made something with threads, which one that is forked off does not have.
#[derive(Clone, Copy, PartialEq)]
pub struct Process(u32);

impl Process {
    /// This one.
    pub fn this() -> Self {
        Self(std::process::id())
    }

    /// Whether it is this one.
    pub fn is_this(self) -> bool {
        self == Self::this()
    }

    /// # Errors
    /// `RuntimeError` if it is another one: `what` is waited for in vain.
    pub fn check(self, what: &str) -> PyResult<()> {
        if self.is_this() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(format!(
            "expected {what} of this process, found one from before a fork"
        )))
    }
}

/// Runs `work`, which looks again and again whether it was stopped: as [`interruptible`], unless it is so `brief` that a
/// thread is not worth it.
pub fn stoppable<T: Send>(
    py: Python<'_>,
    brief: bool,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stopped = AtomicBool::new(false);
    if brief {
        return Ok(py.detach(|| work(&stopped)));
    }
    interruptible(py, || stopped.store(true, Ordering::Relaxed), || work(&stopped))
}

/// Counts the leaves of the tree of legal moves: all, or with `divide` those below each move.
pub fn perft<'py>(
    py: Python<'py>,
    position: &AnyPosition,
    depth: u32,
    divide: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if !(1..=64).contains(&depth) || !(1..=1024).contains(&threads) {
        return Err(wrong(format!(
            "expected a depth from 1 to 64 and 1 to 1024 threads, found {depth} and {threads}"
        )));
    }
    let control = Control::new();
    let count = || kujira_search::perft::count(position, depth, Leaves::Bulk, threads, &control);
    let report = interruptible(py, || control.stop(), count)?.ok_or_else(panicked)?;
    if !divide {
        return Ok(report.total().into_pyobject(py)?.into_any());
    }
    let all = PyDict::new(py);
    for (m, leaves) in &report.moves {
        all.set_item(position.usi(*m), leaves)?;
    }
    Ok(all.into_any())
}
