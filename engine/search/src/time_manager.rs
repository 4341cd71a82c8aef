//! How long to think.
//!
//! A search has two limits: at the hard one it is broken off wherever it stands, after the soft one no new
//! iteration begins. The soft one stretches and shrinks with what the search found: more time while the best
//! move changes, while its score falls, while other moves took many of the nodes. The shape is that of
//! Stockfish (`search.cpp`, `timeman.cpp`) and of its many descendants; byoyomi is treated as in YaneuraOu
//! (`timeman.cpp`).

use std::time::Duration;

use kujira_position::Color;

use crate::limits::{Limits, Times};
use crate::options::TimeOptions;
use crate::params::*;
use crate::score::Value;
use crate::system::Instant;

/// Number of network delays that are never spent, so that a move which comes late by more than one of them does
/// not lose the game while the clock is low.
const RESERVE: u32 = 4;

/// Part of the network delay by which a move is usually late, as a divisor.
const USUAL_PART: u32 = 3;

/// Least time by which a move is taken to be late, however small the network delay.
const LEAST_LATENESS: Duration = Duration::from_millis(1);

/// Moves whose usual lateness is set aside where no increment makes up for it.
const LATE_MOVES: u32 = 84;

/// Greatest share of the time left that is set aside for moves that come late.
const LATE_SHARE: f64 = 0.8;

/// Greatest part of the time shared that one move takes, however slow the mover, as a divisor: a move that took all
/// of it would leave the increment alone to the rest of the game.
const SLOWEST_PART: u32 = 2;

/// A number of the table of parameters that counts percent, as a factor.
fn percent(value: Value) -> f64 {
    f64::from(value) / 100.0
}

/// The factor of the soft limit where the best move has stood for this many iterations.
fn stability(iterations: usize) -> f64 {
    percent(match iterations {
        0 => time_stability_0(),
        1 => time_stability_1(),
        2 => time_stability_2(),
        3 => time_stability_3(),
        4 => time_stability_4(),
        _ => time_stability_5(),
    })
}

/// Findings of an iteration that decide whether another one is worth its time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Progress {
    /// Iterations that the best move has stood.
    pub(crate) stability: usize,
    /// Centipawns by which the score lies below its running average.
    pub(crate) fall: Value,
    /// Share of all nodes that went into the best move, from 0 to 1; `None` if several lines are
    /// wanted, each with nodes of its own.
    pub(crate) effort: Option<f64>,
    /// Time that the iteration took.
    pub(crate) last: Duration,
}

impl Progress {
    /// The factor of the soft limit.
    fn scale(&self) -> f64 {
        let (least, most) = (percent(time_fall_least()), percent(time_fall_most()));
        let fall = 1.0 + percent(time_fall()) / 100.0 * f64::from(self.fall);
        let (none, all) = (percent(time_effort_none()), percent(time_effort_all()));
        let effort = self.effort.map_or(1.0, |share| none - all * share);
        stability(self.stability) * fall.clamp(least, most) * effort
    }
}

/// When to stop one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// Time after which no new iteration begins, more or less; none where time that is not used is lost.
    soft: Option<Duration>,
    /// Time at which the search ends.
    hard: Option<Duration>,
    /// Time before which the search does not end by itself.
    minimum: Duration,
    /// Time thought before `start`, in the enemy's time, which counts towards the soft limit.
    pondered: Duration,
    /// Time kept back of the last second, where the clock counts every second begun as a whole one.
    full_seconds: Option<Duration>,
}

