//! Who plays, and how strong.
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::clock::Millis;

/// Who moves the pieces of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Player {
    /// Somebody at the board.
    Human,
    /// The engine.
    Engine {
        /// Its level, from 1 to the number of [`Levels`].
        level: usize,
    },
}

/// How strong an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// What the level is called.
    pub name: &'static str,
    /// The most plies it looks ahead.
    pub depth: Option<u32>,
    /// The most nodes it searches.
    pub nodes: Option<u64>,
    /// It plays any of the moves that are at most this many centipawns worse than its best; 0 plays the best.
    pub slack: i32,
    /// How many lines it searches to choose among.
    pub lines: u32,
}

/// Milliseconds a move where no clock runs and the level has no limit of its own.
const MOVE_TIME: Millis = 3_000;

impl Level {
    /// No limits: the level of engines whose driver names none.
    const FULL: Self = Self { name: "full strength", depth: None, nodes: None, slack: 0, lines: 1 };

    /// The time for a move where no clock runs, if nothing else limits it.
    #[must_use]
    pub fn move_time(&self) -> Option<Millis> {
        (self.depth.is_none() && self.nodes.is_none()).then_some(MOVE_TIME)
    }
}

/// The levels that engines play at, the weakest first, numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels(Arc<[Level]>);

impl Levels {
    /// These levels; without any there is one, which nothing limits.
    #[must_use]
    pub fn new(levels: impl IntoIterator<Item = Level>) -> Self {
        let levels: Vec<_> = levels.into_iter().collect();
        Self(if levels.is_empty() { [Level::FULL].into() } else { levels.into() })
    }

    /// The levels of Kujira's own engine, at which engines of others play, too.
    #[cfg(feature = "kujira-levels")]
    #[must_use]
    pub fn kujira() -> Self {
        use kujira_search::{CARELESS_LINES, LEVELS};

        Self::new(LEVELS.map(|level| Level {
            name: level.name,
            depth: level.depth,
            nodes: level.nodes,
            slack: level.slack,
            lines: if level.slack > 0 { CARELESS_LINES } else { 1 },
        }))
    }

    /// The level with this number; the nearest for numbers beyond.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Level {
        let index = number.clamp(1, self.0.len()) - 1;
        self.0.get(index).copied().unwrap_or(Level::FULL)
    }

    /// Every level, the weakest first.
    pub fn iter(&self) -> impl Iterator<Item = &Level> {
        self.0.iter()
    }

    /// What a record calls a player.
    #[must_use]
    pub fn name(&self, player: Player) -> String {
        match player {
            Player::Human => "Human".to_owned(),
            Player::Engine { level } => {
                format!("Engine, level {level} ({})", self.numbered(level).name)
            }
        }
    }

    /// Whether these players can sit down: whether the levels of the engines exist.
    ///
    /// # Errors
    /// Which levels were expected.
    pub fn check(&self, players: &[Player]) -> Result<(), String> {
        let most = self.0.len();
        let known = |player: &Player| match player {
            Player::Human => true,
            Player::Engine { level } => (1..=most).contains(level),
        };
        if players.iter().all(known) {
            Ok(())
        } else {
            Err(format!("expected levels of engines from 1 to {most}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Levels {
        let level = Level { name: "shrimp", depth: Some(2), nodes: Some(9), slack: 50, lines: 8 };
        Levels::new([level, Level { nodes: None, ..level }, Level::FULL])
    }

    #[test]
    fn a_move_takes_a_set_time_only_where_nothing_else_limits_it() {
        let times: Vec<_> = levels().iter().map(Level::move_time).collect();
        assert_eq!(times, [None, None, Some(MOVE_TIME)]);
        assert_eq!(Levels::new([]).numbered(1), Level::FULL);
    }

    #[cfg(feature = "kujira-levels")]
    #[test]
    fn every_level_of_the_engine_is_limited() {
        for level in Levels::kujira().iter() {
            assert_eq!(level.move_time().is_some(), level.nodes.is_none(), "{level:?}");
        }
    }

    #[test]
    fn players_have_names() {
        let levels = levels();
        for level in [0, 4] {
            let error = levels.check(&[Player::Human, Player::Engine { level }]).unwrap_err();
            assert_eq!(error, "expected levels of engines from 1 to 3");
        }
        let text = r#"{"kind":"engine","level":1}"#;
        let player: Player = serde_json::from_str(text).unwrap();
        assert_eq!(levels.name(player), "Engine, level 1 (shrimp)");
        assert_eq!(levels.check(&[player, Player::Human]), Ok(()));
        assert_eq!(serde_json::to_string(&player).unwrap(), text);
    }
}
