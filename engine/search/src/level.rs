//! Levels of strength, for people who would like to win.

/// How strong an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// What the level is called.
    pub name: &'static str,
    /// The most plies it looks ahead.
    pub depth: Option<u32>,
    /// The most nodes it searches.
    pub nodes: Option<u64>,
    /// Centipawns by which a move may be worse than the best and still be played.
    pub slack: i32,
}

const fn careless(name: &'static str, depth: u32, slack: i32) -> Level {
    // Eight lines of so many plies take less, except where hands are full and moves number hundreds.
    Level { name, depth: Some(depth), nodes: Some(100_000), slack }
}

/// The levels, the weakest first. The first ones look no farther than a beginner and are careless as
/// one; the last is held back by nothing but the clock.
pub const LEVELS: [Level; 10] = [
    careless("plankton", 1, 600),
    careless("krill", 1, 250),
    careless("shrimp", 2, 150),
    careless("herring", 3, 90),
    careless("squid", 4, 50),
    careless("seal", 6, 25),
    careless("porpoise", 8, 10),
    Level { name: "dolphin", depth: Some(12), nodes: Some(400_000), slack: 0 },
    Level { name: "orca", depth: None, nodes: Some(2_000_000), slack: 0 },
    Level::FULL,
];

/// How many lines are searched to choose among, where a level is careless.
pub const CARELESS_LINES: u32 = 8;

impl Level {
    /// The strongest level.
    pub const FULL: Self =
        Self { name: "whale, full strength", depth: None, nodes: None, slack: 0 };

    /// The level with this number, from 1; the strongest for numbers beyond.
    #[must_use]
    pub fn numbered(number: usize) -> Self {
        let index = number.clamp(1, LEVELS.len()) - 1;
        LEVELS.get(index).copied().unwrap_or(Self::FULL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].slack >= pair[1].slack);
            assert!(pair[0].nodes.unwrap_or(u64::MAX) <= pair[1].nodes.unwrap_or(u64::MAX));
            assert!(pair[0].depth.unwrap_or(u32::MAX) <= pair[1].depth.unwrap_or(u32::MAX));
        }
        assert_eq!(Level::numbered(1).name, "plankton");
        assert_eq!(Level::numbered(10), Level::FULL);
        assert_eq!(Level::numbered(99), Level::FULL);
    }
}
