//! Ratings of any number of players from all their games at once.
//!
//! The model is that of R. A. Bradley and M. E. Terry (1952): the expected score of two players depends on the
//! difference of their ratings, and on what the colour is worth. Ratings, Black's advantage and how often even players
//! draw are estimated together by maximum likelihood, as Ordo does with `-M -W -D`.
//!
//! Error bars come from the inverse of Fisher's information, scaled by how far pairs of games (one opening, colours
//! swapped) really spread: the two games of a pair are not independent of each other (see [`Counts`]).
//!
//! Not every set of games tells all of that. Where the likelihood of a parameter has no peak, it is not known: Black's
//! advantage where Black won whatever could be won, the share of draws where nobody drew, or where nobody won against
//! the odds, the distance of players of whom one won every game. What is not known is left out, and the rest is
//! estimated without it.
//!
//! [`Counts`]: super::Counts
//!
//! ```
//! use kujira_statistics::{Encounter, Ratings};
//!
//! // Losses, draws, wins of the first player, with Black and with White.
//! let encounters = [
//!     Encounter::of_games([0, 1], [[1, 0, 3], [1, 0, 3]]),
//!     Encounter::of_games([1, 2], [[1, 0, 3], [1, 0, 3]]),
//! ];
//! let ratings = Ratings::of(3, &encounters);
//! let elo: Vec<_> = (0..3).map(|player| ratings.elo(player).map(f64::round)).collect();
//! assert_eq!(elo, [Some(191.0), Some(0.0), Some(-191.0)]);
//! ```

mod encounter;
mod fit;
mod model;
#[cfg(test)]
mod tests;
mod ties;

use std::f64::consts::LN_10;

use super::elo::{Z95, standard_normal_cdf};
use super::matrix::Matrix;
use fit::{Fit, Held, Parameters, Priors, fit};
use model::Expected;
use ties::{met, tied};

pub use encounter::Encounter;

/// Elo per unit of the likelihood's parameters.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// Where results alone would put somebody infinitely far away, half a game won and half a game lost against the mean
/// for each player, which tells who is ahead of whom, but not how far.
const PRIOR: f64 = 1.0;

/// For each parameter: so little that no digit shows it, but finite where games leave it open.
const FAINT: f64 = 1e-4;

/// A parameter of a greater variance than this, in squares of its unit, is not known from these games: they say less of
/// it than a sixth of a game between even players would. Where its likelihood has a peak the variance is 4 at most for
/// two games, where it has none some thousands.
const UNKNOWN: f64 = 25.0;

/// Ratings in Elo, the mean of a group at 0 unless they are [anchored](Self::anchored).
#[derive(Clone, Debug)]
pub struct Ratings {
    parameters: Parameters,
    /// Whether Black's advantage is known, by setting.
    advantages_known: Vec<bool>,
    /// Whether it is known how often even players draw.
    draws_known: bool,
    /// Covariances of differences from the mean of the group, in squares of the parameters' unit; none where all
    /// results are alike, or nothing was played.
    covariances: Option<Matrix>,
    /// The players, the strongest first.
    order: Vec<usize>,
    /// The player whose rating is given, and what is added to everybody's.
    anchor: Option<usize>,
    offset: f64,
    groups: Vec<Vec<usize>>,
    tied: Vec<Vec<usize>>,
}

impl Ratings {
    /// The likeliest ratings of so many players; encounters of players beyond are left out.
    ///
    /// Ratings compare within the groups that are [tied](Self::tied). What players of different groups did against each
    /// other says nothing about those of one: the likelihood is greatest where the groups are infinitely far apart.
    #[must_use]
    pub fn of(players: usize, encounters: &[Encounter]) -> Self {
        let within = |one: &&Encounter| {
            let [first, second] = one.players;
            first != second && first.max(second) < players
        };
        let encounters: Vec<Encounter> = encounters.iter().filter(within).copied().collect();
        let tied = tied(players, &encounters);
        let mut group = vec![0; players];
        for (number, members) in tied.iter().enumerate() {
            for &player in members {
                group[player] = number;
            }
        }
        let inside = |one: &&Encounter| group[one.players[0]] == group[one.players[1]];
        let inside: Vec<Encounter> = encounters.iter().filter(inside).copied().collect();
        let player = if tied.len() > 1 { FAINT } else { 0.0 };
        let found = Self::with(players, &inside, Priors { player, other: FAINT }, tied);
        Self { order: found.ordered(&encounters), groups: met(players, &encounters), ..found }
    }

