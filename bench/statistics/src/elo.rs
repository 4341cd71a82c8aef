//! Elo differences with error bars.

use std::f64::consts::LN_10;
use std::fmt;

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::Counts;

/// Normalised Elo per unit of the *t* value of one game: `800 / ln 10`, so that normalised and
/// logistic Elo agree near 0 where there are no draws (Van den Bergh, *Normalized Elo*).
pub(super) const NELO_PER_T: f64 = 800.0 / LN_10;

/// Elo per unit of expected score where two players are even: the slope of [`elo_of_score`] at ½.
pub const ELO_PER_SCORE: f64 = 1600.0 / LN_10;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Expected score, 0 to 1, of a player that many Elo stronger.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Elo difference of an expected score; infinite at 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Half the width of the interval of Elo differences that belongs to scores up to `width` from `score`; infinite where
/// it reaches a score of 0 or 1.
#[must_use]
pub fn elo_width(score: f64, width: f64) -> f64 {
    let reach = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
    (reach(score + width) - reach(score - width)) / 2.0
}

/// How much stronger the first player is.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Logistic Elo.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval of [`Self::elo`]. Infinite where the interval
    /// reaches a score of 0 or 1.
    pub elo_error: f64,
    /// Normalised Elo; `None` if all results were the same, which leaves no measure to normalise by.
    pub nelo: Option<f64>,
    /// Half the width of the 95 % confidence interval of [`Self::nelo`].
    pub nelo_error: f64,
    /// Likelihood of superiority: how sure it is, 0 to 1, that the first player is stronger; `None` if
    /// all results were the same, of which even a single one would make it sure.
    pub los: Option<f64>,
}

impl Estimate {
    /// The estimate from these results; `None` without results.
    #[must_use]
    pub fn of<const N: usize>(counts: &Counts<N>) -> Option<Self> {
        let (score, variance) = counts.moments()?;
        let total = counts.total() as f64;
        let deviation = (variance / total).sqrt();
        // The variance of a game's score: a pair's score is the mean of two games.
        let per_game = variance * (N as f64 - 1.0) / 2.0;
        let flat = variance <= f64::EPSILON;
        Some(Self {
            score,
            elo: elo_of_score(score),
            elo_error: if flat { 0.0 } else { elo_width(score, Z95 * deviation) },
            nelo: (!flat).then(|| (score - 0.5) / per_game.sqrt() * NELO_PER_T),
            nelo_error: Z95 * NELO_PER_T / (counts.games() as f64).sqrt(),
            los: (!flat).then(|| standard_normal_cdf((score - 0.5) / deviation)),
        })
    }

    /// Logistic Elo with its error bar, or with a word on why there is none: results that are all
    /// alike say nothing about how far they might spread, and `± 0.0` would claim certainty.
    #[must_use]
    pub fn elo_text(&self) -> String {
        match self.nelo {
            Some(_) => format!("{:+.1} ± {:.1}", self.elo, self.elo_error),
            None => format!("{:+.1} (all results alike: no error bar)", self.elo),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elo {}", self.elo_text())?;
        if let Some(nelo) = self.nelo {
            write!(f, ", nElo {nelo:+.1} ± {:.1}", self.nelo_error)?;
        }
        match self.los {
            Some(los) => write!(f, ", LOS {:.1} %", los * 100.0),
            None => Ok(()),
        }
    }
}

pub(super) fn standard_normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    /// `(counts, elo, error, nelo, error, los)` with two decimals, as published in the tests of
    /// fastchess (app/tests/elo_test.cpp); its mixed pairs (win and loss, two draws) are added up.
    type Worked<const N: usize> = ([u64; N], Option<(f64, f64)>, (f64, f64), Option<f64>);

    fn check<const N: usize>(table: &[Worked<N>]) {
        for (counts, elo, (nelo, nelo_error), los) in table {
            let found = Estimate::of(&Counts::new(*counts)).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 0.0051;
            if let Some((elo, error)) = elo {
                assert!(near(found.elo, *elo), "{counts:?}: {found:?}");
                assert!(near(found.elo_error, *error), "{counts:?}: {found:?}");
            }
            assert!(near(found.nelo.unwrap(), *nelo), "{counts:?}: {found:?}");
            assert!(near(found.nelo_error, *nelo_error), "{counts:?}: {found:?}");
            if let Some(los) = los {
                assert!(near(found.los.unwrap() * 100.0, *los), "{counts:?}: {found:?}");
            }
        }
    }

    #[test]
    fn published_values_of_pairs() {
        check::<5>(&[
            ([34, 54, 31 + 32, 64, 75], Some((55.58, 27.65)), (57.94, 28.28), Some(100.0)),
            ([332, 433, 457 + 41, 333, 334], Some((-8.64, 10.33)), (-9.17, 10.96), Some(5.05)),
            ([7895, 8757, 5485 + 200, 568, 9999], Some((-21.04, 2.95)), (-19.01, 2.65), None),
        ]);
    }

    #[test]
    fn published_values_of_games() {
        check::<3>(&[
            ([89, 123, 76], None, (-20.76, 40.13), Some(15.53)),
            ([96, 111, 136], Some((40.70, 30.43)), (49.77, 36.77), Some(99.60)),
            ([356, 0, 34], None, (-508.44, 34.48), None),
        ]);
    }

    #[test]
    fn no_variance_is_no_error() {
        let even = Estimate::of(&Pentanomial::new([0, 0, 40, 0, 0])).unwrap();
        assert_eq!((even.elo, even.elo_error, even.nelo, even.los), (0.0, 0.0, None, None));
        assert_eq!(even.to_string(), "Elo +0.0 (all results alike: no error bar)");
        let won = Estimate::of(&Pentanomial::new([0, 0, 0, 0, 3])).unwrap();
        assert_eq!((won.elo, won.elo_error, won.los), (f64::INFINITY, 0.0, None));
        let lost = Estimate::of(&Trinomial::new([7, 0, 0])).unwrap();
        assert_eq!((lost.elo, lost.los), (f64::NEG_INFINITY, None));
        assert_eq!(Estimate::of(&Pentanomial::default()), None);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for (elo, score) in [(0.0, 0.5), (200.0, 0.759_746_9), (-400.0, 1.0 / 11.0)] {
            assert!((score_of_elo(elo) - score).abs() < 1e-7);
            assert!((elo_of_score(score) - elo).abs() < 1e-4);
        }
    }
}
