//! One searching thread: iterative deepening with aspiration windows.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use kujira_position::{Color, Move, Position, Threats, UsiMove, Variant};

use crate::clock::{Clock, Progress};
use crate::correction::{Corrections, Place};
use crate::eval::{Evaluator, PieceValues};
use crate::history::{CONTINUATIONS, Context, Contexts, Danger, History};
use crate::node::Root;
use crate::params::aspiration;
use crate::picker::Arena;
use crate::pv::Lines;
use crate::report::{Bound, Info};
use crate::root::{self, RootMove};
use crate::score::{INFINITE, MATE_BOUND, MAX_PLY, Value, reported};
use crate::shared::Shared;
use crate::tt::Entry;

/// Deepest iteration.
pub const MAX_DEPTH: u32 = 100;

/// Time between two looks at the clock and the stop flag; how many nodes that is follows from how
/// fast they are, which differs twentyfold between the games and their positions.
const POLL_TIME: Duration = Duration::from_micros(200);

/// Between two looks so far apart the thread was kept waiting.
pub(crate) const STALL: Duration = Duration::from_millis(2);

/// Fewest and most nodes between two looks.
const POLL_NODES: RangeInclusive<u64> = 8..=1024;

/// The first iteration is not broken off before so many nodes, about a millisecond at most.
const GLANCE_NODES: u64 = 500;

/// Root moves are told to those who have waited this long,
const FIRST_TELLING: Duration = Duration::from_secs(1);

/// and then not more often than this: wide positions have thousands.
const TELLING: Duration = Duration::from_millis(200);

/// What a thread keeps from one search to the next.
pub(crate) struct Memory<V: Variant> {
    /// Number of the thread.
    index: usize,
    pub(crate) history: History<V>,
    pub(crate) corrections: Corrections,
    pub(crate) arena: Arena<V>,
    pub(crate) lines: Lines,
}

impl<V: Variant> Memory<V> {
    pub(crate) fn new(index: usize) -> Self {
        Self {
            index,
            history: History::new(),
            corrections: Corrections::new::<V>(),
            arena: Arena::new(),
            lines: Lines::new(),
        }
    }

    /// Forgets what was learnt.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}

/// A line and its score: exact, or at least that if the search was broken off while it was found
/// better than expected.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Depth of the iteration; 0: nothing was searched.
    pub(crate) depth: u32,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    pub(crate) score: Value,
    pub(crate) pv: Vec<Move>,
}

/// What the search remembers of each ply from the root to here.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step {
    /// The move played from this ply.
    pub(crate) played: Option<Move>,
    /// That move for those that follow it.
    pub(crate) context: Context,
    /// And the danger it left and met, if it was a quiet move of the full search that is still to be judged.
    pub(crate) danger: Option<Danger>,
    /// A move left out, to see how good the others are.
    pub(crate) excluded: Option<Move>,
    /// What the evaluator says at this ply; none in check, but where quiescence may leave the whale attacked.
    pub(crate) raw: Option<Value>,
    /// That, less the errors made in similar positions; none where there is no `raw`.
    pub(crate) eval: Option<Value>,
    /// Moves since the last null move or the start of the game.
    pub(crate) since_pass: usize,
}

/// One searching thread at work.
pub(crate) struct Worker<'a, V: Variant, E> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory<V>,
    pub(crate) values: &'a PieceValues,
    pub(crate) position: Position<V>,
    pub(crate) evaluator: E,
    pub(crate) root_moves: Vec<RootMove>,
    /// Root moves before this one have their line of this depth.
    pub(crate) first_root_move: usize,
    pub(crate) steps: [Step; MAX_PLY + 4],
    /// By ply: what is known of who threats what there.
    pub(crate) threats: &'a [Threats<V>],
    pub(crate) selective_depth: usize,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) aborted: bool,
    /// Null moves are tried from this ply on: a verification searches without them.
    pub(crate) verified_from: usize,
    /// Whether the root moves are all legal moves.
    pub(crate) unrestricted: bool,
    index: usize,
    side: Color,
    /// The node at which the clock is looked at next: never beyond the limit of nodes.
    next_poll: u64,
    poll_nodes: u64,
    last_poll: Instant,
    /// The longest that the thread was kept waiting.
    stall: Duration,
    node_limit: u64,
    /// When the root move searched then is told next, counted from the request.
    next_telling: Duration,
    /// When lines are told next, counted from the request.
    next_lines: Duration,
    /// Whether the lines of the last iteration are still to be told.
    untold: bool,
    clock: Option<Clock>,
    progress: Progress,
    /// Running average of the scores of the iterations, centipawns.
    average: Option<Value>,
    lines: Vec<Line>,
    /// The line that a search of this iteration found better than its window.
    raised: Option<Line>,
    /// When this iteration began,
    begun: Instant,
    /// and how many nodes all threads had searched by then.
    nodes_before: u64,
}

