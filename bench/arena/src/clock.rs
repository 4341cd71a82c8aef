//! Limits of thinking and the clocks that keep them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Time for a whole game: `base` plus `increment` for every move made, and once that is used up
/// `byoyomi` for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Time on the clock at the start.
    pub base: Duration,
    /// Time added after each own move (Fischer).
    pub increment: Duration,
    /// Time for each move once the clock stands at zero.
    pub byoyomi: Duration,
}

/// What an engine is told to keep to for each move. Whatever is set is sent; a clock or a time a
/// move is also enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// A clock for the whole game.
    pub clock: Option<TimeControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl Limit {
    /// Whether nothing is set: an engine would search for ever.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// These limits where any is set, the others' otherwise.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self.is_none() { other } else { self }
    }

    /// Refuses limits that leave no time for a first move: every game would be lost at once.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn check(&self) -> Result<(), String> {
        if let Some(clock) = self.clock
            && clock.base.is_zero()
            && clock.byoyomi.is_zero()
        {
            return Err(format!("expected time on the clock (tc, byoyomi), found {clock}"));
        }
        if self.move_time.is_some_and(|time| time.is_zero()) {
            return Err("expected a movetime of 1 ms or more, found 0".to_owned());
        }
        Ok(())
    }

    /// A clock to set byoyomi or increment on.
    pub fn clock_mut(&mut self) -> &mut TimeControl {
        self.clock.get_or_insert_default()
    }
}

