//! The solver: one question after another, with a table and threads of its own.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use kujira_position::{Move, Outcome, Position, Variant};

use super::moves::{captures, whale_capture};
use super::numbers::{ANY, FOREVER, Length};
use super::proof::{Confirmation, Doubt, best_line};
use super::search::{LONGEST, Prover};
use super::shared::{Over, Shared};
use super::table::Table;
use crate::clock::{Clock, Overhead};
use crate::limits::Limits;
use crate::pool::Pool;
use crate::system::Control;

/// The greatest limit of a search for mates of a certain length: no path of it is too long.
const MOST: Length = LONGEST - 2;

/// What a solver found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move mates by checks alone.
    Mate {
        /// The moves of both sides, with the longest defence.
        line: Vec<Move>,
        /// Whether no shorter mate by checks alone exists.
        shortest: bool,
    },
    /// It is proved that there is no mate by checks alone.
    NoMate,
    /// The search ended before it knew.
    Unknown,
}

/// A mate found so far, for whoever waits.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The moves of both sides.
    pub line: &'a [Move],
    /// Moves made by all threads.
    pub nodes: u64,
    /// Fill of the table in permille.
    pub hashfull: u32,
}

/// A verdict and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Moves made by all threads.
    pub nodes: u64,
}

/// Looks for mates by checks alone. It has a table of its own, which takes memory only as it fills.
///
/// ```
/// use kujira_position::{Position, Whale};
/// use kujira_search::mate::{Solver, Verdict};
/// use kujira_search::{Control, Limits};
///
/// let position = Position::<Whale>::from_sfen("2w3/6/2D3/6/6/3W2 b K 1").unwrap();
/// let mut solver = Solver::<Whale>::new(16, 1);
/// let report = solver.solve(&position, &[], &Limits::default(), &Control::new(), &mut |_| ());
/// assert!(matches!(report.verdict, Verdict::Mate { line, shortest: true } if line.len() == 1));
/// ```
pub struct Solver<V: Variant> {
    table: Table<V::Bits>,
    mebibytes: usize,
    pool: Arc<Pool>,
    dominance: bool,
}

impl<V: Variant> Solver<V> {
    /// A solver on `threads` threads whose table and whose memory of a proof take at most `mebibytes` MiB.
    #[must_use]
    pub fn new(mebibytes: usize, threads: usize) -> Self {
        Self::on(Arc::new(Pool::new(threads)), mebibytes)
    }

    /// A solver on the threads of a pool.
    pub(crate) fn on(pool: Arc<Pool>, mebibytes: usize) -> Self {
        // A proof is at most as large as what it is made from.
        let table = Table::new((mebibytes * 3 / 4).max(1));
        Self { table, mebibytes, pool, dominance: true }
    }

    /// The same solver, which takes what it finds out with one hand for nothing else.
    #[must_use]
    pub fn without_dominance(self) -> Self {
        Self { dominance: false, ..self }
    }

    /// Looks for a mate by the side to move, with one of `first_moves` if there are any, all of them legal. The
    /// past of the position counts: where a position would stand for the fourth time the game is over.
    ///
    /// Of `limits` the time, the nodes and the depth count; a depth is the length of the longest mate looked for, in
    /// plies. `tell` hears of every mate found, each shorter than the one before.
    pub fn solve(
        &mut self,
        position: &Position<V>,
        first_moves: &[Move],
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        let side = position.side();
        let clock = Clock::new(control.received(), limits, side, Overhead::default());
        self.solve_by(clock, position, first_moves, limits, control, tell)
    }

    /// As [`Self::solve`], with a clock that is already made.
    pub(crate) fn solve_by(
        &mut self,
        clock: Clock,
        position: &Position<V>,
        first_moves: &[Move],
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        let thrice = if position.rules().repetition { position.recurring(3) } else { Vec::new() };
        let root = (!first_moves.is_empty()).then(|| position.key());
        let over = Over { thrice, root };
        // A position that is over with one hand is not with another.
        self.table.begin(self.dominance && !over.past_counts());
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let threads = self.pool.size();
        let shared = Shared::new(&self.table, control, clock, nodes, over, threads);
        let verdict = match position.outcome() {
            Some(Outcome::Win { .. } | Outcome::Draw(_)) => Verdict::NoMate,
            None => self.decide(&shared, position, first_moves, limits, tell),
        };
        Report { verdict, nodes: shared.nodes() }
    }

