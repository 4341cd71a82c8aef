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
    /// Positions in which it overlooks that its own white whale is attacked, and captures of the enemy's that it
    /// overlooks, in a thousand. Where whales are not captured a check is always answered.
    pub whales: u32,
}

/// A rung that looks so many plies ahead at most and overlooks moves.
const fn weak(elo: u32, depth: u32, nodes: u64, captures: u32, quiets: u32) -> Rung {
    Rung { elo, depth: Some(depth), nodes: Some(nodes), captures, quiets, whales: 0 }
}

/// A rung that hardly sees more than the white whales, and some of the dangers to them.
const fn blind(elo: u32, whales: u32) -> Rung {
    Rung { whales, ..weak(elo, 1, 4_000, 992, 996) }
}

/// A rung that sees everything so many nodes reach.
const fn sharp(elo: u32, nodes: u64) -> Rung {
    Rung { nodes: Some(nodes), ..full(elo) }
}

/// The last rung, measured at 100 ms a move.
const fn full(elo: u32) -> Rung {
    Rung { elo, ..Rung::FULL }
}

impl Rung {
    /// Overlooks everything, and so plays any legal move, each as likely as the others.
    pub const RANDOM: Self = Self { whales: 1000, ..weak(0, 1, 1_000, 1000, 1000) };

    /// Full strength.
    pub const FULL: Self =
        Self { elo: u32::MAX, depth: None, nodes: None, captures: 0, quiets: 0, whales: 0 };

    /// Whether it overlooks anything.
    #[must_use]
    pub const fn overlooks(&self) -> bool {
        self.captures > 0 || self.quiets > 0 || self.whales > 0
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

    /// The name of the rung at a place: that of the level there, or of the next one above.
    #[must_use]
    pub fn name(&self, place: usize) -> &'static str {
        let level = self.levels.partition_point(|&rung| rung < place);
        LEVELS.get(level).or(LEVELS.last()).copied().unwrap_or_default()
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
            weak(58, 1, 1_000, 982, 991),
            weak(191, 1, 1_000, 960, 980),
            weak(330, 1, 1_000, 939, 969),
            weak(501, 1, 1_000, 916, 957),
            weak(642, 1, 1_000, 891, 944),
            weak(872, 1, 1_000, 857, 926),
            weak(1079, 1, 1_000, 814, 902),
            weak(1188, 1, 1_000, 781, 884),
            weak(1313, 1, 1_000, 746, 864),
            weak(1464, 1, 1_000, 702, 838),
            weak(1664, 1, 1_000, 632, 795),
            weak(1768, 1, 1_000, 555, 745),
            weak(1941, 1, 1_000, 476, 690),
            weak(2141, 1, 1_000, 360, 600),
            weak(2297, 1, 1_000, 250, 500),
            weak(2512, 2, 1_000, 160, 400),
            weak(2750, 3, 1_000, 78, 280),
            weak(2873, 3, 1_000, 36, 190),
            weak(3122, 4, 1_000, 6, 75),
            weak(3259, 4, 1_000, 0, 0),
            sharp(3430, 1_200),
            sharp(3603, 2_400),
            sharp(3794, 5_500),
            sharp(3980, 16_000),
            full(4183),
        ],
        levels: [8, 10, 11, 13, 15, 17, 19, 21, 23, 25],
    },
    Ladder {
        game: VariantId::Paulowich,
        rungs: &[
            Rung::RANDOM,
            weak(51, 1, 1_000, 982, 991),
            weak(143, 1, 1_000, 960, 980),
            weak(339, 1, 1_000, 937, 968),
            weak(569, 1, 1_000, 912, 955),
            weak(776, 1, 1_000, 887, 942),
            weak(951, 1, 1_000, 865, 930),
            weak(1176, 1, 1_000, 835, 914),
            weak(1362, 1, 1_000, 803, 896),
            weak(1526, 1, 1_000, 767, 876),
            weak(1699, 1, 1_000, 722, 850),
            weak(1874, 1, 1_000, 659, 812),
            weak(2042, 1, 1_000, 590, 768),
            weak(2277, 1, 1_000, 501, 708),
            weak(2473, 1, 1_000, 397, 630),
            weak(2683, 1, 1_000, 292, 540),
            weak(2898, 2, 1_000, 194, 440),
            weak(3069, 2, 1_000, 122, 350),
            weak(3237, 3, 1_000, 70, 265),
            weak(3421, 3, 1_000, 34, 185),
            weak(3598, 3, 1_000, 12, 110),
            weak(3737, 4, 1_000, 6, 75),
            weak(3903, 4, 1_000, 0, 0),
            sharp(4101, 1_300),
            sharp(4306, 2_500),
            sharp(4495, 4_000),
            sharp(4674, 6_300),
            sharp(4858, 10_000),
            sharp(5107, 19_000),
            sharp(5271, 36_000),
            sharp(5462, 70_000),
            full(5597),
        ],
        levels: [8, 10, 11, 13, 16, 19, 22, 25, 28, 31],
    },
    Ladder {
        game: VariantId::Great,
        rungs: &[
            Rung::RANDOM,
            blind(69, 995),
            blind(310, 950),
            blind(447, 850),
            blind(615, 600),
            blind(738, 300),
            weak(885, 1, 4_000, 992, 996),
            weak(1095, 1, 4_000, 976, 988),
            weak(1210, 1, 4_000, 968, 984),
            weak(1376, 1, 4_000, 956, 978),
            weak(1617, 1, 4_000, 939, 969),
            weak(1803, 1, 4_000, 922, 960),
            weak(1994, 1, 4_000, 901, 949),
            weak(2176, 1, 4_000, 876, 936),
            weak(2303, 1, 4_000, 854, 924),
            weak(2430, 1, 4_000, 832, 912),
            weak(2626, 1, 4_000, 778, 882),
            weak(2790, 1, 4_000, 722, 850),
            weak(3000, 1, 4_000, 624, 790),
            weak(3186, 1, 4_000, 533, 730),
            weak(3372, 1, 4_000, 436, 660),
            weak(3545, 1, 4_000, 336, 580),
            weak(3736, 2, 4_000, 240, 490),
            weak(3887, 2, 4_000, 168, 410),
            weak(4030, 2, 4_000, 112, 335),
            weak(4240, 3, 4_000, 68, 260),
            weak(4465, 3, 4_000, 31, 175),
            weak(4563, 3, 4_000, 12, 110),
            weak(4721, 4, 4_000, 5, 70),
            weak(4823, 4, 4_000, 0, 0),
            sharp(4960, 4_000),
            sharp(5182, 8_000),
            sharp(5375, 16_000),
            sharp(5587, 32_000),
            sharp(5831, 64_000),
            full(6051),
        ],
        levels: [13, 15, 18, 20, 23, 25, 27, 30, 33, 35],
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
                assert!(below.whales >= above.whales, "{game}: {pair:?}");
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
            assert_eq!(ladder.name(1), LEVELS[0]);
            assert_eq!(ladder.name(ladder.place_of_level(1) + 1), LEVELS[1]);
            assert_eq!(ladder.name(99), LEVELS[LEVELS.len() - 1]);
            // Each has a rung of its own, the higher the stronger, which bears its name.
            for level in 1..=LEVELS.len() {
                assert_eq!(
                    ladder.rung(ladder.place_of_level(level)),
                    ladder.rungs[ladder.levels[level - 1]]
                );
                assert_eq!(ladder.name(ladder.place_of_level(level)), LEVELS[level - 1]);
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
