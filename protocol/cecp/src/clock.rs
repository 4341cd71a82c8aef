//! The clocks of a game under XBoard, and what they mean for a search.

use std::time::Duration;

use kujira_position::Color;
use kujira_usi::Go;

/// Part of the time for a move that is kept back, as a divisor, for a GUI that has other things to draw.
const KEPT_SHARE: u32 = 20;

/// Most time that is kept back of a move for the GUI.
const KEPT_MOST: Duration = Duration::from_millis(300);

/// Longest lag of a GUI: a clock that shows less than the engine left by more than this was set by hand, perhaps.
const LAG_MOST: Duration = Duration::from_millis(500);

/// Moves for which the time that the GUI takes for itself is kept back.
const LAG_MOVES: u32 = 30;

/// Greatest share of the time left that is kept back for the GUI's lag.
const LAG_SHARE: f64 = 0.75;

/// A way to give time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Control {
    /// Time for a number of moves, again and again, or for all of them.
    Session {
        moves: Option<u32>,
        base: Duration,
        increment: Duration,
        /// Moves the engine had made when the time was set.
        since: u32,
    },
    /// Time for each move.
    Move(Duration),
}

/// Both clocks, and how deep to search.
#[derive(Clone, Debug)]
pub struct Clock {
    control: Control,
    depth: Option<u32>,
    /// Time left to the engine.
    own: Duration,
    /// Time left to the opponent.
    other: Duration,
    /// Time that the engine's clock should show after its last move; `None` once the GUI has told the true one.
    foretold: Option<Duration>,
    /// Time that a move costs beyond what the engine takes for it. XBoard reads a move only when it
    /// has shown the one before, which takes 80 ms where moves are animated, on the engine's clock.
    lag: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock {
    /// The clocks that XBoard has if nobody sets anything: five minutes for forty moves.
    #[must_use]
    pub fn new() -> Self {
        let base = Duration::from_secs(300);
        let increment = Duration::ZERO;
        let control = Control::Session { moves: Some(40), base, increment, since: 0 };
        let (foretold, lag) = (None, Duration::ZERO);
        Self { control, depth: None, own: base, other: base, foretold, lag }
    }

    /// Begins a new game, with full clocks and any depth.
    pub fn restart(&mut self) {
        self.depth = None;
        self.foretold = None;
        if let Control::Session { base, since, .. } = &mut self.control {
            *since = 0;
            (self.own, self.other) = (*base, *base);
        }
    }

    /// Sets time for a number of moves, which are counted from the `made` moves made by now.
    pub fn set_session(
        &mut self,
        moves: Option<u32>,
        base: Duration,
        increment: Duration,
        made: u32,
    ) {
        self.control = Control::Session { moves, base, increment, since: made };
        self.foretold = None;
        (self.own, self.other) = (base, base);
    }

    /// Sets time for each move.
    pub fn set_move_time(&mut self, time: Duration) {
        self.control = Control::Move(time);
    }

    /// Sets how deep to search at most.
    pub fn set_depth(&mut self, depth: u32) {
        self.depth = Some(depth);
    }

    /// Sets the time left to the engine.
    pub fn set_own(&mut self, left: Duration) {
        if let Some(foretold) = self.foretold.take() {
            // More than that has another cause.
            let lag = Some(foretold.saturating_sub(left)).filter(|&lag| lag <= LAG_MOST);
            self.lag = lag.unwrap_or_default().max(self.lag * 7 / 8);
        }
        self.own = left;
    }

    /// Expects nothing of the engine's clock: what it shows next says nothing of the time its last move took.
    pub fn forget(&mut self) {
        self.foretold = None;
    }

    /// Sets the time left to the opponent.
    pub fn set_other(&mut self, left: Duration) {
        self.other = left;
    }

    /// Takes `time` off the engine's clock for its move, the `made`th of the game, until the GUI tells the clock
    /// anew.
    pub fn spend(&mut self, time: Duration, made: u32) {
        if let Control::Session { moves, base, increment, since } = self.control {
            self.own = self.own.saturating_sub(time) + increment;
            let played = made.saturating_sub(since);
            if played > 0 && moves.is_some_and(|moves| played.is_multiple_of(moves)) {
                self.own += base;
            }
            self.foretold = Some(self.own);
        }
    }

    /// What the clocks mean for the move of `side`, which has made `made` moves.
    #[must_use]
    pub fn go(&self, side: Color, made: u32) -> Go {
        let mut go = Go { depth: self.depth.map(u64::from), ..Go::default() };
        match self.control {
            Control::Move(time) => {
                let kept = (time / KEPT_SHARE).min(KEPT_MOST);
                go.movetime = Some(milliseconds(time.saturating_sub(kept + self.lag)));
            }
            Control::Session { moves, increment, since, .. } => {
                let to_go = moves.map(|moves| moves - made.saturating_sub(since) % moves);
                let lag = self.lag * to_go.map_or(LAG_MOVES, |to_go| to_go.min(LAG_MOVES));
                let own = self.own - lag.min(self.own.mul_f64(LAG_SHARE));
                let [own, other] = [own, self.other].map(|time| Some(milliseconds(time)));
                go.clocks.left = if side == Color::Black { [own, other] } else { [other, own] };
                go.clocks.increment = [Some(milliseconds(increment)); 2];
                go.moves_to_go = to_go.map(u64::from);
            }
        }
        go
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// What is left to both sides, in milliseconds, and the moves that it is for.
    fn told(clock: &Clock, side: Color, made: u32) -> ([u64; 2], Option<u64>) {
        let go = clock.go(side, made);
        (go.clocks.left.map(Option::unwrap), go.moves_to_go)
    }

    #[test]
    fn a_session_is_for_its_moves() {
        let mut clock = Clock::new();
        clock.set_session(Some(10), s(210), Duration::ZERO, 0);
        assert_eq!(told(&clock, Color::White, 0), ([210_000, 210_000], Some(10)));
        // One move before the next session.
        clock.set_own(s(3));
        assert_eq!(told(&clock, Color::White, 9), ([210_000, 3000], Some(1)));
        clock.spend(s(1), 10);
        assert_eq!(told(&clock, Color::Black, 10), ([212_000, 210_000], Some(10)));
    }

    #[test]
    fn a_level_in_the_game_counts_from_there() {
        let mut clock = Clock::new();
        clock.set_session(Some(2), s(50), Duration::ZERO, 39);
        assert_eq!(told(&clock, Color::Black, 39), ([50_000; 2], Some(2)));
        clock.spend(s(1), 40);
        assert_eq!(told(&clock, Color::Black, 40), ([49_000, 50_000], Some(1)));
        clock.spend(s(1), 41);
        assert_eq!(told(&clock, Color::Black, 41), ([98_000, 50_000], Some(2)));
    }

    #[test]
    fn sudden_death_and_increments_are_passed_on() {
        let mut clock = Clock::new();
        clock.set_session(None, s(60), s(2), 0);
        clock.set_other(s(7));
        assert_eq!(told(&clock, Color::Black, 5), ([60_000, 7000], None));
        assert_eq!(clock.go(Color::Black, 5).clocks.increment, [Some(2000); 2]);
        clock.spend(s(10), 6);
        assert_eq!(told(&clock, Color::Black, 6).0[0], 52_000);
        clock.restart();
        assert_eq!(told(&clock, Color::Black, 0).0, [60_000; 2]);
    }

    #[test]
    fn what_the_gui_takes_for_itself_is_learnt() {
        let left = |clock: &Clock, made| told(clock, Color::Black, made).0[0];
        let mut clock = Clock::new();
        clock.set_session(None, s(20), Duration::ZERO, 0);
        clock.spend(s(1), 1);
        assert_eq!(left(&clock, 1), 19_000);
        clock.set_own(Duration::from_millis(18_900));
        assert_eq!(left(&clock, 1), 15_900);
        // It is forgotten slowly, and never takes all that is there.
        clock.spend(s(1), 2);
        clock.set_own(s(18));
        assert!(left(&clock, 2) < 15_500);
        clock.spend(s(17), 3);
        clock.set_own(Duration::from_millis(800));
        assert_eq!(left(&clock, 3), 200);
        // What was set by hand is not learnt as it is, and what was not foretold not at all.
        clock.set_own(Duration::ZERO);
        assert_eq!(clock.lag, Duration::from_millis(200));
        clock.set_session(None, s(20), Duration::ZERO, 3);
        clock.set_own(s(2));
        assert_eq!(clock.lag, Duration::from_millis(200));
    }

    #[test]
    fn depth_goes_with_either_and_ends_with_the_game() {
        let mut clock = Clock::new();
        clock.set_depth(4);
        assert_eq!(clock.go(Color::Black, 0).depth, Some(4));
        clock.set_move_time(s(2));
        assert_eq!(clock.go(Color::Black, 0), Go { depth: Some(4), ..Go::movetime(1900) });
        clock.set_move_time(s(100));
        assert_eq!(clock.go(Color::Black, 0).movetime, Some(99_700));
        clock.restart();
        assert_eq!(clock.go(Color::Black, 0).depth, None);
    }
}
