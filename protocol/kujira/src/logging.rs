//! The log: nowhere unless asked for, else to a file or to stderr.
//!
//! The environment variable `KUJIRA_LOG` (`error`, `warn`, `info`, `debug`, `trace`) asks for stderr,
//! the option `DebugLogFile` for a file. At `debug` every line read and written is logged.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

use env_logger::Target;
use log::LevelFilter;

/// The environment variable that turns the log on.
pub const VARIABLE: &str = "KUJIRA_LOG";

/// The file in use, if there is one.
static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Hands records on to the file, or to stderr if there is none.
struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(file) => file.flush(),
            None => Ok(()),
        }
    }
}

/// The level the environment asks for.
fn asked() -> LevelFilter {
    let value = std::env::var(VARIABLE).unwrap_or_default();
    value.trim().parse().unwrap_or(LevelFilter::Off)
}

/// Sets the log up as the environment asks for. More than once does no harm.
pub fn start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let mut builder = env_logger::Builder::new();
        builder.filter_level(LevelFilter::Trace).target(Target::Pipe(Box::new(Sink)));
        // Another logger can only be there if a test brought its own.
        let _ = builder.try_init();
        log::set_max_level(asked());
    });
}

/// Appends the log to a file; an empty path ends that.
///
/// # Errors
/// If the file cannot be opened for writing. Then the log goes where it went before.
pub fn to_file(path: &str) -> io::Result<()> {
    let file = match path {
        "" => None,
        path => Some(OpenOptions::new().create(true).append(true).open(Path::new(path))?),
    };
    start();
    let level = if file.is_some() { asked().max(LevelFilter::Debug) } else { asked() };
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
    log::set_max_level(level);
    Ok(())
}
