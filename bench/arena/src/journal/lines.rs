//! The lines of a journal, and what must hold between them.

use std::collections::HashMap;

use kujira_record::played::{GameId, GameRecord};
use serde::{Deserialize, Serialize};

use crate::header::{EngineHeader, MatchHeader};
use crate::host::Host;

/// That a line has no check sum, and what to do about it.
pub(crate) const NO_SUM: &str = "expected a check sum (crc32) at the end, found none, as in journals of before December 2026 and \
                      in lines that others wrote (--unchecked takes them)";

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// What is played: the first line.
    Match(Box<MatchHeader>),
    /// An engine that joins the match.
    Joined(Box<EngineHeader>),
    /// Where the games that follow were played; in shards of a match.
    Host(Host),
    /// A finished game.
    Game(Box<GameRecord>),
}

/// Reads the lines of a journal one after the other: the only way by which games come out of one.
#[derive(Default)]
pub(super) struct Reader {
    unchecked: bool,
    pub(super) header: Option<MatchHeader>,
    /// The lines of the games so far.
    numbers: HashMap<GameId, usize>,
    /// Where the games of a round begin, and the line that says so first.
    openings: HashMap<u32, (String, usize)>,
}

impl Reader {
    /// `unchecked`: lines may be without check sums.
    pub(super) fn new(unchecked: bool) -> Self {
        Self { unchecked, ..Self::default() }
    }

    pub(super) fn unchecked(&self) -> bool {
        self.unchecked
    }

    /// Takes a line, and returns its game. `summed`: it has its check sum.
    pub(super) fn take(
        &mut self,
        number: usize,
        line: Line,
        summed: bool,
    ) -> Result<Option<GameRecord>, String> {
        if !summed && !self.unchecked {
            return Err(NO_SUM.to_owned());
        }
        match (line, &self.header) {
            (Line::Match(found), None) => {
                found.check()?;
                self.header = Some(*found);
                Ok(None)
            }
            // As two journals in one file would have it: their games are of different matches.
            (Line::Match(_), Some(_)) => {
                Err("expected a game, found the header of a match".to_owned())
            }
            (Line::Host(_), Some(_)) => Ok(None),
            (Line::Game(_) | Line::Host(_), None) => {
                Err("expected the match in the first line, found a game".to_owned())
            }
            (Line::Joined(_), None) => {
                Err("expected the match in the first line, found an engine".to_owned())
            }
            (Line::Joined(engine), Some(_)) => {
                self.header.as_mut().map_or(Ok(()), |header| header.join(*engine))?;
                Ok(None)
            }
            (Line::Game(game), Some(header)) => {
                header.check_game(&game)?;
                // Counted twice it would make a pair of its own.
                if let Some(earlier) = self.numbers.insert(game.id, number) {
                    return Err(format!(
                        "expected every game once, found that of line {earlier} again"
                    ));
                }
                let round = self.openings.entry(game.id.round);
                let (opening, earlier) = round.or_insert_with(|| (game.opening.clone(), number));
                if *opening != game.opening {
                    return Err(format!(
                        "expected the opening of round {} as in line {earlier}, \"{opening}\", found \"{}\"",
                        game.id.round, game.opening
                    ));
                }
                Ok(Some(*game))
            }
        }
    }
}
