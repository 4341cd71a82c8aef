//! Who plays.

use kujira_search::{LEVELS, Level};
use serde::{Deserialize, Serialize};

/// Who moves the pieces of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Player {
    /// Somebody at the board.
    Human,
    /// The engine.
    Engine {
        /// Its level, from 1 to [`LEVELS`]' length.
        level: usize,
    },
}

impl Player {
    /// What a record calls the player.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Human => "Human".to_owned(),
            Self::Engine { level } => {
                format!("Engine, level {level} ({})", Level::numbered(level).name)
            }
        }
    }

    /// Whether the level exists.
    #[must_use]
    pub fn valid(self) -> bool {
        match self {
            Self::Human => true,
            Self::Engine { level } => (1..=LEVELS.len()).contains(&level),
        }
    }
}

/// Milliseconds a move where no clock runs and the level has no limit of its own.
const MOVE_TIME: u64 = 3_000;

/// The time for a move at a level where no clock runs, in milliseconds, if nothing else limits it.
#[must_use]
pub fn move_time(level: Level) -> Option<u64> {
    (level.depth.is_none() && level.nodes.is_none()).then_some(MOVE_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_limited() {
        for level in LEVELS {
            assert_eq!(move_time(level).is_some(), level.nodes.is_none(), "{level:?}");
        }
    }

    #[test]
    fn players_have_names() {
        assert!(!Player::Engine { level: 0 }.valid() && !Player::Engine { level: 11 }.valid());
        let text = r#"{"kind":"engine","level":3}"#;
        let player: Player = serde_json::from_str(text).unwrap();
        assert_eq!(player.name(), "Engine, level 3 (shrimp)");
        assert_eq!(serde_json::to_string(&player).unwrap(), text);
    }
}
