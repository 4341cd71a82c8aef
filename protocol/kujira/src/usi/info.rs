//! What a search says, as `info` lines.

use std::fmt::Display;
use std::time::Duration;

use kujira_search::{self as search, Control, Reporter};
use kujira_usi::{Bound, Info, Line, Score, Value};

use crate::output::{Output, one_line, per_second};

/// Writes a line.
pub(super) fn say(output: &Output, line: &Line) {
    output.lines(&line.to_string());
}

/// Writes what was wrong, as one line.
pub(super) fn error(output: &Output, error: &dyn Display) {
    say(output, &Line::Error(one_line(&error.to_string())));
}

/// Writes what people should know, as one line.
pub(super) fn note(output: &Output, text: &str) {
    say(output, &Line::Info(Info { string: Some(one_line(text)), ..Info::default() }));
}

/// What a search took that has no line to tell.
fn effort(nodes: u64, time: Duration) -> Info {
    Info {
        nodes: Some(nodes),
        nps: Some(per_second(nodes, time)),
        time: Some(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        ..Info::default()
    }
}

/// Writes what a search took that has no line to tell.
pub(super) fn say_effort(output: &Output, nodes: u64, time: Duration) {
    say(output, &Line::Info(effort(nodes, time)));
}

/// The reporter of a search: `info` lines. Where nobody reads them any more it ends the search.
#[derive(Debug)]
pub struct SearchOutput<'a> {
    output: &'a Output,
    control: &'a Control,
    /// Whether lines are numbered.
    multipv: bool,
}

impl<'a> SearchOutput<'a> {
    /// A reporter for a search of `lines` lines under this control.
    #[must_use]
    pub fn new(output: &'a Output, control: &'a Control, lines: usize) -> Self {
        Self { output, control, multipv: lines > 1 }
    }

    fn say(&self, info: Info) {
        say(self.output, &Line::Info(info));
        if self.output.broken() {
            self.control.stop();
        }
    }

    fn line(&self, info: &search::Info) -> Info {
        let score = match info.score {
            search::Score::Centipawns(value) => Score::Cp(value),
            search::Score::Mate(plies) => Score::Mate(plies),
        };
        Info {
            depth: Some(info.depth),
            seldepth: Some(info.selective_depth),
            multipv: u32::try_from(info.multipv).ok().filter(|_| self.multipv),
            score: Some(Value::Score(score)),
            bound: match info.bound {
                search::Bound::Exact => Bound::Exact,
                search::Bound::Lower => Bound::Lower,
                search::Bound::Upper => Bound::Upper,
            },
            nodes: Some(info.nodes),
            nps: Some(per_second(info.nodes, info.time)),
            time: Some(u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX)),
            hashfull: Some(info.hashfull.min(1000)),
            pv: info.pv.clone(),
            ..Info::default()
        }
    }
}

impl Reporter for SearchOutput<'_> {
    fn info(&self, info: &search::Info) {
        self.say(self.line(info));
    }

    fn current_move(&self, depth: u32, m: &str, number: usize) {
        let line = Info {
            depth: Some(depth),
            currmove: Some(m.to_owned()),
            currmovenumber: u32::try_from(number).ok(),
            ..Info::default()
        };
        self.say(line);
    }

    fn effort(&self, nodes: u64, time: Duration, hashfull: u32) {
        self.say(Info { hashfull: Some(hashfull.min(1000)), ..effort(nodes, time) });
    }

    fn note(&self, text: &str) {
        note(self.output, text);
    }
}
