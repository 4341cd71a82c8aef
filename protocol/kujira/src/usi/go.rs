//! What follows `go` and `ponderhit`.

use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use kujira_search::{Limits, Times};
use kujira_usi::Protocol;

use super::fault::{CommandError, wrong};

/// A search asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Limits that end the search.
    pub limits: Limits,
    /// The moves to choose among, as the client wrote them.
    pub search_moves: Vec<String>,
    /// Whether a mate by checks alone is asked for.
    pub mate: bool,
    /// The longest mate, in moves, that ends a search of UCI.
    pub mate_in: Option<u64>,
    /// Moves that the time on the clocks is for.
    pub moves_to_go: Option<u32>,
    /// The first thing that was wrong with the line. It is reported, and yet the search is answered:
    /// whoever sent a `go` waits for a `bestmove`, after `go mate` for a `checkmate`.
    pub fault: Option<CommandError>,
}

impl Go {
    /// A search whose line could not be read but for these words: one of one ply.
    pub(crate) fn faulty(fault: CommandError, mate: bool, ponder: bool, infinite: bool) -> Self {
        // A mate is looked for without pondering, and "infinite" means for as long as it takes.
        let (ponder, infinite) = (ponder && !mate, infinite && !mate);
        let limits = Limits { depth: Some(1), ponder, infinite, ..Limits::default() };
        Self { limits, mate, fault: Some(fault), ..Self::default() }
    }
}

/// The arguments of `go`, in any order.
pub const ARGUMENTS: &str = "[btime MS] [wtime MS] [binc MS] [winc MS] [byoyomi MS] [movetime MS] \
     [depth N] [nodes N] [searchmoves MOVE ...] [ponder] [infinite] | mate [MS|infinite] | \
     perft DEPTH [threads N] [played]";

/// The arguments of `go` in UCI, in any order.
pub const UCI_ARGUMENTS: &str = "[wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [byoyomi MS] \
     [movetime MS] [depth N] [nodes N] [mate N] [searchmoves MOVE ...] [ponder] [infinite] | \
     perft DEPTH [threads N] [played]";

/// The words that `go` knows beside those of [`CLOCKS`]; `searchmoves` ends at the next of either.
const WORDS: &[&str] =
    &["movetime", "depth", "nodes", "searchmoves", "ponder", "infinite", "mate", "perft"];

/// The word that `go` knows in UCI alone.
const MOVES_TO_GO: &str = "movestogo";

/// One of the clocks.
type Clock = fn(&mut Times) -> &mut Duration;

/// The words that set a clock, and which.
const CLOCKS: &[(&str, Clock)] = &[
    ("btime", |times| &mut times.left[0]),
    ("wtime", |times| &mut times.left[1]),
    ("binc", |times| &mut times.increment[0]),
    ("winc", |times| &mut times.increment[1]),
    ("byoyomi", |times| &mut times.byoyomi),
];

/// The word that sets a clock, if this is one, as USI has it. The side that moves up the board is White in UCI.
fn clock(word: &str, protocol: Protocol) -> Option<&'static str> {
    let word = match (protocol, word) {
        (Protocol::Uci, "wtime") => "btime",
        (Protocol::Uci, "btime") => "wtime",
        (Protocol::Uci, "winc") => "binc",
        (Protocol::Uci, "binc") => "winc",
        _ => word,
    };
    CLOCKS.iter().map(|&(name, _)| name).find(|&name| name == word)
}

/// Whether `go` knows the word.
fn is_known(word: &str, protocol: Protocol) -> bool {
    WORDS.contains(&word)
        || clock(word, protocol).is_some()
        || (protocol == Protocol::Uci && word == MOVES_TO_GO)
}

/// More moves to choose among than any position has are not remembered.
const MOST_SEARCH_MOVES: usize = 10_000;

/// Reads a count. Clocks of some GUIs run below zero: that is zero. Numbers beyond all bounds are the
/// greatest number.
fn count(word: Option<&str>) -> Option<u64> {
    let word = word?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(if word.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

/// Longer times than a hundred years are that: sums of times must not overflow.
fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(100 * 365 * 24 * 3_600_000))
}

/// Sets the clock that `word` names, if it names one.
fn set_time(times: &mut Option<Times>, word: &str, value: u64) {
    if let Some((_, slot)) = CLOCKS.iter().find(|(name, _)| *name == word) {
        *slot(times.get_or_insert_default()) = milliseconds(value);
    }
}

/// What a `go` asks for.
#[derive(Debug)]
pub(crate) enum Asked<'a> {
    /// A search.
    Search(Box<Go>),
    /// To count leaves, as these words say.
    Perft(Peekable<SplitAsciiWhitespace<'a>>),
}

