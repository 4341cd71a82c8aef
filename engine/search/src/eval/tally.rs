//! Weights of features laid out for adding up.

use kujira_position::Variant;

use super::features::{Features, Sink};

/// Weights by feature.
pub(super) struct Tally {
    single: Box<[i32]>,
    /// With those before it in the row added where the row is climbed.
    climbed: Box<[i32]>,
}

impl Tally {
    /// Of the weights of all features.
    pub(super) fn new<V: Variant>(features: &[i32]) -> Self {
        let mut climbed = features.to_vec();
        for row in Features::<V>::rows().iter().filter(|row| row.climbs) {
            for feature in row.first + 1..row.first + row.width {
                climbed[feature] += climbed[feature - 1];
            }
        }
        Self { single: features.into(), climbed: climbed.into() }
    }

    /// Begins a sum.
    #[inline(always)]
    pub(super) fn sum(&self, start: i32) -> Sum<'_> {
        Sum { tally: self, sum: start }
    }
}

/// Adds up weights of features.
pub(super) struct Sum<'a> {
    tally: &'a Tally,
    pub(super) sum: i32,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, feature: usize, times: i32) {
        self.sum += times * self.tally.single[feature];
    }

    #[inline(always)]
    fn climb(&mut self, first: usize, steps: usize, times: i32) {
        if steps > 0 {
            self.sum += times * self.tally.climbed[first + steps - 1];
        }
    }
}