/// A duration as people write it: seconds, or with one of the units `ms`, `s`, `m`.
///
/// # Errors
/// What was expected and what was found.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time such as 8, 0.08, 100ms or 2m, found \"{text}\"");
    let (number, scale) = if let Some(number) = text.strip_suffix("ms") {
        (number, 1e-3)
    } else if let Some(number) = text.strip_suffix('s') {
        (number, 1.0)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else {
        (text, 1.0)
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = number.parse().ok().filter(|_| plain).ok_or_else(wrong)?;
    let duration = Duration::try_from_secs_f64(value * scale).map_err(|_| wrong())?;
    if duration > Duration::from_secs(1_000_000) {
        return Err(wrong());
    }
    // Protocols speak in milliseconds.
    Ok(Duration::from_millis((duration.as_secs_f64() * 1e3).round() as u64))
}

/// A duration of a millisecond or more.
///
/// # Errors
/// What was expected and what was found.
pub fn parse_positive(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err(format!("expected a time of 1 ms or more, found \"{text}\"")),
        duration => Ok(duration),
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads `8+0.08`: base and increment.
    fn from_str(text: &str) -> Result<Self, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Ok(Self {
            base: parse_duration(base)?,
            increment: parse_duration(increment)?,
            byoyomi: Duration::ZERO,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())?;
        if self.byoyomi > Duration::ZERO {
            write!(f, " byoyomi {}", self.byoyomi.as_secs_f64())?;
        }
        Ok(())
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(clock) = self.clock {
            parts.push(clock.to_string());
        }
        if let Some(time) = self.move_time {
            parts.push(format!("movetime {}", time.as_secs_f64()));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes {nodes}"));
        }
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// The clock of one player in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    /// What was overdrawn within the margin and is still to be paid; only where nothing is left.
    debt: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self { control, left: control.base, debt: Duration::ZERO }
    }

    /// The time on it, without byoyomi.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The times it runs by.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The longest the next move may take.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.left + self.control.byoyomi
    }

    /// A move took `elapsed`: takes it off and adds the increment. What was overdrawn within the margin is
    /// taken off the increments to come, or else an engine could overdraw anew at every move. Byoyomi
    /// comes anew at every move and leaves nothing to pay.
    ///
    /// # Errors
    /// If the flag fell more than `margin` before: by how much the move was late, or what is owed together.
    pub fn spend(&mut self, elapsed: Duration, margin: Duration) -> Result<(), Duration> {
        let due = elapsed + self.debt;
        let late = due.saturating_sub(self.longest());
        if late > margin {
            return Err(late);
        }
        let Self { control: TimeControl { increment, byoyomi, .. }, left, .. } = *self;
        (self.left, self.debt) = if byoyomi.is_zero() {
            ((left + increment).saturating_sub(due), due.saturating_sub(left + increment))
        } else {
            (left.saturating_sub(elapsed) + increment, Duration::ZERO)
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn durations_are_read() {
        for (text, millis) in
            [("8", 8000), ("0.08", 80), ("100ms", 100), ("1.5s", 1500), ("2m", 120_000), ("0", 0)]
        {
            assert_eq!(parse_duration(text), Ok(ms(millis)), "{text}");
        }
        for text in ["", "s", "-1", "1e3", "1h", "inf", "nan", "1 s", "99999999"] {
            let error = parse_duration(text).unwrap_err();
            assert!(error.contains("expected a time") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn time_controls_are_read_and_written() {
        let control: TimeControl = "8+0.08".parse().unwrap();
        assert_eq!((control.base, control.increment), (ms(8000), ms(80)));
        assert_eq!(control.to_string(), "8+0.08");
        assert_eq!("60".parse::<TimeControl>().unwrap().increment, ms(0));
        assert!("8+".parse::<TimeControl>().is_err());
        let limit = Limit { nodes: Some(5000), depth: Some(9), ..Limit::default() };
        assert_eq!(limit.to_string(), "depth 9, nodes 5000");
        assert!(Limit::default().is_none() && !limit.is_none());
        assert_eq!(Limit::default().or(limit), limit);
    }

    #[test]
    fn limits_of_nothing_are_refused() {
        let limit = |tc: &str, byoyomi| {
            let mut limit = Limit { clock: tc.parse().ok(), ..Limit::default() };
            limit.clock_mut().byoyomi = ms(byoyomi);
            limit
        };
        assert_eq!(limit("0", 1).check(), Ok(()));
        assert_eq!(limit("0.001", 0).check(), Ok(()));
        assert_eq!(Limit::default().check(), Ok(()));
        for tc in ["0", "0+1", "0.0001"] {
            let error = limit(tc, 0).check().unwrap_err();
            assert!(
                error.contains("expected time on the clock (tc, byoyomi), found 0+"),
                "{error}"
            );
        }
        let none = Limit { move_time: Some(ms(0)), nodes: Some(5), ..Limit::default() };
        assert!(none.check().unwrap_err().contains("expected a movetime of 1 ms or more"));
        assert_eq!(parse_positive("1ms"), Ok(ms(1)));
        for text in ["0", "0ms", "0.0001"] {
            let error = parse_positive(text).unwrap_err();
            assert!(error.contains("of 1 ms or more") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn a_clock_gives_the_increment_after_the_move() {
        let mut clock = Clock::new("1+0.1".parse().unwrap());
        assert_eq!(clock.spend(ms(400), ms(0)), Ok(()));
        assert_eq!(clock.left(), ms(700));
        assert_eq!(clock.spend(ms(701), ms(0)), Err(ms(1)));
        assert_eq!(clock.spend(ms(710), ms(10)), Ok(()));
        assert_eq!(clock.left(), ms(90), "what was overdrawn is paid");
    }

    #[test]
    fn the_margin_is_there_once_and_not_at_every_move() {
        let mut clock = Clock::new("0.1".parse().unwrap());
        for elapsed in [120, 20] {
            assert_eq!(clock.spend(ms(elapsed), ms(50)), Ok(()));
            assert_eq!((clock.left(), clock.longest()), (ms(0), ms(0)));
        }
        assert_eq!(clock.spend(ms(20), ms(50)), Err(ms(60)));

        // Increments pay, some of a debt or all of it.
        let mut clock = Clock::new("0.1+0.01".parse().unwrap());
        for (elapsed, left) in
            [(130, 0), (20, 0), (10, 0), (0, 0), (0, 0), (0, 0), (0, 10), (5, 15)]
        {
            assert_eq!(clock.spend(ms(elapsed), ms(50)), Ok(()));
            assert_eq!(clock.left(), ms(left));
        }
        assert_eq!(clock.spend(ms(66), ms(50)), Err(ms(51)));

        // Byoyomi is there anew, whatever was used of the last.
        let mut control: TimeControl = "0".parse().unwrap();
        control.byoyomi = ms(100);
        let mut clock = Clock::new(control);
        for _ in 0..3 {
            assert_eq!(clock.spend(ms(140), ms(50)), Ok(()));
            assert_eq!(clock.longest(), ms(100));
        }
        assert_eq!(clock.spend(ms(151), ms(50)), Err(ms(51)));
    }

    #[test]
    fn byoyomi_starts_when_the_clock_stands_at_zero() {
        let control = TimeControl { base: ms(300), increment: ms(0), byoyomi: ms(200) };
        let mut clock = Clock::new(control);
        assert_eq!(clock.longest(), ms(500));
        assert_eq!(clock.spend(ms(450), ms(0)), Ok(()));
        assert_eq!((clock.left(), clock.longest()), (ms(0), ms(200)));
        assert_eq!(clock.spend(ms(200), ms(0)), Ok(()));
        assert_eq!(clock.spend(ms(260), ms(50)), Err(ms(60)));
    }
}
