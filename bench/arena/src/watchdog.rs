//! Notices when this program stood still: stopped by Ctrl-Z, or on a machine that did.
//!
//! A thread sleeps and looks at the clock. Where far more time has passed than it slept, nobody here could
//! take an engine's answer when it came, and the engine may not have run either: that a move came late then
//! says nothing about the engine.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kujira_record::played::Machine;
use sysinfo::System;

/// How long the thread sleeps.
const SLEEP: Duration = Duration::from_millis(10);

/// More than this from one look to the next is a stall: even a busy machine wakes up a thread sooner that
/// only sleeps.
const LONGEST: Duration = Duration::from_millis(50);

/// How many stalls are remembered. Moves that are older than so many are long judged.
const MOST_KEPT: usize = 1000;

/// Looks at the clock until it is dropped.
#[derive(Debug)]
pub struct Watchdog {
    looks: Arc<Mutex<Looks>>,
    over: Arc<AtomicBool>,
}

impl Watchdog {
    /// Begins to look.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start() -> io::Result<Self> {
        let looks = Arc::new(Mutex::new(Looks { last: Instant::now(), stalls: VecDeque::new() }));
        let over = Arc::new(AtomicBool::new(false));
        let (shared, flag) = (Arc::clone(&looks), Arc::clone(&over));
        thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                thread::sleep(SLEEP);
                shared.lock().unwrap_or_else(PoisonError::into_inner).look(Instant::now());
            }
        })?;
        Ok(Self { looks, over })
    }

    /// How the machine fared between these.
    #[must_use]
    pub fn machine(&self, from: Instant, to: Instant) -> Machine {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let load = 100.0 * System::load_average().one / cores as f64;
        let still_ms = u64::try_from(self.stood_still(from, to).as_millis()).unwrap_or(u64::MAX);
        Machine { load: load as u32, still_ms }
    }

    /// How much of the time between these was stalls.
    #[must_use]
    pub fn stood_still(&self, from: Instant, to: Instant) -> Duration {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        looks.stood_still(from, to, Instant::now())
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// When the clock was looked at.
#[derive(Debug)]
struct Looks {
    last: Instant,
    /// Beginnings and ends.
    stalls: VecDeque<(Instant, Instant)>,
}

impl Looks {
    fn look(&mut self, now: Instant) {
        if is_stall(self.last, now) {
            if self.stalls.len() == MOST_KEPT {
                self.stalls.pop_front();
            }
            self.stalls.push_back((self.last, now));
        }
        self.last = now;
    }

    fn stood_still(&self, from: Instant, to: Instant, now: Instant) -> Duration {
        // Who asks may have woken up before the thread that looks.
        let open = (self.last, now);
        let stalls = self.stalls.iter().copied().chain([open]);
        stalls
            .filter(|&(begun, ended)| is_stall(begun, ended))
            .map(|(begun, ended)| ended.min(to).saturating_duration_since(begun.max(from)))
            .sum()
    }
}

fn is_stall(last: Instant, now: Instant) -> bool {
    now.saturating_duration_since(last) > LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stalls_count_as_far_as_they_overlap() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut looks = Looks { last: start, stalls: VecDeque::new() };
        for millis in [10, 21, 71, 81, 200, 210, 300, 310] {
            looks.look(at(millis));
        }
        let still = |from, to| looks.stood_still(at(from), at(to), at(320));
        for (from, to, expected) in [
            // 50 ms are none.
            (0, 80, 0),
            (0, 82, 1),
            (150, 160, 10),
            (199, 205, 1),
            (200, 210, 0),
            (205, 320, 90),
            (0, 320, 209),
            (300, 320, 0),
        ] {
            assert_eq!(still(from, to), Duration::from_millis(expected), "{from} to {to}");
        }
        // One that is not over yet, as far as the thread knows.
        assert_eq!(looks.stood_still(at(305), at(400), at(410)), Duration::from_millis(90));
    }

    #[test]
    fn no_more_are_kept_than_needed() {
        let start = Instant::now();
        let mut looks = Looks { last: start, stalls: VecDeque::new() };
        for second in 1..=2000 {
            looks.look(start + Duration::from_secs(second));
        }
        assert_eq!(looks.stalls.len(), MOST_KEPT);
        assert_eq!(looks.stalls.back().unwrap().1, start + Duration::from_secs(2000));
    }

    #[test]
    fn the_thread_looks_again_and_again() {
        let watchdog = Watchdog::start().unwrap();
        let first = watchdog.looks.lock().unwrap().last;
        let begun = Instant::now();
        while watchdog.looks.lock().unwrap().last == first {
            assert!(begun.elapsed() < Duration::from_secs(60), "no look in a minute");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
