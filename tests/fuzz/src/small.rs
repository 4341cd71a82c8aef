//! An engine whose searches are small and that makes no large table and no thread that nobody needs: sessions ask for
//! everything, and a run of the fuzzer lasts milliseconds.

use std::time::Duration;

use kujira_position::{AnyPosition, Leaves, Move, VariantId};
use kujira_search::eval::NetworkError;
use kujira_search::perft::PerftReport;
use kujira_search::{
    Analysis, BenchError, BenchLimit, BenchReport, SearchOptions, Control, Engine, HashError, Limits,
    MateAnswer, MateReport, Reporter, Score, SearchError,
};

/// Nodes of a search at most.
const NODES: u64 = 1500;

/// Threads at most.
const THREADS: usize = 2;

/// A table larger than this is one that there is no memory for, in MiB.
const MEMORY: usize = 4096;

/// The engine of a game, made small. It checks the answers of the one inside.
#[must_use]
pub fn engine(game: VariantId) -> Box<dyn Engine> {
    let mut inner = kujira_search::engine(game);
    inner.set_hash(1).expect("memory for the smallest table");
    Box::new(Small(inner))
}

struct Small(Box<dyn Engine>);

/// The limits of a search, made small.
fn small(limits: &Limits) -> Limits {
    Limits { nodes: Some(limits.nodes.unwrap_or(NODES).min(NODES)), ..limits.clone() }
}

/// Checks that an answer is a legal move, and one of those asked for.
fn check(position: &AnyPosition, limits: &Limits, best: Move) {
    assert!(position.is_legal(best), "{best:?} in {}", position.sfen());
    let wanted = &limits.search_moves;
    assert!(wanted.is_empty() || wanted.contains(&best), "{best:?} of {wanted:?}");
}

impl Engine for Small {
    fn game(&self) -> VariantId {
        self.0.game()
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn explain(&self, position: &AnyPosition) -> Result<String, SearchError> {
        self.0.explain(position)
    }

    fn evaluate(&self, positions: &[&AnyPosition]) -> Result<Vec<Score>, SearchError> {
        self.0.evaluate(positions)
    }

    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        self.0.set_network(file)
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        if mebibytes > MEMORY {
            return Err(HashError { wanted: mebibytes, kept: 1 });
        }
        self.0.set_hash(1)
    }

    fn clear_hash(&mut self) {
        self.0.clear_hash();
    }

    fn set_threads(&mut self, threads: usize) {
        self.0.set_threads(threads.min(THREADS));
    }

    fn set_multipv(&mut self, lines: usize) {
        self.0.set_multipv(lines);
    }

    fn set_options(&mut self, mut search: SearchOptions) {
        // These make a search wait though it is done.
        search.time.minimum = search.time.minimum.min(Duration::from_millis(2));
        search.time.full_seconds = false;
        self.0.set_options(search);
    }

    fn search(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<Analysis, SearchError> {
        let found = self.0.search(position, &small(limits), control, reporter)?;
        if let Some(best) = found.best() {
            check(position, limits, best);
        }
        Ok(found)
    }

    fn mate(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<MateReport, SearchError> {
        let report = self.0.mate(position, &small(limits), control, reporter)?;
        if let MateAnswer::Mate { line, .. } = &report.answer {
            check(position, limits, *line.first().expect("a mate has a move"));
        }
        Ok(report)
    }

    fn perft(
        &self,
        position: &AnyPosition,
        depth: u32,
        leaves: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport> {
        self.0.perft(position, depth.min(2), leaves, threads.min(THREADS), control)
    }

    fn bench(
        &self,
        _: BenchLimit,
        threads: usize,
        _: usize,
        control: &Control,
    ) -> Result<BenchReport, BenchError> {
        self.0.bench(BenchLimit::Nodes(20), threads.min(THREADS), 1, control)
    }
}
