//! The ladder: how strong an engine plays, rung by rung, for people who would like to win.
//!
//! Every move that is played is the best that some search finds: a weaker player searches less deep, fewer nodes, and
//! overlooks moves of both sides (`blindness`). Rungs are limited by nodes, so that they are as strong on any device;
//! only the last is held back by nothing but the clock. What each is worth was found by matches (`docs/levels.md`).

use kujira_position::VariantId;

/// What the levels are called, the weakest first: a few rungs, spread over the ladder.
pub const LEVELS: [&str; 10] = [
    "plankton",
    "krill",
    "shrimp",
    "herring",
    "squid",
    "seal",
    "porpoise",
    "dolphin",
    "orca",
    "whale, full strength",
];

/// A rung: how strong an engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// Elo above a player who moves at random.
    pub elo: u32,
    /// The most plies it looks ahead.
    pub depth: Option<u32>,
    /// The most nodes it searches.
    pub nodes: Option<u64>,
    /// Captures that it overlooks, in a thousand.
    pub captures: u32,
    /// Other moves that it overlooks, in a thousand.
    pub quiets: u32,
}

/// A rung that looks so many plies ahead at most and overlooks moves.
const fn weak(elo: u32, depth: u32, nodes: u64, captures: u32, quiets: u32) -> Rung {
    Rung { elo, depth: Some(depth), nodes: Some(nodes), captures, quiets }
}

/// A rung that sees everything so many nodes reach.
const fn sharp(elo: u32, nodes: u64) -> Rung {
    Rung { elo, depth: None, nodes: Some(nodes), captures: 0, quiets: 0 }
}

/// The last rung, at one second a move.
const fn full(elo: u32) -> Rung {
    Rung { elo, ..Rung::FULL }
}

impl Rung {
    /// Overlooks everything, and so plays any legal move, each as likely as the others.
    pub const RANDOM: Self = weak(0, 1, 1_000, 1000, 1000);

    /// Full strength.
    pub const FULL: Self = Self { elo: u32::MAX, depth: None, nodes: None, captures: 0, quiets: 0 };

    /// Whether it overlooks anything.
    #[must_use]
    pub const fn overlooks(&self) -> bool {
        self.captures > 0 || self.quiets > 0
    }

    /// The rung where `held` of so many `pieces` are in hand: who looks few plies ahead loses one of them where a third
    /// can be dropped, and two where two thirds can.
    pub(crate) fn with_hands(self, held: u32, pieces: u32) -> Self {
        let lost = (3 * held).checked_div(pieces).unwrap_or(0);
        Self { depth: self.depth.map(|depth| depth.saturating_sub(lost).max(1)), ..self }
    }
}

/// The rungs of one game.
#[derive(Debug)]
pub struct Ladder {
    game: VariantId,
    /// The rungs, the weakest first: the random mover, and full strength last.
    pub rungs: &'static [Rung],
    /// The place of each level's rung.
    levels: [usize; LEVELS.len()],
}

impl Ladder {
    /// The ladder of `game`.
    #[must_use]
    pub fn of(game: VariantId) -> &'static Self {
        LADDERS.iter().find(|ladder| ladder.game == game).unwrap_or(&LADDERS[0])
    }

    /// The place of the rung of a level, from 1; the nearest for numbers beyond.
    #[must_use]
    pub fn place_of_level(&self, level: usize) -> usize {
        self.levels[level.clamp(1, LEVELS.len()) - 1]
    }

    /// The place of the strongest rung of at most so many Elo.
    #[must_use]
    pub fn place_within(&self, elo: u32) -> usize {
        self.rungs.partition_point(|rung| rung.elo <= elo).saturating_sub(1)
    }

    /// The rung at a place, 0 the random mover; full strength beyond the last.
    #[must_use]
    pub fn rung(&self, place: usize) -> Rung {
        self.rungs.get(place).copied().unwrap_or(Rung::FULL)
    }
}

/// The highest Elo of any rung of any game.
pub const MOST_ELO: u32 = {
    let (mut most, mut game) = (0, 0);
    while game < LADDERS.len() {
        if let Some(last) = LADDERS[game].rungs.last()
            && last.elo > most
        {
            most = last.elo;
        }
        game += 1;
    }
    most
};

/// The level that a bot which looks two plies ahead at captures beats about as often as it loses to it.
pub const USUAL_LEVEL: usize = 3;

