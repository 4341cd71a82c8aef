//! When a search ends: the looks at the clock, the stop flag and the limits.

use kujira_position::Variant;

use crate::eval::Evaluator;
use crate::score::{MATE, MATE_BOUND};
use crate::time_manager::TimeManager;
use crate::worker::Worker;

/// Nodes before which the first iteration is not broken off, about a millisecond at most.
const GLANCE_NODES: u64 = 500;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// Counts a node; returns whether the search has to end.
    #[inline(always)]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.check_interval.next {
            self.poll();
        }
        self.aborted
    }

    /// Tells the reporter something. The time that this takes is not counted as a stall.
    pub(crate) fn tell(&mut self, tell: impl FnOnce(&Self)) {
        self.check_interval.look(self.shared.control.now());
        tell(self);
        self.check_interval.last = self.shared.control.now();
    }

    /// Looks at the clock and the stop flag.
    #[cold]
    fn poll(&mut self) {
        let now = self.shared.control.now();
        let taken = self.check_interval.look(now);
        self.check_interval.plan(taken, self.nodes);
        self.shared.publish(self.index, self.nodes);
        // However little time there is, the moves are compared by a glance at each.
        let glance = self.index == 0 && self.depth == 1 && self.nodes < GLANCE_NODES;
        if self.shared.stopped() && !glance || self.nodes >= self.check_interval.limit {
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
            if self.all_nodes() >= self.check_interval.limit || up && !glance {
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
            let clock = TimeManager::new(hit, &limits, self.side, self.shared.overhead);
            self.clock = Some(clock.pondered(hit - self.shared.control.received()));
        }
    }

    /// Whether there is a clock and only one move to play, so that thinking about it changes nothing.
    fn is_forced(&self) -> bool {
        let on_clock = self.clock.is_some_and(|clock| clock.is_timed());
        on_clock && self.root_moves.len() == 1
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
        let on_clock = clock.is_timed();
        let score = self.lines.first().map_or(0, |line| line.score);
        // A mate within the depth searched is the shortest one.
        let mate = on_clock
            && self.shared.multipv == 1
            && score.abs() >= MATE_BOUND
            && MATE - score.abs() <= self.depth.cast_signed();
        let now = self.shared.control.now();
        if (self.is_forced() || mate) && clock.may_end(now) {
            return true;
        }
        let goes_on = |clock: &mut TimeManager| clock.finish_second(now);
        clock.is_enough(now, &self.progress) && !self.clock.as_mut().is_some_and(goes_on)
    }
}
