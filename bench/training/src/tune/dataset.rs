//! Positions as sparse lists of features, with what a search and a game said of them.

use std::path::Path;

use kujira_data::error::DataError;
use kujira_data::file::Reader;
use kujira_data::record::GameRecord;
use kujira_data::sample::samples;
use kujira_position::{Color, Variant};
use kujira_search::eval::linear::{Features, Sink};
use rayon::prelude::*;

use super::appraisal::Appraisal;
use crate::held_out::holds_out;

/// Games worked on at a time by one thread.
const GAMES: usize = 256;

/// Which positions are taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Centipawns: positions with scores beyond this are left out.
    pub limit: i32,
    /// The share of games held out to judge the weights by, from 0 to 1.
    pub held_out: f64,
    /// The seed that chooses the games held out.
    pub seed: u64,
}

/// Positions one after the other: features, counted for Black, and targets.
///
/// Entry `i` of a position is feature `features[i]`, `times[i]` times; position `n` has the entries
/// `starts[n]..starts[n + 1]`.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    starts: Vec<usize>,
    features: Vec<u16>,
    times: Vec<i8>,
    /// What the search found, in centipawns, for Black.
    pub scores: Vec<f32>,
    /// What the game brought Black: 1, 0.5 or 0.
    pub results: Vec<f32>,
}

impl Positions {
    fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether there is no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The features of a position and how often each occurs, for Black.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn features(&self, position: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let entries = self.starts[position]..self.starts[position + 1];
        let times = self.times[entries.clone()].iter().map(|&times| f32::from(times));
        self.features[entries].iter().map(|&feature| usize::from(feature)).zip(times)
    }

    /// The sum of the weights of a position's features.
    ///
    /// # Panics
    /// If there is no such position, or a feature without a weight.
    #[must_use]
    pub fn evaluate(&self, position: usize, weights: &[f32]) -> f32 {
        self.features(position).map(|(feature, times)| times * weights[feature]).sum()
    }

    fn append(&mut self, other: &Self) {
        let base = self.features.len();
        self.starts.extend(other.starts.iter().skip(1).map(|start| base + start));
        self.features.extend(&other.features);
        self.times.extend(&other.times);
        self.scores.extend(&other.scores);
        self.results.extend(&other.results);
    }
}

/// The entries of the position at the end.
struct Entries<'a> {
    positions: &'a mut Positions,
}

impl Sink for Entries<'_> {
    fn add(&mut self, feature: usize, times: i32) {
        // Nothing is counted more often than there are squares on a board.
        let (Ok(feature), Ok(times)) = (u16::try_from(feature), i8::try_from(times)) else {
            return;
        };
        if times != 0 {
            self.positions.features.push(feature);
            self.positions.times.push(times);
        }
    }

    fn climb(&mut self, first: usize, steps: usize, times: i32) {
        for feature in first..first + steps {
            self.add(feature, times);
        }
    }
}

/// The positions of files of games, whole games held out.
pub struct Dataset<V: Variant> {
    /// The positions to tune on.
    pub training: Positions,
    /// The positions held out, to judge by.
    pub held_out: Positions,
    /// How many games there are.
    pub games: usize,
    appraisal: Appraisal<V>,
}

impl<V: Variant> Dataset<V> {
    /// A set of no positions.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(Features::<V>::LAYOUT.len() <= u16::MAX as usize + 1) };
        Self {
            training: Positions::new(),
            held_out: Positions::new(),
            games: 0,
            appraisal: Appraisal::default(),
        }
    }

    /// Adds the positions of a file.
    ///
    /// # Errors
    /// If the file cannot be read, is of another game, or holds a game the rules do not allow.
    pub fn read(&mut self, path: &Path, filter: &Filter) -> Result<(), DataError> {
        let reader = Reader::open(path)?.of(V::ID)?;
        let games: Vec<GameRecord> = reader.collect::<Result<_, _>>()?;
        self.add(&games, filter)
    }

    /// Adds the positions of games.
    ///
    /// # Errors
    /// If the rules do not allow one of them.
    pub fn add(&mut self, games: &[GameRecord], filter: &Filter) -> Result<(), DataError> {
        let parts: Vec<Self> = games
            .par_chunks(GAMES)
            .map(|games| {
                let mut part = Self::new();
                for game in games {
                    part.add_game(game, filter)?;
                }
                Ok(part)
            })
            .collect::<Result<_, DataError>>()?;
        for part in &parts {
            self.training.append(&part.training);
            self.held_out.append(&part.held_out);
            self.appraisal.merge(&part.appraisal);
            self.games += part.games;
        }
        Ok(())
    }

    fn add_game(&mut self, game: &GameRecord, filter: &Filter) -> Result<(), DataError> {
        self.games += 1;
        let samples = samples::<V>(game)?;
        let held_out = holds_out(&samples, filter.seed, filter.held_out);
        let positions = if held_out { &mut self.held_out } else { &mut self.training };
        for sample in samples.iter().filter(|sample| sample.is_quiet(filter.limit)) {
            let sign = if sample.board.side() == Color::Black { 1.0 } else { -1.0 };
            Features::<V>::extract(&sample.board, &mut Entries { positions });
            positions.starts.push(positions.features.len());
            positions.scores.push(sign * sample.score.value() as f32);
            positions.results.push(0.5 + 0.5 * sign * f32::from(sample.result));
            if !held_out {
                self.appraisal.add(&sample.board);
            }
        }
        Ok(())
    }

    /// The features that come with each kind.
    #[must_use]
    pub fn appraisal(&self) -> &Appraisal<V> {
        &self.appraisal
    }
}

impl<V: Variant> Default for Dataset<V> {
    fn default() -> Self {
        Self::new()
    }
}
