//! What the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::clock::Overhead;
use crate::control::Control;
use crate::limits::Limits;
use crate::report::Reporter;
use crate::tt::Table;

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Counter(AtomicU64);

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    pub(crate) reporter: &'a dyn Reporter,
    pub(crate) limits: &'a Limits,
    pub(crate) overhead: Overhead,
    pub(crate) multipv: usize,
    stop: AtomicBool,
    nodes: Vec<Counter>,
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
            stop: AtomicBool::new(false),
            nodes: (0..threads).map(|_| Counter::default()).collect(),
        }
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

    /// Makes the nodes of one thread known to the others.
    #[inline]
    pub(crate) fn publish(&self, thread: usize, nodes: u64) {
        if let Some(counter) = self.nodes.get(thread) {
            counter.0.store(nodes, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads, as far as published.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.nodes.len()
    }
}