impl TimeManager {
    /// The clock of a search that began at `start`.
    pub(crate) fn new(start: Instant, limits: &Limits, side: Color, options: TimeOptions) -> Self {
        let TimeOptions { network_delay: delay, minimum, full_seconds, .. } = options;
        let full_seconds = full_seconds.then_some(delay);
        let (soft, hard, pondered) = (None, None, Duration::ZERO);
        let mut clock = Self { start, soft, hard, minimum, pondered, full_seconds };
        if let Some(times) = &limits.times {
            let (soft, hard) = share(times, side, options);
            (clock.soft, clock.hard) = (soft, Some(hard));
        }
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(delay);
            clock.hard = Some(clock.hard.map_or(time, |hard| hard.min(time)));
        }
        clock
    }

    /// The clock of a search that had pondered for this long before its start.
    pub(crate) fn pondered(self, pondered: Duration) -> Self {
        Self { pondered, ..self }
    }

    /// Whether the clock ever ends the search.
    pub(crate) fn is_timed(&self) -> bool {
        self.hard.is_some()
    }

    /// Whether the search has to end at `now`.
    pub(crate) fn is_up(&self, now: Instant) -> bool {
        self.hard.is_some_and(|hard| now.saturating_duration_since(self.start) >= hard)
    }

    /// Whether the search may end by itself at `now`.
    pub(crate) fn may_end(&self, now: Instant) -> bool {
        self.is_up(now) || now.saturating_duration_since(self.start) >= self.minimum
    }

    /// Whether at `now`, after an iteration and perhaps before the start, another one would not be worth
    /// its time.
    pub(crate) fn is_enough(&self, now: Instant, progress: &Progress) -> bool {
        if self.is_up(now) {
            return true;
        }
        let Some(soft) = self.soft else { return false };
        let elapsed = now.saturating_duration_since(self.start);
        // An iteration takes longer than the one before it.
        let in_vain = self.hard.is_some_and(|hard| elapsed + progress.last > hard);
        let thought = (now + self.pondered).saturating_duration_since(self.start);
        elapsed >= self.minimum && (in_vain || thought >= soft.mul_f64(progress.scale()))
    }

    /// Lets the search go on to the end of the second begun at `now`, where the clock counts whole seconds: it is
    /// paid for. Returns whether anything is left of it.
    pub(crate) fn finish_second(&mut self, now: Instant) -> bool {
        let Some(delay) = self.full_seconds else { return false };
        let end = full_second(now.saturating_duration_since(self.start), delay);
        self.hard = Some(self.hard.map_or(end, |hard| hard.min(end)));
        self.soft = None;
        !self.is_up(now)
    }
}

/// The end of the second in which `time` and `delay` have passed, less `delay`.
fn full_second(time: Duration, delay: Duration) -> Duration {
    let paid = time + delay;
    let seconds = paid.as_secs() + u64::from(paid.subsec_nanos() > 0);
    Duration::from_secs(seconds.max(1)).saturating_sub(delay)
}

