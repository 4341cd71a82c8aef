//! Puzzles for the board, from files of problems: with a rating, and without what only solvers need.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use kujira_position::{Move, Position, Rules, Variant};
use kujira_record::Error;
use kujira_record::list::{self, Entry};
use kujira_search::mate::Solver;
use kujira_search::{Control, Info, Limits, Reporter, Searcher};
use serde::Serialize;

use super::harvest::only_themes;
use super::problem::{only_moves, themes};

/// Nodes by which the engine is to have found the solution.
const NODES: u64 = 200_000;

/// The rating of what is seen at once, and how much is added for twice the nodes, and for every ply of a mate.
const EASIEST: f64 = 500.0;
const DOUBLING: f64 = 110.0;
const PLY: f64 = 25.0;

/// Nodes that a look takes.
const LOOK: f64 = 50.0;

/// A puzzle.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Puzzle {
    /// Its name, the same in every file.
    pub id: String,
    /// The position.
    pub sfen: String,
    /// The moves of both sides, first and last of the side to move.
    pub moves: Vec<String>,
    /// How many of them have to be found, those of the other side counted; all if this is absent. Later ones are no more
    /// the only ones that mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<usize>,
    /// What is to be found.
    pub kind: Kind,
    /// How hard it is, by the nodes after which the engine at full strength keeps to the first move.
    pub rating: u32,
    /// What it is like.
    pub themes: Vec<String>,
}

/// What is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A mate by checks alone.
    Mate,
    /// The only good move.
    Best,
}

/// A file of puzzles.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct File {
    /// The game.
    pub game: String,
    /// The puzzles, easy ones first.
    pub puzzles: Vec<Puzzle>,
}

impl File {
    /// The file as text, a line a puzzle.
    ///
    /// # Errors
    /// None that can be: all of it is text and numbers.
    pub fn text(&self) -> serde_json::Result<String> {
        let lines: Result<Vec<_>, _> = self.puzzles.iter().map(serde_json::to_string).collect();
        let game = serde_json::to_string(&self.game)?;
        Ok(format!("{{\"game\":{game},\"puzzles\":[\n{}\n]}}\n", lines?.join(",\n")))
    }
}

/// Reads the puzzles of a file of problems: mates of which the first moves are the only ones, and single good moves. The
/// rating is still to be found, and how far the moves are the only ones where the file does not say that all are.
///
/// # Errors
/// If a line is no problem of the game.
pub fn read<V: Variant>(text: &str) -> Result<Vec<Puzzle>, Error> {
    let mut found = Vec::new();
    for entry in list::entries(text) {
        let entry: Entry = entry?;
        let position = entry.position::<V>(Rules::DEFAULT)?;
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let value = |opcode| entry.operand(opcode);
        let (kind, moves) = match (value("bm"), value("pv")) {
            (Some(best), _) => (Kind::Best, words(best)),
            (None, Some(line)) => (Kind::Mate, words(line)),
            (None, None) => continue,
        };
        let strict = kind == Kind::Best || value("strict").is_some();
        let only = (!strict).then_some(1);
        let id = format!("{}{:08x}", &V::ID.to_string()[..1], position.key() >> 32);
        let line = read_line(&position, &moves)?;
        let themes = match (kind, line.first()) {
            (Kind::Best, Some(&best)) => only_themes(&position, best),
            _ => themes(&position, &line),
        };
        let themes = themes.into_iter().map(str::to_owned).collect();
        found.push(Puzzle { id, sfen: position.sfen(), moves, only, kind, rating: 0, themes });
    }
    Ok(found)
}

/// The moves of a line from a position.
fn read_line<V: Variant>(position: &Position<V>, moves: &[String]) -> Result<Vec<Move>, Error> {
    let mut position = position.clone();
    let mut read = |usi: &String| {
        let m = position.parse_usi(usi)?;
        position.make(m);
        Ok(m)
    };
    moves.iter().map(&mut read).collect()
}

/// Notes since when a search has kept to a move.
struct Since {
    wanted: Option<Move>,
    since: Mutex<Option<u64>>,
}

impl Reporter for Since {
    fn info(&self, info: &Info) {
        let Ok(mut since) = self.since.lock() else { return };
        match info.pv.first() {
            Some(_) if info.pv.first().copied() == self.wanted => {
                since.get_or_insert(info.nodes);
            }
            Some(_) => *since = None,
            None => {}
        }
    }
}

/// Finds out how far the moves of a mate are the only ones.
///
/// # Errors
/// If a move of it is none: which.
fn limit<V: Variant>(solver: &mut Solver<V>, puzzle: &mut Puzzle) -> Result<(), String> {
    let mut position = Position::<V>::from_sfen(&puzzle.sfen).map_err(|error| error.to_string())?;
    let first = position.clone();
    let mut line = Vec::new();
    for text in &puzzle.moves {
        let m = position.parse_usi(text);
        let m = m.map_err(|error| format!("{}: {text}: {error}", puzzle.sfen))?;
        position.make(m);
        line.push(m);
    }
    let only = only_moves(solver, &first, &line, NODES);
    puzzle.only = (only < line.len()).then_some(only);
    Ok(())
}

/// The rating of a puzzle.
///
/// # Errors
/// If the engine refuses the position.
pub fn rate<V: Variant>(searcher: &mut Searcher<V>, puzzle: &Puzzle) -> Result<u32, String> {
    searcher.new_game();
    let position = Position::from_sfen(&puzzle.sfen).map_err(|error| error.to_string())?;
    let wanted = puzzle.moves.first().and_then(|text| position.parse_usi(text).ok());
    let since = Since { wanted, since: Mutex::new(None) };
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    searcher
        .search(&position, &limits, &Control::new(), &since)
        .map_err(|error| error.to_string())?;
    let nodes = since.since.into_inner().map_err(|error| error.to_string())?.unwrap_or(2 * NODES);
    let plies = match puzzle.kind {
        Kind::Mate => puzzle.only.unwrap_or(puzzle.moves.len()) as f64,
        Kind::Best => 1.0,
    };
    Ok((EASIEST + DOUBLING * (1.0 + nodes as f64 / LOOK).log2() + PLY * plies).round() as u32)
}

/// Up to `count` puzzles of several files, by turns, easy ones first; `None` once it is `stopped`.
///
/// # Errors
/// If the engine refuses a position, or a move of a mate is none.
pub fn gather<V: Variant>(
    searcher: &mut Searcher<V>,
    files: Vec<Vec<Puzzle>>,
    count: usize,
    stopped: &AtomicBool,
) -> Result<Option<Vec<Puzzle>>, String> {
    let mut turns: Vec<_> = files.into_iter().map(Vec::into_iter).collect();
    let (mut chosen, mut ids) = (Vec::new(), HashSet::new());
    let mut solver = Solver::<V>::new(128);
    loop {
        let round: Vec<Puzzle> = turns.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() || chosen.len() >= count {
            break;
        }
        for mut puzzle in round {
            if stopped.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if chosen.len() < count && ids.insert(puzzle.id.clone()) {
                if puzzle.only.is_some() {
                    limit(&mut solver, &mut puzzle)?;
                }
                puzzle.rating = rate(searcher, &puzzle)?;
                chosen.push(puzzle);
            }
        }
    }
    chosen.sort_by(|a, b| (a.rating, &a.id).cmp(&(b.rating, &b.id)));
    Ok(Some(chosen))
}
