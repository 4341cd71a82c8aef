//! What reaches a search from outside while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::Instant;
use crate::limits::{Limits, Times};

/// The handle by which a front end holds one search: made when the request arrives, kept by
/// whoever may want to stop it, read by the search.
#[derive(Debug)]
pub struct Control {
    clock: fn() -> Instant,
    received: Instant,
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    times: Mutex<Option<(Instant, Option<Times>)>>,
    /// The lock under which news is told and waited for, so that none is missed.
    news: Mutex<()>,
    told: Condvar,
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
        Self::with_clock(Instant::now)
    }

    /// As [`Control::new`], with another clock than the system's, which is asked for the time by every thread that has
    /// this control: in a test time passes as the test says. It must not go back.
    #[must_use]
    pub fn with_clock(clock: fn() -> Instant) -> Self {
        Self {
            clock,
            received: clock(),
            stop: AtomicBool::new(false),
            ponder_hit: AtomicBool::new(false),
            times: Mutex::new(None),
            news: Mutex::new(()),
            told: Condvar::new(),
        }
    }

    /// When the request arrived.
    #[must_use]
    pub fn received(&self) -> Instant {
        self.received
    }

    /// This moment.
    #[must_use]
    pub fn now(&self) -> Instant {
        (self.clock)()
    }

    /// Time since the request arrived.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.now().saturating_duration_since(self.received)
    }

    /// Asks the search to answer at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.tell();
    }

    /// Whether the search was asked to answer at once.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// As [`Control::stopped`], called by the search: where there is no other thread, what has been said meanwhile is
    /// heard first.
    #[inline]
    #[must_use]
    pub(crate) fn poll(&self) -> bool {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        super::page::hear();
        self.stopped()
    }

    /// The move pondered on was played: the clock starts now, with new times if the front end sent
    /// any.
    pub fn ponder_hit(&self, times: Option<Times>) {
        if let Ok(mut slot) = self.times.lock() {
            *slot = Some((self.now(), times));
        }
        self.ponder_hit.store(true, Ordering::Release);
        self.tell();
    }

    /// Wakes the search if it has nothing to do but wait.
    fn tell(&self) {
        let _news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        self.told.notify_all();
    }

    /// Waits until a search with these limits may be answered: those that are infinite or pondering
    /// not before a stop or a ponder hit. Every wait for a search's sake goes through here.
    pub fn wait_until_wanted(&self, limits: &Limits) {
        let wanted = || {
            let hit = !limits.ponder || self.ponder_hit_at().is_some();
            self.stopped() || (!limits.infinite && hit)
        };
        self.wait_until(wanted);
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn wait_until(&self, wanted: impl Fn() -> bool) {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let _news =
            self.told.wait_while(news, |()| !wanted()).unwrap_or_else(PoisonError::into_inner);
    }

    /// There is no other thread: the one that waits reads the input.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn wait_until(&self, wanted: impl Fn() -> bool) {
        super::page::hear();
        while !wanted() {
            super::page::wait();
            super::page::hear();
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a search with these limits is answered after `news`, and not before.
    fn waits_for(limits: Limits, news: fn(&Control)) -> bool {
        let (control, told) = (Control::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                control.wait_until_wanted(&limits);
                told.load(Ordering::Relaxed)
            });
            // Long enough for an answer that waits for nothing.
            std::thread::sleep(Duration::from_millis(20));
            told.store(true, Ordering::Relaxed);
            news(&control);
            waiting.join().unwrap()
        })
    }

    #[test]
    fn answers_wait_for_what_they_were_promised_to_wait_for() {
        let infinite = Limits { infinite: true, ..Limits::default() };
        let ponder = Limits { ponder: true, ..Limits::default() };
        assert!(waits_for(infinite, Control::stop));
        assert!(waits_for(ponder.clone(), Control::stop));
        assert!(waits_for(ponder, |control| control.ponder_hit(None)));
        // Nothing is said, and yet it comes back.
        Control::new().wait_until_wanted(&Limits::default());
    }

    #[test]
    fn pondering_without_end_goes_on_after_the_hit() {
        let limits = Limits { infinite: true, ponder: true, ..Limits::default() };
        assert!(waits_for(limits, |control| {
            control.ponder_hit(None);
            control.stop();
        }));
    }
}
