//! What ends a search for a mate, and what is told while it lasts.

use std::time::Duration;

use kujira_position::Move;

use crate::clock::Clock;
use crate::system::Control;

/// Nodes between two looks at the clock.
const POLL: u64 = 128;

/// Time between two reports of a search that has found nothing.
const SECOND: Duration = Duration::from_secs(1);

/// How far a solver is, for whoever waits.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// Told every second.
    Looking {
        /// Moves made.
        nodes: u64,
        /// Fill of the table in permille.
        hashfull: u32,
    },
    /// A mate, shorter than all before.
    Mate {
        /// How many it takes at most.
        plies: u32,
        /// The moves of both sides; the defence is the longest only where every reply was looked at.
        line: &'a [Move],
        /// Moves made.
        nodes: u64,
        /// Fill of the table in permille.
        hashfull: u32,
    },
}

/// The search was told to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Counts nodes, and looks from time to time at whatever may end the search.
pub(super) struct Watch<'a> {
    control: &'a Control,
    clock: Clock,
    /// The most nodes.
    limit: u64,
    nodes: u64,
    /// The nodes at which it looks again.
    next: u64,
    /// The time of the next report.
    report: Duration,
    tell: &'a mut dyn FnMut(Progress<'_>),
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        control: &'a Control,
        clock: Clock,
        limit: u64,
        tell: &'a mut dyn FnMut(Progress<'_>),
    ) -> Self {
        Self { control, clock, limit, nodes: 0, next: POLL, report: SECOND, tell }
    }

    /// Moves made.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a move made.
    #[inline]
    pub(super) fn count(&mut self, hashfull: impl Fn() -> u32) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes < self.next { Ok(()) } else { self.look(hashfull()) }
    }

    /// Looks at the clock and the limits.
    #[cold]
    fn look(&mut self, hashfull: u32) -> Result<(), Stopped> {
        let now = self.control.now();
        if self.nodes >= self.limit || self.control.poll() || self.clock.is_up(now) {
            return Err(Stopped);
        }
        self.next = self.nodes + POLL;
        let elapsed = now.saturating_duration_since(self.control.received());
        if elapsed >= self.report {
            self.report = elapsed + SECOND;
            self.tell(Progress::Looking { nodes: self.nodes, hashfull });
        }
        Ok(())
    }

    /// Tells whoever waits.
    pub(super) fn tell(&mut self, progress: Progress<'_>) {
        (self.tell)(progress);
    }
}
