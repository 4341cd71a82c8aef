//! Results of several matches together, by the names of the engines.

use std::collections::HashMap;

use crate::{Encounter, Pentanomial, Ratings};

/// The most letters that the name of an engine has.
pub const LONGEST_NAME: usize = 64;

/// Who met whom, in what, with which results. Engines of one name are one engine.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    names: Vec<String>,
    settings: Vec<String>,
    encounters: Vec<Encounter>,
    /// Losses, draws, wins of the first against the second of two engines, in both orders.
    results: HashMap<[usize; 2], [u64; 3]>,
}

impl Pool {
    /// Adds results of two engines: losses, draws, wins of the first with Black, then with White, and those of the
    /// same games that were pairs (none if nothing is known of pairs). The `setting` is what was played, in words: the
    /// game, its rules, a handicap; Black has another advantage in each.
    pub fn add_results(
        &mut self,
        setting: &str,
        names: [&str; 2],
        by_color: [[u64; 3]; 2],
        pairs: Pentanomial,
    ) {
        let setting = number(&mut self.settings, setting);
        let players = names.map(|name| number(&mut self.names, name));
        self.encounters.push(Encounter { players, setting, by_color, pairs });
        let [first, second] = players;
        for [losses, draws, wins] in by_color {
            for (players, counts) in
                [(players, [losses, draws, wins]), ([second, first], [wins, draws, losses])]
            {
                let sum = self.results.entry(players).or_default();
                for (sum, count) in sum.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
        }
    }

    /// The names of the engines, in the order in which they were added.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What was played, in the order in which it was added.
    #[must_use]
    pub fn settings(&self) -> &[String] {
        &self.settings
    }

    /// Ratings by the engines' place in [`Self::names`].
    #[must_use]
    pub fn ratings(&self) -> Ratings {
        Ratings::of(self.names.len(), &self.encounters)
    }

    /// Losses, draws, wins of one engine against another; `None` if they never met.
    #[must_use]
    pub fn results(&self, engine: usize, other: usize) -> Option<[u64; 3]> {
        self.results.get(&[engine, other]).copied()
    }

    /// Whether any game was drawn.
    #[must_use]
    pub fn has_draws(&self) -> bool {
        self.results.values().any(|&[_, draws, _]| draws > 0)
    }
}

/// The number of a name, which is added if it is new.
fn number(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_known_by_their_names() {
        let mut pool = Pool::default();
        let none = Pentanomial::default();
        pool.add_results("whale", ["A", "B"], [[1, 2, 3], [4, 5, 6]], none);
        pool.add_results("whale", ["C", "A"], [[0, 0, 1], [0, 0, 0]], none);
        pool.add_results("great", ["B", "A"], [[10, 0, 0], [0, 20, 0]], none);
        assert_eq!(pool.names(), ["A", "B", "C"]);
        assert_eq!(pool.settings(), ["whale", "great"]);
        assert_eq!(pool.results(0, 1), Some([5, 27, 19]));
        assert_eq!(pool.results(1, 0), Some([19, 27, 5]));
        assert_eq!(pool.results(0, 2), Some([1, 0, 0]));
        assert_eq!(pool.results(1, 2), None);
        assert!(pool.has_draws());
        assert_eq!(pool.ratings().players(), 3);
    }
}
