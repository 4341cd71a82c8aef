//! An engine whose searches are small and that makes no large table and no thread that nobody needs: sessions ask for
//! everything, and a run of the fuzzer lasts milliseconds.

use std::time::Duration;

use kujira_position::{Leaves, Outcome, Rules, SetupError, VariantId};
use kujira_search::eval::NetworkError;
use kujira_search::{
    Answer, BenchError, BenchLimit, BenchReport, Conduct, Control, Engine, HashError, Limits,
    MateAnswer, MateReport, PerftReport, PositionError, Reporter,
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

impl Engine for Small {
    fn game(&self) -> VariantId {
        self.0.game()
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn set_position(&mut self, sfen: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        self.0.set_position(sfen, moves)
    }

    fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError> {
        self.0.set_rules(rules)
    }

    fn flip(&mut self) {
        self.0.flip();
    }

    fn sfen(&self) -> String {
        self.0.sfen()
    }

    fn picture(&self) -> String {
        self.0.picture()
    }

    fn explain(&self) -> String {
        self.0.explain()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.0.legal_moves()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
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

    fn set_conduct(&mut self, mut conduct: Conduct) {
        // These make a search wait though it is done.
        conduct.pace.minimum = conduct.pace.minimum.min(Duration::from_millis(2));
        conduct.pace.full_seconds = false;
        self.0.set_conduct(conduct);
    }

    fn go(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Answer {
        let nodes = Some(limits.nodes.unwrap_or(NODES).min(NODES));
        let small = Limits { nodes, ..limits.clone() };
        let answer = self.0.go(&small, control, reporter);
        if let Answer::Move { best, .. } = &answer {
            let legal = self.0.legal_moves();
            assert!(legal.contains(best), "{best} in {}", self.0.sfen());
            let wanted = |m: &String| limits.search_moves.contains(m);
            let choice = legal.iter().any(wanted);
            assert!(!choice || wanted(best), "{best} of {:?}", limits.search_moves);
        }
        answer
    }

    fn solve(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> MateReport {
        let nodes = Some(limits.nodes.unwrap_or(NODES).min(NODES));
        let small = Limits { nodes, ..limits.clone() };
        let report = self.0.solve(&small, control, reporter);
        if let MateAnswer::Mate { line, .. } = &report.answer {
            let legal = self.0.legal_moves();
            let first = line.first().expect("a mate has a move");
            assert!(legal.contains(first), "{first} in {}", self.0.sfen());
            let wanted = |m: &String| limits.search_moves.contains(m);
            let choice = legal.iter().any(wanted);
            assert!(!choice || wanted(first), "{first} of {:?}", limits.search_moves);
        }
        report
    }

    fn perft(
        &self,
        depth: u32,
        leaves: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport> {
        self.0.perft(depth.min(2), leaves, threads.min(THREADS), control)
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
