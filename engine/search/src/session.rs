//! One game's engine: it holds a position, a table and threads, and searches.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;
use kujira_position::{
    Color, Leaves, Move, Outcome, Position, Rules, SetupError, UsiMove, Variant, VariantId,
    with_variant,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bench::{self, BenchLimit};
use crate::blindness::Blindness;
use crate::clock::{Clock, Overhead};
use crate::conduct::Conduct;
use crate::engine::{
    Answer, BenchError, BenchReport, Engine, HashError, MateAnswer, MateReport, PerftReport,
    PositionError,
};
use crate::eval::{Accumulator, Evaluator, Network, NetworkError, explain};
use crate::ladder::Rung;
use crate::limits::Limits;
use crate::mate::{Progress, Solver, Verdict};
use crate::perft;
use crate::polls::STALL;
use crate::pool::Pool;
use crate::report::{Bound, Info, Reporter, Score};
use crate::score::{CLAIM, Value, mated_in, reported};
use crate::shared::Shared;
use crate::system::{self, Control, Instant};
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
    network: Arc<Network<V>>,
    table: Table,
    pool: Arc<Pool>,
    /// What each thread keeps, on cache lines of its own; locked once a search.
    memories: Vec<CachePadded<Mutex<Memory<V>>>>,
    multipv: usize,
    conduct: Conduct,
    /// How long the system kept searches waiting for a processor, lately.
    stall: Duration,
    /// Made when a mate is first looked for.
    solver: Option<Solver<V>>,
    /// Random numbers of the system.
    random: Xoshiro256PlusPlus,
    /// Tells what a weak player overlooks in this game from what it overlooks in others.
    game: u64,
}

impl<V: Variant> Session<V> {
    pub(crate) fn new() -> Self {
        let table = Table::new(DEFAULT_HASH).unwrap_or_else(|_| Table::smallest());
        Self::with(table, Arc::new(Network::built_in()))
    }

    fn with(table: Table, network: Arc<Network<V>>) -> Self {
        let mut random = Xoshiro256PlusPlus::from_seed(system::seed());
        Self {
            position: Position::start(),
            rules: Rules::DEFAULT,
            network,
            table,
            pool: Arc::new(Pool::new(1)),
            memories: vec![CachePadded::new(Mutex::new(Memory::new(0)))],
            multipv: 1,
            conduct: Conduct::default(),
            stall: Duration::ZERO,
            solver: None,
            game: random.random(),
            random,
        }
    }

    /// Forgets what the threads learnt of moves and of the evaluation's errors.
    fn forget(&mut self) {
        for memory in &mut self.memories {
            memory.get_mut().unwrap_or_else(PoisonError::into_inner).forget();
        }
    }

    /// The rung of a search asked for, with what its player loses by full hands.
    fn rung(&self, limits: &Limits) -> Rung {
        let held = [Color::Black, Color::White].map(|color| {
            let hand = self.position.hand(color);
            hand.iter().map(|kind| hand.count(kind)).sum::<usize>()
        });
        let held = u32::try_from(held.iter().sum::<usize>()).unwrap_or(u32::MAX);
        let pieces = self.position.occupied().count() + held;
        self.conduct.rung_of(V::ID, limits).with_hands(held, pieces)
    }

    /// The moves to choose among.
    fn root_moves(&self, limits: &Limits, blindness: Option<Blindness>) -> Vec<Move> {
        let all = self.position.legal_moves();
        let chosen: Vec<Move> = all
            .iter()
            .copied()
            .filter(|&m| {
                !limits.search_moves.is_empty()
                    && limits.search_moves.contains(&UsiMove::<V>::new(m).to_string())
            })
            .collect();
        let moves: &[Move] = if chosen.is_empty() { &all } else { &chosen };
        match blindness {
            Some(blindness) => blindness.narrow(&self.position, moves),
            None => moves.to_vec(),
        }
    }

