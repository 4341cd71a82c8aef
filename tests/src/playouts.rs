//! Seeded random games.

use kujira_position::{Move, Position, Rules, Threats, Variant, Wanted};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random numbers of the tests: the same for ever for one seed.
#[must_use]
pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// How many times as likely as other moves a sort of move is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Taste {
    /// Moves that capture.
    pub captures: u32,
    /// Moves that promote.
    pub promotions: u32,
    /// Drops.
    pub drops: u32,
    /// Moves that give check.
    pub checks: u32,
}

impl Taste {
    /// Every legal move alike.
    pub const PLAIN: Self = Self { captures: 1, promotions: 1, drops: 1, checks: 1 };
    /// Games that fill the hands and the board with promoted pieces.
    pub const GREEDY: Self = Self { captures: 12, promotions: 8, drops: 1, checks: 1 };
    /// Games in which what is captured comes back.
    pub const DROPPING: Self = Self { captures: 8, promotions: 4, drops: 3, checks: 1 };
    /// Games full of checks.
    pub const CHECKING: Self = Self { captures: 4, promotions: 2, drops: 1, checks: 20 };
    /// Every taste there is.
    pub const ALL: [Self; 4] = [Self::PLAIN, Self::GREEDY, Self::DROPPING, Self::CHECKING];
}

/// Plays random games of at most `plies` plies until `wanted` positions have been shown, and shows
/// every position of each game, the one it ends in too.
pub fn visit<V: Variant>(
    rng: &mut impl Rng,
    taste: Taste,
    rules: Rules,
    plies: usize,
    wanted: usize,
    mut show: impl FnMut(&Position<V>),
) {
    let mut shown = 0;
    while shown < wanted {
        let mut position = Position::<V>::start();
        position.set_rules(rules).expect("no rule forbids a starting position");
        for _ in 0..plies {
            show(&position);
            shown += 1;
            let Some(m) = choose(rng, taste, &mut position) else { break };
            position.make(m);
            if shown >= wanted {
                break;
            }
        }
    }
}

/// A random legal move, if there is one.
pub fn choose<V: Variant>(
    rng: &mut impl Rng,
    taste: Taste,
    position: &mut Position<V>,
) -> Option<Move> {
    let mut captures = V::MoveList::default();
    position.generate(Wanted::Captures, &Threats::default(), &mut captures);
    let mut quiets = V::MoveList::default();
    position.generate(Wanted::Quiets, &Threats::default(), &mut quiets);
    let mut weighed: Vec<(Move, u32)> = Vec::with_capacity(captures.len() + quiets.len());
    for (list, weight) in [(&captures, taste.captures), (&quiets, 1)] {
        for &m in list.iter() {
            let mut weight = weight;
            if m.promotes() {
                weight *= taste.promotions;
            }
            if m.is_drop() {
                weight *= taste.drops;
            }
            if taste.checks > 1 {
                position.make(m);
                if position.checked() {
                    weight *= taste.checks;
                }
                position.undo();
            }
            weighed.push((m, weight));
        }
    }
    let total: u32 = weighed.iter().map(|(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut ticket = rng.random_range(0..total);
    weighed.into_iter().find_map(|(m, weight)| {
        if ticket < weight {
            return Some(m);
        }
        ticket -= weight;
        None
    })
}

/// `count` positions of random games of all tastes, seven plies apart.
#[must_use]
pub fn sample<V: Variant>(seed: u64, count: usize) -> Vec<Position<V>> {
    let mut rng = random(seed);
    let mut sample = Vec::with_capacity(count);
    let mut taste = Taste::ALL.into_iter().cycle();
    while sample.len() < count {
        let mut position = Position::<V>::start();
        let taste = taste.next().unwrap_or(Taste::PLAIN);
        for ply in 0..120 {
            let Some(m) = choose(&mut rng, taste, &mut position) else { break };
            position.make(m);
            if ply % 7 == 6 && sample.len() < count {
                sample.push(position.clone());
            }
        }
    }
    sample
}