/// The soft and the hard share of the time left; no soft one where time that is not used is lost. Without
/// anything on the clock both are zero.
fn share(times: &Times, side: Color, options: TimeOptions) -> (Option<Duration>, Duration) {
    let Times { left, increment, byoyomi } = *times;
    let (left, increment) = (left[side.index()], increment[side.index()]);
    // Never beyond what is there, whatever else is asked for. Most runners add the increment after
    // the move; one that lets a move begin with nothing left must add it before.
    let there = left + byoyomi;
    let there = if there.is_zero() { increment } else { there };
    let TimeOptions { network_delay: delay, minimum, percent: pace, full_seconds } = options;
    let most = there.saturating_sub(delay);
    // The byoyomi comes anew: what is not used of the last ones is lost.
    if left < byoyomi.mul_f64(percent(time_last_byoyomi())) {
        return (None, most);
    }
    let more = increment + byoyomi;
    let late = (delay * LATE_MOVES / USUAL_PART)
        .max(LEAST_LATENESS * LATE_MOVES)
        .saturating_sub(more * LATE_MOVES);
    let reserve = delay * RESERVE;
    let shared = left.saturating_sub(late.min(left.mul_f64(LATE_SHARE)).max(reserve));
    // In sudden death iterations end late, so that moves take two or three times their share: long games would be
    // played out on their last second.
    let horizon = if more.is_zero() { time_sudden_death_horizon() } else { time_horizon() };
    // The part of the increment that is not spent at once makes a low clock grow.
    let increment = increment.mul_f64(percent(time_increment()));
    let byoyomi_share = byoyomi.mul_f64(percent(time_byoyomi()));
    let paced = |time: Duration| time * pace / 100;
    let soft = paced(shared / horizon.unsigned_abs() + increment + byoyomi_share);
    let usual = shared / time_largest_part().unsigned_abs() + increment + byoyomi;
    // However slow a mover, the moves to come have their part.
    let hard = paced(usual).min(shared / SLOWEST_PART + increment + byoyomi);
    // A least time is one where the clock allows it: with more than a move may usually take, a clock that is low
    // would be spent on one move.
    let hard = hard.max(minimum.min(usual));
    let whole = if full_seconds { full_second(hard, delay) } else { hard };
    // The end of the second is worth nothing where the reserve would pay for it.
    let hard = if whole <= shared + increment + byoyomi { whole } else { hard }.min(most);
    (Some(soft.min(hard)), hard)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

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

    /// A second is their soft share, 5,572 ms the hard one.
    fn calm_times() -> Times {
        times(27_912, 8, 0)
    }

    fn options(network_delay: u64, minimum: u64) -> TimeOptions {
        TimeOptions {
            network_delay: ms(network_delay),
            minimum: ms(minimum),
            ..TimeOptions::default()
        }
    }

    fn clock(times: Times, minimum: u64) -> TimeManager {
        let limits = Limits { times: Some(times), ..Limits::default() };
        TimeManager::new(Instant::now(), &limits, Color::Black, options(20, minimum))
    }

    /// After how many milliseconds iterations of `last` milliseconds end the search.
    fn thinks(clock: &TimeManager, progress: Progress, last: u64) -> u64 {
        let progress = Progress { last: ms(last), ..progress };
        (0..).find(|&time| clock.is_enough(clock.start + ms(time), &progress)).unwrap()
    }

    #[test]
    fn never_more_than_the_clock_holds() {
        for left in [0, 1, 30, 110, 500, 10_000, 1_000_000] {
            for increment in [0, 10, 5000] {
                for byoyomi in [0, 100, 10_000] {
                    for minimum in [0, 1000] {
                        let options = options(20, minimum);
                        let times = times(left, increment, byoyomi);
                        let (soft, hard) = share(&times, Color::Black, options);
                        assert!(soft.is_none_or(|soft| soft <= hard), "{times:?}");
                        let there = if left + byoyomi == 0 { increment } else { left + byoyomi };
                        assert!(hard <= ms(there.saturating_sub(20)), "{times:?}");
                        let limits = Limits { times: Some(times), ..Limits::default() };
                        let clock =
                            TimeManager::new(Instant::now(), &limits, Color::Black, options);
                        assert!(clock.is_up(clock.start + hard), "{times:?}");
                        let never = Progress { fall: 1000, ..Progress::default() };
                        assert!(clock.is_enough(clock.start + hard, &never), "{times:?}");
                        // The least time is kept as far as there is any.
                        let calm = Progress { stability: 9, fall: -1000, ..never };
                        let early = ms(minimum).min(hard).saturating_sub(ms(1));
                        assert!(early.is_zero() || !clock.is_enough(clock.start + early, &calm));
                    }
                }
            }
        }
    }

    #[test]
    fn shares() {
        let free = options(20, 0);
        let share = |left, increment, byoyomi, options| {
            share(&times(left, increment, byoyomi), Color::Black, options)
        };
        assert_eq!(share(28_080, 1000, 0, free), (Some(ms(1750)), ms(6350)));
        assert_eq!(share(28_080, 0, 2000, free), (Some(ms(2500)), ms(7600)));
        // In sudden death time has to last longer, and a third of the delay, or 1 ms, is set aside for 84 moves.
        assert_eq!(share(28_560, 0, 0, free), (Some(ms(500)), ms(5600)));
        assert_eq!(share(28_084, 0, 0, options(0, 0)), (Some(ms(500)), ms(5600)));
        // What comes back after each move makes up for that, or a part.
        let slow = options(60, 0);
        assert_eq!(share(28_240, 20, 0, slow), (Some(ms(1015)), ms(5615)));
        assert_eq!(share(28_840, 10, 0, slow), (Some(ms(1007) + ms(1) / 2), ms(5607) + ms(1) / 2));
        // The last byoyomis are used up.
        assert_eq!(share(0, 0, 1000, free), (None, ms(980)));
        assert_eq!(share(1100, 0, 1000, free), (None, ms(2080)));
        // Of the last milliseconds nothing is planned with.
        assert_eq!(share(80, 0, 0, free), (Some(ms(0)), ms(0)));
        assert_eq!(share(80, 8, 0, free), (Some(ms(6)), ms(6)));
        // A least time is kept where a move may take it anyway, and never spends a clock that is low.
        let patient = options(20, 300);
        assert_eq!(share(2060, 0, 0, patient).1, ms(300));
        assert_eq!(share(1000, 0, 0, patient).1, ms(88));
        assert_eq!(share(200, 0, 0, patient).1, ms(8));
        assert_eq!(share(0, 0, 1000, patient).1, ms(980));
        assert_eq!(share(1080, 100, 0, options(20, 60_000)).1, ms(200) + ms(75));
    }

    #[test]
    fn a_whole_game_fits_on_the_clock() {
        // Every move takes all that it may, and comes late by what is kept back for the network.
        for (base, increment, percent) in [
            (10_000, 0, 100),
            (1000, 10, 100),
            (60_000, 600, 100),
            (10_000, 0, 1000),
            (1000, 10, 1000),
        ] {
            let options = TimeOptions { percent, ..options(30, 0) };
            let mut left = ms(base);
            for number in 0..200 {
                let times =
                    Times { left: [left; 2], increment: [ms(increment); 2], ..times(0, 0, 0) };
                let (_, hard) = share(&times, Color::Black, options);
                // Late now and then only: who is late by more than the increment each time loses.
                let late = if number % 50 == 49 { ms(29) } else { ms(0) };
                left = left.checked_sub(hard + late).unwrap() + ms(increment);
            }
        }
    }

    /// Random clocks and every option that lengthens or shortens thinking.
    fn random_options(random: &mut Xoshiro256PlusPlus) -> TimeOptions {
        TimeOptions {
            network_delay: ms(
                [0, 1, 30, 300, random.random_range(0..=10_000)][random.random_range(0..5)]
            ),
            minimum: ms(
                [0, 1000, 60_000, random.random_range(0..=60_000)][random.random_range(0..4)]
            ),
            percent: [10, 100, 1000, random.random_range(10..=1000)][random.random_range(0..4)],
            full_seconds: random.random(),
        }
    }

    #[test]
    fn no_option_spends_more_than_the_clock_holds() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(34);
        // As the protocols read them: up to a hundred years.
        let bits = |random: &mut Xoshiro256PlusPlus| {
            let most = random.random_range(0..42);
            ms(random.random_range(0..=1u64 << most).min(100 * 365 * 24 * 3_600_000))
        };
        for _ in 0..200_000 {
            let options = random_options(&mut random);
            let mut time = || if random.random() { bits(&mut random) } else { ms(0) };
            let times =
                Times { left: [time(), time()], increment: [time(), time()], byoyomi: time() };
            let move_time = random.random::<bool>().then(|| bits(&mut random));
            let (left, increment) = (times.left[0], times.increment[0]);
            let there = left + times.byoyomi;
            let there = if there.is_zero() { increment } else { there };
            let limits = Limits { times: Some(times), move_time, ..Limits::default() };
            let mut clock = TimeManager::new(Instant::now(), &limits, Color::Black, options);
            let most = |time: Duration| time.saturating_sub(options.network_delay);
            let on_clock = most(there);
            let most = on_clock.min(move_time.map_or(Duration::MAX, most));
            let case = format!("{limits:?} {options:?}");
            assert!(clock.hard.unwrap() <= most, "{case}");
            assert!(clock.soft.is_none_or(|soft| soft <= on_clock), "{case}");
            // Nor does the end of a second.
            clock.finish_second(clock.start + most / 2);
            assert!(clock.hard.unwrap() <= most, "{case}");
            assert!(clock.is_up(clock.start + most) && clock.may_end(clock.start + most), "{case}");
        }
    }

    #[test]
    fn no_option_loses_a_game_on_time() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(14);
        for _ in 0..2000 {
            let options = random_options(&mut random);
            let delay = options.network_delay;
            // With less than the reserve there is nothing to be kept.
            let base = delay * RESERVE + ms(random.random_range(1..60_000));
            let increment = if random.random() { ms(random.random_range(1..5000)) } else { ms(0) };
            let byoyomi = if random.random() { ms(random.random_range(1..10_000)) } else { ms(0) };
            let mut left = base;
            for number in 0..150 {
                let times = Times { left: [left; 2], increment: [increment; 2], byoyomi };
                let (_, hard) = share(&times, Color::Black, options);
                // Late now and then only: who is late by more than the increment each time loses.
                // Nor can anybody be late by more than the byoyomi once nothing else is left.
                let most_late = if byoyomi.is_zero() { delay } else { delay.min(byoyomi) };
                let late = if number % 50 == 49 { most_late.saturating_sub(ms(1)) } else { ms(0) };
                let taken = hard + late;
                assert!(
                    taken <= left + byoyomi,
                    "{taken:?} in move {number} of {base:?} + {increment:?}, {byoyomi:?}: {options:?}"
                );
                left = left.saturating_sub(taken) + increment;
            }
        }
    }

    #[test]
    fn a_least_time_leaves_moves_to_come_their_time() {
        // A second and a tenth each move: no move takes a third of what there is, and the clock stays above the reserve.
        let options = options(30, 60_000);
        let mut left = ms(1000);
        for _ in 0..300 {
            let times = Times { left: [left; 2], increment: [ms(100); 2], byoyomi: ms(0) };
            let (_, hard) = share(&times, Color::Black, options);
            assert!(hard >= ms(75) && hard <= left / 3 + ms(100), "{hard:?} of {left:?}");
            left = left.checked_sub(hard).unwrap() + ms(100);
            assert!(left >= ms(100), "{left:?}");
        }
    }

    #[test]
    fn a_long_game_without_increment_fits_on_the_clock() {
        // Every move takes its share or, where the last iteration ends late, three times that, and then the system
        // has others to serve for some milliseconds.
        for (delay, times_share, late, moves, calm) in
            [(30, 1, 10, 120, 80), (30, 3, 10, 120, 60), (30, 3, 6, 150, 60), (0, 3, 1, 100, 60)]
        {
            let (mut left, mut calm_moves) = (ms(10_000), 0);
            for _ in 0..moves {
                let times = Times { left: [left; 2], ..times(0, 0, 0) };
                let (soft, hard) = share(&times, Color::Black, options(delay, 0));
                let taken = (soft.unwrap() * times_share).min(hard);
                calm_moves += u32::from(taken >= ms(10));
                left = left.checked_sub(taken + ms(late)).unwrap();
            }
            assert!(calm_moves >= calm, "{calm_moves}");
        }
    }

    #[test]
    fn the_soft_limit_follows_the_search() {
        let clock = clock(calm_times(), 0);
        let calm = Progress { stability: 3, fall: 0, effort: Some(9.0 / 13.0), last: ms(1) };
        assert_eq!(thinks(&clock, calm, 1), 1000);
        assert_eq!(thinks(&clock, Progress { stability: 0, ..calm }, 1), 1700);
        assert_eq!(thinks(&clock, Progress { stability: 50, ..calm }, 1), 800);
        assert_eq!(thinks(&clock, Progress { fall: 30, ..calm }, 1), 1300);
        assert_eq!(thinks(&clock, Progress { fall: 5000, ..calm }, 1), 1800);
        assert_eq!(thinks(&clock, Progress { fall: -5000, ..calm }, 1), 850);
        assert_eq!(thinks(&clock, Progress { effort: Some(1.0), ..calm }, 1), 600);
        assert_eq!(thinks(&clock, Progress { effort: Some(0.0), ..calm }, 1), 1900);
        assert_eq!(thinks(&clock, Progress { effort: None, ..calm }, 1), 1000);
        // However bad things look the hard limit stands.
        let panic = Progress { stability: 0, fall: 999, effort: Some(0.0), last: ms(1) };
        assert_eq!(thinks(&clock, panic, 1), 5572);
    }

    #[test]
    fn no_iteration_begins_that_cannot_end() {
        let clock = clock(calm_times(), 0);
        let panic = Progress { stability: 0, fall: 999, effort: Some(0.0), last: ms(1) };
        assert_eq!(thinks(&clock, panic, 3000), 2573);
        // In byoyomi the rest of the time has no other use.
        let byoyomi = self::clock(times(0, 0, 1000), 0);
        assert_eq!(thinks(&byoyomi, panic, 3000), 980);
    }

    #[test]
    fn time_pondered_counts() {
        let calm = Progress { stability: 3, fall: 0, effort: Some(9.0 / 13.0), last: ms(1) };
        assert_eq!(thinks(&clock(calm_times(), 0).pondered(ms(300)), calm, 1), 700);
        assert_eq!(thinks(&clock(calm_times(), 0).pondered(ms(5000)), calm, 1), 0);
        // But not towards what the clock can stand, nor the least time.
        let panic = Progress { stability: 0, fall: 999, effort: Some(0.0), last: ms(1000) };
        assert_eq!(thinks(&clock(calm_times(), 0).pondered(ms(1000)), panic, 1000), 4573);
        assert_eq!(thinks(&clock(calm_times(), 200).pondered(ms(5000)), calm, 1), 200);
        // Whether an iteration that began before the hit was worth it.
        let clock = clock(calm_times(), 0).pondered(ms(3000));
        assert!(clock.is_enough(clock.start - ms(1900), &calm));
        assert!(!clock.is_enough(clock.start - ms(2100), &calm));
    }

    #[test]
    fn the_least_time_is_kept() {
        let clock = clock(calm_times(), 1500);
        let calm = Progress { stability: 9, fall: 0, effort: Some(1.0), last: ms(1) };
        assert_eq!(thinks(&clock, calm, 1), 1500);
        // Not at the price of the moves to come.
        assert_eq!(thinks(&self::clock(times(1000, 0, 0), 1500), calm, 1), 88);
    }

    #[test]
    fn the_operator_may_ask_for_more_time_or_less() {
        let paced = |percent, left, byoyomi| {
            let options = TimeOptions { percent, ..options(20, 0) };
            share(&times(left, 1000, byoyomi), Color::Black, options)
        };
        assert_eq!(paced(100, 28_080, 0), (Some(ms(1750)), ms(6350)));
        assert_eq!(paced(50, 28_080, 0), (Some(ms(875)), ms(3175)));
        assert_eq!(paced(200, 28_080, 0), (Some(ms(3500)), ms(12_700)));
        // Never more than half of what is there; the last byoyomis are used up in any case.
        assert_eq!(paced(1000, 28_080, 0), (Some(ms(14_750)), ms(14_750)));
        assert_eq!(paced(10, 0, 2000), (None, ms(1980)));
    }

    #[test]
    fn seconds_that_are_paid_for_are_thought_through() {
        let whole = |minimum| {
            let options = TimeOptions { full_seconds: true, ..options(20, minimum) };
            let limits = Limits { times: Some(calm_times()), ..Limits::default() };
            TimeManager::new(Instant::now(), &limits, Color::Black, options)
        };
        let calm = Progress { stability: 3, fall: 0, effort: Some(9.0 / 13.0), last: ms(1) };
        // When iterations are enough, and when the search then ends.
        let ends = |mut clock: TimeManager, progress| {
            let enough = thinks(&clock, progress, 1);
            let on = clock.finish_second(clock.start + ms(enough));
            (enough, on, thinks(&clock, progress, 1))
        };
        assert_eq!(ends(whole(0), Progress { stability: 50, ..calm }), (800, true, 980));
        // With what is kept back for the network the first second has passed.
        assert_eq!(ends(whole(0), calm), (1000, true, 1980));
        assert_eq!(ends(whole(980), Progress { stability: 50, ..calm }), (980, false, 980));
        assert_eq!(ends(whole(981), Progress { stability: 50, ..calm }), (981, true, 1980));
        // The hard limit, 5,572 ms, is no end of a second either.
        let panic = Progress { stability: 0, fall: 999, effort: Some(0.0), last: ms(1) };
        assert_eq!(ends(whole(0), panic).2, 5980);
        // The clock of a move pondered on starts with its hit.
        let pondered = whole(0).pondered(ms(5000));
        assert_eq!(ends(pondered, calm), (0, true, 980));
        // Other clocks do not ask for it.
        assert_eq!(ends(clock(calm_times(), 0), calm), (1000, false, 1000));
    }

    #[test]
    fn whole_seconds_are_never_more_than_there_is() {
        let options = TimeOptions { full_seconds: true, ..options(20, 0) };
        let share = |left, byoyomi| share(&times(left, 0, byoyomi), Color::Black, options);
        assert_eq!(share(28_560, 0), (Some(ms(500)), ms(5980)));
        assert_eq!(share(28_080, 2000), (Some(ms(2500)), ms(7980)));
        // The last second is not rounded up, and the last byoyomis are used as they are.
        assert_eq!(share(900, 0).1, ms(68));
        assert_eq!(share(500, 2000), (None, ms(2480)));
        // A time for the move is not on the clock.
        let limits = Limits { move_time: Some(ms(1500)), ..Limits::default() };
        let clock = TimeManager::new(Instant::now(), &limits, Color::Black, options);
        assert!(clock.is_up(clock.start + ms(1480)) && !clock.is_up(clock.start + ms(1479)));
    }

    #[test]
    fn without_limits_time_is_never_up() {
        let start = Instant::now();
        let later = start + ms(5000);
        let progress = Progress { stability: 9, ..Progress::default() };
        let free =
            TimeManager::new(start, &Limits::default(), Color::Black, TimeOptions::default());
        assert!(!free.is_up(later) && !free.is_enough(later, &progress));
        let limits = Limits { move_time: Some(ms(4000)), ..Limits::default() };
        let timed = TimeManager::new(start, &limits, Color::Black, TimeOptions::default());
        assert!(!timed.is_enough(start + ms(3969), &progress));
        assert!(timed.is_up(start + ms(3970)) && timed.is_enough(later, &progress));
    }
}
