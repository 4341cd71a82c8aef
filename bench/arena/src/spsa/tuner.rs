//! The algorithm: which values to try, and what to learn from the result.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use kujira_statistics::Stream;
use kujira_statistics::pool::LONGEST_NAME;
use kujira_usi::Spin;

/// A number to tune.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// The name of the option.
    pub name: String,
    /// The value to begin with.
    pub start: i64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// How far the value is moved up and down in the last iteration (fishtest's `c_end`); earlier it
    /// is moved farther.
    pub step: f64,
}

impl Parameter {
    /// The least step: with it the values up and down still round to different whole numbers.
    pub const LEAST_STEP: f64 = 0.5;

    /// The number that an engine declares, to be moved by `step` or, if that is `None`, by a
    /// twentieth of its range.
    ///
    /// # Errors
    /// If the step is none, or the number leaves no choice.
    pub fn new(spin: &Spin, step: Option<f64>) -> Result<Self, String> {
        let &Spin { ref name, default: start, min, max } = spin;
        if min >= max || !(min..=max).contains(&start) {
            return Err(format!(
                "{name}: expected a number with a range, found {start} from {min} to {max}"
            ));
        }
        let range = max as f64 - min as f64;
        let step = step.unwrap_or((range / 20.0).max(Self::LEAST_STEP));
        if !(Self::LEAST_STEP..=range).contains(&step) {
            return Err(format!(
                "{name}: expected a step from {} to {range}, found {step}",
                Self::LEAST_STEP
            ));
        }
        Ok(Self { name: name.clone(), start, min, max, step })
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.min as f64, self.max as f64)
    }
}

/// How steps and learning rate shrink over a run.
///
/// The steps are `c_k = c_end (N / k)^γ` and the gains `a_k = a_end ((A + N) / (A + k))^α`, counted in
/// pairs of games, as fishtest does: `N` in the whole run, `k` up to and with the iteration, `A` a
/// tenth of them. The learning rate is `R_k = a_k / c_k²`, so that the last is `R_end`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gains {
    /// Number of iterations.
    pub iterations: u32,
    /// Pairs of games an iteration.
    pub pairs: u32,
    /// Learning rate of the last iteration (fishtest's `R_end`).
    pub rate: f64,
}

impl Gains {
    const ALPHA: f64 = 0.602;
    const GAMMA: f64 = 0.101;
    /// `A` as a share of all pairs.
    const STABILITY: f64 = 0.1;

    /// A learning rate for a run of so many pairs: fishtest's usual 0.002 at its usual 30,000, and as
    /// much more as there are fewer pairs, so that the way the values can go stays the same; but no
    /// more than 0.1, beyond which they would follow chance alone.
    #[must_use]
    pub fn usual_rate(iterations: u32, pairs: u32) -> f64 {
        (60.0 / (f64::from(iterations) * f64::from(pairs))).min(0.1)
    }

    /// Pairs in the whole run, and up to and with the iteration (from 0).
    fn counts(&self, iteration: u32) -> (f64, f64) {
        let pairs = f64::from(self.pairs);
        (f64::from(self.iterations) * pairs, (f64::from(iteration) + 1.0) * pairs)
    }

    /// The steps of an iteration (from 0), as a multiple of the last.
    #[must_use]
    pub fn step(&self, iteration: u32) -> f64 {
        let (all, so_far) = self.counts(iteration);
        (all / so_far).powf(Self::GAMMA)
    }

    /// The learning rate of an iteration (from 0).
    #[must_use]
    pub fn rate(&self, iteration: u32) -> f64 {
        let (all, so_far) = self.counts(iteration);
        let stability = Self::STABILITY * all;
        let gain = ((stability + all) / (stability + so_far)).powf(Self::ALPHA);
        self.rate * gain / self.step(iteration).powi(2)
    }
}

/// What one iteration tries: the values of both sides, in the order of the parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The values of the first side.
    pub plus: Vec<i64>,
    /// The values of the second side.
    pub minus: Vec<i64>,
    /// Which way each value was moved for the first side: 1 or -1.
    signs: Vec<i8>,
}

/// The state of a run between two iterations.
#[derive(Clone, Debug)]
pub struct Tuner {
    parameters: Vec<Parameter>,
    gains: Gains,
    seed: u64,
    values: Vec<f64>,
    iteration: u32,
}

