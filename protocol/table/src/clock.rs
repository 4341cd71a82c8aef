//! The clocks of a game.
use kujira_position::Color;
use serde::{Deserialize, Serialize};

/// A point in time or a stretch of it, in milliseconds. Whoever drives a table chooses the point that is 0.
pub type Millis = u64;

/// The most time on a clock: a day.
const MOST: Millis = 24 * 60 * 60 * 1000;

/// The time the players have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// For the whole game.
    pub main: Millis,
    /// Added after every move.
    pub increment: Millis,
    /// For each move, once the main time has run out.
    pub byoyomi: Millis,
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
    left: [Millis; 2],
    running: Option<(Color, Millis)>,
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
    pub fn set(&mut self, left: [Millis; 2]) {
        self.left = left.map(|left| left.min(MOST));
        self.running = None;
    }

    /// Whose clock runs.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Lets the clock of `color` run, unless it does already.
    pub fn start(&mut self, color: Color, now: Millis) {
        if self.running() != Some(color) {
            self.stop(now);
            self.running = Some((color, now));
        }
    }

    /// Stops the clocks. Main time used stays used.
    pub fn stop(&mut self, now: Millis) {
        self.left = self.left(now);
        self.running = None;
    }

    /// What both sides have left of the main time, Black's first.
    #[must_use]
    pub fn left(&self, now: Millis) -> [Millis; 2] {
        let mut left = self.left;
        if let Some((color, since)) = self.running
            && let Some(mine) = left.get_mut(color.index())
        {
            *mine = mine.saturating_sub(now.saturating_sub(since));
        }
        left
    }

    /// What both sides have left of the byoyomi for a move, Black's first.
    #[must_use]
    pub fn byoyomi_left(&self, now: Millis) -> [Millis; 2] {
        let mut left = [self.control.byoyomi; 2];
        if let Some((color, since)) = self.running
            && let Some(mine) = left.get_mut(color.index())
        {
            let main = self.left.get(color.index()).copied().unwrap_or(0);
            *mine = mine.saturating_sub(now.saturating_sub(since).saturating_sub(main));
        }
        left
    }

    /// When the time of the side whose clock runs is up.
    #[must_use]
    pub fn flag(&self) -> Option<Millis> {
        let (color, since) = self.running?;
        let main = self.left.get(color.index()).copied().unwrap_or(0);
        Some(since.saturating_add(main).saturating_add(self.control.byoyomi))
    }

    /// The side whose clock runs has moved: stops it, and adds the increment.
    pub fn moved(&mut self, now: Millis) {
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

    #[test]
    fn main_time_then_byoyomi_then_the_flag() {
        let now = 1_000_000;
        let mut clock = Clock::new(TimeControl { main: 5000, increment: 0, byoyomi: 2000 });
        clock.start(Color::Black, now);
        assert_eq!(clock.left(now + 1500), [3500, 5000]);
        assert_eq!(clock.byoyomi_left(now + 5500), [1500, 2000]);
        assert_eq!(clock.flag(), Some(now + 7000));
        clock.moved(now + 6000);
        assert_eq!((clock.left(now), clock.running()), ([0, 5000], None));
        clock.start(Color::Black, now);
        assert_eq!(clock.flag(), Some(now + 2000), "byoyomi is for each move anew");
    }

    #[test]
    fn an_increment_is_added_after_the_move() {
        let now = 1_000_000;
        let mut clock = Clock::new(TimeControl { main: 5000, increment: 300, byoyomi: 0 });
        clock.start(Color::White, now);
        clock.start(Color::White, now + 900);
        clock.moved(now + 1000);
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
