//! The positions that networks learn from, read from files of games.

use std::path::Path;

use kujira_position::{Board, Variant};
use kujira_search::eval::features::Features;
use kujira_search::eval::net::Inputs;
use kujira_search::eval::weights::{UNIT, Weights};
use rayon::prelude::*;

use super::examples::{Example, Examples, Label};
use super::excluded::Excluded;
use crate::error::DataError;
use crate::file::Reader;
use crate::record::GameRecord;
use crate::sample::{Sample, samples};
use crate::tune::dataset::draw;

/// Games worked on at a time: by one thread, and by all before their positions are put together.
const GAMES: usize = 128;
const WAVE: usize = 1 << 13;

/// Which positions are taken, and what is noted of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Centipawns: positions with scores beyond this are left out.
    pub limit: i32,
    /// Positions before so many plies of a game are left out, opening included.
    pub skip_plies: usize,
    /// The share of games held out to judge networks by, from 0 to 1.
    pub held_out: f64,
    /// Which games those are.
    pub seed: u64,
    /// Sets of output weights, which positions are shared out among.
    pub buckets: usize,
    /// Whether what the linear evaluation built in says is noted.
    pub linear: bool,
}

impl Filter {
    /// Whether a game is held out: this depends on the seed and the position its opening leads to, so
    /// that games with one opening are all on the same side.
    fn holds_out<V: Variant>(&self, samples: &[Sample<V>]) -> bool {
        samples.first().is_some_and(|first| draw(self.seed, first.board.key()) < self.held_out)
    }

    fn takes<V: Variant>(&self, sample: &Sample<V>) -> bool {
        sample.is_quiet(self.limit) && sample.ply >= self.skip_plies
    }
}

/// The positions of files of games, whole games held out.
pub struct Dataset<V: Variant> {
    /// To learn from.
    pub training: Examples,
    /// To judge by.
    pub held_out: Examples,
    /// The positions held out once more, as boards, in the same order.
    pub boards: Vec<Board<V>>,
    /// How many games there are.
    pub games: usize,
    /// And how many of them were left out for a position excluded.
    pub left_out: usize,
    excluded: Excluded,
    /// Keys of all positions taken.
    keys: Vec<u64>,
}

/// What the linear evaluation says of a board, in centipawns for the side to move.
pub fn linear<V: Variant>(board: &Board<V>, weights: &Weights) -> f32 {
    let mut sum = 0;
    Features::<V>::each(board, |feature, times| sum += times * weights.features[feature]);
    sum as f32 / UNIT as f32
}

/// Lists filled for one position after the other.
struct Lists {
    ours: Vec<u16>,
    theirs: Vec<u16>,
    /// The linear evaluation.
    weights: Weights,
}

impl Lists {
    fn new<V: Variant>() -> Self {
        Self { ours: Vec::new(), theirs: Vec::new(), weights: Weights::built_in::<V>() }
    }

    fn fill<V: Variant>(&mut self, board: &Board<V>, filter: &Filter) -> Example<'_> {
        let us = board.side();
        for (list, color) in [(&mut self.ours, us), (&mut self.theirs, !us)] {
            list.clear();
            Inputs::<V>::active(board, color, |input| {
                // What is shared is added to its copies, see `Shape::sum_up`.
                if input >= Inputs::<V>::SHARED {
                    // A constant of each game says that all indices fit.
                    list.push(input as u16);
                }
            });
        }
        Example {
            ours: &self.ours,
            theirs: &self.theirs,
            bucket: Inputs::<V>::bucket(board, filter.buckets),
            linear: if filter.linear { linear(board, &self.weights) } else { 0.0 },
        }
    }
}

impl<V: Variant> Dataset<V> {
    /// No position.
    #[must_use]
    pub fn new() -> Self {
        Self::without(Excluded::default())
    }

    /// No position, and none of the games added later that meet one of those excluded.
    #[must_use]
    pub fn without(excluded: Excluded) -> Self {
        const { assert!(Inputs::<V>::COUNT <= 1 << 16) };
        Self {
            training: Examples::new(),
            held_out: Examples::new(),
            boards: Vec::new(),
            games: 0,
            left_out: 0,
            excluded,
            keys: Vec::new(),
        }
    }

    /// Adds the positions of a file.
    ///
    /// # Errors
    /// If the file cannot be read, is of another game, or holds a game the rules do not allow.
    pub fn read(&mut self, path: &Path, filter: &Filter) -> Result<(), DataError> {
        let mut reader = Reader::open(path)?;
        let found = reader.header().game;
        if found != V::ID {
            return Err(DataError::Game { expected: V::ID, found });
        }
        loop {
            let games: Vec<GameRecord> = reader.by_ref().take(WAVE).collect::<Result<_, _>>()?;
            if games.is_empty() {
                return Ok(());
            }
            self.add(&games, filter)?;
        }
    }

    /// Adds the positions of games, in their order.
    ///
    /// # Errors
    /// If the rules do not allow one of them.
    pub fn add(&mut self, games: &[GameRecord], filter: &Filter) -> Result<(), DataError> {
        let parts: Vec<Self> = games
            .par_chunks(GAMES)
            .map(|games| {
                let mut part = Self::new();
                let mut lists = Lists::new::<V>();
                for game in games {
                    part.add_game(game, filter, &self.excluded, &mut lists)?;
                }
                Ok(part)
            })
            .collect::<Result<_, DataError>>()?;
        for part in &parts {
            self.training.append(&part.training);
            self.held_out.append(&part.held_out);
            self.boards.extend_from_slice(&part.boards);
            self.keys.extend_from_slice(&part.keys);
            self.games += part.games;
            self.left_out += part.left_out;
        }
        Ok(())
    }

    fn add_game(
        &mut self,
        game: &GameRecord,
        filter: &Filter,
        excluded: &Excluded,
        lists: &mut Lists,
    ) -> Result<(), DataError> {
        self.games += 1;
        let samples = samples::<V>(game)?;
        if samples.iter().any(|sample| excluded.contains(&sample.board)) {
            self.left_out += 1;
            return Ok(());
        }
        let held_out = filter.holds_out(&samples);
        for sample in samples.iter().filter(|sample| filter.takes(sample)) {
            let label = Label { score: sample.score.bits(), result: sample.result };
            let example = lists.fill(&sample.board, filter);
            if held_out {
                self.held_out.push(example, label);
                self.boards.push(sample.board);
            } else {
                self.training.push(example, label);
            }
            self.keys.push(sample.board.key());
        }
        Ok(())
    }

    /// How many positions occur, each counted once.
    #[must_use]
    pub fn distinct(&self) -> usize {
        let mut keys = self.keys.clone();
        keys.par_sort_unstable();
        keys.dedup();
        keys.len()
    }
}

impl<V: Variant> Default for Dataset<V> {
    fn default() -> Self {
        Self::new()
    }
}