    /// Searches; returns the answer and the nodes it took.
    pub(crate) fn think(
        &mut self,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> (Answer, u64) {
        self.table.new_search();
        let rung = self.rung(limits);
        let blindness = Blindness::of(&rung, self.position.key(), self.game);
        let wanted = self.multipv;
        let limits = &self.conduct.limits_of(limits, &rung);
        let mut overhead = Overhead { pace: self.conduct.pace, stall: self.stall };
        let shared =
            Shared::new(&self.table, control, reporter, limits, overhead, wanted, self.pool.size())
                .with_pawn(self.network.pawn())
                .overlooking(blindness)
                .under(&self.conduct, self.multipv, self.position.ply());
        if let Some((answer, score)) = self.nothing_to_search() {
            let (bound, pv) = (Bound::Exact, Vec::new());
            let line = Line { depth: 0, selective_depth: 0, bound, score, pv };
            reporter.info(&describe::<V>(&shared, &line, 1));
            control.wait_until_wanted(limits);
            return (answer, 0);
        }
        let moves = self.root_moves(limits, blindness);
        let results = self.search(&shared, &moves, || Accumulator::<V>::new(self.network.clone()));
        let lines = vote::elect(results, wanted);
        // What is pondered on may never be played.
        let earnest = limits.plays() && (!limits.ponder || control.ponder_hit_at().is_some());
        let hopeless = lines.first().is_some_and(|best| self.is_hopeless(best, shared.pawn));
        for (index, line) in lines.iter().take(self.multipv).enumerate() {
            // Protocols want a score before the answer, not a bound.
            let line = Line { bound: Bound::Exact, ..line.clone() };
            reporter.info(&describe::<V>(&shared, &line, index + 1));
        }
        let (nodes, stall) = (shared.nodes(), shared.stall());
        let answer = match lines.first() {
            Some(line) if !(earnest && hopeless) => self.answer(&line.pv, shared.salt),
            _ => Answer::Resign,
        };
        overhead.learn(stall);
        self.stall = overhead.stall;
        (answer, nodes)
    }

    /// The answer and its score where the game is over, or won by a claim.
    fn nothing_to_search(&self) -> Option<(Answer, Value)> {
        let us = self.position.side();
        match self.position.outcome() {
            Some(Outcome::Win { winner, .. }) if winner != us => {
                Some((Answer::Resign, mated_in(0)))
            }
            Some(Outcome::Draw(_)) => Some((Answer::Resign, 0)),
            Some(Outcome::Win { .. }) => Some((Answer::Win, CLAIM)),
            None => {
                let impasse = self.position.impasse();
                let claim = matches!(impasse, Some(Outcome::Win { winner, .. }) if winner == us);
                claim.then_some((Answer::Win, CLAIM))
            }
        }
    }

    /// Whether the operator would resign with this as the best line. One that nothing was searched for, or
    /// that is better than its score, is not believed.
    fn is_hopeless(&self, line: &Line, pawn: Value) -> bool {
        let Some(limit) = self.conduct.resignation else { return false };
        let believed = line.depth > 0 && line.bound != Bound::Lower;
        believed
            && match reported(line.score, pawn) {
                Score::Centipawns(value) => value < 0 && value.unsigned_abs() >= limit,
                Score::Mate(plies) => plies <= 0,
            }
    }

    /// The first move of a line as the answer; `salt` as in [`Shared`].
    fn answer(&self, pv: &[Move], salt: u64) -> Answer {
        let text = |m: &Move| UsiMove::<V>::new(*m).to_string();
        match pv.first() {
            Some(best) => {
                Answer::Move { best: text(best), ponder: self.ponder(pv, salt).map(|m| text(&m)) }
            }
            None => Answer::Resign,
        }
    }

    /// Searches on all threads, each with an evaluator of its own; returns the lines that each found.
    fn search<E: Evaluator<V>>(
        &self,
        shared: &Shared<'_>,
        moves: &[Move],
        evaluator: impl Fn() -> E,
    ) -> Vec<Vec<Line>> {
        // What is large is made here: an allocator keeps memory for every thread that ever asked for some, so that
        // a process grew with every pool.
        let made = || Mutex::new(Some(evaluator()));
        let evaluators: Vec<_> = std::iter::repeat_with(made).take(self.pool.size()).collect();
        let found = self.pool.broadcast(|index| {
            let _guard = shared.stop_after(index);
            let (Some(memory), Some(evaluator)) = (self.memories.get(index), evaluators.get(index))
            else {
                return Vec::new();
            };
            if index > 0 && shared.stopped() {
                // Called too late to be of use.
                return Vec::new();
            }
            // A search that panicked left nothing worse behind than stale numbers.
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            let (values, position) = (self.network.piece_values(), self.position.clone());
            let evaluator = evaluator.lock().unwrap_or_else(PoisonError::into_inner).take();
            evaluator.map_or_else(Vec::new, |evaluator| {
                Worker::new(shared, &mut memory, values, position, evaluator, moves).think()
            })
        });
        // The others end late where the system keeps them waiting.
        let lateness = shared.lateness();
        if lateness > STALL {
            shared.tell_stall(lateness);
        }
        let told = |panic| {
            shared
                .reporter
                .note("error: a thread of the search panicked; the others have the answer");
            if cfg!(debug_assertions) {
                resume_unwind(panic);
            }
        };
        found.into_iter().filter_map(|lines| lines.map_err(told).ok()).collect()
    }

    /// The reply expected to the first move of `pv`: its second, or what the table holds.
    fn ponder(&self, pv: &[Move], salt: u64) -> Option<Move> {
        if let Some(&reply) = pv.get(1) {
            return Some(reply);
        }
        let mut after = self.position.clone();
        after.make(*pv.first()?);
        let reply = self.table.probe(after.key() ^ salt)?.best?;
        (after.is_legal(reply) && after.outcome().is_none()).then_some(reply)
    }
}

impl<V: Variant> Engine for Session<V> {
    fn game(&self) -> VariantId {
        V::ID
    }