/// Reads what follows `go`. Unknown words are skipped.
pub(crate) fn read(rest: &str, protocol: Protocol) -> Asked<'_> {
    let mut words = rest.split_ascii_whitespace().peekable();
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let limits = &mut go.limits;
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "mate" if protocol == Protocol::Usi => {
                go.mate = true;
                if let Some(found) = words.next_if(|word| !is_known(word, protocol)) {
                    match count(Some(found)) {
                        Some(value) => limits.move_time = Some(milliseconds(value)),
                        None => {
                            let fault = wrong("go", "milliseconds or infinite after mate", found);
                            go.fault.get_or_insert(fault);
                        }
                    }
                }
            }
            "perft" => return Asked::Perft(words),
            "searchmoves" => {
                while let Some(m) = words.next_if(|word| !is_known(word, protocol)) {
                    if go.search_moves.len() < MOST_SEARCH_MOVES {
                        go.search_moves.push(m.to_owned());
                    }
                }
            }
            _ if is_known(word, protocol) => {
                let negative = words.peek().is_some_and(|word| word.starts_with('-'));
                let times = word == "movetime" || clock(word, protocol).is_some();
                let value = count(words.peek().copied()).filter(|_| times || !negative);
                let Some(value) = value else {
                    let found = words.next_if(|word| !is_known(word, protocol)).unwrap_or("");
                    let fault = wrong("go", format!("a number after {word}"), found);
                    go.fault.get_or_insert(fault);
                    continue;
                };
                words.next();
                match word {
                    "movetime" => limits.move_time = Some(milliseconds(value)),
                    "depth" => {
                        limits.depth = Some(u32::try_from(value).unwrap_or(u32::MAX).max(1));
                    }
                    "nodes" => limits.nodes = Some(value.max(1)),
                    "mate" => go.mate_in = Some(value),
                    MOVES_TO_GO => {
                        let moves = u32::try_from(value).unwrap_or(u32::MAX);
                        go.moves_to_go = Some(moves).filter(|&moves| moves > 0);
                    }
                    _ => {
                        let clock = clock(word, protocol).unwrap_or(word);
                        set_time(&mut limits.times, clock, value);
                    }
                }
            }
            _ => {}
        }
    }
    let limits = &mut go.limits;
    if go.mate && limits.ponder {
        limits.ponder = false;
        go.fault.get_or_insert(wrong("go", "ponder or mate", "both"));
    }
    if !limited(limits) && !limits.infinite {
        if go.fault.is_some() {
            // Its limit was not understood: answer soon rather than never.
            limits.depth = Some(1);
        } else {
            // The ponder hit may bring times.
            limits.infinite = !limits.ponder;
        }
    }
    Asked::Search(Box::new(go))
}

/// Whether anything but a stop ends a search with these limits.
pub(crate) fn limited(limits: &Limits) -> bool {
    limits.times.is_some()
        || limits.move_time.is_some()
        || limits.depth.is_some()
        || limits.nodes.is_some()
}

/// The clocks that a `ponderhit` sets anew: words of `go` with their values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewTimes(Vec<(&'static str, u64)>);

impl NewTimes {
    /// The times given with `go ponder`, with those of the `ponderhit` in their place; none if it brings none.
    #[must_use]
    pub fn over(&self, given: Option<Times>) -> Option<Times> {
        let mut times = given.filter(|_| !self.0.is_empty());
        for &(word, value) in &self.0 {
            set_time(&mut times, word, value);
        }
        times
    }
}

/// A ponder hit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PonderHit {
    /// Clocks that the hit sets anew.
    pub times: NewTimes,
    /// The first thing that was wrong with the line. It is reported, and yet it is a hit: whoever sent
    /// it waits for a `bestmove`.
    pub fault: Option<CommandError>,
}

/// Reads what follows `ponderhit`: new times, if any. Unknown words are skipped.
pub(crate) fn read_ponderhit(rest: &str) -> PonderHit {
    let mut words = rest.split_ascii_whitespace().peekable();
    let mut hit = PonderHit::default();
    while let Some(word) = words.next() {
        let Some(word) = clock(word, Protocol::Usi) else { continue };
        if let Some(value) = count(words.peek().copied()) {
            words.next();
            hit.times.0.push((word, value));
        } else {
            let found = words.next_if(|word| clock(word, Protocol::Usi).is_none()).unwrap_or("");
            let fault = wrong("ponderhit", format!("a number after {word}"), found);
            hit.fault.get_or_insert(fault);
        }
    }
    hit
}
