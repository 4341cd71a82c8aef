//! Who plays, and how strong.

use std::sync::Arc;

use kujira_position::VariantId;
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

/// What an engine may use for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// The most plies it looks ahead.
    pub depth: Option<u32>,
    /// The most nodes it searches.
    pub nodes: Option<u64>,
}

/// Milliseconds a move where no clock runs and the level has no limit of its own.
const MOVE_TIME: Millis = 3_000;

impl Limit {
    /// Nothing but the clock.
    pub const NONE: Self = Self { depth: None, nodes: None };

    /// The time for a move where no clock runs, if nothing else limits it.
    #[must_use]
    pub fn move_time(&self) -> Option<Millis> {
        (*self == Self::NONE).then_some(MOVE_TIME)
    }
}

/// How strong an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// What the level is called.
    pub name: &'static str,
    /// What limits it in each game, in the order of [`VariantId::ALL`].
    pub limits: [Limit; VariantId::ALL.len()],
}

impl Level {
    /// No limits: the level of engines whose driver names none.
    const FULL: Self = Self::of("full strength", Limit::NONE);

    /// A level with the same limit in every game.
    #[must_use]
    pub const fn of(name: &'static str, limit: Limit) -> Self {
        Self { name, limits: [limit; VariantId::ALL.len()] }
    }
}

/// The levels that engines play at, the weakest first, numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels {
    levels: Arc<[Level]>,
    usual: usize,
}

impl Levels {
    /// These levels; the last is the usual one. Without any there is one without limits.
    #[must_use]
    pub fn new(levels: impl IntoIterator<Item = Level>) -> Self {
        let levels: Vec<_> = levels.into_iter().collect();
        let levels: Arc<[_]> = if levels.is_empty() { [Level::FULL].into() } else { levels.into() };
        Self { usual: levels.len(), levels }
    }

    /// The levels of Kujira's own engine, whose limits hold for engines of others, too.
    #[cfg(feature = "kujira-levels")]
    #[must_use]
    pub fn kujira() -> Self {
        use kujira_search::{LEVELS, Ladder, Rung, USUAL_LEVEL};

        let levels = Self::new((1..).zip(LEVELS).map(|(number, name)| {
            let mut level = Level::of(name, Limit::NONE);
            for (limit, &game) in level.limits.iter_mut().zip(VariantId::ALL) {
                let ladder = Ladder::of(game);
                let Rung { depth, nodes, .. } = ladder.rung(ladder.place_of_level(number));
                *limit = Limit { depth, nodes };
            }
            level
        }));
        Self { usual: USUAL_LEVEL, ..levels }
    }

    /// The number of the level that a new game offers first.
    #[must_use]
    pub fn usual(&self) -> usize {
        self.usual
    }

    /// The level with this number; the nearest for numbers beyond.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Level {
        let index = number.clamp(1, self.levels.len()) - 1;
        self.levels.get(index).copied().unwrap_or(Level::FULL)
    }

    /// What limits the level with this number in a game.
    #[must_use]
    pub fn limit(&self, number: usize, game: VariantId) -> Limit {
        let limits = self.numbered(number).limits;
        let mut games = VariantId::ALL.iter().zip(limits);
        games.find(|&(&other, _)| other == game).map_or(Limit::NONE, |(_, limit)| limit)
    }

    /// Every level, the weakest first.
    pub fn iter(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter()
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

    /// Checks that the levels of these players exist.
    ///
    /// # Errors
    /// Which levels were expected.
    pub fn check(&self, players: &[Player]) -> Result<(), String> {
        let most = self.levels.len();
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
        let limit = Limit { depth: Some(2), nodes: Some(9) };
        let plies = Limit { nodes: None, ..limit };
        Levels::new([Level::of("shrimp", limit), Level::of("seal", plies), Level::FULL])
    }

    #[test]
    fn a_move_takes_a_set_time_only_where_nothing_else_limits_it() {
        let time = |level| levels().limit(level, VariantId::Great).move_time();
        assert_eq!([1, 2, 3].map(time), [None, None, Some(MOVE_TIME)]);
        assert_eq!(Levels::new([]).numbered(1), Level::FULL);
    }

    #[cfg(feature = "kujira-levels")]
    #[test]
    fn every_level_of_the_engine_but_the_last_is_limited() {
        let levels = Levels::kujira();
        for &game in VariantId::ALL {
            let limits: Vec<_> = (1..=10).map(|level| levels.limit(level, game)).collect();
            assert!(limits[..9].iter().all(|limit| limit.nodes.is_some()), "{game}: {limits:?}");
            assert_eq!(limits[9], Limit::NONE, "{game}");
            assert!(limits[levels.usual() - 1].depth.is_some(), "{game}");
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
