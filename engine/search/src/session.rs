//! One game's engine: it holds a position, a table and threads, and searches.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;
use kujira_position::{
    Leaves, Move, Outcome, Position, Rules, SetupError, UsiMove, Variant, VariantId, with_variant,
};

use crate::bench::{self, BenchLimit};
use crate::clock::Overhead;
use crate::control::Control;
use crate::count;
use crate::engine::{
    Answer, BenchError, BenchReport, Engine, HashError, PerftReport, PositionError,
};
use crate::eval::net::{NetError, Network};
use crate::eval::weights::Weights;
use crate::eval::{Evaluator, Judge, Linear, Worth};
use crate::limits::Limits;
use crate::pool::Pool;
use crate::report::{Bound, Reporter};
use crate::score::mated_in;
use crate::shared::Shared;
use crate::tt::Table;
use crate::vote;
use crate::worker::{Line, Memory, Worker, describe};

/// Size of the transposition table where nothing else is asked for, MiB.
const DEFAULT_HASH: usize = 16;

/// An engine for `game`, at the start of a game.
///
/// ```
/// use kujira_position::VariantId;
/// use kujira_search::{Answer, Control, Limits, Silent, engine};
///
/// let mut engine = engine(VariantId::Whale);
/// engine.set_position(Some("5w/3K2/5W/6/6/6 b - 1"), &[]).unwrap();
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let answer = engine.go(&limits, &Control::new(), &Silent);
/// assert!(matches!(answer, Answer::Move { best, .. } if best == "3b2b"));
/// ```
#[must_use]
pub fn engine(game: VariantId) -> Box<dyn Engine> {
    with_variant!(game, V => Box::new(Session::<V>::new()))
}

/// The engine of one game.
pub(crate) struct Session<V: Variant> {
    position: Position<V>,
    rules: Rules,
    worth: Worth,
    judge: Judge<V>,
    table: Table,
    pool: Pool,
    /// One a thread, each on cache lines of its own; locked once a search.
    memories: Vec<CachePadded<Mutex<Memory<V>>>>,
    multipv: usize,
    overhead: Overhead,
}

impl<V: Variant> Session<V> {
    pub(crate) fn new() -> Self {
        let table = Table::new(DEFAULT_HASH).unwrap_or_else(|_| Table::smallest());
        let weights = Weights::built_in::<V>();
        Self::with(table, &weights, Judge::built_in(&weights))
    }

    fn with(table: Table, weights: &Weights, judge: Judge<V>) -> Self {
        Self {
            position: Position::start(),
            rules: Rules::DEFAULT,
            worth: Worth::of::<V>(weights),
            judge,
            table,
            pool: Pool::new(1),
            memories: vec![CachePadded::new(Mutex::new(Memory::new()))],
            multipv: 1,
            overhead: Overhead::default(),
        }
    }

    /// The moves to choose among.
    fn root_moves(&self, limits: &Limits) -> Vec<Move> {
        let all = self.position.legal_moves();
        let chosen: Vec<Move> = all
            .iter()
            .copied()
            .filter(|&m| limits.search_moves.contains(&UsiMove::<V>::new(m).to_string()))
            .collect();
        if chosen.is_empty() { all.to_vec() } else { chosen }
    }

    /// Searches; returns the answer and the nodes it took.
    pub(crate) fn think(
        &mut self,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> (Answer, u64) {
        self.table.new_search();
        let shared = Shared::new(
            &self.table,
            control,
            reporter,
            limits,
            self.overhead,
            self.multipv,
            self.pool.size(),
        )
        .with_pawn(self.judge.pawn());
        let us = self.position.side();
        let over = self.position.outcome();
        let claim = !limits.mate
            && matches!(
                self.position.impasse(),
                Some(Outcome::Win { winner, .. }) if winner == us
            );
        if over.is_some() || claim {
            let (answer, score) = match over {
                Some(Outcome::Win { winner, .. }) if winner != us => (Answer::Resign, mated_in(0)),
                Some(Outcome::Draw(_)) => (Answer::Resign, 0),
                Some(Outcome::Win { .. }) | None => (Answer::Win, crate::score::CLAIM),
            };
            let (bound, pv) = (Bound::Exact, Vec::new());
            let line = Line { depth: 0, selective_depth: 0, bound, score, pv };
            reporter.info(&describe::<V>(&shared, &line, 1));
            control.wait_until_wanted(limits);
            return (answer, 0);
        }
        let moves = self.root_moves(limits);
        let results = match &self.judge {
            Judge::Linear(terms) => {
                self.search(&shared, &moves, || Linear::<V>::new(terms.clone()))
            }
            Judge::Network(layers) => {
                self.search(&shared, &moves, || Network::<V>::new(layers.clone()))
            }
        };
        let lines = vote::elect(results, self.multipv);
        for (index, line) in lines.iter().enumerate() {
            // Protocols want a score before the answer, not a bound.
            let line = Line { bound: Bound::Exact, ..line.clone() };
            reporter.info(&describe::<V>(&shared, &line, index + 1));
        }
        let (nodes, stall) = (shared.nodes(), shared.stall());
        let pv = lines.first().map_or(&[][..], |line| &line.pv);
        let text = |m: &Move| UsiMove::<V>::new(*m).to_string();
        let answer = match pv.first() {
            Some(best) => {
                Answer::Move { best: text(best), ponder: self.ponder(pv).map(|m| text(&m)) }
            }
            None => Answer::Resign,
        };
        self.overhead.learn(stall);
        (answer, nodes)
    }

    /// What each thread found, judging positions with an evaluator of its own.
    fn search<E: Evaluator<V>>(
        &self,
        shared: &Shared<'_>,
        moves: &[Move],
        evaluator: impl Fn() -> E + Sync,
    ) -> Vec<Vec<Line>> {
        self.pool.broadcast(|index| {
            let Some(memory) = self.memories.get(index) else { return Vec::new() };
            // A search that panicked left nothing worse behind than stale numbers.
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            memory.history.new_search();
            memory.arena.release(0);
            let position = self.position.clone();
            Worker::new(shared, &mut memory, &self.worth, position, evaluator(), moves, index)
                .think()
        })
    }

    /// The reply expected to the first move of `pv`: its second, or what the table holds.
    fn ponder(&self, pv: &[Move]) -> Option<Move> {
        if let Some(&reply) = pv.get(1) {
            return Some(reply);
        }
        let mut after = self.position.clone();
        after.make(*pv.first()?);
        let reply = self.table.probe(after.key())?.best?;
        (after.is_legal(reply) && after.outcome().is_none()).then_some(reply)
    }
}

impl<V: Variant> Engine for Session<V> {
    fn game(&self) -> VariantId {
        V::ID
    }