    fn with(
        players: usize,
        encounters: &[Encounter],
        priors: Priors,
        tied: Vec<Vec<usize>>,
    ) -> Self {
        let settings = encounters.iter().map(|one| one.setting + 1).max().unwrap_or(1);
        let is_known = |found: &Fit, parameter: usize| {
            found.covariances.as_ref().is_some_and(|all| all.at(parameter, parameter) <= UNKNOWN)
        };
        let drawn = encounters.iter().any(|one| one.by_color.iter().any(|counts| counts[1] > 0));
        let mut held = Held { advantages: vec![false; settings], draws: false };
        let (found, draws_known) = loop {
            let found = fit(players, &held, encounters, priors);
            let draws_known = is_known(&found, players + settings);
            let mut open = held.clone();
            for (setting, open) in open.advantages.iter_mut().enumerate() {
                *open |= !is_known(&found, players + setting);
            }
            // An advantage that is not known takes those with it who profit from it: without it their scores tell how
            // strong they are. So does a share of draws without bounds, which alone would make of one draw a proof that
            // two are even. (Where nobody drew it tends to nothing, and says nothing of strengths.)
            if open == held {
                open.draws |= drawn && !draws_known;
            }
            if open == held {
                break (found, draws_known);
            }
            held = open;
        };
        let mut parameters = found.parameters;
        for members in &tied {
            let sum: f64 = members.iter().map(|&player| parameters.strengths[player]).sum();
            for &player in members {
                parameters.strengths[player] -= sum / members.len() as f64;
            }
        }
        let dispersion = dispersion(&parameters, encounters);
        let covariances = found.covariances.zip(dispersion);
        Self {
            covariances: covariances.map(|(all, times)| about_means(&all, players, &tied, times)),
            parameters,
            advantages_known: held.advantages.iter().map(|held| !held).collect(),
            draws_known,
            order: (0..players).collect(),
            anchor: None,
            offset: 0.0,
            groups: Vec::new(),
            tied,
        }
    }

    /// The players, the strongest first: group by group, by where all games put a group if half a game won and half a
    /// game lost are added for every player.
    fn ordered(&self, encounters: &[Encounter]) -> Vec<usize> {
        let players = self.players();
        let settings = encounters.iter().map(|one| one.setting + 1).max().unwrap_or(1);
        let priors = Priors { player: PRIOR, other: FAINT };
        let held = Held { advantages: vec![true; settings], draws: false };
        let far = match self.tied.len() {
            0 | 1 => vec![0.0; players],
            _ => fit(players, &held, encounters, priors).parameters.strengths,
        };
        let mean = |group: &&Vec<usize>| {
            group.iter().map(|&player| far[player]).sum::<f64>() / group.len() as f64
        };
        let mut groups: Vec<&Vec<usize>> = self.tied.iter().collect();
        groups.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        let strengths = &self.parameters.strengths;
        let sorted = groups.into_iter().flat_map(|group| {
            let mut group = group.clone();
            group.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]).then(a.cmp(&b)));
            group
        });
        sorted.collect()
    }

    /// The same ratings, moved so that a player's is this one; error bars are then those of differences from that
    /// player. Without such a player they stay as they are.
    #[must_use]
    pub fn anchored(mut self, player: usize, elo: f64) -> Self {
        if let Some(strength) = self.parameters.strengths.get(player) {
            self.anchor = Some(player);
            self.offset = elo - ELO_PER_UNIT * strength;
        }
        self
    }

    /// The player whose rating is given.
    #[must_use]
    pub fn anchor(&self) -> Option<usize> {
        self.anchor
    }

    /// How many players there are.
    #[must_use]
    pub fn players(&self) -> usize {
        self.parameters.strengths.len()
    }

    /// A player's rating in Elo; `None` where nothing can be said of it: nobody is tied to this player.
    ///
    /// # Panics
    /// If there is no player of this number.
    #[must_use]
    pub fn elo(&self, player: usize) -> Option<f64> {
        let strength = self.parameters.strengths[player];
        let given = |anchor| self.compare(player, anchor);
        let offset = if self.anchor.is_some_and(given) { self.offset } else { 0.0 };
        let known = self.anchor == Some(player) || self.group(player).len() > 1;
        known.then_some(offset + ELO_PER_UNIT * strength)
    }

    /// The players that a player is tied to.
    fn group(&self, player: usize) -> &[usize] {
        self.tied.iter().find(|group| group.contains(&player)).map_or(&[], Vec::as_slice)
    }

    /// Whether the ratings of two players compare.
    #[must_use]
    pub fn compare(&self, player: usize, other: usize) -> bool {
        self.group(player).contains(&other)
    }

    /// Half the width of the 95 % confidence interval of a player's rating against the mean of the group, or against
    /// the anchor, in Elo; `None` where results that are all alike leave no measure, and where ratings do not compare.
    #[must_use]
    pub fn error(&self, player: usize) -> Option<f64> {
        if self.anchor == Some(player) {
            return Some(0.0);
        }
        self.elo(player)?;
        let covariances = self.covariances.as_ref()?;
        let variance = match self.anchor {
            Some(anchor) if !self.compare(player, anchor) => return None,
            Some(anchor) => difference(covariances, player, anchor),
            None => covariances.at(player, player),
        };
        Some(Z95 * ELO_PER_UNIT * variance.max(0.0).sqrt())
    }

    /// Likelihood of superiority: how sure it is, 0 to 1, that one player is stronger than the other.
    #[must_use]
    pub fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        let variance = difference(self.covariances.as_ref()?, player, other);
        let strengths = &self.parameters.strengths;
        let ahead = strengths.get(player)? - strengths.get(other)?;
        (variance > 0.0 && self.compare(player, other))
            .then(|| standard_normal_cdf(ahead / variance.sqrt()))
    }

    /// The players by number, the strongest first.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What Black is worth in a setting, in Elo; `None` where these games do not tell, and strengths are those of
    /// players to whom colours are the same.
    #[must_use]
    pub fn advantage(&self, setting: usize) -> Option<f64> {
        self.advantages_known
            .get(setting)
            .is_some_and(|&known| known)
            .then(|| ELO_PER_UNIT * self.parameters.advantages[setting])
    }

    /// The share of draws, 0 to 1, among even players; `None` where these games do not tell.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        self.draws_known.then(|| Expected::new(0.0, self.parameters.draws).draw)
    }

    /// Players in groups that never met, directly or through others, the largest first: ratings compare within a group
    /// only.
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Players in groups within which everybody took half a point or more from everybody else, directly or through
    /// others, the largest first. Where there are several, how far they are apart is not known from results.
    #[must_use]
    pub fn tied(&self) -> &[Vec<usize>] {
        &self.tied
    }
}

