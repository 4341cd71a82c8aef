//! Bit patterns that are no moves: damaged, made up, or meant for another position.

use kujira_position::{Move, Square, Variant};
use kujira_tests::agreement::bits::{check, check_damaged, well_founded};
use kujira_tests::{for_every_game, playouts};
use rand::RngExt;
use rayon::prelude::*;

/// Patterns tried a game, at the least.
const PATTERNS: usize = 1_000_000;

for_every_game!(random_bits_are_refused);

fn random_bits_are_refused<V: Variant>() {
    let positions = playouts::sample::<V>(21, 200);
    let strangers: Vec<Move> =
        positions.iter().step_by(20).flat_map(|p| p.legal_moves().to_vec()).collect();
    let each = PATTERNS / positions.len();
    let tried: usize = positions
        .par_iter()
        .enumerate()
        .map(|(seed, position)| {
            let mut rng = playouts::random(seed as u64);
            let own: Vec<Square> = position.pieces(position.side()).into_iter().collect();
            let made_up = (0..each).flat_map(|_| {
                // Nearly right: a piece that is there, from where it stands.
                let from = own[rng.random_range(0..own.len())];
                [rng.random(), well_founded(position, from, rng.random())]
            });
            check_damaged(position)
                + check(position, strangers.iter().map(|m| m.bits()))
                + check(position, made_up)
        })
        .sum();
    assert!(tried > 2 * PATTERNS, "{tried}");
}
