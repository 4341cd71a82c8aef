//! The looks of a thread at the clock, the stop flag and the limits: when each is due, and what they tell of
//! how time passes.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::system::Instant;

/// Time between two looks at the clock and the stop flag; how many nodes that is follows from how
/// fast they are, which differs twentyfold between the games and their positions.
const POLL_TIME: Duration = Duration::from_micros(200);

/// Fewest and most nodes between two looks.
const POLL_NODES: RangeInclusive<u64> = 8..=1024;

/// When a thread looks at the clock and the stop flag, and what it saw of how time passes.
pub(crate) struct CheckInterval {
    /// The node at which the next look is due: never beyond the limit of nodes.
    pub(crate) next: u64,
    /// Nodes between two looks.
    nodes: u64,
    /// When the last look was.
    last: Instant,
    /// The node at which the search ends.
    pub(crate) limit: u64,
}

impl CheckInterval {
    /// The looks of a thread that begins at `now` and may search so many nodes.
    pub(crate) fn new(limit: Option<u64>, now: Instant) -> Self {
        let (nodes, limit) = (*POLL_NODES.start(), limit.unwrap_or(u64::MAX));
        Self { next: nodes.min(limit), nodes, last: now, limit }
    }

    /// Notes a look at the clock; returns the time since the last one.
    pub(crate) fn look(&mut self, now: Instant) -> Duration {
        let taken = now.saturating_duration_since(self.last);
        self.last = now;
        taken
    }

    /// Fits the nodes between two looks to the time they took, and plans the look after node `nodes`.
    pub(crate) fn plan(&mut self, taken: Duration, nodes: u64) {
        if taken > POLL_TIME {
            self.nodes = (self.nodes / 2).max(*POLL_NODES.start());
        } else if taken < POLL_TIME / 2 {
            self.nodes = (self.nodes * 2).min(*POLL_NODES.end());
        }
        self.next = (nodes + self.nodes).min(self.limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However fast nodes are, no more of them pass between two looks than there may.
    #[test]
    fn looks_follow_the_speed_of_nodes() {
        let (fast, slow) = (Duration::from_micros(10), Duration::from_millis(5));
        let mut interval = CheckInterval::new(None, Instant::now());
        let mut next_after = |taken| {
            interval.plan(taken, 5000);
            interval.next - 5000
        };
        assert_eq!([fast; 8].map(&mut next_after), [16, 32, 64, 128, 256, 512, 1024, 1024]);
        assert_eq!(next_after(POLL_TIME), 1024);
        assert_eq!([slow; 8].map(&mut next_after), [512, 256, 128, 64, 32, 16, 8, 8]);
        // The last node allowed is one to look at.
        let mut interval = CheckInterval::new(Some(20), Instant::now());
        interval.plan(fast, 8);
        assert_eq!(interval.next, 20);
    }
}
