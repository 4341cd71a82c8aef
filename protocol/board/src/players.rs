//! Who plays, and how strong an engine plays.

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
            Self::Engine { level } => format!("Engine, level {level} ({})", strength(level).name),
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

/// How strong an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Level {
    /// What the level is called.
    pub name: &'static str,
    /// The most plies it looks ahead.
    pub depth: Option<u32>,
    /// The most positions it looks at.
    pub nodes: Option<u64>,
    /// Milliseconds a move where no clock runs and nothing else limits it.
    pub movetime: Option<u64>,
    /// It plays any of the moves that are at most this many centipawns worse than its best.
    pub slack: i32,
}

const fn level(name: &'static str, depth: u32, nodes: u64, slack: i32) -> Level {
    Level { name, depth: Some(depth), nodes: Some(nodes), movetime: None, slack }
}

/// The levels, the weakest first. The first ones look no farther than a beginner and are careless as
/// one; the last is held back by nothing but the clock.
pub const LEVELS: [Level; 10] = [
    level("plankton", 1, 300, 600),
    level("krill", 1, 600, 250),
    level("shrimp", 2, 1_500, 150),
    level("herring", 3, 4_000, 90),
    level("squid", 4, 10_000, 50),
    level("seal", 6, 30_000, 25),
    level("porpoise", 8, 100_000, 10),
    level("dolphin", 12, 400_000, 0),
    Level { name: "orca", depth: None, nodes: Some(2_000_000), movetime: None, slack: 0 },
    FULL,
];

/// The strongest.
const FULL: Level = Level {
    name: "whale, full strength",
    depth: None,
    nodes: None,
    movetime: Some(3_000),
    slack: 0,
};

/// How many lines an engine is asked for to choose among, where it plays carelessly.
pub const CARELESS_LINES: u32 = 8;

/// The level with this number, from 1; the strongest for numbers beyond.
#[must_use]
pub fn strength(level: usize) -> Level {
    let last = LEVELS.len();
    LEVELS.get(level.clamp(1, last) - 1).copied().unwrap_or(FULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_and_are_limited() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].slack >= pair[1].slack);
            assert!(pair[0].nodes.unwrap_or(u64::MAX) <= pair[1].nodes.unwrap_or(u64::MAX));
        }
        assert_eq!(strength(1).name, "plankton");
        assert_eq!(strength(10), strength(99));
        assert!(LEVELS.iter().all(|l| l.nodes.is_some() || l.movetime.is_some()));
        assert!(!Player::Engine { level: 0 }.valid() && !Player::Engine { level: 11 }.valid());
        let text = r#"{"kind":"engine","level":3}"#;
        let player: Player = serde_json::from_str(text).unwrap();
        assert_eq!(player.name(), "Engine, level 3 (shrimp)");
        assert_eq!(serde_json::to_string(&player).unwrap(), text);
    }
}
