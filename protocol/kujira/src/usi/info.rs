//! What a search says, as `info` lines.

use std::fmt::{self, Write as _};

use kujira_search::{Bound, Info, Reporter};

use crate::errors::SessionError;
use crate::output::{Output, one_line, per_second};

/// Writes what was wrong, as one line.
pub(super) fn error(output: &Output, error: &SessionError) {
    output.lines(&format!("info string error {}", one_line(&error.to_string())));
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
        self.output.lines(&format!("info string {}", one_line(text)));
    }
}
