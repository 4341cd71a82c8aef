//! The log: nowhere unless asked for, else to a file or to stderr.
//!
//! The environment variable `KUJIRA_LOG` (`error`, `warn`, `info`, `debug`, `trace`) asks for stderr,
//! the option `DebugLogFile` for a file. At `debug` every line read and written is logged.
//!
//! A file is written by a thread of its own: whoever logs never waits for it.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use env_logger::Target;
use kujira_program::outputs::{Mark, is_ours};
use kujira_program::{growing, regular};
use log::LevelFilter;

use crate::files::{Leave, attempt};

/// The environment variable that turns the log on.
pub const VARIABLE: &str = "KUJIRA_LOG";

/// The beginning of our logs; nothing is appended to a file that begins otherwise.
const LOG: Mark = Mark::new(
    "a log of Kujira",
    &[b"[ERROR kujira", b"[WARN  kujira", b"[INFO  kujira", b"[DEBUG kujira", b"[TRACE kujira"],
);

/// The most records that wait for a slow file; further ones are lost, which the log says.
const MOST_WAITING: usize = 1 << 14;

/// How long the end of a session waits for its log.
const PATIENCE: Duration = Duration::from_secs(2);

/// The writer to the file in use, if there is one.
static FILE: Mutex<Option<Writer>> = Mutex::new(None);

/// A file with the thread that writes to it.
struct Writer {
    queue: SyncSender<Task>,
    /// Records lost since the last that was taken.
    lost: u64,
}

/// A task of the thread that writes.
enum Task {
    Write(Vec<u8>),
    /// Say that every record before is written.
    Tell(Sender<()>),
}

impl Writer {
    fn start(file: File) -> io::Result<Self> {
        let (queue, tasks) = sync_channel(MOST_WAITING);
        thread::Builder::new().name("log".to_owned()).spawn(move || work(file, &tasks))?;
        Ok(Self { queue, lost: 0 })
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut record = Vec::new();
        if self.lost > 0 {
            record.extend(format!("[WARN  kujira::logging] {} records lost\n", self.lost).bytes());
        }
        record.extend(bytes);
        match self.queue.try_send(Task::Write(record)) {
            Ok(()) => self.lost = 0,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => self.lost += 1,
        }
    }
}

/// Writes until nobody logs any more.
fn work(mut file: File, tasks: &Receiver<Task>) {
    for task in tasks {
        match task {
            // A full disk is no reason to end a session, and there is nobody to tell.
            Task::Write(record) => drop(file.write_all(&record)),
            Task::Tell(done) => drop(done.send(())),
        }
    }
}

/// Hands records on to the file, or to stderr if there is none.
struct Sink;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match FILE.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(writer) => {
                writer.write(bytes);
                Ok(bytes.len())
            }
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

/// Waits until everything logged so far is in its file, but not for ever.
pub fn settle() {
    let queue = match &*FILE.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(writer) => writer.queue.clone(),
        None => return,
    };
    let (sender, done) = channel();
    // A full queue is that of a file that does not answer.
    if queue.try_send(Task::Tell(sender)).is_ok() {
        let _ = done.recv_timeout(PATIENCE);
    }
}

/// Appends the log to a file, which is new or a log; an empty path ends that. A file that does not answer is not
/// waited for once the session is to end.
///
/// # Errors
/// If the file cannot be opened for writing, or is something else. Then the log goes where it went before.
pub fn to_file(path: &str, leave: &Leave) -> io::Result<()> {
    let writer = match path {
        "" => None,
        path => {
            let path = PathBuf::from(path);
            Some(Writer::start(attempt(leave, move || open(path))?)?)
        }
    };
    start();
    settle();
    let level = if writer.is_some() { asked().max(LevelFilter::Debug) } else { asked() };
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = writer;
    log::set_max_level(level);
    Ok(())
}

fn open(path: PathBuf) -> io::Result<File> {
    // Before it is opened: to open a pipe would be to wait for a reader.
    if let Ok(found) = std::fs::metadata(&path) {
        regular::check(&found)?;
    }
    if !is_ours(&path, &LOG)? {
        let what = "expected a log of Kujira or no file, found something else";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    growing::log(&path)
}
