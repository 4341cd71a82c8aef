//! Who sits where in which game of a match.

use std::collections::BTreeMap;

use kujira_position::Color;
use serde::{Deserialize, Serialize};

/// One player of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// What it could use for a move.
    #[serde(default)]
    pub limit: String,
    /// The options it was set up with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
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
