//! When a search ends: the looks at the clock, the stop flag and the limits.

use kujira_position::Variant;

use crate::eval::Evaluator;
use crate::score::{MATE, MATE_BOUND};
use crate::system::Instant;
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

    /// Looks at the clock and the stop flag.
    #[cold]
    fn poll(&mut self) {
        let now = self.shared.control.now();
        let taken = self.check_interval.look(now);
        self.check_interval.plan(taken, self.nodes);
        self.shared.publish(self.index, self.nodes);
        // However little time there is, the moves are compared by a glance at each.
        let glance = self.main.is_some() && self.depth == 1 && self.nodes < GLANCE_NODES;
        if self.shared.stopped() && !glance || self.nodes >= self.check_interval.limit {
            self.aborted = true;
        }
        if self.main.is_some() {
            self.tell_lines_if_due();
            let up = self.time_is_up(now) && !glance;
            if up || self.all_nodes() >= self.check_interval.limit {
                self.aborted = true;
            }
        }
    }

    /// Whether the clock says that the search has to end now, as the first thread knows it.
    fn time_is_up(&mut self, now: Instant) -> bool {
        let Some(main) = &mut self.main else { return false };
        let pondering = main.clock.is_none();
        main.watch_ponder(self.shared);
        let Some(clock) = &mut main.clock else { return false };
        let forced = clock.is_timed() && self.root_moves.len() == 1;
        // This iteration would not have begun had the clock been known.
        let in_vain = pondering && (forced || clock.is_enough(main.begun, &main.progress));
        clock.is_up(now) || in_vain && clock.may_end(now) && !clock.finish_second(now)
    }

    /// Nodes of all threads, as far as they are known here.
    pub(crate) fn all_nodes(&self) -> u64 {
        if self.shared.threads() == 1 { self.nodes } else { self.shared.nodes() }
    }

    /// Whether another iteration is of no use.
    pub(crate) fn is_enough(&mut self) -> bool {
        self.shared.publish(self.index, self.nodes);
        let nodes = self.all_nodes();
        let Some(main) = &mut self.main else { return self.shared.stopped() };
        main.watch_ponder(self.shared);
        let Some(clock) = &mut main.clock else { return false };
        if self.shared.limits.infinite {
            return false;
        }
        let next = nodes + (nodes - main.nodes_before);
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
        if (on_clock && self.root_moves.len() == 1 || mate) && clock.may_end(now) {
            return true;
        }
        clock.is_enough(now, &main.progress) && !clock.finish_second(now)
    }
}
