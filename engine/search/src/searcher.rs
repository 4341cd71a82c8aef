//! The search of one game, as a value: its table, its threads, its network, and what it learnt.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_utils::CachePadded;
use kujira_position::{Color, IllegalMove, Move, Outcome, Position, Rules, Threats, Variant};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::answer::{Analysis, Answer, BenchError, BenchReport, HashError};
use crate::bench::{self, BenchLimit};
use crate::eval::{Accumulator, Evaluator, Network, NetworkError, explain};
use crate::ladder::Rung;
use crate::limits::Limits;
use crate::mate::{MateReport, Progress, Solver};
use crate::options::SearchOptions;
use crate::pool::Pool;
use crate::report::{Bound, Info, Reporter, Score, Silent};
use crate::score::{CLAIM, Value, mated_in, reported};
use crate::shared::{Shared, Signals};
use crate::skill::Skill;
use crate::system::{self, Control, Instant};
use crate::time_manager::TimeManager;
use crate::tt::Table;
use crate::vote;
use crate::worker::{Line, Memory, Worker, describe};

/// Size of the transposition table where nothing else is asked for, MiB.
const DEFAULT_HASH: usize = 16;

/// The search of one game.
///
/// ```
/// use kujira_position::{Position, Whale};
/// use kujira_search::{Control, Limits, Score, Searcher, Silent};
///
/// let position: Position<Whale> = "5w/3K2/5W/6/6/6 b - 1".parse().unwrap();
/// let limits = Limits { nodes: Some(1000), ..Limits::default() };
/// let found = Searcher::new().search(&position, &limits, &Control::new(), &Silent)?;
/// assert_eq!(found.best().map(|m| position.usi(m)).as_deref(), Some("3b2b"));
/// assert_eq!(found.score(), Some(Score::Mate(1)));
/// # Ok::<(), kujira_position::IllegalMove>(())
/// ```
pub struct Searcher<V: Variant> {
    /// The rules of the last search, which are no part of the keys in the table.
    rules: Rules,
    network: Arc<Network<V>>,
    table: Table,
    pool: Arc<Pool>,
    /// What each thread keeps, on cache lines of its own; locked once a search.
    memories: Vec<CachePadded<Mutex<Memory<V>>>>,
    multipv: usize,
    options: SearchOptions,
    /// Made when a mate is first looked for.
    solver: Option<Solver<V>>,
    /// Random numbers of the system.
    random: Xoshiro256PlusPlus,
    /// Tells what a weak player overlooks in this game from what it overlooks in others.
    game: u64,
}

impl<V: Variant> fmt::Debug for Searcher<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("game", &V::ID).finish_non_exhaustive()
    }
}

impl<V: Variant> Default for Searcher<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Variant> Searcher<V> {
    /// A search on one thread, with a table of 16 MiB and the network that it was built with.
    #[must_use]
    pub fn new() -> Self {
        let table = Table::new(DEFAULT_HASH).unwrap_or_else(|_| Table::smallest());
        Self::with(table, Arc::new(Network::built_in()))
    }

