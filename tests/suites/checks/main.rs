//! What quiescence tries, found by looking at sets of squares, against trying every move: captures,
//! promotions, quiet moves that give check, mate in one, answers to check and the moves that may save a whale.

mod answers;
mod mate;
mod parts;
mod quiet;
mod saving;
mod seen;
mod tried;
mod whole;

use kujira_position::{Position, Rules, Variant};
use kujira_tests::playouts::{self, Taste};
use kujira_tests::setups::{self, Sort};
use rayon::prelude::*;

use seen::Seen;

/// Shows positions of games of all tastes and made-up positions of all sorts, `wanted` in all, to `compare`, which
/// fails where something is wrong; returns what it noted.
fn on_positions<V: Variant>(
    seed: u64,
    rules: Rules,
    wanted: usize,
    compare: impl Fn(&Position<V>, &mut Seen) + Sync,
) -> Seen {
    // Parts with random numbers of their own, each made and compared at once.
    const PART: usize = 1_000;
    (0..wanted.div_ceil(PART))
        .into_par_iter()
        .map(|part| {
            let mut seen = Seen::default();
            let left = wanted - part * PART;
            for position in positions(seed << 32 | part as u64, rules, left.min(PART)) {
                seen.note("positions", 1);
                compare(&position, &mut seen);
            }
            seen
        })
        .reduce(Seen::default, Seen::plus)
}

/// Positions half of games, half made up.
fn positions<V: Variant>(seed: u64, rules: Rules, wanted: usize) -> Vec<Position<V>> {
    let mut rng = playouts::random(seed);
    let mut positions = Vec::with_capacity(wanted);
    for taste in Taste::ALL {
        playouts::visit(&mut rng, taste, rules, 150, wanted / 8, |position| {
            positions.push(position.clone());
        });
    }
    while positions.len() < wanted {
        let sort = if positions.len() % 2 == 0 { Sort::Mixed } else { Sort::Hunt };
        positions.push(setups::random(&mut rng, sort, rules));
    }
    positions
}