    fn decide(
        &self,
        shared: &Shared<'_, V>,
        position: &Position<V>,
        first_moves: &[Move],
        limits: &Limits,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Verdict {
        let allowed = |m: Move| first_moves.is_empty() || first_moves.contains(&m);
        if captures::<V>() && position.whale_attacked(!position.side()) {
            // No move but a capture gives check here.
            let capture = whale_capture(&mut position.clone(), allowed);
            return capture
                .map_or(Verdict::Unknown, |m| Verdict::Mate { line: vec![m], shortest: true });
        }
        let wanted = limits.depth.and_then(|depth| Length::try_from(depth).ok());
        // An odd number of plies.
        let wanted = wanted.map(|depth| depth.saturating_sub(1 - depth % 2));
        let longest = wanted.filter(|&depth| depth <= MOST).unwrap_or(ANY);
        let mut provers: Vec<_> = (0..shared.threads)
            .map(|_| Prover::new(shared, position.clone(), first_moves))
            .collect();
        let mut best: Option<Vec<Move>> = None;
        let mut left = longest;
        loop {
            match self.look(shared, &mut provers, left) {
                Some(Finding::Mate(length)) => {
                    let Some(prover) = provers.first_mut() else { break };
                    let mut second = Confirmation::new(self.mebibytes / 8);
                    let line = match second.confirm(prover, length) {
                        Ok(line) => line,
                        Err(doubt) => {
                            debug_assert!(doubt != Doubt::Wrong, "{position:?}: {length}");
                            break;
                        }
                    };
                    tell(Progress {
                        line: &line,
                        nodes: shared.nodes(),
                        hashfull: self.table.permille(),
                    });
                    let found = Length::try_from(line.len()).unwrap_or(length);
                    best = Some(line);
                    if found <= 1 {
                        return mate(best, true);
                    }
                    if found > MOST {
                        break;
                    }
                    left = found - 2;
                }
                Some(Finding::NoMate(_)) if best.is_some() => {
                    if let (Some(prover), Some(line)) = (provers.first_mut(), &mut best) {
                        let length = Length::try_from(line.len()).unwrap_or(ANY);
                        // Where the time is up before that, the line found is a defence like others.
                        *line = best_line(prover, length).unwrap_or_else(|_| line.clone());
                    }
                    return mate(best, true);
                }
                Some(Finding::NoMate(FOREVER)) if shared.was_cut() => break,
                Some(Finding::NoMate(FOREVER)) => return Verdict::NoMate,
                _ => break,
            }
        }
        mate(best, false)
    }

    /// Lets all threads look for a mate within `left` plies.
    fn look(
        &self,
        shared: &Shared<'_, V>,
        provers: &mut Vec<Prover<'_, V>>,
        left: Length,
    ) -> Option<Finding> {
        shared.set_found(false);
        self.table.next_pass();
        let places: Vec<_> = provers.drain(..).map(Mutex::new).collect();
        let findings = self.pool.broadcast(|index| {
            let mut prover = places.get(index)?.lock().ok()?;
            let known = prover.prove(left).ok()?;
            shared.set_found(true);
            Some(if known.value.is_mate(left) {
                Finding::Mate(known.value.proved)
            } else {
                Finding::NoMate(known.value.fewest)
            })
        });
        shared.set_found(false);
        provers.extend(places.into_iter().filter_map(|place| place.into_inner().ok()));
        let told = |panic| {
            if cfg!(debug_assertions) {
                resume_unwind(panic);
            }
        };
        findings.into_iter().filter_map(|finding| finding.map_err(told).ok().flatten()).next()
    }
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Finding {
    /// A mate in so many plies at most.
    Mate(Length),
    /// One would take at least so many plies.
    NoMate(Length),
}

fn mate(line: Option<Vec<Move>>, shortest: bool) -> Verdict {
    line.map_or(Verdict::Unknown, |line| Verdict::Mate { line, shortest })
}
