//! What the operator set about how to play.

use std::time::Duration;

use kujira_position::VariantId;

use crate::ladder::{LEVELS, Ladder, MOST_ELO, Rung};
use crate::limits::Limits;

/// How the clock is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// Kept back on every move for the way to the GUI and back.
    pub network_delay: Duration,
    /// The least time to think where the clock allows it.
    pub minimum: Duration,
    /// Time that a move takes, in percent of the usual.
    pub percent: u32,
    /// Whether the clock counts every second begun as a whole one: it is then used to its end.
    pub full_seconds: bool,
}

impl Default for TimeOptions {
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
pub struct SearchOptions {
    /// How the clock is used.
    pub time: TimeOptions,
    /// The most plies of any search.
    pub depth: Option<u32>,
    /// The most nodes of any search.
    pub nodes: Option<u64>,
    /// Number of the level to play at, from 1 to the length of [`LEVELS`].
    pub level: usize,
    /// Whether to play no stronger than `elo`.
    pub limits_strength: bool,
    /// Elo above a player who moves at random, on the scale of the game.
    pub elo: u32,
    /// Moves of both sides after which a game is drawn, counted as SFEN numbers them.
    pub longest_game: Option<u32>,
    /// Resign when so many centipawns behind, or when mated by force.
    pub resignation: Option<u32>,
    /// Lines are told no more often than this, but for the last ones.
    pub pv_interval: Duration,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            time: TimeOptions::default(),
            depth: None,
            nodes: None,
            level: LEVELS.len(),
            limits_strength: false,
            elo: MOST_ELO,
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

impl SearchOptions {
    /// How strong the operator wants moves of `game` to be: the level, or the Elo where that is less.
    pub(crate) fn rung(&self, game: VariantId) -> Rung {
        let ladder = Ladder::of(game);
        let level = ladder.place_of_level(self.level);
        let within = self.limits_strength.then(|| ladder.place_within(self.elo));
        ladder.rung(within.map_or(level, |within| within.min(level)))
    }

    /// The rung of a search asked for: only moves to be played are those of a weak player.
    pub(crate) fn rung_of(&self, game: VariantId, asked: &Limits) -> Rung {
        if asked.plays() { self.rung(game) } else { Rung::FULL }
    }

    /// Plies below a position with this number at which the game is drawn for its length. A game that goes on beyond
    /// its end is not drawn.
    pub(crate) fn plies_left(&self, ply: u32) -> usize {
        let left = self.longest_game.and_then(|longest| longest.checked_add(1)?.checked_sub(ply));
        left.filter(|&left| left > 0).map_or(usize::MAX, |left| left as usize)
    }

    /// The limits of a search asked for on `rung`, with those that hold for all.
    pub(crate) fn limits_of(&self, asked: &Limits, rung: &Rung) -> Limits {
        Limits {
            depth: least(asked.depth, least(self.depth, rung.depth)),
            nodes: least(asked.nodes, least(self.nodes, rung.nodes)),
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
        let free = SearchOptions::default();
        let of = |options: &SearchOptions, asked: &Limits| options.limits_of(asked, &Rung::FULL);
        assert_eq!(of(&free, &limits(Some(9), None)), limits(Some(9), None));
        let limited = SearchOptions { depth: Some(7), nodes: Some(5_000), ..free };
        assert_eq!(of(&limited, &limits(None, None)), limits(Some(7), Some(5_000)));
        assert_eq!(of(&limited, &limits(Some(6), Some(9_000))), limits(Some(6), Some(5_000)));
        let rung = Rung { depth: Some(3), nodes: Some(100_000), ..Rung::FULL };
        let weak = |options: &SearchOptions| options.limits_of(&limits(None, None), &rung);
        assert_eq!(weak(&limited), limits(Some(3), Some(5_000)));
        let wide = SearchOptions { nodes: Some(500_000), ..limited };
        assert_eq!(weak(&wide), limits(Some(3), Some(100_000)));
    }

    #[test]
    fn the_weaker_of_level_and_elo_holds_for_moves_that_are_played() {
        let plays = Limits::default();
        for &game in VariantId::ALL {
            let ladder = Ladder::of(game);
            let full = SearchOptions::default();
            assert_eq!(full.rung_of(game, &plays), ladder.rung(ladder.rungs.len() - 1));
            let level = SearchOptions { level: 4, ..full };
            let fourth = ladder.rung(ladder.place_of_level(4));
            assert_eq!(level.rung_of(game, &plays), fourth);
            // An Elo holds only where strength is to be limited.
            assert_eq!(SearchOptions { elo: 0, ..level }.rung_of(game, &plays), fourth);
            let random = SearchOptions { elo: 0, limits_strength: true, ..level };
            assert_eq!(random.rung_of(game, &plays), Rung::RANDOM);
            let less = SearchOptions { elo: fourth.elo - 1, ..random };
            assert_eq!(less.rung_of(game, &plays), ladder.rung(ladder.place_of_level(4) - 1));
            assert_eq!(SearchOptions { elo: MOST_ELO, ..random }.rung_of(game, &plays), fourth);
            // Analysis is not played.
            for limits in [
                Limits { infinite: true, ..Limits::default() },
                Limits { advice: true, ..Limits::default() },
            ] {
                assert_eq!(random.rung_of(game, &limits), Rung::FULL);
            }
        }
    }
}
