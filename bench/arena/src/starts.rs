//! Where the games of a run begin: in the openings of a file, at one position, or after random moves from it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kujira_position::{Rules, Variant};

use crate::engine::{EngineConfig, Timeouts};
use crate::entrant::Entrant;
use crate::fingerprint::fingerprint;
use crate::match_openings::Source;
use crate::openings::{Filter, Judge, Opening, RandomOpenings, spell};

/// Where the games of a run begin.
#[derive(Clone, Debug)]
pub struct Starts {
    /// The rules under which all were read.
    pub rules: Rules,
    /// The position that random moves begin from, as an opening without moves.
    pub start: Opening,
    /// The name of that position, if it is a handicap.
    pub handicap: Option<String>,
    /// The openings of a file.
    pub given: Option<Vec<Opening>>,
    /// The least and the most random moves where no file gives openings.
    pub plies: (usize, usize),
    /// Chooses random moves.
    pub seed: u64,
    /// Random openings that an engine scores beyond so many centipawns are left out.
    pub max_score: Option<u32>,
    /// Nodes for that judgement.
    pub score_nodes: u64,
}

impl Starts {
    /// Whether openings are made, of random moves.
    #[must_use]
    pub fn are_random(&self) -> bool {
        self.given.is_none() && self.plies.1 > 0
    }

    /// The openings that are known before the run: those of the file, or the start alone; none where they are made.
    #[must_use]
    pub fn fixed(&self) -> Option<&[Opening]> {
        match &self.given {
            Some(openings) => Some(openings),
            None if self.are_random() => None,
            None => Some(std::slice::from_ref(&self.start)),
        }
    }

    /// Refuses what must not come out in the middle of a run: an opening that an engine cannot be told, or a ply limit
    /// that an opening alone reaches, so that its games would end before they begin.
    ///
    /// # Errors
    /// Which engine cannot be told, and why; which limit was expected.
    pub fn check<V: Variant>(&self, max_plies: usize, entrants: &[Entrant]) -> Result<(), String> {
        let lengths =
            self.fixed().map(|openings| openings.iter().map(|opening| opening.moves.len()));
        let longest = lengths.map_or(self.plies.1, |lengths| lengths.max().unwrap_or(0));
        if max_plies <= longest {
            return Err(format!(
                "expected --max-plies beyond the openings' {longest} plies, found {max_plies}"
            ));
        }
        // All that are made begin at the start.
        for opening in self.fixed().unwrap_or(std::slice::from_ref(&self.start)) {
            for entrant in entrants {
                spell::<V>(opening, entrant.dialect, self.rules)
                    .map_err(|error| format!("{}: {error}", entrant.player.name))?;
            }
        }
        Ok(())
    }

    /// The openings in a few words, the same for the same openings.
    #[must_use]
    pub fn describe(&self) -> String {
        if let Some(openings) = &self.given {
            // So that another set of openings is noticed.
            let text: String = openings.iter().map(|opening| format!("{opening}\n")).collect();
            return format!("{} given, {:016x}", openings.len(), fingerprint(text.as_bytes()));
        }
        let mut text = match (&self.handicap, &self.start.sfen) {
            (Some(id), _) => format!("handicap {}, ", id.to_ascii_uppercase()),
            (None, Some(sfen)) => format!("from {sfen}, "),
            (None, None) => String::new(),
        };
        if !self.are_random() {
            return text + "no random plies";
        }
        let Self { plies: (least, most), seed, max_score, score_nodes, .. } = self;
        text.push_str(&format!("{least} to {most} random plies, seed {seed}"));
        if let Some(score) = max_score {
            text.push_str(&format!(", within {score} centipawns at {score_nodes} nodes"));
        }
        text
    }

    /// The openings of a run. Random ones are of this seed; `made` are those of an earlier run, and `judge` leaves some
    /// out if that is asked for.
    ///
    /// # Errors
    /// If the engine cannot judge them, or one made earlier is none.
    pub fn source<V: Variant>(
        &self,
        seed: u64,
        judge: &Arc<EngineConfig>,
        timeouts: Timeouts,
        stopped: &Arc<AtomicBool>,
        made: Vec<Opening>,
    ) -> Result<Source<V>, String> {
        if let Some(openings) = self.fixed() {
            return Ok(Source::Fixed(openings.to_vec()));
        }
        let filter = self.max_score.map(|most| {
            let most = i32::try_from(most).unwrap_or(i32::MAX);
            let judge = Judge::new(judge, timeouts, stopped);
            Filter::new(judge, self.score_nodes, -most..=most)
        });
        let (least, most) = self.plies;
        let openings =
            RandomOpenings::new(seed, least..=most, self.rules, filter.transpose()?, made)?;
        Ok(Source::Random(Box::new(openings.starting_from(self.start.clone()))))
    }
}
