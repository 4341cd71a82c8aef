//! What a run of self-play was asked for.

use std::fmt;

use kujira_data::file::Header;
use kujira_position::VariantId;
use kujira_program::shard::Share;

use crate::evaluation;

/// Most random moves of an opening.
pub const MOST_RANDOM_PLIES: usize = 200;

/// Longest game in plies, opening included.
pub const MOST_PLIES: usize = 10_000;

/// A search that goes on to so many times the nodes asked for is broken off. An iteration takes a few times as
/// long as the one before it at most, so that hardly any is; and no position takes for ever.
pub const HARD_NODES: u64 = 16;

/// How the last line of the settings begins where a file holds a share of the openings.
pub const SHARE: &str = "share ";

/// When a game is won by score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinRule {
    /// Centipawns, from the leader's point of view.
    pub score: i32,
    /// Searched plies in a row in which the score must be as high as that.
    pub plies: usize,
}

impl WinRule {
    /// The values that are used where nothing else is asked for.
    pub const DEFAULT: Self = Self { score: 2000, plies: 6 };
}

/// Everything that decides what games a run makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Which game.
    pub game: VariantId,
    /// The seed that chooses openings and random moves.
    pub seed: u64,
    /// Nodes for each move: no iteration begins that would pass them if it took no more than the last.
    pub nodes: u64,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Fewest and most random moves of an opening.
    pub random_plies: (usize, usize),
    /// Chance of each later move to be drawn at random.
    pub random_move: f64,
    /// Greatest score of an opening by its first search, to either side, in centipawns; others are dropped.
    pub opening_score: i32,
    /// A game that has so many plies, opening included, is drawn.
    pub max_plies: usize,
    /// When a game is won early; `None`: all games are played to the end that the rules give them.
    pub win: Option<WinRule>,
    /// Which openings are tried; none: all.
    pub share: Option<Share>,
}

impl Settings {
    /// The values that are used where nothing else is asked for.
    #[must_use]
    pub const fn new(game: VariantId) -> Self {
        Self {
            game,
            seed: 1,
            nodes: 5000,
            hash: 8,
            random_plies: (6, 9),
            random_move: 0.0,
            opening_score: 1000,
            max_plies: 500,
            win: Some(WinRule::DEFAULT),
            share: None,
        }
    }

    /// Nodes at which a search is broken off.
    #[must_use]
    pub const fn hard_nodes(&self) -> u64 {
        self.nodes.saturating_mul(HARD_NODES)
    }

    /// Checks that the settings are possible and fit together.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn check(&self) -> Result<(), String> {
        let (least, most) = self.random_plies;
        if least > most || most > MOST_RANDOM_PLIES {
            return Err(format!(
                "expected random plies in order and at most {MOST_RANDOM_PLIES}, found {least}-{most}"
            ));
        }
        if self.max_plies <= most || self.max_plies > MOST_PLIES {
            return Err(format!(
                "expected a longest game of more plies than an opening has ({most}) and at most \
                 {MOST_PLIES}, found {}",
                self.max_plies
            ));
        }
        if !(0.0..=1.0).contains(&self.random_move) {
            return Err(format!("expected a chance from 0 to 1, found {}", self.random_move));
        }
        Ok(())
    }

    /// The header of a file made with these settings.
    #[must_use]
    pub fn header(&self) -> Header {
        Header { game: self.game, settings: self.to_string() }
    }
}

impl fmt::Display for Settings {
    /// Writes the settings one a line, as the header of a file holds them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.random_plies;
        writeln!(f, "seed {}", self.seed)?;
        // The word was "nodes" when they were a hard limit.
        writeln!(f, "soft-nodes {} up to {}", self.nodes, self.hard_nodes())?;
        writeln!(f, "hash {}", self.hash)?;
        writeln!(f, "random-plies {least}-{most}")?;
        writeln!(f, "random-move {}", self.random_move)?;
        writeln!(f, "opening-score {}", self.opening_score)?;
        writeln!(f, "max-plies {}", self.max_plies)?;
        match self.win {
            Some(WinRule { score, plies }) => writeln!(f, "win {score} for {plies}")?,
            None => writeln!(f, "win by the rules alone")?,
        }
        writeln!(f, "{}", evaluation::line(self.game))?;
        match self.share {
            Some(share) => writeln!(f, "{SHARE}{share}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_data::file::differences;

    use super::*;

    fn settings() -> Settings {
        Settings::new(VariantId::Whale)
    }

    #[test]
    fn differences_are_named() {
        let begun = settings().to_string();
        assert_eq!(differences(&settings().to_string(), &begun), [""; 0]);
        let other = Settings { nodes: 3000, win: None, ..settings() };
        assert_eq!(
            differences(&other.to_string(), &begun),
            [
                "\"soft-nodes 5000 up to 80000\" there, \"soft-nodes 3000 up to 48000\" here",
                "\"win 2000 for 6\" there, \"win by the rules alone\" here",
            ]
        );
        assert_eq!(differences(&begun, "").len(), 9);
    }

    #[test]
    fn impossible_settings_are_refused() {
        assert_eq!(settings().check(), Ok(()));
        for (wrong, expected) in [
            (Settings { random_plies: (9, 6), ..settings() }, "found 9-6"),
            (Settings { random_plies: (6, 201), ..settings() }, "found 6-201"),
            (Settings { max_plies: 9, ..settings() }, "found 9"),
            (Settings { max_plies: 10_001, ..settings() }, "found 10001"),
            (Settings { random_move: 1.5, ..settings() }, "found 1.5"),
            (Settings { random_move: f64::NAN, ..settings() }, "found NaN"),
        ] {
            let error = wrong.check().unwrap_err();
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
