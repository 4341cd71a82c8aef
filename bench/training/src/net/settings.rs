//! How a network is trained.

use std::fmt;

use clap::{Args as _, FromArgMatches as _};
use kujira_search::eval::NetworkFile;

use super::outlook::Trace;

/// Everything but the positions that decides what network comes out.
#[derive(Clone, Copy, PartialEq, Debug, clap::Args)]
pub struct Settings {
    /// Hidden units of a side, a multiple of 16.
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Network")]
    pub hidden: usize,
    /// Sets of output weights, by pieces off the board.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Network")]
    pub buckets: usize,
    /// Share of what came after in the target at the start; the rest is the score of the search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, help_heading = "Target")]
    pub lambda_start: f64,
    /// Share of what came after in the target at the end; in between it moves along a line.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, help_heading = "Target")]
    pub lambda_end: f64,
    /// Weight of each later score in what came after, as a share of the weight of the one before; with 1 the
    /// result alone does, or the score where a random move was played before.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, help_heading = "Target")]
    pub trace: f64,
    /// Centipawns to a unit of odds.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400, help_heading = "Target")]
    pub scale: u32,
    /// The power the distance from the target is raised to.
    #[arg(long, default_value_t = 2.0, help_heading = "Target")]
    pub power: f64,
    /// Passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Steps")]
    pub epochs: u32,
    /// Positions a step.
    #[arg(long, value_name = "POSITIONS", default_value_t = 16_384, help_heading = "Steps")]
    pub batch: usize,
    /// Length of the longest steps.
    #[arg(long, default_value_t = 2e-3, help_heading = "Steps")]
    pub rate: f64,
    /// Length of the last step, as a share of the longest; the way there is half a cosine.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, help_heading = "Steps")]
    pub last_rate: f64,
    /// Share of the steps in which they grow to their greatest length.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, help_heading = "Steps")]
    pub warm_up: f64,
    /// Weights shrink by this share of themselves for each unit of the length of a step.
    #[arg(long, default_value_t = 0.5, help_heading = "Steps")]
    pub decay: f64,
    /// Share of the steps, at the end, that reckon with rounded weights.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, help_heading = "Steps")]
    pub rounding: f64,
    /// Seed of the weights at the start, if they are random, and the order of the positions.
    #[arg(long, default_value_t = 1, help_heading = "Steps")]
    pub seed: u64,
}

impl Default for Settings {
    /// What is used where a command line says nothing.
    fn default() -> Self {
        let command = Self::augment_args(clap::Command::new("").no_binary_name(true));
        let mut words = command.get_matches_from::<_, &str>([]);
        Self::from_arg_matches_mut(&mut words).expect("a default for every argument")
    }
}

impl Settings {
    /// Checks that each setting is within its bounds.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn check(&self) -> Result<(), String> {
        let wrong = |name: &str, expected: &str, found: &dyn fmt::Display| {
            Err(format!("{name}: expected {expected}, found {found}"))
        };
        let (step, most) = (NetworkFile::HIDDEN_STEP, NetworkFile::MOST_HIDDEN);
        if !(step..=most).contains(&self.hidden) || !self.hidden.is_multiple_of(step) {
            return wrong("hidden", &format!("a multiple of {step} up to {most}"), &self.hidden);
        }
        if !(1..=NetworkFile::MOST_BUCKETS).contains(&self.buckets) {
            return wrong("buckets", &format!("1 to {}", NetworkFile::MOST_BUCKETS), &self.buckets);
        }
        if self.epochs == 0 || self.batch == 0 {
            return wrong("epochs and batch", "at least 1", &0);
        }
        for (name, share) in [
            ("lambda", self.lambda_start),
            ("lambda", self.lambda_end),
            ("trace", self.trace),
            ("last-rate", self.last_rate),
            ("warm-up", self.warm_up),
            ("rounding", self.rounding),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return wrong(name, "0 to 1", &share);
            }
        }
        if !self.rate.is_finite() || self.rate <= 0.0 {
            return wrong("rate", "a positive number", &self.rate);
        }
        if !(1..=NetworkFile::MOST_SCALE.unsigned_abs()).contains(&self.scale) {
            return wrong("scale", &format!("1 to {}", NetworkFile::MOST_SCALE), &self.scale);
        }
        if !self.decay.is_finite() || self.decay < 0.0 {
            return wrong("decay", "0 or more", &self.decay);
        }
        // Weights would be nothing after a step, or of the other sign.
        let shrinking = self.rate * self.decay;
        if shrinking >= 1.0 {
            return wrong("rate times decay", "less than 1", &shrinking);
        }
        if !(1.0..=8.0).contains(&self.power) {
            return wrong("power", "1 to 8", &self.power);
        }
        Ok(())
    }

    /// How what came after a position is summed up.
    #[must_use]
    pub const fn trace(&self) -> Trace {
        Trace { keep: self.trace, scale: self.scale }
    }

    /// How long the step is that is made after `done` of `all` steps: it grows along a line, then falls
    /// along half a cosine.
    #[must_use]
    pub fn rate_after(&self, done: u64, all: u64) -> f64 {
        let warm_up = (self.warm_up * all as f64).ceil();
        let done = done as f64;
        if done < warm_up {
            return self.rate * (done + 1.0) / warm_up;
        }
        let gone = ((done - warm_up) / (all as f64 - warm_up).max(1.0)).min(1.0);
        let height = 0.5 * (1.0 + (std::f64::consts::PI * gone).cos());
        self.rate * (self.last_rate + (1.0 - self.last_rate) * height)
    }

    /// Whether the network is computed with rounded weights after `done` of `all` steps.
    #[must_use]
    pub fn rounds_after(&self, done: u64, all: u64) -> bool {
        done as f64 >= (1.0 - self.rounding) * all as f64
    }

    /// λ after `done` of `all` steps: it goes from its start to its end along a line.
    #[must_use]
    pub fn lambda_after(&self, done: u64, all: u64) -> f64 {
        self.lambda_start
            + (self.lambda_end - self.lambda_start) * (done as f64 / all.max(1) as f64).min(1.0)
    }
}