impl<'a, V: Variant, E: Evaluator<V>> Worker<'a, V, E> {
    /// The thread with this memory about to search `position` for the best of `moves`; of `threats` nothing is known yet.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<V>,
        threats: &'a [Threats<V>; MAX_PLY + 4],
        values: &'a PieceValues,
        mut position: Position<V>,
        evaluator: E,
        moves: &[Move],
    ) -> Self {
        position.reserve(MAX_PLY + 4);
        let (side, index) = (position.side(), memory.index);
        let mut worker = Self {
            shared,
            memory,
            values,
            evaluator,
            root_moves: moves.iter().copied().map(RootMove::new).collect(),
            first_root_move: 0,
            steps: [Step::default(); MAX_PLY + 4],
            threats,
            selective_depth: 0,
            depth: 0,
            nodes: 0,
            aborted: false,
            verified_from: 0,
            unrestricted: true,
            index,
            side,
            next_poll: *POLL_NODES.start(),
            poll_nodes: *POLL_NODES.start(),
            last_poll: Instant::now(),
            stall: Duration::ZERO,
            node_limit: shared.limits.nodes.unwrap_or(u64::MAX),
            next_telling: FIRST_TELLING,
            next_lines: Duration::ZERO,
            untold: false,
            clock: None,
            progress: Progress::default(),
            average: None,
            lines: Vec::new(),
            raised: None,
            begun: Instant::now(),
            nodes_before: 0,
            position,
        };
        root::order_unsearched(
            &mut worker.root_moves,
            worker.position.board(),
            &threats[0],
            values,
            &worker.memory.history,
        );
        // With no time for more than a glance the move found earlier is played.
        let known = shared.table.probe(worker.position.key()).and_then(|entry| entry.best);
        if let Some(place) = worker.root_moves.iter().position(|root| Some(root.m) == known) {
            worker.root_moves[..=place].rotate_right(1);
        }
        worker.next_poll = worker.next_poll.min(worker.node_limit);
        worker.unrestricted = moves.len() == worker.position.count_moves();
        worker.steps[0].since_pass = worker.position.moves_made();
        worker.evaluator.reset(worker.position.board());
        if !shared.limits.ponder {
            worker.start_clock();
        }
        worker
    }

    fn start_clock(&mut self) {
        let shared = self.shared;
        let received = shared.control.received();
        self.clock = Some(Clock::new(received, shared.limits, self.side, shared.overhead));
    }

    /// Searches until a limit is reached; returns the best lines, best first.
    pub(crate) fn think(mut self) -> Vec<Line> {
        // Whatever happens there is a move and a score.
        let eval = self.evaluator.evaluate(self.position.board());
        if let Some(first) = self.root_moves.first() {
            let (bound, pv) = (Bound::Exact, vec![first.m]);
            self.lines = vec![Line { depth: 0, selective_depth: 0, bound, score: eval, pv }];
        }
        let deepest = self.shared.limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH));
        // Threads that begin at different depths get into each other's way less.
        let first = if self.index == 0 { 1 } else { 1 + self.index as u32 % 2 };
        for depth in first.min(deepest)..=deepest {
            self.depth = depth;
            self.begun = Instant::now();
            self.nodes_before = self.all_nodes();
            self.iterate();
            self.progress.last = self.begun.elapsed();
            if self.aborted || self.is_enough() {
                break;
            }
        }
        self.shared.publish(self.index, self.nodes);
        if self.index == 0 {
            let limits = self.shared.limits;
            if self.untold && (limits.infinite || limits.ponder) {
                // Whoever asked may wait for long before there is an answer.
                self.tell_lines();
            }
            self.shared.control.wait_until_wanted(limits);
            self.shared.tell_stall(self.stall);
            self.shared.answered();
        }
        self.lines
    }

    /// One iteration: every line wanted, searched to the depth of this iteration.
    fn iterate(&mut self) {
        let wanted = self.shared.multipv.clamp(1, self.root_moves.len().max(1));
        for line in 0..wanted {
            self.first_root_move = line;
            self.selective_depth = 0;
            self.raised = None;
            let score = self.aspire(line);
            self.sort(line);
            if self.aborted {
                // The first move of this iteration, or a better one found since, was searched to
                // its end: trust it, even if all that is known is that it is better.
                let found = match self.root_moves.first() {
                    Some(best) if best.bound != Bound::Upper => Some(self.line_of(best)),
                    Some(best) if best.score > -INFINITE => None,
                    // Nothing was searched again since a window was too low for it.
                    _ => self.raised.take(),
                };
                // Of several lines those of the iteration before are a whole set, if there was one.
                let first = self.depth == 1;
                if line > 0 && first {
                    self.lines = self.root_moves[..line].iter().map(|m| self.line_of(m)).collect();
                } else if (wanted == 1 || first)
                    && let Some(line) = found
                {
                    self.lines = vec![line];
                }
                return;
            }
            debug_assert_eq!(Some(score), self.root_moves.get(line).map(|best| best.score));
        }
        self.root_moves[..wanted].sort_by_key(|root| std::cmp::Reverse(root.score));
        let best: Vec<Line> =
            self.root_moves[..wanted].iter().map(|root| self.line_of(root)).collect();
        let same = match (self.lines.first(), best.first()) {
            (Some(old), Some(new)) => old.pv.first() == new.pv.first(),
            _ => false,
        };
        self.lines = best;
        self.note_progress(same);
        self.untold = self.index == 0;
        self.tell_lines_if_due();
    }

    /// Tells the lines of the last iteration once they may be told.
    fn tell_lines_if_due(&mut self) {
        if !self.untold {
            return;
        }
        let waited = self.shared.control.received().elapsed();
        if waited >= self.next_lines {
            self.next_lines = waited + self.shared.pv_interval;
            self.tell_lines();
        }
    }

    fn tell_lines(&mut self) {
        self.untold = false;
        self.tell(|worker| {
            for (index, line) in worker.lines.iter().take(worker.shared.told).enumerate() {
                worker.report(line, index + 1);
            }
        });
    }

    /// Notes what this iteration says about how much time the search deserves; `same`: the best move
    /// is that of the iteration before.
    fn note_progress(&mut self, same: bool) {
        let Some(best) = self.lines.first() else { return };
        let average = self.average.unwrap_or(best.score);
        self.average = Some((average + best.score) / 2);
        self.progress.fall = average - best.score;
        self.progress.stability = if same { self.progress.stability + 1 } else { 0 };
        let nodes = self.root_moves.first().map_or(0, |root| root.nodes);
        let single = self.lines.len() == 1 && self.nodes > 0;
        self.progress.effort = single.then(|| nodes as f64 / self.nodes as f64);
    }

    fn line_of(&self, root: &RootMove) -> Line {
        Line {
            depth: self.depth,
            selective_depth: root.selective_depth,
            bound: root.bound,
            score: root.score,
            pv: root.pv.clone(),
        }
    }

    /// Searches the root moves from `line` on, first with a narrow window round the last score.
    fn aspire(&mut self, line: usize) -> Value {
        let last = self.lines.get(line).map_or(0, |line| line.score);
        let depth = self.depth as i32;
        let mut width = aspiration();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && last.abs() < MATE_BOUND {
            (alpha, beta) = ((last - width).max(-INFINITE), (last + width).min(INFINITE));
        }
        loop {
            for root in &mut self.root_moves[line..] {
                // What an earlier iteration found must not hide what this one finds.
                (root.score, root.bound) = (-INFINITE, Bound::Upper);
            }
            let score = self.search::<Root>(alpha, beta, depth, 0);
            if self.aborted {
                return score;
            }
            self.sort(line);
            let bound = if score <= alpha {
                Bound::Upper
            } else if score >= beta {
                Bound::Lower
            } else {
                return score;
            };
            let found = self.root_moves.get(line);
            let found = found.map(|root| Line { score, bound, ..self.line_of(root) });
            if self.index == 0
                && self.shared.multipv == 1
                && self.shared.pv_interval.is_zero()
                && let Some(found) = &found
            {
                self.tell(|worker| worker.report(found, line + 1));
            }
            self.raised = found.filter(|found| found.bound == Bound::Lower);
            width *= 3;
            if bound == Bound::Upper {
                beta = (alpha + beta) / 2;
                alpha = if width > 1000 { -INFINITE } else { (score - width).max(-INFINITE) };
            } else {
                beta = if width > 1000 { INFINITE } else { (score + width).min(INFINITE) };
            }
        }
    }

    /// Puts the root moves from `line` on in order, best first; equals stay as they are.
    fn sort(&mut self, line: usize) {
        if let Some(rest) = self.root_moves.get_mut(line..) {
            rest.sort_by_key(|root| std::cmp::Reverse(root.score));
        }
    }

    fn report(&self, line: &Line, multipv: usize) {
        self.shared.publish(self.index, self.nodes);
        self.shared.reporter.info(&describe::<V>(self.shared, line, multipv));
    }

    /// The root move searched now, for those who wait.
    pub(crate) fn tell_current_move(&mut self, m: Move, number: usize) {
        let waited = self.shared.control.received().elapsed();
        if self.index == 0 && waited >= self.next_telling {
            self.next_telling = waited + TELLING;
            let text = UsiMove::<V>::new(m).to_string();
            let place = self.first_root_move + number;
            self.tell(|worker| worker.shared.reporter.current_move(worker.depth, &text, place));
        }
    }

    /// The moves that led to `ply`.
    #[inline(always)]
    pub(crate) fn contexts(&self, ply: usize) -> Contexts {
        CONTINUATIONS.map(|back| {
            ply.checked_sub(back).map_or(Context::NONE, |before| self.steps[before].context)
        })
    }

    /// Where the errors of the evaluation at `ply` are kept.
    #[inline(always)]
    pub(crate) fn place(&self, ply: usize) -> Place {
        let last = ply.checked_sub(1).map_or(Context::NONE, |before| self.steps[before].context);
        self.memory.corrections.place(&self.position, last)
    }

    /// Evaluates the position at `ply`, unless the table has it: what the evaluator says, and that
    /// less the errors it made in similar positions.
    #[inline(always)]
    pub(crate) fn evaluate(
        &mut self,
        entry: Option<Entry>,
        threats: &Threats<V>,
        ply: usize,
    ) -> Value {
        let raw = entry
            .and_then(|entry| entry.eval)
            .unwrap_or_else(|| self.evaluator.evaluate_knowing(self.position.board(), threats));
        let eval = self.memory.corrections.correct(raw, self.place(ply));
        self.steps[ply].raw = Some(raw);
        self.steps[ply].eval = Some(eval);
        eval
    }

    /// Counts a node; whether the search has to end.
    #[inline(always)]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.aborted
    }

    /// Notes that the clock was looked at; the time since it was before.
    fn look(&mut self, now: Instant) -> Duration {
        let taken = now.saturating_duration_since(self.last_poll);
        if taken > STALL {
            self.stall = self.stall.max(taken);
        }
        self.last_poll = now;
        taken
    }

    /// Tells something. Who reads that slowly does not stall the search.
    fn tell(&mut self, tell: impl FnOnce(&Self)) {
        self.look(Instant::now());
        tell(self);
        self.last_poll = Instant::now();
    }

    #[cold]
    fn poll(&mut self) {
        let now = Instant::now();
        let (fewest, most) = (*POLL_NODES.start(), *POLL_NODES.end());
        let taken = self.look(now);
        if taken > POLL_TIME {
            self.poll_nodes = (self.poll_nodes / 2).max(fewest);
        } else if taken < POLL_TIME / 2 {
            self.poll_nodes = (self.poll_nodes * 2).min(most);
        }
        self.next_poll = (self.nodes + self.poll_nodes).min(self.node_limit);
        self.shared.publish(self.index, self.nodes);
        // However little time there is, the moves are compared by a glance at each.
        let glance = self.index == 0 && self.depth == 1 && self.nodes < GLANCE_NODES;
        if self.shared.stopped() && !glance || self.nodes >= self.node_limit {
            self.aborted = true;
        }
        if self.index == 0 {
            self.tell_lines_if_due();
            let pondering = self.clock.is_none();
            self.watch_ponder();
            let (begun, progress, forced) = (self.begun, &self.progress, self.is_forced());
            let up = self.clock.as_mut().is_some_and(|clock| {
                // This iteration would not have begun had the clock been known.
                let in_vain = pondering && (forced || clock.is_enough(begun, progress));
                clock.is_up(now) || in_vain && clock.may_end(now) && !clock.finish_second(now)
            });
            if self.all_nodes() >= self.node_limit || up && !glance {
                self.aborted = true;
            }
        }
    }

    /// Nodes of all threads, as far as they are known here.
    fn all_nodes(&self) -> u64 {
        if self.shared.threads() == 1 { self.nodes } else { self.shared.nodes() }
    }

    /// Starts the clock once the move pondered on was played.
    fn watch_ponder(&mut self) {
        if self.clock.is_none()
            && let Some((hit, times)) = self.shared.control.ponder_hit_at()
        {
            let mut limits = self.shared.limits.clone();
            limits.times = times.or(limits.times);
            let clock = Clock::new(hit, &limits, self.side, self.shared.overhead);
            self.clock = Some(clock.pondered(hit - self.shared.control.received()));
        }
    }

    /// Whether there is a clock and but one move to play, so that thinking about it changes nothing.
    fn is_forced(&self) -> bool {
        let on_clock = self.clock.is_some_and(|clock| clock.is_timed());
        on_clock && !self.shared.limits.mate && self.root_moves.len() == 1
    }

    /// Whether another iteration is of no use.
    fn is_enough(&mut self) -> bool {
        if self.index != 0 {
            return self.shared.stopped();
        }
        self.watch_ponder();
        let Some(clock) = self.clock else { return false };
        if self.shared.limits.infinite {
            return false;
        }
        self.shared.publish(self.index, self.nodes);
        let nodes = self.all_nodes();
        let next = nodes + (nodes - self.nodes_before);
        if self.shared.limits.soft_nodes.is_some_and(|limit| next > limit) {
            return true;
        }
        let limits = self.shared.limits;
        let on_clock = clock.is_timed() && !limits.mate;
        let score = self.lines.first().map_or(0, |line| line.score);
        // A mate within the depth searched is the shortest one.
        let mate = on_clock
            && self.shared.multipv == 1
            && score.abs() >= MATE_BOUND
            && crate::score::MATE - score.abs() <= self.depth as Value;
        let now = Instant::now();
        if (self.is_forced() || mate) && clock.may_end(now) {
            return true;
        }
        let goes_on = |clock: &mut Clock| clock.finish_second(now);
        clock.is_enough(now, &self.progress) && !self.clock.as_mut().is_some_and(goes_on)
    }
}

/// A line for the reporter.
pub(crate) fn describe<V: Variant>(shared: &Shared<'_>, line: &Line, multipv: usize) -> Info {
    Info {
        depth: line.depth,
        selective_depth: (line.selective_depth as u32).max(line.depth),
        multipv,
        score: reported(line.score, shared.pawn),
        bound: line.bound,
        nodes: shared.nodes(),
        time: shared.control.received().elapsed(),
        hashfull: shared.table.permille(),
        pv: line.pv.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect(),
    }
}