    fn with(table: Table, network: Arc<Network<V>>) -> Self {
        let mut random = Xoshiro256PlusPlus::from_seed(system::seed());
        Self {
            rules: Rules::DEFAULT,
            network,
            table,
            pool: Arc::new(Pool::new(1)),
            memories: vec![CachePadded::new(Mutex::new(Memory::new(0)))],
            multipv: 1,
            options: SearchOptions::default(),
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
    fn rung(&self, position: &Position<V>, limits: &Limits) -> Rung {
        let held = [Color::Black, Color::White].map(|color| {
            let hand = position.hand(color);
            hand.iter().map(|kind| hand.count(kind)).sum::<usize>()
        });
        let held = u32::try_from(held.iter().sum::<usize>()).unwrap_or(u32::MAX);
        let pieces = position.occupied().count() + held;
        self.options.rung_of(V::ID, limits).with_hands(held, pieces)
    }

    /// Searches a position; returns when a limit is reached or the search is stopped. With
    /// `infinite` or while pondering it returns only after a stop or a ponder hit.
    ///
    /// # Errors
    /// If a move to choose among is not legal.
    pub fn search(
        &mut self,
        position: &Position<V>,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<Analysis, IllegalMove> {
        self.begin(position, limits)?;
        self.table.new_search();
        let rung = self.rung(position, limits);
        let skill = Skill::of(&rung, position.key(), self.game);
        let limits = &self.options.limits_of(limits, &rung);
        let shared = Shared {
            table: &self.table,
            control,
            reporter,
            limits,
            time: self.options.time,
            multipv: self.multipv,
            pv_interval: self.options.pv_interval,
            plies_left: self.options.plies_left(position.ply()),
            pawn: self.network.pawn(),
            skill,
            salt: skill.map_or(0, |skill| skill.salt()),
            signals: Signals::of(self.pool.size()),
        };
        let tell = |index: usize, line: &Line| {
            // Protocols want a score before the answer, not a bound.
            let line = Line { bound: Bound::Exact, ..line.clone() };
            let info = describe(&shared, &line, index + 1);
            reporter.info(&info);
            info
        };
        if let Some((answer, score)) = Self::nothing_to_search(position) {
            let (bound, pv) = (Bound::Exact, Vec::new());
            let line = Line { depth: 0, selective_depth: 0, bound, score, pv };
            let lines = vec![tell(0, &line)];
            control.wait_until_wanted(limits);
            return Ok(Analysis { answer, lines, nodes: 0, time: control.elapsed() });
        }
        let mut moves = chosen(position, limits);
        if let Some(skill) = skill {
            moves = skill.narrow(position, &moves);
        }
        let evaluator = || Accumulator::<V>::new(self.network.clone());
        let results = self.search_on_all(&shared, position, &moves, evaluator);
        let lines = vote::elect(results, self.multipv);
        // What is pondered on may never be played.
        let earnest = limits.plays() && (!limits.ponder || control.ponder_hit_at().is_some());
        let hopeless = lines.first().is_some_and(|best| self.is_hopeless(best, shared.pawn));
        let told = lines.iter().take(self.multipv).enumerate();
        let told = told.map(|(index, line)| tell(index, line)).collect();
        let answer = match lines.first() {
            Some(line) if !(earnest && hopeless) => self.answer(position, &line.pv, shared.salt),
            _ => Answer::Resign,
        };
        Ok(Analysis { answer, lines: told, nodes: shared.nodes(), time: control.elapsed() })
    }

    /// Looks at what a search is asked, and forgets what is not true under its rules.
    fn begin(&mut self, position: &Position<V>, limits: &Limits) -> Result<(), IllegalMove> {
        if let Some(&m) = limits.search_moves.iter().find(|&&m| !position.is_legal(m)) {
            return Err(IllegalMove { m, sfen: position.sfen() });
        }
        if position.rules() != self.rules {
            self.rules = position.rules();
            self.clear_hash();
        }
        Ok(())
    }

    /// The answer and its score where the game is over, or won by a claim.
    fn nothing_to_search(position: &Position<V>) -> Option<(Answer, Value)> {
        let us = position.side();
        match position.outcome() {
            Some(Outcome::Win { winner, .. }) if winner != us => {
                Some((Answer::Resign, mated_in(0)))
            }
            Some(Outcome::Draw(_)) => Some((Answer::Resign, 0)),
            Some(Outcome::Win { .. }) => Some((Answer::Win, CLAIM)),
            None => {
                let impasse = position.impasse();
                let claim = matches!(impasse, Some(Outcome::Win { winner, .. }) if winner == us);
                claim.then_some((Answer::Win, CLAIM))
            }
        }
    }

    /// Whether the operator would resign with this as the best line. One that nothing was searched for, or
    /// that is better than its score, is not believed.
    fn is_hopeless(&self, line: &Line, pawn: Value) -> bool {
        let Some(limit) = self.options.resignation else { return false };
        let believed = line.depth > 0 && line.bound != Bound::Lower;
        believed
            && match reported(line.score, pawn) {
                Score::Centipawns(value) => value < 0 && value.unsigned_abs() >= limit,
                Score::Mate(plies) => plies <= 0,
            }
    }

    /// The first move of a line as the answer; `salt` as in [`Shared`].
    fn answer(&self, position: &Position<V>, pv: &[Move], salt: u64) -> Answer {
        match pv.first() {
            Some(&best) => Answer::Move { best, ponder: self.ponder(position, pv, salt) },
            None => Answer::Resign,
        }
    }

    /// Searches on all threads, each with an evaluator of its own; returns the lines that each found.
    fn search_on_all<E: Evaluator<V>>(
        &self,
        shared: &Shared<'_>,
        position: &Position<V>,
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
            let (values, position) = (self.network.piece_values(), position.clone());
            let evaluator = evaluator.lock().unwrap_or_else(PoisonError::into_inner).take();
            evaluator.map_or_else(Vec::new, |evaluator| {
                Worker::new(shared, &mut memory, values, position, evaluator, moves).think()
            })
        });
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
    fn ponder(&self, position: &Position<V>, pv: &[Move], salt: u64) -> Option<Move> {
        if let Some(&reply) = pv.get(1) {
            return Some(reply);
        }
        let mut after = position.clone();
        after.make(*pv.first()?);
        let reply = self.table.probe(after.key() ^ salt)?.best?;
        (after.is_legal(reply) && after.outcome().is_none()).then_some(reply)
    }

    /// Forgets everything learnt from earlier searches.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.forget();
        self.game = self.random.random();
    }

    /// What the evaluation says of a position, piece by piece, for people.
    #[must_use]
    pub fn explain(&self, position: &Position<V>) -> String {
        explain(&self.network, position.board())
    }

    /// What the evaluation says of positions without looking ahead, each from the point of view of its side to move.
    ///
    /// ```
    /// use kujira_position::{Position, Whale};
    /// use kujira_search::{Score, Searcher};
    ///
    /// let rich: Position<Whale> = "w5/6/6/6/6/5W b KG 1".parse().unwrap();
    /// let scores = Searcher::new().evaluate([&rich, &rich.turned()]);
    /// assert!(matches!(scores[..], [Score::Centipawns(one), Score::Centipawns(other)] if one > 0 && one == other));
    /// ```
    pub fn evaluate<'a>(&self, positions: impl IntoIterator<Item = &'a Position<V>>) -> Vec<Score> {
        let mut evaluator = Accumulator::<V>::new(self.network.clone());
        let score = |position: &Position<V>| {
            evaluator.reset(position.board());
            let value = evaluator.evaluate(position.board(), &Threats::default());
            reported(value, self.network.pawn())
        };
        positions.into_iter().map(score).collect()
    }

