//! When a search ends: the looks at the clock, the stop flag and the limits.

use std::ops::RangeInclusive;
use std::time::Duration;

use kujira_position::Variant;

use crate::clock::Clock;
use crate::eval::Evaluator;
use crate::score::{MATE, MATE_BOUND};
use crate::system::Instant;
use crate::worker::Worker;

/// Time between two looks at the clock and the stop flag; how many nodes that is follows from how
/// fast they are, which differs twentyfold between the games and their positions.
const POLL_TIME: Duration = Duration::from_micros(200);

/// Time between two looks beyond which the thread was kept waiting.
pub(crate) const STALL: Duration = Duration::from_millis(2);

/// Fewest and most nodes between two looks.
const POLL_NODES: RangeInclusive<u64> = 8..=1024;

/// Nodes before which the first iteration is not broken off, about a millisecond at most.
const GLANCE_NODES: u64 = 500;

/// When a thread looks at the clock and the stop flag, and what it saw of how time passes.
pub(crate) struct Polls {
    /// The node at which the next look is due: never beyond the limit of nodes.
    next: u64,
    /// Nodes between two looks.
    nodes: u64,
    /// When the last look was.
    last: Instant,
    /// The longest that the thread was kept waiting.
    stall: Duration,
    /// The node at which the search ends.
    limit: u64,
}

impl Polls {
    /// The looks of a thread that begins now and may search so many nodes.
    pub(crate) fn new(limit: Option<u64>) -> Self {
        let (nodes, limit) = (*POLL_NODES.start(), limit.unwrap_or(u64::MAX));
        Self { next: nodes.min(limit), nodes, last: Instant::now(), stall: Duration::ZERO, limit }
    }

    /// The longest that the thread was kept waiting.
    pub(crate) fn stall(&self) -> Duration {
        self.stall
    }

    /// Notes a look at the clock; returns the time since the last one.
    fn look(&mut self, now: Instant) -> Duration {
        let taken = now.saturating_duration_since(self.last);
        if taken > STALL {
            self.stall = self.stall.max(taken);
        }
        self.last = now;
        taken
    }

    /// Fits the nodes between two looks to the time they took, and plans the look after node `nodes`.
    fn plan(&mut self, taken: Duration, nodes: u64) {
        if taken > POLL_TIME {
            self.nodes = (self.nodes / 2).max(*POLL_NODES.start());
        } else if taken < POLL_TIME / 2 {
            self.nodes = (self.nodes * 2).min(*POLL_NODES.end());
        }
        self.next = (nodes + self.nodes).min(self.limit);
    }
}

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// Counts a node; returns whether the search has to end.
    #[inline(always)]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.polls.next {
            self.poll();
        }
        self.aborted
    }

    /// Tells something. Who reads that slowly does not stall the search.
    pub(crate) fn tell(&mut self, tell: impl FnOnce(&Self)) {
        self.polls.look(Instant::now());
        tell(self);
        self.polls.last = Instant::now();
    }

    /// Looks at the clock and the stop flag.
    #[cold]
    fn poll(&mut self) {
        let now = Instant::now();
        let taken = self.polls.look(now);
        self.polls.plan(taken, self.nodes);
        self.shared.publish(self.index, self.nodes);
        // However little time there is, the moves are compared by a glance at each.
        let glance = self.index == 0 && self.depth == 1 && self.nodes < GLANCE_NODES;
        if self.shared.stopped() && !glance || self.nodes >= self.polls.limit {
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
            if self.all_nodes() >= self.polls.limit || up && !glance {
                self.aborted = true;
            }
        }
    }

    /// Nodes of all threads, as far as they are known here.
    pub(crate) fn all_nodes(&self) -> u64 {
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

    /// Whether there is a clock and only one move to play, so that thinking about it changes nothing.
    fn is_forced(&self) -> bool {
        let on_clock = self.clock.is_some_and(|clock| clock.is_timed());
        on_clock && !self.shared.limits.mate && self.root_moves.len() == 1
    }

    /// Whether another iteration is of no use.
    pub(crate) fn is_enough(&mut self) -> bool {
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
            && MATE - score.abs() <= self.depth.cast_signed();
        let now = Instant::now();
        if (self.is_forced() || mate) && clock.may_end(now) {
            return true;
        }
        let goes_on = |clock: &mut Clock| clock.finish_second(now);
        clock.is_enough(now, &self.progress) && !self.clock.as_mut().is_some_and(goes_on)
    }
}
