//! Whole lines to the GUI, under one lock.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Where lines go. Shared by the reader, the session and the search; no two threads mix their lines.
pub struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    /// What the first line that could not be written failed for.
    broken: OnceLock<io::ErrorKind>,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("broken", &self.broken).finish_non_exhaustive()
    }
}

impl Output {
    /// An output that writes to `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self { sink: Mutex::new(Box::new(sink)), broken: OnceLock::new() }
    }

    /// Writes one or several whole lines; `text` has no line feed at its end. Nothing comes between
    /// them, and they are handed on at once.
    pub fn lines(&self, text: &str) {
        let block = format!("{text}\n");
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            log::debug!("> {line}");
        }
        if let Err(error) = sink.write_all(block.as_bytes()).and_then(|()| sink.flush()) {
            let _ = self.broken.set(error.kind());
        }
    }

    /// Whether it takes no more: nobody reads, or the disk is full.
    pub fn broken(&self) -> bool {
        self.broken.get().is_some()
    }
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By `quit` or the end of the input.
    Over,
    /// The output takes no more, for this reason: nobody reads it, or the disk is full.
    Unheard(io::ErrorKind),
}

impl End {
    /// How a session ends that writes here: that it was heard, or not.
    pub(crate) fn of(output: &Output) -> Self {
        output.broken.get().map_or(Self::Over, |&kind| Self::Unheard(kind))
    }

    /// Whether all was heard.
    ///
    /// # Errors
    /// Why it was not.
    pub fn heard(self) -> io::Result<()> {
        match self {
            Self::Over => Ok(()),
            Self::Unheard(kind) => Err(kind.into()),
        }
    }
}

/// A text as protocols want it: a single line, ASCII.
pub(crate) fn one_line(text: &str) -> String {
    let part = |c: char| match c {
        '\n' => vec![';', ' '],
        ' '..='~' => vec![c],
        _ => c.escape_default().collect(),
    };
    text.chars().flat_map(part).collect()
}

/// Events per second; a time below a microsecond counts as that.
#[must_use]
pub fn per_second(events: u64, time: std::time::Duration) -> u64 {
    let rate = u128::from(events) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}