    fn new_game(&mut self) {
        self.clear_hash();
        self.forget();
        self.game = self.random.random();
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
        explain(&self.network, self.position.board())
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

    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        self.network = Arc::new(match file {
            Some(bytes) => Network::read(bytes)?,
            None => Network::built_in(),
        });
        // Scores of the old one stand in the table.
        self.new_game();
        Ok(())
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.solver = None;
        // Asked for by this thread, see `search`; filled on all cores.
        self.table
            .resize(mebibytes)
            .map_err(|_| HashError { wanted: mebibytes, kept: self.table.mebibytes() })
    }

    fn clear_hash(&mut self) {
        let Self { table, pool, .. } = self;
        // To wake the threads of the pool takes longer than to see that there is nothing to do.
        if !table.is_empty() {
            pool.install(|| table.clear());
        }
    }

    fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.pool.size() {
            self.pool = Arc::new(Pool::new(threads));
            let (known, wanted) = (self.memories.len(), self.pool.size());
            self.memories.truncate(wanted);
            let more = (known..wanted).map(Memory::new).map(Mutex::new).map(CachePadded::new);
            self.memories.extend(more);
        }
    }

    fn set_multipv(&mut self, lines: usize) {
        self.multipv = lines.max(1);
    }

    fn set_conduct(&mut self, conduct: Conduct) {
        if conduct.longest_game != self.conduct.longest_game {
            // The length of the game is no part of the key.
            self.clear_hash();
        }
        let (before, rung) = (self.conduct.rung(V::ID), conduct.rung(V::ID));
        if rung != before && (rung.overlooks() || before.overlooks()) {
            // Who saw less learnt other things.
            self.forget();
        }
        self.conduct = conduct;
    }

    fn go(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Answer {
        self.think(limits, control, reporter).0
    }

    fn solve(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> MateReport {
        let clock = Clock::new(
            control.received(),
            limits,
            self.position.side(),
            Overhead { pace: self.conduct.pace, stall: self.stall },
        );
        let chosen = |m: &Move| limits.search_moves.contains(&UsiMove::<V>::new(*m).to_string());
        let first: Vec<Move> = self.position.legal_moves().iter().copied().filter(chosen).collect();
        if self.pool.size() > 1 {
            reporter.note("a mate is looked for by one thread: two run in circles");
        }
        let (position, mebibytes) = (&self.position, self.table.mebibytes());
        let solver = self.solver.get_or_insert_with(|| Solver::new(mebibytes.max(1)));
        let texts = |line: &[Move]| -> Vec<String> {
            line.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect()
        };
        let mut tell = |progress: Progress<'_>| match progress {
            Progress::Looking { nodes, hashfull } => {
                reporter.effort(nodes, control.elapsed(), hashfull);
            }
            Progress::Mate { plies, line, nodes, hashfull } => reporter.info(&Info {
                depth: plies,
                selective_depth: plies,
                multipv: 1,
                score: Score::Mate(plies.cast_signed()),
                bound: Bound::Exact,
                nodes,
                time: control.elapsed(),
                hashfull,
                pv: texts(line),
            }),
        };
        let report = solver.solve_by(clock, position, &first, limits, control, &mut tell);
        let answer = match report.verdict {
            Verdict::Mate { line, plies, shortest } => {
                MateAnswer::Mate { line: texts(&line), plies, shortest }
            }
            Verdict::NoMate => MateAnswer::NoMate,
            Verdict::Unknown => MateAnswer::Unknown,
        };
        MateReport { answer, doubt: report.doubt, nodes: report.nodes }
    }

    fn perft(
        &self,
        depth: u32,
        leaves: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport> {
        let start = Instant::now();
        let count = || perft::divide(&self.position, depth, &leaves, control, |_, _| ());
        let divided = Pool::new(threads).install(count)?;
        let moves = divided.into_iter().map(|(m, count)| (self.position.usi(m), count)).collect();
        Some(PerftReport { moves, time: start.elapsed() })
    }

    fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError> {
        let table = Table::new(mebibytes).map_err(|_| BenchError::Memory(mebibytes))?;
        let mut session = Self::with(table, self.network.clone());
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
            if control.poll() {
                return Err(BenchError::Stopped);
            }
        }
        Ok(BenchReport { nodes, time })
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::Whale;

    use super::*;
    use crate::report::Silent;
    use crate::tt::Entry;

    #[test]
    fn a_table_that_no_search_has_used_is_not_touched() {
        let mut session = Session::<Whale>::new();
        let mark = Entry { best: None, score: 1, depth: 1, bound: Bound::Exact, eval: None };
        session.table.store(7, mark);
        session.clear_hash();
        assert_eq!(session.table.probe(7), Some(mark));
        session.think(&Limits { nodes: Some(1), ..Limits::default() }, &Control::new(), &Silent);
        session.clear_hash();
        assert_eq!(session.table.probe(7), None);
    }
}
