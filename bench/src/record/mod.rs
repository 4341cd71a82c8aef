//! A finished game, and the files it goes into: USI text, JSON Lines, PGN.

mod json;
mod pgn;
mod usi;

use std::collections::BTreeMap;

use kujira_position::Color;
use kujira_usi::{Ending, Score};
use serde::{Deserialize, Serialize};

pub(crate) use json::may_be_cut_off;
pub use json::{Journal, Line, read_journal};
pub use pgn::{read_pgn, write_pgn};
pub use usi::{read_usi, write_usi};

/// One player of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// What it could use for a move.
    pub limit: String,
    /// The options it was set up with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// A move and what the engine said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as USI text.
    pub usi: String,
    /// Score from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Greatest depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time taken, in microseconds, as the runner saw it.
    #[serde(default)]
    pub us: u64,
}

/// Which game of a match: the two games of a pair have `leg` 0 and 1.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct GameId {
    /// Number of the opening, from 0.
    pub round: u32,
    /// The two engines by number, from 0.
    pub engines: [usize; 2],
    /// 0: the first of the two is Black; 1: colours swapped.
    pub leg: u8,
}

impl GameId {
    /// The engines' numbers by colour, Black first.
    #[must_use]
    pub fn by_color(&self) -> [usize; 2] {
        let [first, second] = self.engines;
        if self.leg == 0 { [first, second] } else { [second, first] }
    }

    /// The colour of the first of the two engines.
    #[must_use]
    pub fn first_is(&self) -> Color {
        if self.leg == 0 { Color::Black } else { Color::White }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of its match.
    #[serde(flatten)]
    pub id: GameId,
    /// Which kind of whale shogi.
    pub variant: String,
    /// Who played Black.
    pub black: Player,
    /// Who played White.
    pub white: Player,
    /// The position begun from and the moves given, as in a USI `position` line.
    pub opening: String,
    /// The moves played by the engines.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    #[serde(flatten, with = "kujira_usi::ending::journal")]
    pub ending: Ending,
    /// What else is to be said of the end: the illegal move and its position, how an engine died.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl GameRecord {
    /// The whole game as in a USI `position` line.
    #[must_use]
    pub fn usi(&self) -> String {
        let mut text = self.opening.clone();
        for (index, m) in self.moves.iter().enumerate() {
            let first = index == 0 && !text.contains(" moves");
            text.push_str(if first { " moves " } else { " " });
            text.push_str(&m.usi);
        }
        text
    }

    /// Whether Black made the first move of the whole game, those of the opening included.
    #[must_use]
    pub fn black_starts(&self) -> bool {
        let start = self.opening.split_once(" moves").map_or(&self.opening[..], |(start, _)| start);
        start.split_ascii_whitespace().nth(2) != Some("w")
    }

    /// Whether Black made the first of [`Self::moves`].
    #[must_use]
    pub fn black_begins(&self) -> bool {
        let given = self.opening.split_once(" moves").map_or("", |(_, given)| given);
        given.split_ascii_whitespace().count().is_multiple_of(2) == self.black_starts()
    }
}
