//! What the operator set about how to play.

use std::time::Duration;

use crate::level::{LEVELS, Level};
use crate::limits::Limits;

/// How the clock is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Kept back on every move for the way to the GUI and back.
    pub network_delay: Duration,
    /// The least time to think where the clock allows it.
    pub minimum: Duration,
    /// Time that a move takes, in percent of the usual.
    pub percent: u32,
    /// Whether the clock counts every second begun as a whole one: it is then used to its end.
    pub full_seconds: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            network_delay: Duration::from_millis(30),
            minimum: Duration::ZERO,
            percent: 100,
            full_seconds: false,
        }
    }
}

/// How to play and what to tell, in all searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// How the clock is used.
    pub pace: Pace,
    /// The most plies of any search.
    pub depth: Option<u32>,
    /// The most nodes of any search.
    pub nodes: Option<u64>,
    /// Number of the level to play at, from 1 to the length of [`LEVELS`].
    pub level: usize,
    /// Moves of both sides after which a game is drawn, counted as SFEN numbers them.
    pub longest_game: Option<u32>,
    /// Resign when so many centipawns behind, or when mated by force.
    pub resignation: Option<u32>,
    /// Lines are told no more often than this, but for the last ones.
    pub pv_interval: Duration,
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            pace: Pace::default(),
            depth: None,
            nodes: None,
            level: LEVELS.len(),
            longest_game: None,
            resignation: None,
            pv_interval: Duration::ZERO,
        }
    }
}

/// The smaller of two bounds that may be none.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

impl Conduct {
    /// The level of a search asked for: only moves to be played are those of a weak player.
    pub(crate) fn level_of(&self, asked: &Limits) -> Level {
        if asked.plays() { Level::numbered(self.level) } else { Level::FULL }
    }

    /// The limits of a search asked for, with those that hold for all.
    pub(crate) fn limits_of(&self, asked: &Limits) -> Limits {
        let level = self.level_of(asked);
        Limits {
            depth: least(asked.depth, least(self.depth, level.depth)),
            nodes: least(asked.nodes, least(self.nodes, level.nodes)),
            ..asked.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_limit_holds() {
        let limits = |depth, nodes| Limits { depth, nodes, ..Limits::default() };
        let free = Conduct::default();
        assert_eq!(free.limits_of(&limits(Some(9), None)), limits(Some(9), None));
        let limited = Conduct { depth: Some(7), nodes: Some(5_000), ..free };
        assert_eq!(limited.limits_of(&limits(None, None)), limits(Some(7), Some(5_000)));
        assert_eq!(limited.limits_of(&limits(Some(6), Some(9_000))), limits(Some(6), Some(5_000)));
        let weak = Conduct { level: 4, ..limited };
        assert_eq!(weak.limits_of(&limits(None, None)), limits(Some(3), Some(5_000)));
        let weakest = Conduct { nodes: Some(500_000), ..weak };
        assert_eq!(weakest.limits_of(&limits(None, None)), limits(Some(3), Some(100_000)));
        // Analysis is not played.
        let infinite = Limits { infinite: true, ..Limits::default() };
        let depth_and_nodes = (Some(7), Some(5_000));
        let found = weak.limits_of(&infinite);
        assert_eq!((found.depth, found.nodes), depth_and_nodes);
        assert_eq!(weak.level_of(&infinite), Level::FULL);
    }
}
