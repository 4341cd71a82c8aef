//! Bit patterns that are no moves: damaged, made up, or meant for another position.

use std::collections::HashSet;

use kujira_position::{Move, Position, Square, Variant};
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
            let legal: HashSet<u32> = position.legal_moves().iter().map(|m| m.bits()).collect();
            let mut tried = 0;
            let mut check = |bits: u32| {
                tried += 1;
                let accepted = Move::from_bits(bits).is_some_and(|m| position.is_legal(m));
                assert_eq!(accepted, legal.contains(&bits), "{bits:#x} in {}", position.sfen());
            };
            for &bits in &legal {
                check(bits);
                for flipped in 0..32 {
                    check(bits ^ 1 << flipped);
                }
            }
            strangers.iter().for_each(|m| check(m.bits()));
            let mut rng = playouts::random(seed as u64);
            let own: Vec<Square> = position.pieces(position.side()).into_iter().collect();
            for _ in 0..each {
                check(rng.random());
                // Nearly right: a piece that is there, from where it stands.
                let from = own[rng.random_range(0..own.len())];
                let near = well_founded(position, from, rng.random());
                check(near);
            }
            tried
        })
        .sum();
    assert!(tried > 2 * PATTERNS, "{tried}");
}

/// `bits` with the fields for the piece and its square put right.
fn well_founded<V: Variant>(position: &Position<V>, from: Square, bits: u32) -> u32 {
    let kind = position.piece_on(from).expect("a piece of the side to move").kind();
    let right = Move::board(kind, from, Square::from_index(0), false).bits();
    // End square, promotion, drop and way stay random; a way only sometimes, the rest is unused.
    let way = if bits >> 31 == 0 { 0x07c0_0000 } else { 0 };
    right | bits & (0x0010_007f | way)
}
