//! Means with error bars, of figures of games that come in pairs.

use std::collections::BTreeMap;
use std::fmt;

use kujira_statistics::Z95;

/// A mean, and half the width of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Half the width of its 95 % confidence interval.
    pub error: f64,
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        write!(f, "{:.digits$}", self.value)?;
        // One cluster says nothing about how far others might be from it.
        if self.error.is_nan() { Ok(()) } else { write!(f, " ± {:.digits$}", self.error) }
    }
}

impl Mean {
    /// Its error, unless one cluster was all there was.
    #[must_use]
    pub fn known_error(self) -> Option<f64> {
        (!self.error.is_nan()).then_some(self.error)
    }

    /// This mean times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, error: self.error * factor.abs() }
    }
}

/// A figure of games, added up. Games that begin alike count as one cluster: they are not independent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sample {
    clusters: BTreeMap<u64, (f64, f64)>,
}

impl Sample {
    /// Adds `value`, of a game of `cluster`.
    pub fn add(&mut self, cluster: u64, value: f64) {
        let (sum, count) = self.clusters.entry(cluster).or_default();
        *sum += value;
        *count += 1.0;
    }

    /// The mean of all values; `None` if there are none. Its error is that of a ratio of two sums over clusters (Cochran,
    /// *Sampling Techniques*, 1977, chapter 9A).
    #[must_use]
    pub fn mean(&self) -> Option<Mean> {
        let (sum, count) =
            self.clusters.values().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        if count == 0.0 {
            return None;
        }
        let value = sum / count;
        let square: f64 =
            self.clusters.values().map(|(sum, count)| (sum - value * count).powi(2)).sum();
        let clusters = self.clusters.len() as f64;
        let spread = if clusters > 1.0 { square * clusters / (clusters - 1.0) } else { f64::NAN };
        Some(Mean { value, error: Z95 * spread.sqrt() / count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_values_have_the_usual_error() {
        let mut sample = Sample::default();
        for (cluster, value) in [1.0, 2.0, 3.0, 6.0].into_iter().enumerate() {
            sample.add(cluster as u64, value);
        }
        let mean = sample.mean().unwrap();
        // The standard deviation of the four is √(14/3).
        assert!((mean.value - 3.0).abs() < 1e-12);
        assert!((mean.error - Z95 * (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12, "{mean:?}");
        assert_eq!(format!("{mean:.2}"), "3.00 ± 2.12");
    }

    #[test]
    fn values_of_one_cluster_count_once() {
        let (mut twice, mut once) = (Sample::default(), Sample::default());
        for (cluster, value) in [1.0, 2.0, 3.0, 6.0].into_iter().enumerate() {
            once.add(cluster as u64, value);
            twice.add(cluster as u64, value);
            twice.add(cluster as u64, value);
        }
        assert_eq!(once.mean(), twice.mean());
        assert_eq!(Sample::default().mean(), None);
        let mut one = Sample::default();
        one.add(1, 0.5);
        assert_eq!(one.mean().unwrap().to_string(), "0.5");
    }
}
