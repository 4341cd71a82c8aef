//! The limits of a search for a mate, and the reports of its progress.

use std::time::Duration;

use kujira_position::Move;

use crate::system::Control;
use crate::time_manager::TimeManager;

/// Nodes between two looks at the clock.
const POLL: u64 = 128;

/// Time between two reports of a search that has found nothing.
const SECOND: Duration = Duration::from_secs(1);

/// The progress of a solver.
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
        /// How many plies it takes at most.
        plies: u32,
        /// The moves of both sides; where not every reply was looked at they may be fewer.
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
    clock: TimeManager,
    /// The most nodes.
    limit: u64,
    nodes: u64,
    /// The nodes at which it looks again.
    next: u64,
    /// The nodes at which a part of the search gives up, while the whole goes on.
    patience: u64,
    ended: bool,
    /// The time of the next report.
    report: Duration,
    tell: &'a mut dyn FnMut(Progress<'_>),
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        control: &'a Control,
        clock: TimeManager,
        limit: u64,
        tell: &'a mut dyn FnMut(Progress<'_>),
    ) -> Self {
        let (patience, ended) = (u64::MAX, false);
        Self { control, clock, limit, nodes: 0, next: POLL, patience, ended, report: SECOND, tell }
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
        self.ended = self.nodes >= self.limit || self.control.poll() || self.clock.is_up(now);
        if self.ended || self.nodes >= self.patience {
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

    /// Lets what follows take so many moves; all that are left if `None`.
    pub(super) fn set_patience(&mut self, moves: Option<u64>) {
        self.patience = moves.map_or(u64::MAX, |moves| self.nodes.saturating_add(moves));
    }

    /// Whether the whole search was told to end.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Tells whoever waits.
    pub(super) fn tell(&mut self, progress: Progress<'_>) {
        (self.tell)(progress);
    }
}
