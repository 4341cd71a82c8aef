//! Where games begin, on the command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use kujira_position::{Position, Rules, Variant};
use kujira_program::arguments;

use kujira_arena::engine::{EngineConfig, Timeouts};
use kujira_arena::entrant::Entrant;
use kujira_arena::fingerprint::fingerprint;
use kujira_arena::openings::{Filter, Judge, Opening, RandomOpenings, read_file, spell};

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
    /// A file of openings, one a line: USI (startpos moves …) or EPD.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["handicap", "sfen"])]
    pub(super) openings: Option<PathBuf>,
    #[command(flatten)]
    start: StartArgs,
    /// Random moves from the start where there is no file: a number, or a range such as 6-9. With 0 every game
    /// begins at the start itself.
    #[arg(long, value_name = "N", value_parser = plies, default_value = "6-7")]
    plies: (usize, usize),
    /// Chooses the random moves.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
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

impl OpeningArgs {
    /// Looks at what needs no file and no engine. `test`: whether the games are evidence, each pair its own.
    ///
    /// # Errors
    /// If there is no such start, or the pairs of a test would all be one.
    pub(super) fn check<V: Variant>(&self, rules: Rules, test: bool) -> Result<(), String> {
        self.start.of::<V>(rules)?;
        if test && self.openings.is_none() && !self.are_random() {
            let what =
                "expected --plies from 1 on for a test, found 0: all its pairs would be alike";
            return Err(what.to_owned());
        }
        Ok(())
    }

    /// Whether openings are made, of random moves.
    pub(super) fn are_random(&self) -> bool {
        self.openings.is_none() && self.plies.1 > 0
    }

    /// The openings that are given: those of the file, or the start alone; none where they are made.
    ///
    /// # Errors
    /// What is wrong with the file, or that there is no such start.
    pub(super) fn fixed<V: Variant>(&self, rules: Rules) -> Result<Option<Vec<Opening>>, String> {
        let start = self.start.of::<V>(rules)?;
        match &self.openings {
            Some(path) => read_file::<V>(path, rules).map(Some),
            None if self.are_random() => Ok(None),
            None => Ok(Some(vec![start])),
        }
    }

    /// Refuses openings that an engine cannot be told: that must not come out in the middle of a match.
    ///
    /// # Errors
    /// Which engine cannot be told, and why.
    pub(super) fn check_spelling<V: Variant>(
        &self,
        fixed: Option<&[Opening]>,
        entrants: &[Entrant],
        rules: Rules,
    ) -> Result<(), String> {
        // All that are made begin so.
        let begin = [self.start.of::<V>(rules)?];
        for opening in fixed.unwrap_or(&begin) {
            for entrant in entrants {
                spell::<V>(opening, entrant.dialect, rules)
                    .map_err(|error| format!("{}: {error}", entrant.player.name))?;
            }
        }
        Ok(())
    }

    /// The longest opening in plies.
    pub(super) fn longest(&self, fixed: Option<&[Opening]>) -> usize {
        match fixed {
            Some(openings) => openings.iter().map(|opening| opening.moves.len()).max().unwrap_or(0),
            None => self.plies.1,
        }
    }

    /// The openings in a few words, the same for the same openings.
    ///
    /// # Errors
    /// If there is no such start.
    pub(super) fn describe<V: Variant>(
        &self,
        rules: Rules,
        fixed: Option<&[Opening]>,
    ) -> Result<String, String> {
        if let (Some(_), Some(openings)) = (&self.openings, fixed) {
            // So that another set of openings is noticed.
            let text: String = openings.iter().map(|opening| format!("{opening}\n")).collect();
            return Ok(format!("{} given, {:016x}", openings.len(), fingerprint(text.as_bytes())));
        }
        let mut text = match (&self.start.handicap, self.start.of::<V>(rules)?.sfen) {
            (Some(id), _) => format!("handicap {}, ", id.to_ascii_uppercase()),
            (None, Some(sfen)) => format!("from {sfen}, "),
            (None, None) => String::new(),
        };
        if !self.are_random() {
            text.push_str("no random plies");
            return Ok(text);
        }
        let Self { plies: (least, most), seed, max_score, score_nodes, .. } = self;
        text.push_str(&format!("{least} to {most} random plies, seed {seed}"));
        if let Some(score) = max_score {
            text.push_str(&format!(", within {score} centipawns at {score_nodes} nodes"));
        }
        Ok(text)
    }

    /// Random openings of this seed; `made` are those of an earlier run, and `judge` leaves some out if that is
    /// asked for.
    ///
    /// # Errors
    /// If the engine cannot judge them, one made earlier is none, or there is no such start.
    pub(super) fn random<V: Variant>(
        &self,
        seed: u64,
        rules: Rules,
        judge: &Arc<EngineConfig>,
        timeouts: Timeouts,
        stopped: &Arc<AtomicBool>,
        made: Vec<Opening>,
    ) -> Result<RandomOpenings<V>, String> {
        let filter = match self.max_score {
            Some(score) => {
                let judge = Judge::new(judge, timeouts, stopped);
                Some(Filter::new(judge, self.score_nodes, score)?)
            }
            None => None,
        };
        let (least, most) = self.plies;
        let openings = RandomOpenings::new(seed, least..=most, rules, filter, made)?;
        Ok(openings.starting_from(self.start.of::<V>(rules)?))
    }
}