impl Tuner {
    /// A run at its beginning.
    #[must_use]
    pub fn new(parameters: Vec<Parameter>, gains: Gains, seed: u64) -> Self {
        let values = parameters.iter().map(|parameter| parameter.start as f64).collect();
        Self { parameters, gains, seed, values, iteration: 0 }
    }

    /// The values reached, in the order of the parameters.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Iterations finished.
    #[must_use]
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// What the next iteration tries; `None` when all are finished. It depends on the seed, the
    /// number of the iteration and the values alone.
    #[must_use]
    pub fn trial(&self) -> Option<Trial> {
        if self.iteration >= self.gains.iterations {
            return None;
        }
        // A stream for each iteration: taking up a run needs none of those before.
        let number = u64::from(self.iteration) + 1;
        let mut random = Stream::new(self.seed ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93));
        let scale = self.gains.step(self.iteration);
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new(), signs: Vec::new() };
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let sign = if random.below(2) == 0 { 1 } else { -1 };
            // Rounded up or down by chance, so that fractions count in the long run; by the same
            // chance on both sides, so that they differ by the step.
            let chance = random.unit();
            let rounded = |moved: f64| (parameter.clamp(moved) + chance).floor() as i64;
            let step = f64::from(sign) * scale * parameter.step;
            trial.plus.push(rounded(value + step));
            trial.minus.push(rounded(value - step));
            trial.signs.push(sign);
        }
        Some(trial)
    }

    /// Learns from the games of a trial: `score` is the number of games that the first side won less
    /// those that it lost.
    pub fn learn(&mut self, trial: &Trial, score: i64) {
        let scale = self.gains.step(self.iteration);
        let rate = self.gains.rate(self.iteration);
        let numbers = self.parameters.iter().zip(&trial.signs);
        for (value, (parameter, &sign)) in self.values.iter_mut().zip(numbers) {
            let step = f64::from(sign) * scale * parameter.step;
            *value = parameter.clamp(*value + rate * step * score as f64);
        }
        self.iteration += 1;
    }

    /// The values in a line: `tempo 12.3, centre 3.1`.
    #[must_use]
    pub fn line(&self) -> String {
        let names = self.parameters.iter().zip(&self.values);
        let parts: Vec<_> = names.map(|(p, value)| format!("{} {value:.1}", p.name)).collect();
        parts.join(", ")
    }

    /// The values as a table `name start -> end` and then as the table of numbers in the search's
    /// `params.rs` has them; a number that holds where whales are captured stands in the row of the other.
    #[must_use]
    pub fn table(&self) -> String {
        let width = self.parameters.iter().map(|p| p.name.len()).max().unwrap_or(0);
        // Names are those of an engine.
        let width = width.min(2 * LONGEST_NAME);
        let numbers = || self.parameters.iter().zip(&self.values);
        let mut text = String::new();
        // Writing to a string does not fail.
        for (Parameter { name, start, .. }, value) in numbers() {
            let _ = writeln!(text, "{name:<width$} {start:>6} -> {value:.2}");
        }
        text.push('\n');
        for (Parameter { name, min, max, .. }, value) in numbers() {
            let value = value.round();
            let _ = match name.strip_suffix("_captured") {
                Some(row) => {
                    writeln!(text, "    {row} = …, {min}..={max}, captured {value:.0};")
                }
                None => writeln!(text, "    {name} = {value:.0}, {min}..={max};"),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, start: i64, min: i64, max: i64) -> Parameter {
        let spin = Spin { name: name.to_owned(), default: start, min, max };
        Parameter::new(&spin, None).unwrap()
    }

    #[test]
    fn steps_are_checked() {
        let spin = |default, min, max| Spin { name: "x".to_owned(), default, min, max };
        let step = |spin: &Spin, step| Parameter::new(spin, step).map(|parameter| parameter.step);
        assert_eq!(step(&spin(50, 0, 100), None), Ok(5.0));
        assert_eq!(step(&spin(2, 1, 6), None), Ok(0.5));
        assert_eq!(step(&spin(2, 1, 6), Some(1.5)), Ok(1.5));
        for (spin, given, expected) in [
            (spin(2, 1, 6), Some(0.4), "expected a step from 0.5 to 5, found 0.4"),
            (spin(2, 1, 6), Some(6.0), "expected a step from 0.5 to 5, found 6"),
            (spin(2, 1, 6), Some(f64::NAN), "found NaN"),
            (spin(2, 2, 2), None, "expected a number with a range, found 2 from 2 to 2"),
            (spin(9, 1, 6), None, "expected a number with a range, found 9 from 1 to 6"),
        ] {
            let error = step(&spin, given).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    /// With one pair an iteration the gains are those that fishtest computes from `c_end` and `R_end`:
    /// `c = c_end N^γ`, `a = R_end c_end² (A + N)^α`, `c_k = c / k^γ`, `R_k = a / (A + k)^α / c_k²`.
    #[test]
    fn gains_are_those_of_fishtest() {
        let (all, c_end, r_end) = (30_000.0_f64, 4.0, 0.002);
        let gains = Gains { iterations: 30_000, pairs: 1, rate: r_end };
        let c = c_end * all.powf(0.101);
        let a = r_end * c_end * c_end * (0.1 * all + all).powf(0.602);
        for iteration in [0, 1, 9, 999, 15_000, 29_999] {
            let k = f64::from(iteration) + 1.0;
            let c_k = c / k.powf(0.101);
            let r_k = a / (0.1 * all + k).powf(0.602) / (c_k * c_k);
            assert!((gains.step(iteration) * c_end - c_k).abs() < 1e-9);
            assert!((gains.rate(iteration) - r_k).abs() < 1e-12);
        }
        assert_eq!((gains.step(29_999), gains.rate(29_999)), (1.0, r_end));
        // The same games in fewer iterations end with the same gains.
        let fewer = Gains { iterations: 7_500, pairs: 4, rate: r_end };
        assert_eq!(fewer.rate(7_499), r_end);
        assert!((fewer.rate(2_499) - gains.rate(9_999)).abs() < 1e-12);
        assert_eq!(Gains::usual_rate(30_000, 1), 0.002);
        assert_eq!(Gains::usual_rate(100, 4), 0.1);
    }

    #[test]
    fn both_sides_differ_and_stay_in_range() {
        let parameters = vec![
            parameter("low", 0, 0, 50),
            parameter("few", 2, 1, 6),
            parameter("high", 300, 30, 300),
            parameter("below", -7, -20, -1),
        ];
        let gains = Gains { iterations: 400, pairs: 1, rate: 0.1 };
        let mut tuner = Tuner::new(parameters.clone(), gains, 3);
        let mut ups = [0; 4];
        let mut sums = [0.0_f64; 4];
        while let Some(trial) = tuner.trial() {
            assert_eq!(tuner.trial().as_ref(), Some(&trial), "asking changes nothing");
            for (index, parameter) in parameters.iter().enumerate() {
                let (plus, minus) = (trial.plus[index], trial.minus[index]);
                for value in [plus, minus] {
                    assert!((parameter.min..=parameter.max).contains(&value));
                    sums[index] += value as f64 / 800.0;
                }
                // At the end of a range only one side can move.
                if index == 1 || index == 3 {
                    assert_eq!((plus - minus).signum(), i64::from(trial.signs[index]));
                }
                ups[index] += i32::from(trial.signs[index] > 0);
            }
            tuner.learn(&trial, 0);
        }
        assert_eq!(tuner.iteration(), 400);
        assert_eq!(tuner.values(), [0.0, 2.0, 300.0, -7.0], "draws teach nothing");
        assert!(ups.iter().all(|up| (160..=240).contains(up)), "{ups:?}");
        // Rounding by chance is right on average.
        assert!((sums[1] - 2.0).abs() < 0.1 && (sums[3] + 7.0).abs() < 0.1, "{sums:?}");
    }

    #[test]
    fn values_follow_the_winner() {
        let gains = Gains { iterations: 1, pairs: 1, rate: 0.1 };
        let parameters = vec![parameter("x", 50, 0, 100), parameter("y", 99, 0, 100)];
        for score in [-2, 1, 2] {
            let mut tuner = Tuner::new(parameters.clone(), gains, 5);
            let trial = tuner.trial().unwrap();
            tuner.learn(&trial, score);
            for (index, start) in [50.0, 99.0].into_iter().enumerate() {
                let moved = 0.1 * 5.0 * f64::from(trial.signs[index]) * score as f64;
                assert_eq!(tuner.values()[index], (start + moved).min(100.0));
            }
            assert_eq!(tuner.trial(), None);
        }
    }

    /// A game-like world: the sides' strengths, in Elo, fall with the squares of the distances from
    /// the best values, and of games only win, draw or loss is seen.
    struct World<'a> {
        best: &'a [f64],
        /// Elo lost at a distance of 1.
        losses: &'a [f64],
        random: Stream,
    }

    impl World<'_> {
        fn loss(&self, values: impl Iterator<Item = f64>) -> f64 {
            let terms = values.zip(self.best).zip(self.losses);
            terms.map(|((value, best), loss)| loss * (value - best).powi(2)).sum()
        }

        /// Wins less losses of so many games.
        fn play(&mut self, trial: &Trial, games: u32) -> i64 {
            let strength = |values: &[i64]| -self.loss(values.iter().map(|&v| v as f64));
            let gap = strength(&trial.plus) - strength(&trial.minus);
            let expected = 1.0 / (1.0 + 10f64.powf(-gap / 400.0));
            let draws = 0.3_f64.min(2.0 * expected).min(2.0 - 2.0 * expected);
            (0..games)
                .map(|_| match self.random.unit() {
                    u if u < expected - draws / 2.0 => 1,
                    u if u < expected + draws / 2.0 => 0,
                    _ => -1,
                })
                .sum()
        }
    }

    /// From 60, 45 and 30 Elo below the best in three numbers, one of them of few values, and with
    /// a fourth that means nothing, 4,000 pairs of games find most of the way, whatever the seed.
    #[test]
    fn noisy_games_lead_to_the_best_values() {
        let parameters = vec![
            parameter("middle", 50, 0, 200),
            parameter("few", 2, 1, 6),
            parameter("wide", 1000, 0, 1500),
            parameter("idle", 20, 0, 40),
        ];
        let best = [140.0, 5.0, 400.0, 0.0];
        let losses = [60.0 / 8100.0, 45.0 / 9.0, 30.0 / 360_000.0, 0.0];
        let (iterations, pairs) = (1000, 4);
        let gains = Gains { iterations, pairs, rate: Gains::usual_rate(iterations, pairs) };
        let mut left = Vec::new();
        for seed in 0..20 {
            let mut tuner = Tuner::new(parameters.clone(), gains, seed);
            let mut world = World { best: &best, losses: &losses, random: Stream::new(!seed) };
            assert_eq!(world.loss(tuner.values().iter().copied()).round(), 135.0);
            while let Some(trial) = tuner.trial() {
                let score = world.play(&trial, 2 * pairs);
                tuner.learn(&trial, score);
            }
            left.push(world.loss(tuner.values().iter().copied()));
            let idle = tuner.values()[3];
            assert!((4.0..=36.0).contains(&idle), "chance alone leads nowhere: {idle}");
        }
        let average = left.iter().sum::<f64>() / left.len() as f64;
        assert!(left.iter().all(|&loss| loss < 50.0), "{left:?}");
        assert!(average < 20.0, "{average}: {left:?}");
    }

    #[test]
    fn the_table_can_be_pasted() {
        let gains = Gains { iterations: 1, pairs: 1, rate: 0.1 };
        let parameters = vec![parameter("tempo", 50, 0, 100), parameter("centre", 3, -1, 20)];
        let mut tuner = Tuner::new(parameters, gains, 5);
        tuner.values = vec![51.5, 2.4567];
        assert_eq!(tuner.line(), "tempo 51.5, centre 2.5");
        assert_eq!(
            tuner.table(),
            "\
tempo      50 -> 51.50
centre      3 -> 2.46

    tempo = 52, 0..=100;
    centre = 2, -1..=20;
"
        );
    }

    #[test]
    fn a_number_of_its_own_where_whales_are_captured_stands_in_the_row() {
        let gains = Gains { iterations: 1, pairs: 1, rate: 0.1 };
        let mut tuner = Tuner::new(vec![parameter("tempo_captured", 50, 0, 100)], gains, 5);
        tuner.values = vec![51.5];
        let table = tuner.table();
        assert!(table.ends_with("\n    tempo = …, 0..=100, captured 52;\n"), "{table}");
    }
}
