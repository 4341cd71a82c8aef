//! Games looked at position by position, with a journal by which a run that was ended goes on.
//!
//! `OUT.analysis` is JSON Lines: first what is looked at and how, then what the search found at each position. The
//! annotated games in `OUT` follow from it and are written from the beginning when a run goes on.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use kujira_position::{AnyPosition, VariantId};
use kujira_record::journal;

use kujira_arena::journal::want_sums;
use kujira_record::review::Look;
use kujira_record::{Game, NodeId};
use kujira_search::{self as search, Control, Engine, Limits, Silent};
use kujira_usi::Score;
use serde::{Deserialize, Serialize};

/// What is looked at, and how: runs with equal headers are one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The fingerprint of the games.
    pub games: String,
    /// Nodes a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Threads of the search.
    pub threads: u16,
    /// Size of the transposition table in MiB.
    pub hash: u32,
    /// The version of the engine.
    pub version: String,
    /// Which share of the games is looked at, `K/N`; none: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// A line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// What is looked at, and how: the first line.
    Analysis(Header),
    /// What was found at a position.
    Look(Seen),
}

/// What was found at a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// The game, from 1.
    pub game: usize,
    /// The moves made before the position.
    pub ply: usize,
    /// The score as Black sees it.
    pub score: Score,
    /// How deep the search looked, in plies.
    pub depth: u32,
    /// The line that it expects, as USI texts.
    pub line: Vec<String>,
}

/// What a journal tells.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Found {
    /// What is looked at; `None`: nothing is there yet.
    pub header: Option<Header>,
    /// What was found, by game and ply.
    pub looks: HashMap<(usize, usize), Look>,
    /// How many bytes are whole lines.
    pub whole: u64,
}

/// Reads a journal; a last line that was cut off is dropped. `unchecked`: lines may be without check sums.
///
/// # Errors
/// What is wrong with which line.
pub fn read(text: &[u8], unchecked: bool) -> Result<Found, String> {
    let whole = journal::read(text, "an analysis")?;
    want_sums(&whole, unchecked)?;
    let mut found = Found { whole: whole.length as u64, ..Found::default() };
    for (index, (number, line)) in whole.lines.into_iter().enumerate() {
        match line {
            Line::Analysis(header) if index == 0 => found.header = Some(header),
            Line::Look(Seen { game, ply, score, depth, line }) if index > 0 => {
                found.looks.insert((game, ply), Look { score, depth, line });
            }
            Line::Analysis(_) => {
                return Err(format!("line {number}: expected what a search found, found a header"));
            }
            Line::Look(_) => {
                return Err(format!("line {number}: expected a header, found what a search found"));
            }
        }
    }
    Ok(found)
}

/// What a look at a position came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// What was found.
    Found(Look),
    /// The limit was too low to find anything.
    Nothing,
    /// It was stopped.
    Stopped,
}

/// Searches the positions of games, each as if it were the first, so that what is found does not hang on where a run
/// was ended.
pub struct Analyst<'a> {
    limits: Limits,
    threads: usize,
    hash: usize,
    stopped: &'a AtomicBool,
    engines: HashMap<&'static str, Box<dyn Engine>>,
}

impl<'a> Analyst<'a> {
    /// An analyst who looks as the header says, until `stopped` is set.
    #[must_use]
    pub fn new(header: &Header, stopped: &'a AtomicBool) -> Self {
        let limits = Limits {
            nodes: header.nodes,
            move_time: header.movetime.map(Duration::from_millis),
            advice: true,
            ..Limits::default()
        };
        let (threads, hash) = (usize::from(header.threads), header.hash as usize);
        Self { limits, threads, hash, stopped, engines: HashMap::new() }
    }

    /// Looks at the position of a node.
    ///
    /// # Errors
    /// If there is no memory for the table, or the engine refuses the position.
    pub fn look(&mut self, game: &Game, node: NodeId) -> Result<Answer, String> {
        let engine = match self.engines.entry(game.variant().spec().id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(begun(game.variant(), self.threads, self.hash)?),
        };
        let line = game.path(node);
        let moves: Vec<&str> =
            line.iter().skip(1).filter_map(|&id| Some(&game.node(id)?.usi[..])).collect();
        let position = AnyPosition::replay(game.variant(), Some(game.start()), moves, game.rules())
            .map_err(|error| error.to_string())?;
        engine.new_game();
        let control = Control::new();
        let done = AtomicBool::new(false);
        let found = thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    if self.stopped.load(Ordering::Relaxed) {
                        control.stop();
                    }
                    thread::park_timeout(Duration::from_millis(20));
                }
            });
            let found = engine.search(&position, &self.limits, &control, &Silent);
            done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            found
        });
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(Answer::Stopped);
        }
        let found = found.map_err(|error| error.to_string())?;
        Ok(match found.lines.first() {
            Some(best) => Answer::Found(Look {
                score: Score::from(best.score).for_black(position.side()),
                depth: best.depth,
                line: position.usi_line(&best.pv),
            }),
            None => Answer::Nothing,
        })
    }
}

fn begun(game: VariantId, threads: usize, hash: usize) -> Result<Box<dyn Engine>, String> {
    let mut engine = search::engine(game);
    engine.set_hash(hash).map_err(|error| error.to_string())?;
    engine.set_threads(threads);
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        r#"{"analysis":{"games":"1f","nodes":7,"threads":1,"hash":1,"version":"0"}}"#;
    const LOOK: &str =
        r#"{"look":{"game":2,"ply":3,"score":{"mate":-4},"depth":5,"line":["2e2d"]}}"#;

    #[test]
    fn a_journal_is_a_header_and_what_was_found() {
        let found = read(format!("{HEADER}\n{LOOK}\n{{\"look\":{{\"ga").as_bytes(), true).unwrap();
        let look = Look { score: Score::Mate(-4), depth: 5, line: vec!["2e2d".to_owned()] };
        assert_eq!(found.looks, HashMap::from([((2, 3), look)]));
        assert_eq!(found.header.unwrap().nodes, Some(7));
        assert_eq!(found.whole, (HEADER.len() + LOOK.len() + 2) as u64);
        assert_eq!(read(b"{\"anal", false).unwrap(), Found::default());
        for (text, expected) in [
            (format!("{LOOK}\n"), "line 1: expected a header, found what a search found"),
            (
                format!("{HEADER}\n{HEADER}\n"),
                "line 2: expected what a search found, found a header",
            ),
            (
                "{\"game\":{}}\n".to_owned(),
                "line 1: expected a line of an analysis: unknown variant",
            ),
        ] {
            let error = read(text.as_bytes(), true).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_stopped_search_finds_nothing() {
        let game = kujira_record::usi::read("startpos moves 2e2d", VariantId::Whale).unwrap().0;
        let header = Header {
            games: String::new(),
            nodes: Some(300),
            movetime: None,
            threads: 1,
            hash: 1,
            version: String::new(),
            shard: None,
        };
        let stopped = AtomicBool::new(false);
        let mut analyst = Analyst::new(&header, &stopped);
        let Answer::Found(look) = analyst.look(&game, 1).unwrap() else { panic!("nothing found") };
        // White is to move: what it would play is legal, and its score is told as Black sees it.
        assert!(game.line_text(1, &look.line).len() == look.line.len() && look.depth > 0);
        stopped.store(true, Ordering::Relaxed);
        assert_eq!(analyst.look(&game, 1), Ok(Answer::Stopped));
    }
}