    /// Takes the network in a file (see [`NetworkFile`](crate::eval::NetworkFile)) for judging positions, or, with
    /// `None`, what the engine was built with. Forgets what was learnt from earlier searches.
    ///
    /// # Errors
    /// If the bytes are no network for the game; then the old one stays.
    pub fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        self.network = Arc::new(match file {
            Some(bytes) => Network::read(bytes)?,
            None => Network::built_in(),
        });
        // Scores of the old one stand in the table.
        self.new_game();
        Ok(())
    }

    /// Sets the size of the transposition table.
    ///
    /// # Errors
    /// If there is no memory for it; then the table keeps its size, and what it holds unless there is no room
    /// for both and it had to go before the attempt. Where the system then refuses its size, too, the smallest
    /// table there is remains.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.solver = None;
        // Asked for by this thread, see `search`; filled on all cores.
        self.table
            .resize(mebibytes)
            .map_err(|_| HashError { wanted: mebibytes, kept: self.table.mebibytes() })
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        let Self { table, pool, .. } = self;
        // To wake the threads of the pool takes longer than to see that there is nothing to do.
        if !table.is_empty() {
            pool.install(|| table.clear());
        }
    }

    /// Sets the number of searching threads.
    pub fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.pool.size() {
            self.pool = Arc::new(Pool::new(threads));
            let (known, wanted) = (self.memories.len(), self.pool.size());
            self.memories.truncate(wanted);
            let more = (known..wanted).map(Memory::new).map(Mutex::new).map(CachePadded::new);
            self.memories.extend(more);
        }
    }

    /// Sets how many lines a search reports.
    pub fn set_multipv(&mut self, lines: usize) {
        self.multipv = lines.max(1);
    }

    /// Sets how to play, in all searches to come.
    pub fn set_options(&mut self, options: SearchOptions) {
        if options.longest_game != self.options.longest_game {
            // The length of the game is no part of the key.
            self.clear_hash();
        }
        let (before, rung) = (self.options.rung(V::ID), options.rung(V::ID));
        if rung != before && (rung.overlooks() || before.overlooks()) {
            // Who saw less learnt other things.
            self.forget();
        }
        self.options = options;
    }

    /// Looks for a mate by checks alone ([`mate`](crate::mate)); returns when the answer is known, a limit is reached
    /// or the search is stopped. Of `limits` the times, nodes, depth (the longest mate, in plies) and first moves
    /// count; nodes are looked at every 128. The reporter hears of each mate found, every one shorter than that
    /// before. It takes memory for a table as large as that of the search may become.
    ///
    /// # Errors
    /// If a move to choose among is not legal.
    pub fn mate(
        &mut self,
        position: &Position<V>,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<MateReport, IllegalMove> {
        self.begin(position, limits)?;
        let clock =
            TimeManager::new(control.received(), limits, position.side(), self.options.time);
        let first = chosen(position, limits);
        if self.pool.size() > 1 {
            reporter.note("a mate is looked for by one thread: two run in circles");
        }
        let mebibytes = self.table.mebibytes();
        let solver = self.solver.get_or_insert_with(|| Solver::new(mebibytes.max(1)));
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
                pv: line.to_vec(),
            }),
        };
        Ok(solver.solve_by(clock, position, &first, limits, control, &mut tell))
    }

    /// Searches the bench positions of the game to `limit` on `threads` threads with a fresh table of
    /// `mebibytes`.
    ///
    /// # Errors
    /// If `control` stopped it, or there is no memory for the table.
    pub fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError> {
        let table = Table::new(mebibytes).map_err(|_| BenchError::Memory(mebibytes))?;
        let mut searcher = Self::with(table, self.network.clone());
        searcher.set_threads(threads);
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let Some(bench) = bench::of(V::ID) else { return Ok(BenchReport { nodes, time }) };
        let limits = bench.limits(limit);
        for sfen in bench.positions {
            searcher.new_game();
            // A test reads all of them.
            let Ok(position) = Position::from_sfen(sfen) else { continue };
            let start = Instant::now();
            let found = searcher.search(&position, &limits, control, &Silent);
            nodes += found.map_or(0, |found| found.nodes);
            time += start.elapsed();
            if control.poll() {
                return Err(BenchError::Stopped);
            }
        }
        Ok(BenchReport { nodes, time })
    }
}

/// The legal moves to choose among.
fn chosen<V: Variant>(position: &Position<V>, limits: &Limits) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    if !limits.search_moves.is_empty() {
        moves.retain(|m| limits.search_moves.contains(m));
    }
    moves
}

#[cfg(test)]
mod tests {
    use kujira_position::Whale;

    use super::*;
    use crate::tt::Entry;

    #[test]
    fn a_table_that_no_search_has_used_is_not_touched() {
        let mut searcher = Searcher::<Whale>::new();
        let mark = Entry {
            best: None,
            score: 1,
            depth: 1,
            bound: Bound::Exact,
            eval: None,
            was_pv: false,
        };
        searcher.table.store(7, mark);
        searcher.clear_hash();
        assert_eq!(searcher.table.probe(7), Some(mark));
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        searcher.search(&Position::start(), &limits, &Control::new(), &Silent).unwrap();
        searcher.clear_hash();
        assert_eq!(searcher.table.probe(7), None);
    }
}
