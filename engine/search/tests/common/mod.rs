//! What the tests of the search share: a reporter that remembers, and searches in one line.

#![allow(dead_code, reason = "each test program uses some of it")]

use std::cell::Cell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use kujira_position::{Position, Variant, VariantId};
use kujira_search::{Answer, Bound, Control, Engine, Info, Limits, Reporter, Score, engine};

/// A hang: whoever waits for longer waits for ever.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `condition` holds; returns whether it came to that.
pub fn eventually(condition: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !condition() {
        if begun.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// How long a look at [`ticking`] takes.
pub const LOOK: Duration = Duration::from_micros(100);

/// A clock of each thread on which nothing takes time but to look at it.
pub fn ticking() -> Instant {
    thread_local!(static NOW: Cell<Instant> = Cell::new(Instant::now()));
    NOW.set(NOW.get() + LOOK);
    NOW.get()
}

/// Remembers everything it is told.
#[derive(Default)]
pub struct Recorder(Mutex<Vec<Info>>);

impl Reporter for Recorder {
    fn info(&self, info: &Info) {
        self.0.lock().unwrap().push(info.clone());
    }

    fn note(&self, text: &str) {
        panic!("nothing to note here: {text}");
    }
}

impl Recorder {
    /// Everything told so far.
    pub fn infos(&self) -> Vec<Info> {
        self.0.lock().unwrap().clone()
    }
}

/// Remembers everything it is told, and does something then.
struct Listener<F> {
    recorder: Recorder,
    react: F,
}

impl<F: Fn(&[Info]) + Sync> Reporter for Listener<F> {
    fn info(&self, info: &Info) {
        self.recorder.info(info);
        (self.react)(&self.recorder.infos());
    }

    fn note(&self, text: &str) {
        self.recorder.note(text);
    }
}

/// A finished search.
pub struct Searched {
    pub answer: Answer,
    pub infos: Vec<Info>,
}

impl Searched {
    /// The move answered.
    pub fn best(&self) -> &str {
        match &self.answer {
            Answer::Move { best, .. } => best,
            other => panic!("expected a move, found {other:?}"),
        }
    }

    /// The last line told.
    pub fn last(&self) -> &Info {
        self.infos.last().expect("a search tells at least one score")
    }

    /// The score of the last line told.
    pub fn score(&self) -> Score {
        self.last().score
    }
}

/// Searches the position `engine` holds.
pub fn go(engine: &mut dyn Engine, limits: &Limits) -> Searched {
    go_under(engine, limits, &Control::new(), |_| ())
}

/// As [`go`] under a control; `react` is given all lines told whenever there is a new one.
pub fn go_under(
    engine: &mut dyn Engine,
    limits: &Limits,
    control: &Control,
    react: impl Fn(&[Info]) + Sync,
) -> Searched {
    let listener = Listener { recorder: Recorder::default(), react };
    let answer = engine.go(limits, control, &listener);
    Searched { answer, infos: listener.recorder.infos() }
}

/// As [`go`], on a clock that [`ticking`] is: the search, and the time it took.
pub fn go_ticking(engine: &mut dyn Engine, limits: &Limits) -> (Searched, Duration) {
    let control = Control::with_clock(ticking);
    (go_under(engine, limits, &control, |_| ()), control.elapsed())
}

/// Searches a position to a depth with a fresh engine.
pub fn search(game: VariantId, sfen: &str, depth: u32) -> Searched {
    let mut engine = engine(game);
    engine.set_position(Some(sfen), &[]).unwrap();
    go(engine.as_mut(), &depth_limit(depth))
}

pub fn depth_limit(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub fn node_limit(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

pub fn time_limit(milliseconds: u64) -> Limits {
    Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
}

/// Whatever is told: lines are legal to their end, the last is exact and begins with the answer.
pub fn check_protocol<V: Variant>(position: &Position<V>, searched: &Searched) {
    for info in &searched.infos {
        let mut line = position.clone();
        for text in &info.pv {
            let m = line.parse_usi(text).unwrap_or_else(|error| panic!("{info:?}: {error}"));
            line.make(m);
        }
    }
    let last = searched.last();
    assert_eq!(last.bound, Bound::Exact, "{last:?}");
    if let Answer::Move { best, ponder } = &searched.answer {
        let mut line = position.clone();
        line.make(line.parse_usi(best).unwrap());
        if let Some(reply) = ponder {
            line.parse_usi(reply).unwrap();
        }
        let first = searched.infos.iter().rfind(|info| info.multipv == 1).unwrap();
        assert_eq!(first.pv.first(), Some(best));
    }
}

/// A score as a number, mates beyond all others.
pub fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(centipawns) => centipawns,
        Score::Mate(plies) if plies > 0 => 100_000 - plies,
        Score::Mate(plies) => -100_000 - plies,
    }
}
