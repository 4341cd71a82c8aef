//! How often each result occurred, in games or in colour-swapped pairs.

use serde::{Deserialize, Serialize};

/// How often each of `N` equally spaced scores from 0 to 1 occurred.
///
/// With `N = 3` a result is a game (loss, draw, win); with `N = 5` it is a *pair* of games from the
/// same opening with colours swapped, scored 0, ½, 1, 1½ or 2 points. The two games of a pair are
/// not independent of each other (the opening favours one side in both), but pairs are: error bars
/// taken from single games are wrong. See M. Van den Bergh, *The generalized SPRT for trinomial and
/// pentanomial models*, and the fishtest wiki.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts<const N: usize>(#[serde(with = "array")] [u64; N]);

/// Losses, draws, wins.
pub type Trinomial = Counts<3>;
/// Pairs by points: 0, ½, 1, 1½, 2.
pub type Pentanomial = Counts<5>;

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Counts<N> {
    /// Counts by score, lowest first.
    #[must_use]
    pub const fn new(counts: [u64; N]) -> Self {
        Self(counts)
    }

    /// Counts by score, lowest first.
    #[must_use]
    pub const fn by_score(&self) -> &[u64; N] {
        &self.0
    }

    /// Adds one result: `half_points` from 0 to `N - 1`; a higher one counts as the highest.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(N - 1)] += 1;
    }

    /// Adds the results of others.
    pub fn add_all(&mut self, others: &Self) {
        for (sum, count) in self.0.iter_mut().zip(others.0) {
            *sum += count;
        }
    }

    /// Number of results.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.total() * (N as u64 - 1) / 2
    }

    /// The same results as the opponent sees them.
    #[must_use]
    pub fn turned(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }

    /// Mean score, 0 to 1, and variance of the score of one result; `None` without results.
    #[must_use]
    pub fn moments(&self) -> Option<(f64, f64)> {
        let total = self.total();
        (total > 0).then(|| {
            let share = |count: u64| count as f64 / total as f64;
            let mean: f64 =
                self.0.iter().enumerate().map(|(i, &n)| share(n) * Self::score(i)).sum();
            let variance: f64 = self
                .0
                .iter()
                .enumerate()
                .map(|(i, &n)| share(n) * (Self::score(i) - mean).powi(2))
                .sum();
            (mean, variance)
        })
    }

    /// The score, 0 to 1, of the `index`-th result.
    pub(super) fn score(index: usize) -> f64 {
        index as f64 / (N as f64 - 1.0)
    }
}

/// Arrays of any length as JSON lists.
mod array {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer, const N: usize>(
        counts: &[u64; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        counts.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u64; N], D::Error> {
        let counts = Vec::<u64>::deserialize(deserializer)?;
        counts.try_into().map_err(|counts: Vec<u64>| {
            D::Error::custom(format!("expected {N} counts, found {}", counts.len()))
        })
    }
}
