//! Searches positions for a book, one after the other.

use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use kujira_position::{Move, Position, Variant};
use kujira_record::book::Searched;
use kujira_search::{Control, Info, Limits, Reporter, Searcher};
use kujira_usi::Score;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::expansion::{Leaf, Price, Task};
use super::graph::Graph;
use super::results::Results;
use super::values::Values;

/// The most moves of a line of play that a book keeps.
const LONGEST: usize = 6;

/// The most leaves that are chosen at a time: then values are found anew.
const BATCH: usize = 16;

/// Among how many times as many of the cheapest leaves they are chosen, so that processes at work on the same book
/// seldom choose the same.
const CHOICE: usize = 3;

/// What a search may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Nodes a position.
    pub nodes: u64,
    /// Moves a position that the search tells of.
    pub lines: usize,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// What decides where the book grows.
    pub price: Price,
}

/// Builds a book.
pub struct Builder<V: Variant> {
    graph: Graph<V>,
    searcher: Searcher<V>,
    random: Xoshiro256PlusPlus,
    effort: Effort,
    /// What is to be looked at next, in reverse order.
    chosen: Vec<Leaf>,
    games: Option<Games<V>>,
}

/// Games whose moves are looked at first.
struct Games<V: Variant> {
    results: Results<V>,
    /// How many must have made a move.
    least: u32,
}

/// Ends a search where a signal came.
struct Watch<'a> {
    control: &'a Control,
    stopped: &'a AtomicBool,
}

impl Watch<'_> {
    fn look(&self) {
        if self.stopped.load(Ordering::Relaxed) {
            self.control.stop();
        }
    }
}

impl Reporter for Watch<'_> {
    fn info(&self, _: &Info) {
        self.look();
    }

    fn current_move(&self, _: u32, _: Move, _: usize) {
        self.look();
    }
}

impl<V: Variant> Builder<V> {
    /// A builder that goes on with this book.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(graph: Graph<V>, effort: Effort, seed: u64) -> Result<Self, String> {
        let mut searcher = Searcher::new();
        searcher.set_hash(effort.hash).map_err(|error| error.to_string())?;
        searcher.set_multipv(effort.lines);
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Self { graph, searcher, random, effort, chosen: Vec::new(), games: None })
    }

    /// Looks first at moves that at least so many of these games made.
    pub fn answer(&mut self, results: Results<V>, least: u32) {
        self.games = Some(Games { results, least });
    }

    /// How many positions have been searched with about as many nodes as they are to have.
    #[must_use]
    pub fn searched(&self) -> usize {
        self.graph.count_searched(self.effort.nodes)
    }

    /// The book so far.
    #[must_use]
    pub fn graph(&self) -> &Graph<V> {
        &self.graph
    }

    /// Adds what others found.
    pub fn add(&mut self, found: &Searched<V>) {
        self.graph.add(found);
    }

    /// Searches what is to be looked at next. Returns what was found, which is in the book then; `None` if there is
    /// nothing left to look at, or a signal came.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn step(&mut self, stopped: &AtomicBool) -> Result<Option<Searched<V>>, String> {
        let Some((position, moves)) = self.next() else { return Ok(None) };
        let found = self.search(position, moves, stopped)?;
        if let Some(found) = &found {
            self.graph.add(found);
        }
        Ok(found)
    }

    fn next(&mut self) -> Option<Task<V>> {
        let (start, nodes) = (Position::start(), self.effort.nodes);
        if self.graph.searched(start.key(), nodes).is_none() {
            return Some((start, Vec::new()));
        }
        if let Some(games) = &self.games {
            let mut tasks = self.graph.unanswered(&games.results, games.least, nodes);
            // Others may be at work on the first ones.
            tasks.truncate(CHOICE * BATCH);
            if !tasks.is_empty() {
                return Some(tasks.swap_remove(self.random.random_range(..tasks.len())));
            }
        }
        loop {
            while let Some(leaf) = self.chosen.pop() {
                // Somebody else may have looked at it meanwhile.
                let task = self.graph.task(leaf, nodes);
                if task.is_some() {
                    return task;
                }
            }
            self.choose();
            if self.chosen.is_empty() {
                return None;
            }
        }
    }

    /// Chooses among the cheapest leaves; in a small book a few, for what they lead to may be better than the others.
    fn choose(&mut self) {
        let values = Values::of(&self.graph);
        let mut leaves = self.graph.leaves(&values, self.effort.price, self.effort.nodes);
        let count = (self.searched() / 32).clamp(1, BATCH);
        leaves.truncate(CHOICE * count);
        let (chosen, _) = leaves.partial_shuffle(&mut self.random, count);
        self.chosen = chosen.iter().map(|&(_, leaf)| leaf).collect();
    }

    fn search(
        &mut self,
        position: Position<V>,
        search_moves: Vec<Move>,
        stopped: &AtomicBool,
    ) -> Result<Option<Searched<V>>, String> {
        let refused = |error: &dyn fmt::Display| format!("{}: {error}", position.sfen());
        // One of some moves alone is to count beside the one that told of the others. One that ends sooner, at the greatest
        // depth, would find no more: it counts as having taken all of them.
        let known = self.graph.find(&position).filter(|_| !search_moves.is_empty());
        let nodes = known.map_or(self.effort.nodes, |index| self.graph.nodes()[index].nodes);
        let limits = Limits { nodes: Some(nodes), search_moves, advice: true, ..Limits::default() };
        let control = Control::new();
        let watch = Watch { control: &control, stopped };
        let found = self.searcher.search(&position, &limits, &control, &watch);
        let found = found.map_err(|error| refused(&error))?.lines;
        if stopped.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let depth = found.iter().fold(1, |depth, info| depth.max(info.depth));
        let mut lines = Vec::new();
        for info in found {
            let mut pv = info.pv;
            pv.truncate(LONGEST);
            let Some(&first) = pv.first() else { continue };
            // A search broken off early may not have seen it.
            let mut after = position.clone();
            after.make(first);
            match after.outcome() {
                Some(_) => lines.push((Score::Mate(1), vec![first])),
                None => lines.push((Score::from(info.score), pv)),
            }
        }
        if lines.is_empty() {
            return Err(refused(&"expected a move of the search, found none"));
        }
        lines.sort_by_key(|(score, _)| std::cmp::Reverse(score.centipawns()));
        let mut told = HashSet::new();
        lines.retain(|(_, pv)| told.insert(pv.first().copied()));
        Ok(Some(Searched { position, depth, nodes, lines }))
    }
}
