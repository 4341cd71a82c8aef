//! The positions that networks learn from, read from files of games.

use std::collections::BTreeSet;
use std::path::Path;

use kujira_data::error::DataError;
use kujira_data::file::Reader;
use kujira_data::record::GameRecord;
use kujira_data::sample::{Sample, samples};
use kujira_position::{Board, Variant};
use kujira_search::eval::Inputs;
use rayon::prelude::*;

use super::examples::{Example, Examples, Label};
use super::excluded::Excluded;
use super::export::shared;
use super::outlook::Trace;
use crate::evaluation;
use crate::held_out::holds_out;

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
    /// The seed that chooses the games held out.
    pub seed: u64,
    /// Sets of output weights, which positions are shared out among.
    pub buckets: usize,
    /// How what came after a position is summed up.
    pub trace: Trace,
}

impl Filter {
    fn takes<V: Variant>(&self, sample: &Sample<V>) -> bool {
        sample.is_quiet(self.limit) && sample.ply >= self.skip_plies
    }
}

/// The positions of files of games, whole games held out.
pub struct Dataset<V: Variant> {
    /// The positions to learn from.
    pub training: Examples,
    /// The positions held out, to judge by.
    pub held_out: Examples,
    /// The positions held out once more, as boards, in the same order.
    pub boards: Vec<Board<V>>,
    /// How many games there are.
    pub games: usize,
    /// How many of the games were left out for a position that is excluded.
    pub left_out: usize,
    /// The evaluations that judged, as the files name them; those of files that name none count as one.
    pub evaluations: BTreeSet<String>,
    excluded: Excluded,
    /// Keys of all positions taken.
    keys: Vec<u64>,
}

/// Inputs of one position after the other.
#[derive(Default)]
struct Lists {
    ours: Vec<u16>,
    theirs: Vec<u16>,
}

impl Lists {
    fn fill<V: Variant>(&mut self, board: &Board<V>, filter: &Filter) -> Example<'_> {
        let us = board.side();
        for (list, color) in [(&mut self.ours, us), (&mut self.theirs, !us)] {
            list.clear();
            Inputs::<V>::active(board, color, |input| {
                // What is shared comes first and is added to its copies, see `Shape::sum_up`. A constant of each game
                // says that all indices fit.
                list.push((shared::<V>() + input) as u16);
            });
        }
        Example {
            ours: &self.ours,
            theirs: &self.theirs,
            bucket: Inputs::<V>::bucket(board, filter.buckets),
        }
    }
}

impl<V: Variant> Dataset<V> {
    /// No position, and none of the games added later that meet one of those excluded.
    #[must_use]
    pub fn new(excluded: Excluded) -> Self {
        const { assert!(Inputs::<V>::PLACED + Inputs::<V>::COUNT <= 1 << 16) };
        Self {
            training: Examples::new(),
            held_out: Examples::new(),
            boards: Vec::new(),
            games: 0,
            left_out: 0,
            evaluations: BTreeSet::new(),
            excluded,
            keys: Vec::new(),
        }
    }

    /// Adds the positions of a file.
    ///
    /// # Errors
    /// If the file cannot be read, is of another game, or holds a game the rules do not allow.
    pub fn read(&mut self, path: &Path, filter: &Filter) -> Result<(), DataError> {
        let mut reader = Reader::open(path)?.of(V::ID)?;
        let named = evaluation::named(&reader.header().settings);
        self.evaluations.insert(named.unwrap_or("one that its file does not name").to_owned());
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
                let mut part = Self::default();
                let mut lists = Lists::default();
                for game in games {
                    part.add_game(game, filter, self, &mut lists)?;
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

    /// Adds the positions of a game as `whole`, which it becomes a part of, asks for.
    fn add_game(
        &mut self,
        game: &GameRecord,
        filter: &Filter,
        whole: &Self,
        lists: &mut Lists,
    ) -> Result<(), DataError> {
        self.games += 1;
        let samples = samples::<V>(game)?;
        if samples.iter().any(|sample| whole.excluded.contains(&sample.board)) {
            self.left_out += 1;
            return Ok(());
        }
        let held_out = holds_out(&samples, filter.seed, filter.held_out);
        let outlooks = filter.trace.outlooks(&samples);
        for (sample, outlook) in samples.iter().zip(outlooks) {
            if !filter.takes(sample) {
                continue;
            }
            let label = Label { score: sample.score.bits(), result: sample.result, outlook };
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
        Self::new(Excluded::default())
    }
}
