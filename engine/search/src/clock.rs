//! How long to think.

use std::time::{Duration, Instant};

use kujira_position::Color;

use crate::limits::{Limits, Times};

/// What the operator set about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Overhead {
    /// Kept back for the way to the GUI and back.
    pub(crate) network_delay: Duration,
    /// The least time to think where the clock allows it.
    pub(crate) minimum: Duration,
}

impl Default for Overhead {
    fn default() -> Self {
        Self { network_delay: Duration::from_millis(20), minimum: Duration::ZERO }
    }
}

/// When to stop one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    start: Instant,
    /// No new iteration begins after this.
    soft: Option<Duration>,
    /// The search ends at this.
    hard: Option<Duration>,
}

impl Clock {
    /// The clock of a search that began at `start`.
    pub(crate) fn new(start: Instant, limits: &Limits, side: Color, overhead: Overhead) -> Self {
        let mut clock = Self { start, soft: None, hard: None };
        if let Some(times) = &limits.times {
            let (soft, hard) = share(times, side, overhead);
            (clock.soft, clock.hard) = (Some(soft), Some(hard));
        }
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(overhead.network_delay);
            clock.hard = Some(clock.hard.map_or(time, |hard| hard.min(time)));
        }
        clock
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search has to end now.
    pub(crate) fn is_up(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether another iteration would not be worth its time. `stability` is how many iterations
    /// the best move has stood: while it changes more time is taken.
    pub(crate) fn is_enough(&self, stability: u32) -> bool {
        let Some(soft) = self.soft else { return self.is_up() };
        let percent = match stability {
            0 => 150,
            1 => 120,
            2 => 100,
            3 => 85,
            _ => 70,
        };
        self.elapsed() >= soft * percent / 100
    }
}

/// Soft and hard share of the time left. Without anything on the clock both are zero.
fn share(times: &Times, side: Color, overhead: Overhead) -> (Duration, Duration) {
    let Times { left, increment, byoyomi } = times;
    let (left, increment) = (left[side.index()], increment[side.index()]);
    // Never beyond what is there, whatever else is asked for. Most runners add the increment after
    // the move; one that lets a move begin with nothing left must add it before.
    let there = left + *byoyomi;
    let there = if there.is_zero() { increment } else { there };
    let most = there.saturating_sub(overhead.network_delay);
    let soft = left / 28 + increment * 3 / 4 + *byoyomi * 3 / 4;
    let hard = (left / 6 + increment * 3 / 4 + *byoyomi).min(most);
    let minimum = overhead.minimum.min(most);
    let (soft, hard) = (soft.max(minimum), hard.max(minimum));
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn times(left: u64, increment: u64, byoyomi: u64) -> Times {
        Times {
            left: [ms(left), ms(77_777)],
            increment: [ms(increment), ms(5)],
            byoyomi: ms(byoyomi),
        }
    }

    #[test]
    fn never_more_than_the_clock_holds() {
        for left in [0, 1, 30, 500, 10_000, 1_000_000] {
            for increment in [0, 10, 5000] {
                for byoyomi in [0, 100, 10_000] {
                    for minimum in [0, 1000] {
                        let overhead = Overhead { network_delay: ms(20), minimum: ms(minimum) };
                        let times = times(left, increment, byoyomi);
                        let (soft, hard) = share(&times, Color::Black, overhead);
                        assert!(soft <= hard, "{times:?}");
                        let there = if left + byoyomi == 0 { increment } else { left + byoyomi };
                        assert!(hard <= ms(there.saturating_sub(20)), "{times:?}");
                        // However little is left, it is used as long as there is any.
                        assert!(there <= 20 || hard > ms(0), "{times:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn shares() {
        let overhead = Overhead { network_delay: ms(20), minimum: ms(0) };
        let (soft, hard) = share(&times(28_000, 1000, 0), Color::Black, overhead);
        assert_eq!((soft, hard), (ms(1750), ms(5416) + Duration::from_nanos(666_666)));
        let (soft, hard) = share(&times(0, 0, 1000), Color::Black, overhead);
        assert_eq!((soft, hard), (ms(750), ms(980)));
        let overhead = Overhead { network_delay: ms(20), minimum: ms(300) };
        let (soft, hard) = share(&times(1000, 0, 0), Color::Black, overhead);
        assert_eq!((soft, hard), (ms(300), ms(300)));
        assert_eq!(share(&times(200, 0, 0), Color::Black, overhead), (ms(180), ms(180)));
    }

    #[test]
    fn without_limits_time_is_never_up() {
        let long_ago = Instant::now().checked_sub(ms(5000)).unwrap_or_else(Instant::now);
        let free = Clock::new(long_ago, &Limits::default(), Color::Black, Overhead::default());
        assert!(!free.is_up() && !free.is_enough(9));
        let limits = Limits { move_time: Some(ms(4000)), ..Limits::default() };
        let timed = Clock::new(long_ago, &limits, Color::Black, Overhead::default());
        assert!(timed.is_up() && timed.is_enough(0));
    }
}