/// The variance of the difference of two players.
fn difference(covariances: &Matrix, a: usize, b: usize) -> f64 {
    covariances.at(a, a) + covariances.at(b, b) - 2.0 * covariances.at(a, b)
}

/// Covariances of the players' differences from the means of their groups, so many times as large.
fn about_means(all: &Matrix, players: usize, groups: &[Vec<usize>], times: f64) -> Matrix {
    let mut found = Matrix::zero(players);
    for group in groups {
        let size = group.len() as f64;
        let row_mean =
            |row: usize| group.iter().map(|&column| all.at(row, column)).sum::<f64>() / size;
        let mean = group.iter().map(|&row| row_mean(row)).sum::<f64>() / size;
        for &row in group {
            for &column in group {
                let about = all.at(row, column) - row_mean(row) - row_mean(column) + mean;
                found.add(row, column, times * about);
            }
        }
    }
    found
}

/// How much more the scores of pairs spread than those of two independent games would; 1 where nothing is known of
/// pairs, and `None` where all pairs of any two players came out alike, which leaves no measure.
fn dispersion(parameters: &Parameters, encounters: &[Encounter]) -> Option<f64> {
    // One pair between even players who never draw: a few pairs must not claim to know it.
    const BEFORE: f64 = 0.5;
    let (mut found, mut expected) = (BEFORE, BEFORE);
    let (mut pairs, mut spread) = (0, 0.0);
    for one in encounters {
        let Some((_, variance)) = one.pairs.moments() else { continue };
        let [first, second] = one.players;
        let as_black = parameters.expected(first, second, one.setting);
        let as_white = parameters.expected(second, first, one.setting);
        let points = as_black.score() + 1.0 - as_white.score();
        for (half_points, &count) in one.pairs.by_score().iter().enumerate() {
            found += count as f64 * (half_points as f64 / 2.0 - points).powi(2);
        }
        pairs += one.pairs.total();
        expected += one.pairs.total() as f64 * (as_black.variance() + as_white.variance());
        spread += variance;
    }
    if pairs == 0 {
        return (!encounters.is_empty()).then_some(1.0);
    }
    (spread > f64::EPSILON).then_some(found / expected)
}