    fn new_game(&mut self) {
        self.clear_hash();
        for memory in &mut self.memories {
            memory.get_mut().unwrap_or_else(PoisonError::into_inner).forget();
        }
    }

    fn set_position(&mut self, sfen: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        let mut position = match sfen {
            None => Position::from_sfen_under(V::SPEC.start, self.rules),
            Some(sfen) => Position::from_sfen_under(sfen, self.rules),
        }
        .map_err(PositionError::Sfen)?;
        for (index, text) in moves.iter().enumerate() {
            let number = index + 1;
            if let Some(outcome) = position.outcome() {
                return Err(PositionError::Over { number, outcome });
            }
            let m =
                position.parse_usi(text).map_err(|error| PositionError::Move { number, error })?;
            position.make(m);
        }
        self.position = position;
        Ok(())
    }

    fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError> {
        if rules != self.rules {
            self.position.set_rules(rules)?;
            self.rules = rules;
            // The rules are no part of the key.
            self.clear_hash();
        }
        Ok(())
    }

    fn flip(&mut self) {
        self.position = self.position.turned();
    }

    fn sfen(&self) -> String {
        self.position.sfen()
    }

    fn picture(&self) -> String {
        format!("{}\nkey {:016x}", self.position, self.position.key())
    }

    fn explain(&self) -> String {
        self.judge.explain(self.position.board())
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut texts: Vec<String> =
            self.position.legal_moves().iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect();
        texts.sort_unstable();
        texts
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetError> {
        self.judge = match file {
            Some(bytes) => Judge::read(bytes)?,
            None => Judge::built_in(&Weights::built_in::<V>()),
        };
        // Scores of the old one stand in the table.
        self.new_game();
        Ok(())
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        let Self { table, pool, .. } = self;
        let result = pool.install(|| table.resize(mebibytes));
        result.map_err(|_| HashError { wanted: mebibytes, kept: self.table.mebibytes() })
    }

    fn clear_hash(&mut self) {
        let Self { table, pool, .. } = self;
        pool.install(|| table.clear());
    }

    fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.pool.size() {
            self.pool = Pool::new(threads);
            self.memories
                .resize_with(self.pool.size(), || CachePadded::new(Mutex::new(Memory::new())));
        }
    }

    fn set_multipv(&mut self, lines: usize) {
        self.multipv = lines.max(1);
    }

    fn set_network_delay(&mut self, delay: Duration) {
        self.overhead.network_delay = delay;
    }

    fn set_minimum_time(&mut self, time: Duration) {
        self.overhead.minimum = time;
    }

    fn go(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Answer {
        self.think(limits, control, reporter).0
    }

    fn perft(
        &self,
        depth: u32,
        leaves: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport> {
        Pool::new(threads).install(|| count::divide(&self.position, depth, leaves, control))
    }

    fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError> {
        let table = Table::new(mebibytes).map_err(|_| BenchError::Memory(mebibytes))?;
        let mut session = Self::with(table, &Weights::built_in::<V>(), self.judge.clone());
        session.set_threads(threads);
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let Some(bench) = bench::of(V::ID) else { return Ok(BenchReport { nodes, time }) };
        let limits = bench.limits(limit);
        for sfen in bench.positions {
            session.new_game();
            if session.set_position(Some(sfen), &[]).is_err() {
                // A test reads all of them.
                continue;
            }
            let start = Instant::now();
            nodes += session.think(&limits, control, &crate::report::Silent).1;
            time += start.elapsed();
            if control.stopped() {
                return Err(BenchError::Stopped);
            }
        }
        Ok(BenchReport { nodes, time })
    }
}
