//! What the threads of one mate search share.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use kujira_position::Variant;

use super::table::Table;
use crate::clock::Clock;
use crate::system::Control;

/// Counters of the threads that are below a position: so many, chosen by its key.
const COUNTERS: usize = 1 << 14;

/// By how much harder a move looks for every thread that is at it already, so that the others take another one:
/// Kaneko, *Parallel depth first proof number search* (AAAI 2010).
const VIRTUAL: u32 = 1;

/// Positions that are no mate because of what was before, or was asked.
pub(super) struct Over {
    /// Those that have stood three times.
    pub(super) thrice: Vec<u64>,
    /// The one asked about, where not all first moves are allowed.
    pub(super) root: Option<u64>,
}

impl Over {
    /// Whether the past of the game can end it.
    pub(super) fn past_counts(&self) -> bool {
        !self.thrice.is_empty()
    }

    fn keys(self) -> Vec<u64> {
        self.thrice.into_iter().chain(self.root).collect()
    }
}

/// What the threads of one mate search share.
pub(super) struct Shared<'a, V: Variant> {
    pub(super) table: &'a Table<V::Bits>,
    control: &'a Control,
    /// When to end.
    clock: Clock,
    /// The most nodes.
    limit: u64,
    /// Positions that are no mate: those that have stood three times, for the next time the game is over, and the
    /// one asked about where not all first moves are allowed.
    pub(super) over: Vec<u64>,
    /// Whether any has stood three times.
    past_counts: bool,
    pub(super) threads: usize,
    nodes: AtomicU64,
    stop: AtomicBool,
    /// Whether a thread found the answer that all look for.
    found: AtomicBool,
    /// Whether a path was too long.
    cut: AtomicBool,
    below: Vec<AtomicU8>,
}

impl<'a, V: Variant> Shared<'a, V> {
    pub(super) fn new(
        table: &'a Table<V::Bits>,
        control: &'a Control,
        clock: Clock,
        limit: u64,
        over: Over,
        threads: usize,
    ) -> Self {
        let counters = if threads > 1 { COUNTERS } else { 0 };
        Self {
            table,
            control,
            clock,
            limit,
            past_counts: over.past_counts(),
            over: over.keys(),
            threads,
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            found: AtomicBool::new(false),
            cut: AtomicBool::new(false),
            below: (0..counters).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// Nodes of all threads, as far as told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes of a thread.
    pub(super) fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Looks at the clock and the limits; returns whether the search has to end.
    pub(super) fn poll(&self) -> bool {
        if self.nodes() >= self.limit || self.control.poll() || self.clock.is_up(self.control.now())
        {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.stop.load(Ordering::Relaxed) || self.found.load(Ordering::Relaxed)
    }

    /// Notes whether the answer that all look for is found: the other threads stop looking.
    pub(super) fn set_found(&self, found: bool) {
        self.found.store(found, Ordering::Relaxed);
    }

    /// Whether the past of the game can end it.
    pub(super) fn past_counts(&self) -> bool {
        self.past_counts
    }

    /// Notes that a path was too long: that there is no mate is not known then.
    pub(super) fn cut(&self) {
        self.cut.store(true, Ordering::Relaxed);
    }

    /// Whether a path was too long.
    pub(super) fn was_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }

    fn counter(&self, key: u64) -> Option<&AtomicU8> {
        self.below.get((key >> 40) as usize % COUNTERS)
    }

    /// A thread goes below a position.
    #[inline]
    pub(super) fn enter(&self, key: u64) {
        if let Some(counter) = self.counter(key) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A thread comes back from below a position.
    #[inline]
    pub(super) fn leave(&self, key: u64) {
        if let Some(counter) = self.counter(key) {
            counter.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// By how much harder a position looks because others are at it.
    #[inline]
    pub(super) fn busy(&self, key: u64) -> u32 {
        self.counter(key).map_or(0, |counter| u32::from(counter.load(Ordering::Relaxed)) * VIRTUAL)
    }
}
