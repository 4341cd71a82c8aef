//! What a search says, as `info` lines.

use std::time::Duration;

use kujira_position::Move;
use kujira_search::{self as search, Control, Reporter};
use kujira_usi::{Bound, Info, Line, Score, Value};

use crate::output::per_second;

use super::root::Root;
use super::voice::Voice;

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
pub(super) fn say_effort(voice: &Voice, nodes: u64, time: Duration) {
    voice.say(&Line::Info(effort(nodes, time)));
}

/// The reporter of a search: `info` lines. Where nobody reads them any more it ends the search.
#[derive(Debug)]
pub(super) struct SearchOutput<'a> {
    voice: &'a Voice,
    control: &'a Control,
    /// Whether lines are numbered.
    pub(super) multipv: bool,
    /// The position, which says how moves are spelt.
    root: Root,
    /// Whether chances are told.
    pub(super) chances: bool,
    /// The longest mate that ends the search, in moves.
    pub(super) mate: Option<u64>,
}

impl<'a> SearchOutput<'a> {
    /// A reporter for a search of one line of a position under this control.
    pub(super) fn new(voice: &'a Voice, control: &'a Control, root: Root) -> Self {
        Self { voice, control, multipv: false, root, chances: false, mate: None }
    }

    fn say(&self, info: Info) {
        self.voice.say(&Line::Info(info));
        if self.voice.output().broken() {
            self.control.stop();
        }
    }

    fn line(&self, info: &search::Info) -> Info {
        let score = Score::from(info.score);
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
            wdl: self.chances.then(|| self.root.chances(score)),
            nodes: Some(info.nodes),
            nps: Some(per_second(info.nodes, info.time)),
            time: Some(u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX)),
            hashfull: Some(info.hashfull.min(1000)),
            pv: self.root.spell(&info.pv),
            ..Info::default()
        }
    }

    /// Whether the line is the mate that was asked for.
    fn is_enough(&self, info: &search::Info) -> bool {
        let search::Score::Mate(plies @ 1..) = info.score else { return false };
        let moves = u64::from(plies.unsigned_abs()).div_ceil(2);
        info.bound == search::Bound::Exact
            && info.multipv == 1
            && self.mate.is_some_and(|wanted| moves <= wanted)
    }
}

impl Reporter for SearchOutput<'_> {
    fn info(&self, info: &search::Info) {
        self.say(self.line(info));
        if self.is_enough(info) {
            self.control.stop();
        }
    }

    fn current_move(&self, depth: u32, m: Move, number: usize) {
        let line = Info {
            depth: Some(depth),
            currmove: Some(self.root.spell_one(m)),
            currmovenumber: u32::try_from(number).ok(),
            ..Info::default()
        };
        self.say(line);
    }

    fn effort(&self, nodes: u64, time: Duration, hashfull: u32) {
        self.say(Info { hashfull: Some(hashfull.min(1000)), ..effort(nodes, time) });
    }

    fn note(&self, text: &str) {
        self.voice.note(text);
    }
}
