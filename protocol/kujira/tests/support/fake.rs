//! An engine that obeys the protocol's duties and plays the first legal move: sessions can be tested
//! without a search.

use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use kujira_position::{
    Leaves, Move, Outcome, Position, Rules, SetupError, Variant, VariantId, perft, with_variant,
};
use kujira_search::eval::{NetworkError, NetworkFile};
use kujira_search::{
    Answer, BenchError, BenchLimit, BenchReport, Bound, Conduct, Control, Engine, HashError, Info,
    Limits, MateAnswer, MateReport, PerftReport, PositionError, Reporter, Score,
};

/// What was called, in order.
pub type Calls = Arc<Mutex<Vec<String>>>;

/// More MiB than the fake has memory for.
pub const NO_MEMORY: usize = 1000;

pub struct Fake<V: Variant> {
    position: Position<V>,
    calls: Calls,
}

/// A factory of fakes, and what is called on them.
pub fn factory() -> (impl Fn(VariantId) -> Box<dyn Engine> + Send + 'static, Calls) {
    let calls = Calls::default();
    let record = Arc::clone(&calls);
    let make = move |game: VariantId| -> Box<dyn Engine> {
        let calls = Arc::clone(&calls);
        calls.lock().unwrap().push(format!("made for {game}"));
        with_variant!(game, V => Box::new(Fake::<V> { position: Position::start(), calls }))
    };
    (make, record)
}

impl<V: Variant> Fake<V> {
    fn called(&self, what: impl Into<String>) {
        self.calls.lock().unwrap().push(what.into());
    }
}

impl<V: Variant> Engine for Fake<V> {
    fn game(&self) -> VariantId {
        V::ID
    }

    fn new_game(&mut self) {
        self.called("new game");
    }

    fn set_position(&mut self, sfen: Option<&str>, moves: &[&str]) -> Result<(), PositionError> {
        let mut position = match sfen {
            None => Position::start(),
            Some(sfen) => Position::from_sfen(sfen).map_err(PositionError::Sfen)?,
        };
        for (m, number) in moves.iter().zip(1..) {
            if let Some(outcome) = position.outcome() {
                return Err(PositionError::Over { number, outcome });
            }
            let parsed = position.parse_usi(m);
            position.make(parsed.map_err(|error| PositionError::Move { number, error })?);
        }
        self.position = position;
        Ok(())
    }

    fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError> {
        self.called(format!("{rules:?}"));
        Ok(())
    }

    fn flip(&mut self) {
        self.position = self.position.turned();
    }

    fn sfen(&self) -> String {
        self.position.sfen()
    }

    fn picture(&self) -> String {
        self.position.to_string()
    }

    fn explain(&self) -> String {
        "eval 12".to_owned()
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves: Vec<_> =
            self.position.legal_moves().iter().map(|&m| self.position.usi(m)).collect();
        moves.sort();
        moves
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        self.called(format!("network of {:?} bytes", file.map(<[u8]>::len)));
        file.map_or(Ok(()), |bytes| NetworkFile::from_bytes::<V>(bytes).map(|_| ()))
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.called(format!("hash {mebibytes}"));
        if mebibytes > NO_MEMORY {
            return Err(HashError { wanted: mebibytes, kept: 1 });
        }
        Ok(())
    }

    fn clear_hash(&mut self) {
        self.called("clear hash");
    }

    fn set_threads(&mut self, threads: usize) {
        self.called(format!("threads {threads}"));
    }

    fn set_multipv(&mut self, lines: usize) {
        self.called(format!("multipv {lines}"));
    }

    fn set_conduct(&mut self, conduct: Conduct) {
        self.called(format!("{conduct:?}"));
    }

    /// Fails at depth 13, and resigns at depth 14; takes as many milliseconds as there are plies to search; otherwise
    /// sleeps until it is stopped or the time is up.
    fn go(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Answer {
        assert!(limits.depth != Some(13), "thirteen is not\nmy number");
        if limits.depth == Some(14) {
            return Answer::Resign;
        }
        let begin = Instant::now();
        let mut end = None;
        if let Some(depth) = limits.depth {
            end = Some(begin + Duration::from_millis(u64::from(depth.min(1000))));
        }
        if let Some(time) = limits.move_time {
            end = Some(begin + time);
        }
        if let Some(times) = limits.times {
            let side = self.position.side().index();
            end = Some(begin + times.left[side] / 20 + times.byoyomi);
        }
        while !control.stopped() {
            let pondering = limits.ponder && control.ponder_hit_at().is_none();
            if !pondering && let Some((hit, Some(times))) = control.ponder_hit_at() {
                end = Some(hit + times.byoyomi);
            }
            if !pondering && !limits.infinite && end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            thread::sleep(Duration::from_micros(200));
        }
        self.called(if control.stopped() { "stopped" } else { "time up" });
        let moves = self.legal_moves();
        let allowed =
            |m: &&String| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let Some(best) = moves.iter().find(allowed).or(moves.first()).cloned() else {
            return Answer::Resign;
        };
        reporter.info(&Info {
            depth: 1,
            selective_depth: 2,
            multipv: 1,
            score: Score::Centipawns(12),
            bound: Bound::Exact,
            nodes: 1500,
            time: Duration::from_millis(3),
            hashfull: 7,
            pv: vec![best.clone()],
        });
        Answer::Move { best, ponder: Some("reply".to_owned()) }
    }

    fn solve(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> MateReport {
        self.go(limits, control, reporter);
        MateReport { answer: MateAnswer::Unknown, doubt: None, nodes: 1500 }
    }

    fn perft(&self, depth: u32, _: Leaves, threads: usize, _: &Control) -> Option<PerftReport> {
        self.called(format!("perft on {threads}"));
        let leaves = |&m: &Move| {
            let mut after = self.position.clone();
            after.make(m);
            (self.position.usi(m), perft(&after, depth.saturating_sub(1), Leaves::Bulk))
        };
        let moves = self.position.legal_moves().iter().map(leaves).collect();
        Some(PerftReport { moves, time: Duration::from_millis(20) })
    }

    fn bench(
        &self,
        limit: BenchLimit,
        threads: usize,
        mebibytes: usize,
        _: &Control,
    ) -> Result<BenchReport, BenchError> {
        self.called(format!("bench {limit:?} {threads} {mebibytes}"));
        Ok(BenchReport { nodes: 5000, time: Duration::from_millis(10) })
    }
}
