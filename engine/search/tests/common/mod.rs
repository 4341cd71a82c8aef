//! What the tests of the search share: a reporter that remembers, and searches in one line.

#![allow(dead_code, reason = "each test program uses some of it")]

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use kujira_position::{AnyPosition, Move, Position, PositionError, Rules, Variant, VariantId};
use kujira_search::{
    Answer, Bound, Control, Engine, Info, Limits, MateReport, Reporter, Score, engine,
};

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

/// An engine and the position that it is to search.
pub struct Player {
    pub engine: Box<dyn Engine>,
    pub position: AnyPosition,
}

impl Player {
    /// An engine for a game, at its start.
    pub fn new(game: VariantId) -> Self {
        Self { engine: engine(game), position: AnyPosition::start(game) }
    }

    /// Takes over a position: the start or an SFEN, and the moves played from it.
    pub fn set_position(
        &mut self,
        sfen: Option<&str>,
        moves: &[&str],
    ) -> Result<(), PositionError> {
        let (game, rules) = (self.position.game(), self.position.rules());
        self.position = AnyPosition::replay(game, sfen, moves.iter().copied(), rules)?;
        Ok(())
    }

    pub fn set_rules(&mut self, rules: Rules) {
        self.position.set_rules(rules).expect("a position that these rules allow");
    }

    /// The legal moves as texts, sorted.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut texts = texts(&self.position, &self.position.legal_moves());
        texts.sort_unstable();
        texts
    }

    /// Searches; the reporter hears what the search says.
    pub fn search(&mut self, limits: &Limits, control: &Control, reporter: &dyn Reporter) -> Said {
        let found = self.engine.search(&self.position, limits, control, reporter);
        Said::of(&self.position, found.expect("a position of this game").answer)
    }

    /// A reporter of searches of the position.
    pub fn recorder(&self) -> Recorder<impl Fn(&[Told]) + Sync + use<>> {
        Recorder::new(self.position.clone(), |_: &[Told]| ())
    }

    /// Limits that leave these moves to choose among.
    pub fn only(&self, moves: &[&str], limits: Limits) -> Limits {
        let read = |text: &&str| self.position.parse_usi(text).expect("a legal move");
        Limits { search_moves: moves.iter().map(read).collect(), ..limits }
    }

    /// Looks for a mate by checks alone.
    pub fn mate(
        &mut self,
        limits: &Limits,
        control: &Control,
        reporter: &dyn Reporter,
    ) -> MateReport {
        let found = self.engine.mate(&self.position, limits, control, reporter);
        found.expect("a position of this game")
    }
}

impl Deref for Player {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        self.engine.as_ref()
    }
}

impl DerefMut for Player {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.engine.as_mut()
    }
}

/// Moves as texts.
pub fn texts(position: &AnyPosition, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&m| position.usi(m)).collect()
}

/// What a search answers, as texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Move { best: String, ponder: Option<String> },
    Resign,
    Win,
}

impl Said {
    fn of(position: &AnyPosition, answer: Answer) -> Self {
        match answer {
            Answer::Move { best, ponder } => {
                Self::Move { best: position.usi(best), ponder: ponder.map(|m| position.usi(m)) }
            }
            Answer::Resign => Self::Resign,
            Answer::Win => Self::Win,
        }
    }
}

/// What a search tells, its line as texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    pub info: Info,
    pub pv: Vec<String>,
}

impl Deref for Told {
    type Target = Info;

    fn deref(&self) -> &Info {
        &self.info
    }
}

/// Remembers everything it is told of searches of a position, and does something then.
pub struct Recorder<F> {
    position: AnyPosition,
    told: Mutex<Vec<Told>>,
    react: F,
}

impl<F: Fn(&[Told]) + Sync> Recorder<F> {
    pub fn new(position: AnyPosition, react: F) -> Self {
        Self { position, told: Mutex::default(), react }
    }

    /// Everything told so far.
    pub fn infos(&self) -> Vec<Told> {
        self.told.lock().unwrap().clone()
    }
}

impl<F: Fn(&[Told]) + Sync> Reporter for Recorder<F> {
    fn info(&self, info: &Info) {
        let pv = texts(&self.position, &info.pv);
        self.told.lock().unwrap().push(Told { info: info.clone(), pv });
        (self.react)(&self.infos());
    }

    fn note(&self, text: &str) {
        panic!("nothing to note here: {text}");
    }
}

/// A finished search.
pub struct Searched {
    pub answer: Said,
    pub infos: Vec<Told>,
}

impl Searched {
    /// The move answered.
    pub fn best(&self) -> &str {
        match &self.answer {
            Said::Move { best, .. } => best,
            other => panic!("expected a move, found {other:?}"),
        }
    }

    /// The last line told.
    pub fn last(&self) -> &Told {
        self.infos.last().expect("a search tells at least one score")
    }

    /// The score of the last line told.
    pub fn score(&self) -> Score {
        self.last().score
    }
}

/// Searches the position of a player.
pub fn go(player: &mut Player, limits: &Limits) -> Searched {
    go_under(player, limits, &Control::new(), |_| ())
}

/// As [`go`] under a control; `react` is given all lines told whenever there is a new one.
pub fn go_under(
    player: &mut Player,
    limits: &Limits,
    control: &Control,
    react: impl Fn(&[Told]) + Sync,
) -> Searched {
    let recorder = Recorder::new(player.position.clone(), react);
    let answer = player.search(limits, control, &recorder);
    Searched { answer, infos: recorder.infos() }
}

/// As [`go`], on a clock that [`ticking`] is: the search, and the time it took.
pub fn go_ticking(player: &mut Player, limits: &Limits) -> (Searched, Duration) {
    let control = Control::with_clock(ticking);
    (go_under(player, limits, &control, |_| ()), control.elapsed())
}

/// Searches a position to a depth with a fresh engine.
pub fn search(game: VariantId, sfen: &str, depth: u32) -> Searched {
    let mut player = Player::new(game);
    player.set_position(Some(sfen), &[]).unwrap();
    go(&mut player, &depth_limit(depth))
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
    if let Said::Move { best, ponder } = &searched.answer {
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
