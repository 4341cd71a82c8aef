//! Where games begin, on the command line.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kujira_position::{Position, Rules, Variant};
use kujira_program::arguments;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use kujira_arena::openings::{Opening, read_file};
use kujira_arena::starts::Starts;

/// The position that random moves begin from.
#[derive(Args, Clone)]
pub(super) struct StartArgs {
    /// Pieces that White gives away, in games that White then begins: G, H, P, PG, PH or PHG.
    #[arg(long, value_name = "PIECES")]
    handicap: Option<String>,
    /// The position that games begin from, where it is not the starting position.
    #[arg(long, value_name = "SFEN", conflicts_with = "handicap")]
    sfen: Option<String>,
}

impl StartArgs {
    /// The position of this game, as an opening without moves.
    ///
    /// # Errors
    /// Which handicaps the game has, if this is none, or what is wrong with the position.
    pub(super) fn of<V: Variant>(&self, rules: Rules) -> Result<Opening, String> {
        let at = |sfen: &str| Opening { sfen: Some(sfen.to_owned()), moves: Vec::new() };
        if let Some(sfen) = &self.sfen {
            let playable = at(sfen).playable::<V>(rules);
            let position = playable.map_err(|error| format!("--sfen: {error}"))?;
            // Told by its moves, as ever, if it is the starting position.
            let known = position.key() == Position::<V>::start().key();
            return Ok(if known { Opening::default() } else { at(&position.sfen()) });
        }
        let Some(id) = &self.handicap else { return Ok(Opening::default()) };
        let known = V::SPEC.handicaps;
        if let Some(found) = known.iter().find(|handicap| handicap.id.eq_ignore_ascii_case(id)) {
            return Ok(at(found.sfen));
        }
        let ids: Vec<_> = known.iter().map(|handicap| handicap.id).collect();
        Err(match &ids[..] {
            [] => format!("expected no --handicap, because {} has none, found {id}", V::SPEC.name),
            _ => format!(
                "--handicap: expected one of {}, which {} has, found {id}",
                ids.join(", "),
                V::SPEC.name
            ),
        })
    }
}

/// Where games begin.
#[derive(Args)]
#[command(next_help_heading = "Openings")]
pub(super) struct OpeningArgs {
    /// A file of openings, one a line: USI (startpos moves …) or EPD; or a PGN (.pgn), of which each game is one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["handicap", "sfen"])]
    pub(super) openings: Option<PathBuf>,
    /// Moves of each opening of the file; all of them if nothing is said.
    #[arg(long, value_name = "N", requires = "openings")]
    opening_plies: Option<usize>,
    /// The order in which the openings of the file are played; --seed chooses a random one.
    #[arg(long, value_enum, requires = "openings", default_value = "file")]
    opening_order: Order,
    /// The number of the opening in this order, from 1, that is played first; after the last one comes the first.
    #[arg(long, value_name = "N", requires = "openings", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    opening_start: u32,
    #[command(flatten)]
    start: StartArgs,
    /// Random moves from the start where there is no file: a number, or a range such as 6-9. With 0 every game
    /// begins at the start itself.
    #[arg(long, value_name = "N", value_parser = plies, default_value = "6-7")]
    plies: (usize, usize),
    /// Chooses the random moves, or the random order of the openings of a file.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out random openings that the first engine scores beyond this many centipawns.
    #[arg(long, value_name = "CENTIPAWNS")]
    max_score: Option<u32>,
    /// Nodes for that judgement.
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(1..))]
    score_nodes: u64,
}

/// The most random moves that begin a game.
const MOST_PLIES: usize = 200;

/// Reads `6` or `6-9`.
pub(super) fn plies(text: &str) -> Result<(usize, usize), String> {
    let plies = arguments::range(text, "plies")?;
    if plies.1 > MOST_PLIES {
        return Err(format!("expected at most {MOST_PLIES} plies, found {}", plies.1));
    }
    Ok(plies)
}

/// An order of openings.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// As they stand in the file.
    File,
    /// By chance.
    Random,
}

impl OpeningArgs {
    /// The openings of a file in the order in which they are played.
    fn given<V: Variant>(&self, path: &Path, rules: Rules) -> Result<Vec<Opening>, String> {
        let mut openings = read_file::<V>(path, rules, self.opening_plies)?;
        if self.opening_order == Order::Random {
            openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.seed));
        }
        let (first, count) = (self.opening_start as usize, openings.len());
        if first > count {
            return Err(format!("expected --opening-start up to {count}, found {first}"));
        }
        openings.rotate_left(first - 1);
        Ok(openings)
    }

    /// Reads the file, or finds the start. `test`: whether the games are evidence, each pair its own.
    ///
    /// # Errors
    /// What is wrong with the file, that there is no such start, or that the pairs of a test would all be one.
    pub(super) fn read<V: Variant>(&self, rules: Rules, test: bool) -> Result<Starts, String> {
        let starts = Starts {
            rules,
            start: self.start.of::<V>(rules)?,
            handicap: self.start.handicap.clone(),
            given: self.openings.as_deref().map(|path| self.given::<V>(path, rules)).transpose()?,
            plies: self.plies,
            seed: self.seed,
            max_score: self.max_score,
            score_nodes: self.score_nodes,
        };
        if test && starts.given.is_none() && !starts.are_random() {
            let what =
                "expected --plies from 1 on for a test, found 0: all its pairs would be alike";
            return Err(what.to_owned());
        }
        Ok(starts)
    }
}
