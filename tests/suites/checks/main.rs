//! What is found by looking at sets of squares, against trying every move: mate in one, quiet moves that
//! give check, and those that may save a whale.

mod mate;
mod quiet;
mod saving;

use kujira_position::{Position, Rules, Variant};
use kujira_tests::playouts::{self, Taste};
use kujira_tests::setups::{self, Sort};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions of games of all tastes and made-up positions of all sorts, `wanted` in all.
fn positions<V: Variant>(seed: u64, rules: Rules, wanted: usize) -> Vec<Position<V>> {
    let mut rng: Xoshiro256PlusPlus = playouts::random(seed);
    let mut positions = Vec::with_capacity(wanted);
    for taste in Taste::ALL {
        let mut games = Vec::new();
        playouts::visit(&mut rng, taste, rules, 150, wanted / 8, |position| {
            games.push(position.clone());
        });
        positions.extend(games);
    }
    while positions.len() < wanted {
        let sort = if positions.len() % 2 == 0 { Sort::Mixed } else { Sort::Hunt };
        positions.push(setups::random(&mut rng, sort, rules));
    }
    positions
}
