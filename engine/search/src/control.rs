//! What reaches a search from outside while it runs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::limits::Times;

/// The strings by which a front end holds one search: made when the request arrives, kept by
/// whoever may want to stop it, read by the search.
#[derive(Debug)]
pub struct Control {
    received: Instant,
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    times: Mutex<Option<(Instant, Option<Times>)>>,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// A control for a request that has just been received: its clock runs from now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            received: Instant::now(),
            stop: AtomicBool::new(false),
            ponder_hit: AtomicBool::new(false),
            times: Mutex::new(None),
        }
    }

    /// When the request arrived.
    #[must_use]
    pub fn received(&self) -> Instant {
        self.received
    }

    /// Asks the search to answer at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Whether the search was asked to answer at once.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The move pondered on was played: the clock starts now, with new times if the front end sent
    /// any.
    pub fn ponder_hit(&self, times: Option<Times>) {
        if let Ok(mut slot) = self.times.lock() {
            *slot = Some((Instant::now(), times));
        }
        self.ponder_hit.store(true, Ordering::Release);
    }

    /// When the move pondered on was played and the times sent with that, once it was.
    #[must_use]
    pub fn ponder_hit_at(&self) -> Option<(Instant, Option<Times>)> {
        if !self.ponder_hit.load(Ordering::Acquire) {
            return None;
        }
        self.times.lock().ok().and_then(|slot| *slot)
    }
}
