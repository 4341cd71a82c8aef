//! A sequential test over pairs that many machines play at once.
//!
//! Short games end first, and a machine that is late is late for a reason: a test that looked at all pairs that are
//! there would look at a choice of them. Pairs are counted in the order of their numbers instead, each as soon as all
//! before it are there, and the test ends with the pair at which it crosses a bound, however many came at once. So it
//! ends as on one machine that plays one pair after the other.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{Pentanomial, Sprt, Verdict};

/// A test that counts pairs in the order of their numbers.
#[derive(Clone, Debug)]
pub struct InOrder {
    sprt: Sprt,
    pairs: Pentanomial,
    next: u64,
    /// Pairs that are there before some of a lower number, with their half points.
    waiting: BTreeMap<u64, u8>,
    verdict: Option<Verdict>,
    /// Pairs that came when later ones were counted.
    late: u64,
}

impl InOrder {
    /// A test that has seen nothing; numbers begin with 0.
    #[must_use]
    pub fn new(sprt: Sprt) -> Self {
        let (pairs, waiting) = (Pentanomial::default(), BTreeMap::new());
        Self { sprt, pairs, next: 0, waiting, verdict: None, late: 0 }
    }

    /// A pair is finished, in whatever order: its number, and the half points of the first engine, 0 to 4.
    pub fn add(&mut self, number: u64, half_points: u8) {
        if number < self.next {
            self.late += 1;
        } else {
            self.waiting.insert(number, half_points);
        }
    }

    /// Counts what can be counted now. `absent` is asked for numbers that are missing before one that is there: it says
    /// for how many of them, from the first on, nobody waits any longer.
    pub fn count(&mut self, mut absent: impl FnMut(Range<u64>) -> u64) -> Option<Verdict> {
        while self.verdict.is_none() {
            let Some((&number, &half_points)) = self.waiting.first_key_value() else { break };
            if number > self.next {
                let passed = absent(self.next..number).min(number - self.next);
                if passed == 0 {
                    break;
                }
                self.next += passed;
                continue;
            }
            self.waiting.pop_first();
            self.next = number.saturating_add(1);
            self.pairs.add(half_points.into());
            self.verdict = self.sprt.verdict(self.llr());
        }
        self.verdict
    }

    /// The pairs counted.
    #[must_use]
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The log-likelihood ratio of the pairs counted.
    #[must_use]
    pub fn llr(&self) -> f64 {
        self.sprt.llr(&self.pairs)
    }

    /// The answer, if there is one.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The number of the pair that is waited for, if others are there already.
    #[must_use]
    pub fn awaited(&self) -> Option<u64> {
        (self.verdict.is_none() && !self.waiting.is_empty()).then_some(self.next)
    }

    /// Finished pairs that are not counted yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Pairs that came too late to be counted in order.
    #[must_use]
    pub const fn late(&self) -> u64 {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Stream};

    fn test() -> Sprt {
        Sprt { model: Model::Normalized, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 }
    }

    /// In whatever order pairs come, and however many at once, the test ends as it does in their order.
    #[test]
    fn the_order_in_which_pairs_come_does_not_matter() {
        let mut random = Stream::new(1);
        for _ in 0..50 {
            let results: Vec<u8> = (0..3000).map(|_| random.below(5) as u8).collect();
            let mut one = InOrder::new(test());
            for (number, &points) in (0..).zip(&results) {
                one.add(number, points);
                one.count(|_| 0);
            }
            let mut left: Vec<u64> = (0..3000).collect();
            let mut many = InOrder::new(test());
            while !left.is_empty() {
                for _ in 0..random.below(40) {
                    if left.is_empty() {
                        break;
                    }
                    let number = left.swap_remove(random.below(left.len().min(300)));
                    many.add(number, results[number as usize]);
                }
                many.count(|_| 0);
            }
            assert_eq!((one.verdict(), one.pairs()), (many.verdict(), many.pairs()));
        }
    }

    #[test]
    fn what_is_absent_is_not_waited_for() {
        let mut test = InOrder::new(test());
        for number in [1, 2, 4] {
            test.add(number, 2);
        }
        assert_eq!((test.count(|_| 0), test.awaited(), test.waiting()), (None, Some(0), 3));
        assert_eq!(
            (test.count(|missing| 1 - missing.start.min(1)), test.awaited()),
            (None, Some(3))
        );
        assert_eq!(test.pairs().total(), 2);
        test.add(0, 4);
        assert_eq!((test.late(), test.pairs().total()), (1, 2));
        test.add(3, 2);
        assert_eq!((test.count(|_| 0), test.awaited()), (None, None));
        assert_eq!(test.pairs().total(), 4);
        // However far away the next one is.
        test.add(u64::MAX, 2);
        assert_eq!(test.count(|missing| missing.end - missing.start), None);
        assert_eq!((test.awaited(), test.pairs().total()), (None, 5));
    }
}
