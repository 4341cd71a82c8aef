//! How programs begin, standard output that nobody reads, signals, and the exit status that tells of them.
//!
//! One rule for all programs:
//!
//! | status | meaning |
//! |---|---|
//! | 0 | all is done |
//! | 1 | something failed: one line on standard error says what |
//! | 2 | the arguments are wrong |
//! | 130 | Ctrl-C, or another signal that asks a program to end, came before all was done |
//! | 141 | nobody reads standard output any more, as after `\| head -1` |
//!
//! The last two are what shells make of a program that SIGINT or SIGPIPE ended. A command whose work is what it
//! prints ends at once and quietly when nobody reads ([`say`]); one whose work goes into files goes on to its end
//! ([`tell`]), and its status is that of its work. One that has no run to stop in order (engines, what only prints, what
//! writes one file at its end) catches no signal: the system ends it, and a shell shows 128 and the signal's number.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use crate::cpu;
use crate::outputs::OutputError;
pub use crate::warning::warn;

/// The exit status of a program whose arguments are wrong.
pub const WRONG: u8 = 2;

/// The exit status of a program that a signal ended before all was done.
pub const INTERRUPTED: u8 = 130;

/// The exit status of a program that nobody listens to any more.
pub const UNHEARD: u8 = 141;

/// Why a command ends before it is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// What went wrong.
    Failed(String),
    /// A signal asked for the end.
    Interrupted,
    /// Nobody reads standard output any more: nothing is left to say.
    Unheard,
}

impl From<String> for Stop {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

impl From<OutputError> for Stop {
    fn from(error: OutputError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<io::Error> for Stop {
    /// What writing to standard output came to.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::Unheard,
            _ => Self::Failed(format!("standard output: {error}")),
        }
    }
}

/// Begins a program: what [`cpu::check`] says, or else `body`, in which a file that may not grow (`ulimit -f`) is an
/// error as a full disk is. To be called in a `main` that does nothing else itself, as `cpu::check` wants it.
pub fn begin(program: &'static str, body: fn() -> ExitCode) -> ExitCode {
    if let Some(code) = cpu::check(program) {
        return code;
    }
    live_with_small_files();
    body()
}

/// Holds back the signal that comes with a write beyond the size that files may have, and that would end the program
/// without a word: the write fails all the same, and that is told. Threads that are made later hold it back, too;
/// programs that Rust starts do not.
#[inline(never)]
fn live_with_small_files() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // It fails for no set of signals that there are.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

/// Writes `text` to standard output at once, for a command whose work that is.
///
/// # Errors
/// If that fails: the command need not go on.
pub fn say(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
}

/// Writes `text` to standard output, for a command whose work goes into files: if nobody reads that, it goes on.
pub fn tell(text: &str) {
    // Its files are its record, and a reader that has gone away must not end it.
    let _ = say(text);
}

/// The exit status of the program `name` after its command ended so; what failed is said on standard error.
#[must_use]
pub fn exit(name: &str, result: Result<(), Stop>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Stop::Unheard) => ExitCode::from(UNHEARD),
        Err(Stop::Failed(error)) => {
            warn(&format!("{name}: {error}\n"));
            ExitCode::FAILURE
        }
    }
}

/// The exit status of the program `name` that has just `printed` help or its version, which it was asked for, or what is
/// `wrong` with its arguments.
#[must_use]
pub fn usage(name: &str, printed: io::Result<()>, wrong: bool) -> ExitCode {
    if wrong {
        return ExitCode::from(WRONG);
    }
    exit(name, printed.and_then(|()| io::stdout().flush()).map_err(Stop::from))
}

/// A flag that is set by Ctrl-C and by the other signals that ask a program to end (SIGTERM, SIGHUP), once
/// `first` has run; the second signal runs `second` and ends the program at once.
///
/// # Errors
/// If signals cannot be caught, or somebody else catches them.
#[cfg(not(target_family = "wasm"))]
pub fn stop_on_signal(
    first: impl Fn() + Send + 'static,
    second: impl Fn() + Send + 'static,
) -> Result<std::sync::Arc<std::sync::atomic::AtomicBool>, String> {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            second();
            std::process::exit(INTERRUPTED.into());
        }
        first();
    })
    .map_err(|error| format!("Ctrl-C cannot be caught: {error}"))?;
    Ok(stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_told_from_a_full_disk() {
        let stop = |kind: ErrorKind| Stop::from(io::Error::from(kind));
        assert_eq!(stop(ErrorKind::BrokenPipe), Stop::Unheard);
        assert!(
            matches!(stop(ErrorKind::StorageFull), Stop::Failed(what) if what.contains("output"))
        );
    }
}
