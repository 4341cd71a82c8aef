//! What the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::limits::Limits;
use crate::options::TimeOptions;
use crate::report::Reporter;
use crate::score::Value;
use crate::skill::Skill;
use crate::system::Control;
use crate::tt::Table;

/// Stops the other threads when the first has its answer, or has panicked.
pub(crate) struct StopAtEnd<'a> {
    shared: &'a Shared<'a>,
    first: bool,
}

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        if self.first {
            self.shared.stop();
        }
    }
}

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    pub(crate) reporter: &'a dyn Reporter,
    pub(crate) limits: &'a Limits,
    /// How the clock is used.
    pub(crate) time: TimeOptions,
    /// Lines that are searched and told.
    pub(crate) multipv: usize,
    /// Least time between two tellings of the lines.
    pub(crate) pv_interval: Duration,
    /// Plies below the root at which the game is drawn for its length.
    pub(crate) plies_left: usize,
    /// Value of a dolphin or calf in hand, as the evaluation counts.
    pub(crate) pawn: Value,
    /// What a weak player overlooks.
    pub(crate) skill: Option<Skill>,
    /// Changes the keys of positions in the table, because results of a player with another skill do not hold. Zero
    /// for a player who overlooks nothing.
    pub(crate) salt: u64,
    pub(crate) signals: Signals,
}

/// What the threads of one search tell each other.
#[derive(Default)]
pub(crate) struct Signals {
    stop: AtomicBool,
    /// Nodes of each thread, on cache lines of their own.
    nodes: Vec<CachePadded<AtomicU64>>,
}

impl Signals {
    /// Those of a search on so many threads, before anything was said.
    pub(crate) fn of(threads: usize) -> Self {
        Self { nodes: (0..threads).map(|_| CachePadded::default()).collect(), ..Self::default() }
    }
}

impl Shared<'_> {
    /// Ends the search when dropped, if this thread is the first.
    pub(crate) fn stop_after(&self, thread: usize) -> StopAtEnd<'_> {
        StopAtEnd { shared: self, first: thread == 0 }
    }

    /// Tells all threads to end.
    pub(crate) fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
    }

    /// Whether all threads are to end.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.signals.stop.load(Ordering::Relaxed) || self.control.poll()
    }

    /// Makes the nodes of one thread known to the others.
    #[inline]
    pub(crate) fn publish(&self, thread: usize, nodes: u64) {
        if let Some(counter) = self.signals.nodes.get(thread) {
            counter.store(nodes, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads, as far as published.
    pub(crate) fn nodes(&self) -> u64 {
        self.signals.nodes.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.signals.nodes.len()
    }
}