impl fmt::Display for Settings {
    /// Writes the settings one a line, as checkpoints hold them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hidden, buckets, epochs, batch, rate, last_rate, warm_up, decay, .. } = self;
        let Self { rounding, lambda_start, lambda_end, trace, scale, power, seed, .. } = self;
        write!(
            f,
            "hidden {hidden}\nbuckets {buckets}\nepochs {epochs}\nbatch {batch}\nrate {rate}\n\
             last-rate {last_rate}\nwarm-up {warm_up}\ndecay {decay}\nrounding {rounding}\n\
             lambda {lambda_start} to {lambda_end}\ntrace {trace}\nscale {scale}\npower {power}\nseed {seed}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_settings_are_refused() {
        let good = Settings::default();
        assert_eq!(good.check(), Ok(()));
        assert_eq!(Settings { rate: 0.25, decay: 3.9, ..good }.check(), Ok(()));
        for (wrong, expected) in [
            (
                Settings { hidden: 0, ..good },
                "hidden: expected a multiple of 16 up to 512, found 0",
            ),
            (
                Settings { hidden: 40, ..good },
                "hidden: expected a multiple of 16 up to 512, found 40",
            ),
            (
                Settings { hidden: 528, ..good },
                "hidden: expected a multiple of 16 up to 512, found 528",
            ),
            (Settings { buckets: 17, ..good }, "buckets: expected 1 to 16, found 17"),
            (Settings { batch: 0, ..good }, "epochs and batch: expected at least 1, found 0"),
            (Settings { lambda_end: 1.5, ..good }, "lambda: expected 0 to 1, found 1.5"),
            (Settings { trace: -0.5, ..good }, "trace: expected 0 to 1, found -0.5"),
            (Settings { last_rate: f64::NAN, ..good }, "last-rate: expected 0 to 1, found NaN"),
            (Settings { rate: 0.0, ..good }, "rate: expected a positive number, found 0"),
            (Settings { scale: 0, ..good }, "scale: expected 1 to 10000, found 0"),
            (Settings { warm_up: 2.0, ..good }, "warm-up: expected 0 to 1, found 2"),
            (Settings { rounding: -0.1, ..good }, "rounding: expected 0 to 1, found -0.1"),
            (Settings { decay: -0.5, ..good }, "decay: expected 0 or more, found -0.5"),
            (
                Settings { rate: 0.25, decay: 4.0, ..good },
                "rate times decay: expected less than 1, found 1",
            ),
            (Settings { power: 0.5, ..good }, "power: expected 1 to 8, found 0.5"),
        ] {
            assert_eq!(wrong.check(), Err(expected.to_owned()));
        }
    }

    #[test]
    fn rates_grow_and_fall_again() {
        let settings = Settings { rate: 1.0, last_rate: 0.1, warm_up: 0.09, ..Settings::default() };
        let rate = |done| settings.rate_after(done, 110);
        assert!((rate(0) - 0.1).abs() < 1e-12 && (rate(9) - 1.0).abs() < 1e-12);
        assert!((rate(10) - 1.0).abs() < 1e-12 && (rate(60) - 0.55).abs() < 1e-12);
        assert!((rate(110) - 0.1).abs() < 1e-12 && (rate(200) - 0.1).abs() < 1e-12);
        assert!((10..110).all(|done| rate(done) >= rate(done + 1)));
        let short = Settings { warm_up: 0.0, ..settings };
        assert!((short.rate_after(0, 5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn weights_are_rounded_at_the_end() {
        for (rounding, first) in [(0.25, 75), (1.0, 0), (0.0, 100)] {
            let settings = Settings { rounding, ..Settings::default() };
            let rounds = (0..=100).position(|done| settings.rounds_after(done, 100));
            assert_eq!(rounds, Some(first));
        }
    }

    #[test]
    fn lambda_moves_along_a_line() {
        let settings = Settings { lambda_start: 0.1, lambda_end: 0.3, ..Settings::default() };
        for (done, expected) in [(0, 0.1), (5, 0.2), (10, 0.3), (12, 0.3)] {
            assert!((settings.lambda_after(done, 10) - expected).abs() < 1e-12);
        }
        assert!((settings.lambda_after(0, 0) - 0.1).abs() < 1e-12);
    }
}