static LADDERS: [Ladder; 3] = [
    Ladder {
        game: VariantId::Whale,
        rungs: &[
            Rung::RANDOM,
            weak(200, 1, 1_000, 900, 950),
            weak(400, 1, 1_000, 800, 900),
            sharp(600, 1_000),
            full(800),
        ],
        levels: [1, 1, 1, 2, 2, 2, 3, 3, 3, 4],
    },
    Ladder {
        game: VariantId::Paulowich,
        rungs: &[
            Rung::RANDOM,
            weak(200, 1, 1_000, 900, 950),
            weak(400, 1, 1_000, 800, 900),
            sharp(600, 1_000),
            full(800),
        ],
        levels: [1, 1, 1, 2, 2, 2, 3, 3, 3, 4],
    },
    Ladder {
        game: VariantId::Great,
        rungs: &[
            Rung::RANDOM,
            weak(200, 1, 1_000, 900, 950),
            weak(400, 1, 1_000, 800, 900),
            sharp(600, 1_000),
            full(800),
        ],
        levels: [1, 1, 1, 2, 2, 2, 3, 3, 3, 4],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_ladder_whose_rungs_rise() {
        for &game in VariantId::ALL {
            let ladder = Ladder::of(game);
            assert_eq!(ladder.game, game);
            // The random mover is none of the twelve.
            assert!(ladder.rungs.len() > 12, "{game}");
            assert_eq!(ladder.rungs[0], Rung::RANDOM);
            for pair in ladder.rungs.windows(2) {
                let [below, above] = pair else { unreachable!("windows of two") };
                assert!(below.elo < above.elo, "{game}: {pair:?}");
                let nodes = |rung: &Rung| rung.nodes.unwrap_or(u64::MAX);
                let depth = |rung: &Rung| rung.depth.unwrap_or(u32::MAX);
                assert!(nodes(below) <= nodes(above), "{game}: {pair:?}");
                assert!(depth(below) <= depth(above), "{game}: {pair:?}");
                assert!(below.captures >= above.captures, "{game}: {pair:?}");
                assert!(below.quiets >= above.quiets, "{game}: {pair:?}");
                assert_ne!(Rung { elo: 0, ..*below }, Rung { elo: 0, ..*above }, "{game}");
            }
            let last = ladder.rungs[ladder.rungs.len() - 1];
            assert_eq!(Rung { elo: Rung::FULL.elo, ..last }, Rung::FULL);
            assert!(last.elo <= MOST_ELO);
            // All but the last are as strong on any device.
            let limited = ladder.rungs.iter().filter(|rung| rung.nodes.is_some()).count();
            assert_eq!(limited, ladder.rungs.len() - 1);
        }
    }

    #[test]
    fn levels_are_spread_over_the_ladder() {
        for &game in VariantId::ALL {
            let ladder = Ladder::of(game);
            assert!(ladder.levels.is_sorted_by(|below, above| below < above), "{game}");
            assert!(ladder.levels[0] > 0, "nobody asks for a random mover by accident");
            let last = ladder.rungs.len() - 1;
            assert_eq!(ladder.place_of_level(LEVELS.len()), last);
            assert_eq!(ladder.place_of_level(99), last);
            assert_eq!(ladder.place_of_level(0), ladder.place_of_level(1));
            // The numbers of old games: each has a rung of its own, the higher the stronger.
            for level in 1..=LEVELS.len() {
                assert_eq!(ladder.rung(ladder.place_of_level(level)), ladder.rungs[ladder.levels[level - 1]]);
            }
        }
    }

    #[test]
    fn the_strongest_rung_within_an_elo_is_chosen() {
        for &game in VariantId::ALL {
            let ladder = Ladder::of(game);
            assert_eq!(ladder.place_within(0), 0);
            for (place, rung) in ladder.rungs.iter().enumerate().skip(1) {
                assert_eq!(ladder.place_within(rung.elo), place, "{game}");
                assert_eq!(ladder.place_within(rung.elo - 1), place - 1, "{game}");
            }
            assert_eq!(ladder.place_within(u32::MAX), ladder.rungs.len() - 1);
            assert_eq!(ladder.rung(usize::MAX), Rung::FULL);
        }
    }

    #[test]
    fn hands_cost_plies_but_the_last() {
        let rung = |depth| Rung { depth, ..Rung::FULL };
        for (depth, held, expected) in [
            (Some(4), 7, Some(4)),
            (Some(4), 8, Some(3)),
            (Some(4), 16, Some(2)),
            (Some(2), 16, Some(1)),
            (Some(1), 24, Some(1)),
            (None, 24, None),
        ] {
            assert_eq!(rung(depth).with_hands(held, 24).depth, expected, "{depth:?} {held}");
        }
        assert_eq!(rung(Some(3)).with_hands(0, 0).depth, Some(3));
    }
}
