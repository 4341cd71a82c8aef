//! An engine that obeys the protocol's duties and plays the first legal move: sessions can be tested
//! without a search.

use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use kujira_position::{AnyPosition, Leaves, Move, VariantId, with_variant};
use kujira_search::eval::{NetworkError, NetworkFile};
use kujira_search::perft::{self, PerftReport};
use kujira_search::{
    Analysis, Answer, BenchError, BenchLimit, BenchReport, Bound, Control, Engine, HashError, Info,
    Limits, MateAnswer, MateReport, Reporter, Score, SearchError, SearchOptions,
};

/// What was called, in order.
pub type Calls = Arc<Mutex<Vec<String>>>;

/// More MiB than the fake has memory for.
pub const NO_MEMORY: usize = 1000;

pub struct Fake {
    game: VariantId,
    calls: Calls,
}

/// A factory of fakes, and what is called on them.
pub fn factory() -> (impl Fn(VariantId) -> Box<dyn Engine> + Send + 'static, Calls) {
    let calls = Calls::default();
    let record = Arc::clone(&calls);
    let make = move |game: VariantId| -> Box<dyn Engine> {
        let calls = Arc::clone(&calls);
        calls.lock().unwrap().push(format!("made for {game}"));
        Box::new(Fake { game, calls })
    };
    (make, record)
}

impl Fake {
    fn called(&self, what: impl Into<String>) {
        self.calls.lock().unwrap().push(what.into());
    }
}

impl Engine for Fake {
    fn game(&self) -> VariantId {
        self.game
    }

    fn new_game(&mut self) {
        self.called("new game");
    }

    fn explain(&self, _: &AnyPosition) -> Result<String, SearchError> {
        Ok("eval 12".to_owned())
    }

    fn evaluate(&self, positions: &[&AnyPosition]) -> Result<Vec<Score>, SearchError> {
        Ok(vec![Score::Centipawns(12); positions.len()])
    }

    fn set_network(&mut self, file: Option<&[u8]>) -> Result<(), NetworkError> {
        self.called(format!("network of {:?} bytes", file.map(<[u8]>::len)));
        file.map_or(
            Ok(()),
            |bytes| with_variant!(self.game, V => NetworkFile::from_bytes::<V>(bytes).map(|_| ())),
        )
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

    fn set_options(&mut self, search: SearchOptions) {
        self.called(format!("{search:?}"));
    }

    /// Fails at depth 13, and resigns at depth 14; takes as many milliseconds as there are plies to search; otherwise
    /// sleeps until it is stopped or the time is up.
    fn search(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<Analysis, SearchError> {
        let (lines, nodes, time) = (Vec::new(), 1500, Duration::from_millis(3));
        let resigns = Analysis { answer: Answer::Resign, lines, nodes, time };
        assert!(limits.depth != Some(13), "thirteen is not\nmy number");
        if limits.depth == Some(14) {
            return Ok(resigns);
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
            let side = position.side().index();
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
        let moves = position.legal_moves();
        let allowed = |m: &&Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let Some(&best) = moves.iter().filter(allowed).min_by_key(|&&m| position.usi(m)) else {
            return Ok(resigns);
        };
        let mut after = position.clone();
        after.play(best).expect("a legal move");
        let ponder = after.legal_moves().into_iter().min_by_key(|&m| after.usi(m));
        reporter.info(&Info {
            depth: 1,
            selective_depth: 2,
            multipv: 1,
            score: Score::Centipawns(12),
            bound: Bound::Exact,
            nodes: 1500,
            time: Duration::from_millis(3),
            hashfull: 7,
            pv: vec![best],
        });
        Ok(Analysis { answer: Answer::Move { best, ponder }, ..resigns })
    }

    fn mate(
        &mut self,
        position: &AnyPosition,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> Result<MateReport, SearchError> {
        self.search(position, limits, control, reporter)?;
        Ok(MateReport { answer: MateAnswer::Unknown, doubt: None, nodes: 1500 })
    }

    fn perft(
        &self,
        position: &AnyPosition,
        depth: u32,
        _: Leaves,
        threads: usize,
        control: &Control,
    ) -> Option<PerftReport> {
        self.called(format!("perft on {threads}"));
        let report = perft::count(position, depth, Leaves::Bulk, 1, control)?;
        Some(PerftReport { time: Duration::from_millis(20), ..report })
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
