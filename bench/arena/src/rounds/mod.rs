//! Rounds that depend on the results of those before: Swiss and knock-out.
//!
//! Who meets whom is a function of the games that are finished and of nothing else, so that a tournament that was killed
//! goes on with the pairings that it would have had.

pub mod knockout;
pub mod swiss;

use std::collections::HashMap;
use std::ops::Range;

use kujira_position::Color;
use kujira_record::played::{GameId, GameRecord};

/// The results of finished games.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Half points of the first of the two engines.
    games: HashMap<GameId, usize>,
}

impl Results {
    /// Those of these games.
    #[must_use]
    pub fn of(games: &[GameRecord]) -> Self {
        let mut results = Self::default();
        for game in games {
            results.add(game);
        }
        results
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games.insert(game.id, game.ending.half_points(game.id.first_is()));
    }

    /// Which games are finished, in no order.
    pub fn ids(&self) -> impl Iterator<Item = GameId> {
        self.games.keys().copied()
    }

    /// How many games are finished.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether no game is finished.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Half points of both engines in the games from these openings, once all of them are finished.
    #[must_use]
    pub fn score(&self, engines: [usize; 2], openings: Range<u32>) -> Option<[usize; 2]> {
        let mut score = [0, 0];
        for id in pairs(engines, openings) {
            let first = *self.games.get(&id)?;
            score[0] += first;
            score[1] += WIN - first;
        }
        Some(score)
    }
}

impl FromIterator<(GameId, usize)> for Results {
    /// Of games with the half points of the first of their two engines.
    fn from_iter<T: IntoIterator<Item = (GameId, usize)>>(games: T) -> Self {
        Self { games: games.into_iter().collect() }
    }
}

/// A win in half points.
const WIN: usize = 2;

/// Two engines that meet in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// Their numbers, the lower first.
    pub engines: [usize; 2],
    /// The openings of their games, as far as these are known.
    pub openings: Range<u32>,
    /// Their half points, once no game is missing.
    pub score: Option<[usize; 2]>,
}

/// A round of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// Who meets whom, the strongest first.
    pub encounters: Vec<Encounter>,
    /// Who has no opponent.
    pub byes: Vec<usize>,
}

impl Round {
    /// Whether all its games are played.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.encounters.iter().all(|encounter| encounter.score.is_some())
    }
}

/// The games of rounds in the order in which they begin: a pair of every encounter, then the next opening.
pub fn games(rounds: &[Round]) -> impl Iterator<Item = GameId> {
    rounds.iter().flat_map(|round| {
        let openings = round.encounters.iter().map(|encounter| &encounter.openings);
        let first = openings.clone().map(|range| range.start).min().unwrap_or(0);
        let last = openings.map(|range| range.end).max().unwrap_or(0);
        (first..last).flat_map(|opening| {
            let played = move |found: &&Encounter| found.openings.contains(&opening);
            let encounters = round.encounters.iter().filter(played);
            encounters.flat_map(move |found| pairs(found.engines, opening..opening + 1))
        })
    })
}

/// The games of two engines from these openings.
fn pairs(engines: [usize; 2], openings: Range<u32>) -> impl Iterator<Item = GameId> {
    let game = move |round| Color::BOTH.map(|color| GameId { round, engines, leg: color as u8 });
    openings.flat_map(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets the half points of the first of two engines in both games from an opening.
    pub(super) fn set(results: &mut Results, engines: [usize; 2], opening: u32, score: [usize; 2]) {
        for (id, half_points) in pairs(engines, opening..opening + 1).zip(score) {
            results.games.insert(id, half_points);
        }
    }

    #[test]
    fn a_score_is_that_of_all_games() {
        let mut results = Results::default();
        set(&mut results, [1, 4], 3, [2, 1]);
        assert_eq!(results.score([1, 4], 3..4), Some([3, 1]));
        assert_eq!(results.score([1, 4], 3..5), None);
        set(&mut results, [1, 4], 4, [0, 0]);
        assert_eq!(results.score([1, 4], 3..5), Some([3, 5]));
        assert_eq!(results.score([0, 4], 3..5), None);
    }

    #[test]
    fn games_begin_opening_by_opening() {
        let encounter = |engines, openings| Encounter { engines, openings, score: None };
        let rounds = [
            Round {
                encounters: vec![encounter([0, 1], 0..2), encounter([2, 3], 0..1)],
                byes: vec![4],
            },
            Round { encounters: vec![encounter([0, 2], 2..3)], byes: vec![] },
        ];
        let games: Vec<_> = games(&rounds).map(|id| (id.round, id.engines, id.leg)).collect();
        let expected = [
            (0, [0, 1], 0),
            (0, [0, 1], 1),
            (0, [2, 3], 0),
            (0, [2, 3], 1),
            (1, [0, 1], 0),
            (1, [0, 1], 1),
            (2, [0, 2], 0),
            (2, [0, 2], 1),
        ];
        assert_eq!(games, expected);
    }
}
