//! The ladder: strengths of play, rung by rung, from the random mover to full strength.
//!
//! Every move that is played is the best that some search finds: a weaker player searches less deep, fewer nodes, and
//! overlooks moves of both sides (`skill`). Rungs are limited by nodes, so that they are as strong on any device;
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

/// The last rung, measured at 100 ms a move.
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

    /// The rung with `held` of all `pieces` in hand: a player with a limit of plies searches one ply less where a third
    /// of the pieces is in hand, two less where two thirds are.
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

/// The level against which a bot that looks two plies ahead at captures wins about half its games: what a new game
/// offers first.
pub const USUAL_LEVEL: usize = 4;

static LADDERS: [Ladder; 3] = [
    Ladder {
        game: VariantId::Whale,
        rungs: &[
            Rung::RANDOM,
            weak(198, 1, 1_000, 960, 980),
            weak(337, 1, 1_000, 939, 969),
            weak(508, 1, 1_000, 916, 957),
            weak(649, 1, 1_000, 891, 944),
            weak(879, 1, 1_000, 857, 926),
            weak(1086, 1, 1_000, 814, 902),
            weak(1195, 1, 1_000, 781, 884),
            weak(1320, 1, 1_000, 746, 864),
            weak(1471, 1, 1_000, 702, 838),
            weak(1671, 1, 1_000, 632, 795),
            weak(1775, 1, 1_000, 555, 745),
            weak(1948, 1, 1_000, 476, 690),
            weak(2148, 1, 1_000, 360, 600),
            weak(2304, 1, 1_000, 250, 500),
            weak(2519, 2, 1_000, 160, 400),
            weak(2757, 3, 1_000, 78, 280),
            weak(2880, 3, 1_000, 36, 190),
            weak(3129, 4, 1_000, 6, 75),
            weak(3266, 4, 1_000, 0, 0),
            sharp(3437, 1_200),
            sharp(3610, 2_400),
            sharp(3801, 5_500),
            sharp(3987, 16_000),
            full(4190),
        ],
        levels: [7, 9, 10, 12, 14, 16, 18, 20, 22, 24],
    },
    Ladder {
        game: VariantId::Paulowich,
        rungs: &[
            Rung::RANDOM,
            weak(186, 1, 1_000, 960, 980),
            weak(382, 1, 1_000, 937, 968),
            weak(612, 1, 1_000, 912, 955),
            weak(819, 1, 1_000, 887, 942),
            weak(994, 1, 1_000, 865, 930),
            weak(1219, 1, 1_000, 835, 914),
            weak(1405, 1, 1_000, 803, 896),
            weak(1569, 1, 1_000, 767, 876),
            weak(1742, 1, 1_000, 722, 850),
            weak(1917, 1, 1_000, 659, 812),
            weak(2085, 1, 1_000, 590, 768),
            weak(2320, 1, 1_000, 501, 708),
            weak(2516, 1, 1_000, 397, 630),
            weak(2726, 1, 1_000, 292, 540),
            weak(2941, 2, 1_000, 194, 440),
            weak(3112, 2, 1_000, 122, 350),
            weak(3280, 3, 1_000, 70, 265),
            weak(3464, 3, 1_000, 34, 185),
            weak(3641, 3, 1_000, 12, 110),
            weak(3780, 4, 1_000, 6, 75),
            weak(3946, 4, 1_000, 0, 0),
            sharp(4144, 1_300),
            sharp(4349, 2_500),
            sharp(4538, 4_000),
            sharp(4717, 6_300),
            sharp(4901, 10_000),
            sharp(5150, 19_000),
            sharp(5314, 36_000),
            sharp(5505, 70_000),
            full(5640),
        ],
        levels: [7, 9, 10, 12, 15, 18, 21, 24, 27, 30],
    },
    Ladder {
        game: VariantId::Great,
        rungs: &[
            Rung::RANDOM,
            weak(920, 1, 4_000, 992, 996),
            weak(1130, 1, 4_000, 976, 988),
            weak(1245, 1, 4_000, 968, 984),
            weak(1411, 1, 4_000, 956, 978),
            weak(1652, 1, 4_000, 939, 969),
            weak(1838, 1, 4_000, 922, 960),
            weak(2029, 1, 4_000, 901, 949),
            weak(2211, 1, 4_000, 876, 936),
            weak(2338, 1, 4_000, 854, 924),
            weak(2465, 1, 4_000, 832, 912),
            weak(2661, 1, 4_000, 778, 882),
            weak(2825, 1, 4_000, 722, 850),
            weak(3035, 1, 4_000, 624, 790),
            weak(3221, 1, 4_000, 533, 730),
            weak(3407, 1, 4_000, 436, 660),
            weak(3580, 1, 4_000, 336, 580),
            weak(3771, 2, 4_000, 240, 490),
            weak(3922, 2, 4_000, 168, 410),
            weak(4065, 2, 4_000, 112, 335),
            weak(4275, 3, 4_000, 68, 260),
            weak(4500, 3, 4_000, 31, 175),
            weak(4598, 3, 4_000, 12, 110),
            weak(4756, 4, 4_000, 5, 70),
            weak(4858, 4, 4_000, 0, 0),
            sharp(4995, 4_000),
            sharp(5217, 8_000),
            sharp(5410, 16_000),
            sharp(5622, 32_000),
            sharp(5866, 64_000),
            full(6086),
        ],
        levels: [8, 10, 13, 15, 18, 20, 22, 25, 28, 30],
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
                assert_eq!(
                    ladder.rung(ladder.place_of_level(level)),
                    ladder.rungs[ladder.levels[level - 1]]
                );
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
