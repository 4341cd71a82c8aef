//! What the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use crate::clock::Overhead;
use crate::conduct::Conduct;
use crate::control::Control;
use crate::limits::Limits;
use crate::report::Reporter;
use crate::score::{PAWN, Value};
use crate::tt::Table;

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    pub(crate) reporter: &'a dyn Reporter,
    pub(crate) limits: &'a Limits,
    pub(crate) overhead: Overhead,
    pub(crate) multipv: usize,
    /// So many of the lines are told,
    pub(crate) told: usize,
    /// no more often than this.
    pub(crate) pv_interval: Duration,
    /// So many plies below the root the game is drawn.
    pub(crate) plies_left: usize,
    /// What the evaluation counts for a dolphin or calf in hand.
    pub(crate) pawn: Value,
    stop: AtomicBool,
    /// The longest that the first thread was kept waiting by the system, microseconds.
    stall: AtomicU64,
    /// One a thread, each on cache lines of its own.
    nodes: Vec<CachePadded<AtomicU64>>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        table: &'a Table,
        control: &'a Control,
        reporter: &'a dyn Reporter,
        limits: &'a Limits,
        overhead: Overhead,
        multipv: usize,
        threads: usize,
    ) -> Self {
        Self {
            table,
            control,
            reporter,
            limits,
            overhead,
            multipv,
            told: multipv,
            pv_interval: Duration::ZERO,
            plies_left: usize::MAX,
            pawn: PAWN,
            stop: AtomicBool::new(false),
            stall: AtomicU64::new(0),
            nodes: (0..threads).map(|_| CachePadded::default()).collect(),
        }
    }

    /// The same, where the evaluation counts `pawn` for a dolphin or calf in hand.
    pub(crate) fn with_pawn(self, pawn: Value) -> Self {
        Self { pawn, ..self }
    }

    /// The same under what the operator set, where `told` lines are wanted and the next move has number `ply`.
    pub(crate) fn under(mut self, conduct: &Conduct, told: usize, ply: u32) -> Self {
        self.told = told;
        // Who looks for a mate is told at once, and stops the search.
        self.pv_interval = if self.limits.mate { Duration::ZERO } else { conduct.pv_interval };
        // A game that goes on beyond its end is not drawn.
        let left =
            conduct.longest_game.and_then(|longest| longest.checked_add(1)?.checked_sub(ply));
        self.plies_left = left.filter(|&left| left > 0).map_or(usize::MAX, |left| left as usize);
        self
    }

    /// Tells all threads to end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether all threads are to end.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.control.stopped()
    }

    /// Notes how long the system kept the first thread waiting.
    pub(crate) fn tell_stall(&self, stall: Duration) {
        self.stall.store(u64::try_from(stall.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// What was told by [`Self::tell_stall`].
    pub(crate) fn stall(&self) -> Duration {
        Duration::from_micros(self.stall.load(Ordering::Relaxed))
    }

    /// Makes the nodes of one thread known to the others.
    #[inline]
    pub(crate) fn publish(&self, thread: usize, nodes: u64) {
        if let Some(counter) = self.nodes.get(thread) {
            counter.store(nodes, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads, as far as published.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.nodes.len()
    }
}
