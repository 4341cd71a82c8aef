//! The clocks of a game.

use std::time::{Duration, Instant};

use kujira_position::Color;
use serde::{Deserialize, Serialize};

/// The most time on a clock, in milliseconds: a day.
const MOST: u64 = 24 * 60 * 60 * 1000;

/// The time the players have. All numbers are milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// For the whole game.
    pub main: u64,
    /// Added after every move.
    pub increment: u64,
    /// For each move, once the main time has run out.
    pub byoyomi: u64,
}

impl TimeControl {
    /// Whether it leaves time to move, and not more than a day.
    #[must_use]
    pub fn valid(self) -> bool {
        [self.main, self.increment, self.byoyomi].into_iter().all(|ms| ms <= MOST)
            && self.main.max(self.byoyomi) >= 1000
    }
}

/// Both sides' clocks.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: [u64; 2],
    running: Option<(Color, Instant)>,
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Clock {
    /// Clocks that show the time at the start, and stand.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self { control, left: [control.main; 2], running: None }
    }

    /// The time control.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Sets what both sides have left, Black's first, and stops the clocks.
    pub fn set(&mut self, left: [u64; 2]) {
        self.left = left;
        self.running = None;
    }

    /// Whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Lets the clock of `color` run, unless it does already.
    pub fn start(&mut self, color: Color, now: Instant) {
        if self.running() != Some(color) {
            self.stop(now);
            self.running = Some((color, now));
        }
    }

    /// Stops the clocks. Main time used stays used.
    pub fn stop(&mut self, now: Instant) {
        self.left = self.left(now);
        self.running = None;
    }

    /// What both sides have left of the main time, Black's first.
    #[must_use]
    pub fn left(&self, now: Instant) -> [u64; 2] {
        let mut left = self.left;
        if let Some((color, since)) = self.running
            && let Some(mine) = left.get_mut(color.index())
        {
            *mine = mine.saturating_sub(millis(now.saturating_duration_since(since)));
        }
        left
    }

    /// What the side whose clock runs has left of its byoyomi.
    #[must_use]
    pub fn byoyomi_left(&self, now: Instant) -> u64 {
        let Some((color, since)) = self.running else { return self.control.byoyomi };
        let main = self.left.get(color.index()).copied().unwrap_or(0);
        let over = millis(now.saturating_duration_since(since)).saturating_sub(main);
        self.control.byoyomi.saturating_sub(over)
    }

    /// When the time of the side whose clock runs is up.
    #[must_use]
    pub fn flag(&self) -> Option<Instant> {
        let (color, since) = self.running?;
        let main = self.left.get(color.index()).copied().unwrap_or(0);
        since.checked_add(Duration::from_millis(main + self.control.byoyomi))
    }

    /// The side whose clock runs has moved: stops it, and adds the increment.
    pub fn moved(&mut self, now: Instant) {
        let mover = self.running();
        self.stop(now);
        if let Some(mine) = mover.and_then(|color| self.left.get_mut(color.index())) {
            *mine = (*mine + self.control.increment).min(MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    #[test]
    fn main_time_then_byoyomi_then_the_flag() {
        let now = Instant::now();
        let mut clock = Clock::new(TimeControl { main: 5000, increment: 0, byoyomi: 2000 });
        clock.start(Color::Black, now);
        assert_eq!(clock.left(after(now, 1500)), [3500, 5000]);
        assert_eq!(clock.byoyomi_left(after(now, 5500)), 1500);
        assert_eq!(clock.flag(), Some(after(now, 7000)));
        clock.moved(after(now, 6000));
        assert_eq!((clock.left(now), clock.running()), ([0, 5000], None));
        clock.start(Color::Black, now);
        assert_eq!(clock.flag(), Some(after(now, 2000)), "byoyomi is for each move anew");
    }

    #[test]
    fn an_increment_is_added_after_the_move() {
        let now = Instant::now();
        let mut clock = Clock::new(TimeControl { main: 5000, increment: 300, byoyomi: 0 });
        clock.start(Color::White, now);
        clock.start(Color::White, after(now, 900));
        clock.moved(after(now, 1000));
        assert_eq!(clock.left(now), [5000, 4300]);
        assert_eq!(clock.flag(), None);
    }

    #[test]
    fn controls_without_time_are_refused() {
        let control = |main, increment, byoyomi| TimeControl { main, increment, byoyomi };
        assert!(control(1000, 0, 0).valid() && control(0, 0, 1000).valid());
        assert!(!control(0, 500, 0).valid() && !control(MOST + 1, 0, 0).valid());
    }
}
