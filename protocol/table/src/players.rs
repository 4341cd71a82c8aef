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
    /// Elo above a player who moves at random, where it is known; engines that have such a scale are told it.
    pub elo: Option<u32>,
    /// What limits any engine.
    pub limit: Limit,
}

impl Level {
    /// No limits: the level of engines whose driver names none.
    const FULL: Self = Self { name: "full strength", elo: None, limit: Limit::NONE };
}

/// The levels that engines play a game at, the weakest first, numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
struct GameLevels {
    levels: Vec<Level>,
    usual: usize,
}

/// The levels that engines play at, for each game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels {
    /// In the order of [`VariantId::ALL`].
    games: Arc<[GameLevels]>,
}

impl Levels {
    /// These levels in every game; the last is the usual one. Without any there is one without limits.
    #[must_use]
    pub fn new(levels: impl IntoIterator<Item = Level>) -> Self {
        let mut levels: Vec<_> = levels.into_iter().collect();
        if levels.is_empty() {
            levels.push(Level::FULL);
        }
        let game = GameLevels { usual: levels.len(), levels };
        Self { games: vec![game; VariantId::ALL.len()].into() }
    }

    /// The levels of Kujira's own engine: every rung of a game's ladder above the random mover. What limits them holds
    /// for engines of others, too.
    #[cfg(feature = "kujira-levels")]
    #[must_use]
    pub fn kujira() -> Self {
        use kujira_search::{Ladder, Rung, USUAL_LEVEL};

        let levels_of = |&game: &VariantId| {
            let ladder = Ladder::of(game);
            let level = |(place, &Rung { elo, depth, nodes, .. }): (usize, &Rung)| Level {
                name: ladder.name(place),
                elo: Some(elo),
                limit: Limit { depth, nodes },
            };
            GameLevels {
                levels: ladder.rungs.iter().enumerate().skip(1).map(level).collect(),
                usual: ladder.place_of_level(USUAL_LEVEL),
            }
        };
        Self { games: VariantId::ALL.iter().map(levels_of).collect() }
    }

    fn of(&self, game: VariantId) -> Option<&GameLevels> {
        let mut games = VariantId::ALL.iter().zip(&*self.games);
        games.find(|&(&other, _)| other == game).map(|(_, levels)| levels)
    }

    /// The number of the level that a new game offers first.
    #[must_use]
    pub fn usual(&self, game: VariantId) -> usize {
        self.of(game).map_or(1, |levels| levels.usual)
    }

    /// The level of a game with this number; the nearest for numbers beyond.
    #[must_use]
    pub fn numbered(&self, game: VariantId, number: usize) -> Level {
        let levels = self.levels(game);
        let index = number.clamp(1, levels.len().max(1)) - 1;
        levels.get(index).copied().unwrap_or(Level::FULL)
    }

    /// Every level of a game, the weakest first.
    #[must_use]
    pub fn levels(&self, game: VariantId) -> &[Level] {
        self.of(game).map_or(&[], |levels| &levels.levels)
    }

    /// What a record calls a player.
    #[must_use]
    pub fn name(&self, game: VariantId, player: Player) -> String {
        match player {
            Player::Human => "Human".to_owned(),
            Player::Engine { level } => {
                format!("Engine, level {level} ({})", self.numbered(game, level).name)
            }
        }
    }

    /// Checks that the levels of these players exist.
    ///
    /// # Errors
    /// Which levels were expected.
    pub fn check(&self, game: VariantId, players: &[Player]) -> Result<(), String> {
        let most = self.levels(game).len();
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

    const GAME: VariantId = VariantId::Great;

    fn levels() -> Levels {
        let limit = Limit { depth: Some(2), nodes: Some(9) };
        let plies = Limit { nodes: None, ..limit };
        let level = |name, limit| Level { name, elo: None, limit };
        Levels::new([level("shrimp", limit), level("seal", plies), Level::FULL])
    }

    #[test]
    fn a_move_takes_a_set_time_only_where_nothing_else_limits_it() {
        let time = |level| levels().numbered(GAME, level).limit.move_time();
        assert_eq!([1, 2, 3].map(time), [None, None, Some(MOVE_TIME)]);
        assert_eq!(Levels::new([]).numbered(GAME, 1), Level::FULL);
    }

    #[cfg(feature = "kujira-levels")]
    #[test]
    fn every_level_of_the_engine_but_the_last_is_limited() {
        let levels = Levels::kujira();
        for &game in VariantId::ALL {
            let all = levels.levels(game);
            let (last, others) = all.split_last().unwrap();
            assert!(others.len() > 20 && all.is_sorted_by_key(|level| level.elo), "{game}");
            assert!(others.iter().all(|level| level.limit.nodes.is_some()), "{game}: {others:?}");
            assert_eq!((last.limit, last.name), (Limit::NONE, "whale, full strength"), "{game}");
            assert!(levels.numbered(game, levels.usual(game)).limit.depth.is_some(), "{game}");
        }
    }

    #[test]
    fn players_have_names() {
        let levels = levels();
        for level in [0, 4] {
            let error = levels.check(GAME, &[Player::Human, Player::Engine { level }]).unwrap_err();
            assert_eq!(error, "expected levels of engines from 1 to 3");
        }
        let text = r#"{"kind":"engine","level":1}"#;
        let player: Player = serde_json::from_str(text).unwrap();
        assert_eq!(levels.name(GAME, player), "Engine, level 1 (shrimp)");
        assert_eq!(levels.check(GAME, &[player, Player::Human]), Ok(()));
        assert_eq!(serde_json::to_string(&player).unwrap(), text);
    }
}
