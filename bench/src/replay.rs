//! Finished games read back from a journal and played again under our rules.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use kujira_position::{Position, Rules, Variant, VariantId, with_variant};

use crate::openings::Opening;
use kujira_usi::{Ending, Reason};

use crate::record::{GameRecord, read_journal};
use crate::schedule::{EngineHeader, MatchHeader};
use crate::standings::Standings;

/// A match as its journal tells of it.
#[derive(Debug)]
pub struct PlayedMatch {
    /// The journal.
    pub path: PathBuf,
    /// What was played.
    pub header: MatchHeader,
    /// The whole lines of the journal, as they are in the file.
    bytes: Vec<u8>,
    game: VariantId,
    games: Vec<GameRecord>,
}

/// What the games of a match come to under our rules.
#[derive(Debug)]
pub struct Account {
    /// The results.
    pub standings: Standings,
    /// The position that the games of each finished pair of the first two engines began from, as its
    /// key.
    pub beginnings: Vec<u64>,
}

impl PlayedMatch {
    /// Reads a journal. A last line that is cut off is dropped.
    ///
    /// # Errors
    /// What is wrong with which line, or that the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, String> {
        let named = |error: &dyn Display| format!("{}: {error}", path.display());
        let mut bytes = std::fs::read(path).map_err(|error| named(&error))?;
        let (header, games, whole) = read_journal(&bytes).map_err(|error| named(&error))?;
        bytes.truncate(usize::try_from(whole).unwrap_or(usize::MAX));
        let header =
            header.ok_or_else(|| named(&"expected a match in the first line, found none"))?;
        let game = VariantId::named(&header.game)
            .ok_or_else(|| named(&format!("expected one of {}", VariantId::choices())))?;
        Ok(Self { path: path.to_owned(), header, bytes, game, games })
    }

    /// An error that names the journal.
    pub fn named(&self, error: &dyn Display) -> String {
        format!("{}: {error}", self.path.display())
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.header.engines.iter().map(|engine| engine.player.name.clone()).collect()
    }

    /// Whether one of the two is a copy of the other's journal, or what it was before it grew: they are the
    /// same match.
    #[must_use]
    pub fn is_again(&self, other: &Self) -> bool {
        self.bytes.starts_with(&other.bytes) || other.bytes.starts_with(&self.bytes)
    }

    /// Plays every game again: each move must be legal, and an end by the rules must be one.
    ///
    /// # Errors
    /// What is wrong with which game.
    pub fn replay(&self) -> Result<Account, String> {
        let game = self.game;
        let mut pairs: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for record in &self.games {
            let key = with_variant!(game, V => replay::<V>(record, self.header.rules.into()))
                .map_err(|error| {
                    let (round, leg) = (record.id.round + 1, record.id.leg + 1);
                    self.named(&format!("game {round}.{leg}: {error}"))
                })?;
            if record.id.engines == [0, 1] {
                pairs.entry(record.id.round).or_default().push(key);
            }
        }
        let finished = pairs.into_values().filter(|games| games.len() == 2);
        Ok(Account {
            standings: Standings::of(self.names(), &self.games),
            beginnings: finished.map(|games| games[0]).collect(),
        })
    }

    /// What was played, in a few lines.
    #[must_use]
    pub fn heading(&self) -> String {
        let header = &self.header;
        let mut text = format!("{} {}\n", header.game, header.rules);
        for EngineHeader { player, command, .. } in &header.engines {
            text.push_str(&format!("  {}: {}, {}\n", player.name, player.limit, command.join(" ")));
        }
        text + &format!("openings: {}\n", header.openings)
    }
}

/// Plays a game again. Returns the key of the position after its opening.
fn replay<V: Variant>(game: &GameRecord, rules: Rules) -> Result<u64, String> {
    let opening: Opening = game.opening.parse()?;
    let mut position: Position<V> = opening.playable(rules)?;
    let key = position.key();
    for (index, m) in game.moves.iter().enumerate() {
        if let Some(outcome) = position.outcome() {
            return Err(format!("expected no move after the end ({outcome}), found {}", m.usi));
        }
        let m =
            position.parse_usi(&m.usi).map_err(|error| format!("move {}: {error}", index + 1))?;
        position.make(m);
    }
    let outcome = match game.ending.reason {
        Reason::Impasse => position.impasse(),
        _ => position.outcome(),
    };
    match outcome {
        Some(outcome) if Ending::from(outcome) == game.ending => Ok(key),
        None if !game.ending.by_rule() => Ok(key),
        found => {
            let found = found.map_or_else(|| "no end".to_owned(), |outcome| outcome.to_string());
            Err(format!("expected the end to be {}, found {found}", game.ending.reason))
        }
    }
}
