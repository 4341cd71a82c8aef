//! Whole lines to the GUI, under one lock.

use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use kujira_search::{Bound, Info, Reporter};

use crate::errors::SessionError;

/// Where lines go. Shared by the reader, the session and the search; no two threads mix their lines.
pub struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    broken: AtomicBool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("broken", &self.broken).finish_non_exhaustive()
    }
}

impl Output {
    /// An output that writes to `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self { sink: Mutex::new(Box::new(sink)), broken: AtomicBool::new(false) }
    }

    /// Writes one or several whole lines; `text` has no line feed at its end. Nothing comes between
    /// them, and they are handed on at once.
    pub fn lines(&self, text: &str) {
        let block = format!("{text}\n");
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            log::debug!("> {line}");
        }
        if sink.write_all(block.as_bytes()).and_then(|()| sink.flush()).is_err() {
            self.broken.store(true, Ordering::Relaxed);
        }
    }

    /// Writes what was wrong, as one line.
    pub fn error(&self, error: &SessionError) {
        let text = error.to_string();
        let text: String = text.chars().flat_map(one_line).collect();
        self.lines(&format!("info string error {text}"));
    }

    /// Whether nobody reads any more.
    pub fn broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }
}

/// Protocol lines are single and ASCII.
fn one_line(c: char) -> Vec<char> {
    match c {
        '\n' => vec![';', ' '],
        ' '..='~' => vec![c],
        _ => c.escape_default().collect(),
    }
}

/// The reporter of a search: `info` lines.
#[derive(Debug)]
pub struct SearchOutput<'a> {
    output: &'a Output,
    /// Whether lines are numbered.
    multipv: bool,
}

impl<'a> SearchOutput<'a> {
    /// A reporter for a search of `lines` lines.
    #[must_use]
    pub fn new(output: &'a Output, lines: usize) -> Self {
        Self { output, multipv: lines > 1 }
    }

    fn write_info(&self, info: &Info, line: &mut String) -> fmt::Result {
        write!(line, "info depth {} seldepth {}", info.depth, info.selective_depth)?;
        if self.multipv {
            write!(line, " multipv {}", info.multipv)?;
        }
        write!(line, " score {}", info.score)?;
        line.push_str(match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        let milliseconds = info.time.as_millis();
        write!(line, " nodes {} nps {}", info.nodes, per_second(info.nodes, info.time))?;
        write!(line, " time {milliseconds} hashfull {}", info.hashfull.min(1000))?;
        if !info.pv.is_empty() {
            write!(line, " pv {}", info.pv.join(" "))?;
        }
        Ok(())
    }
}

/// Events per second; a time below a microsecond counts as that.
#[must_use]
pub fn per_second(events: u64, time: std::time::Duration) -> u64 {
    let rate = u128::from(events) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

impl Reporter for SearchOutput<'_> {
    fn info(&self, info: &Info) {
        let mut line = String::with_capacity(256);
        if self.write_info(info, &mut line).is_ok() {
            self.output.lines(&line);
        }
    }

    fn current_move(&self, depth: u32, m: &str, number: usize) {
        self.output.lines(&format!("info depth {depth} currmove {m} currmovenumber {number}"));
    }

    fn note(&self, text: &str) {
        let text: String = text.chars().flat_map(one_line).collect();
        self.output.lines(&format!("info string {text}"));
    }
}
