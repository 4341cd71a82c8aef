//! Who plays whom, in which order, and what of it is done.

use std::collections::HashSet;

use clap::ValueEnum;
use kujira_record::played::GameId;
use serde::{Deserialize, Serialize};

/// Who plays whom among more than two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays everybody else.
    Gauntlet,
}

impl Format {
    /// The pairings among `engines` engines.
    #[must_use]
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Self::RoundRobin => engines,
            Self::Gauntlet => engines.min(1),
        };
        (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect()
    }
}

/// The games of a match in the order in which they begin: a pair of every pairing, then the next
/// opening.
#[derive(Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u32,
    done: HashSet<GameId>,
    next: u64,
}

impl Schedule {
    /// `rounds` pairs of games for each pairing, without those that are `done`.
    #[must_use]
    pub fn new(pairings: Vec<[usize; 2]>, rounds: u32, done: HashSet<GameId>) -> Self {
        Self { pairings, rounds, done, next: 0 }
    }

    /// All games, those done included.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.pairings.len() as u64 * u64::from(self.rounds) * 2
    }
}

impl Iterator for Schedule {
    type Item = GameId;

    fn next(&mut self) -> Option<GameId> {
        while self.next < self.total() {
            let (pair, leg) = (self.next / 2, self.next % 2);
            self.next += 1;
            let pairings = self.pairings.len() as u64;
            let id = GameId {
                round: (pair / pairings) as u32,
                engines: self.pairings[(pair % pairings) as usize],
                leg: leg as u8,
            };
            if !self.done.contains(&id) {
                return Some(id);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_of_both_formats() {
        assert_eq!(Format::RoundRobin.pairings(2), [[0, 1]]);
        assert_eq!(Format::RoundRobin.pairings(4).len(), 6);
        assert_eq!(Format::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert!(Format::Gauntlet.pairings(1).is_empty());
        assert!(Format::Gauntlet.pairings(0).is_empty());
    }

    #[test]
    fn every_pairing_gets_every_opening_with_both_colours() {
        let pairings = Format::RoundRobin.pairings(3);
        let games: Vec<_> = Schedule::new(pairings.clone(), 4, HashSet::new()).collect();
        assert_eq!(games.len(), 24);
        for &engines in &pairings {
            for round in 0..4 {
                for leg in 0..2 {
                    let id = GameId { round, engines, leg };
                    assert_eq!(games.iter().filter(|&&game| game == id).count(), 1);
                }
            }
        }
        assert!(games.windows(2).all(|two| two[0].round <= two[1].round));
    }

    #[test]
    fn what_is_done_is_left_out() {
        let all: Vec<_> = Schedule::new(vec![[0, 1]], 3, HashSet::new()).collect();
        let done: HashSet<_> = [all[0], all[3]].into();
        let rest: Vec<_> = Schedule::new(vec![[0, 1]], 3, done).collect();
        assert_eq!(rest, [all[1], all[2], all[4], all[5]]);
    }
}
