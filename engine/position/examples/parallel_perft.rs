//! Counts the leaves of a tree of legal moves on all cores, with rayon and nothing else.
//!
//! `cargo run --release --locked -p kujira-position --example parallel_perft -- great 4`

use kujira_position::{Leaves, Position, Variant, VariantId, perft, with_variant};
use rayon::prelude::*;

/// The leaves below each move of the starting position, all together.
fn count<V: Variant>(depth: u32) -> u64 {
    let start = Position::<V>::start();
    let below = |&m: &_| {
        let mut after = start.clone();
        after.make(m);
        perft(&after, depth - 1, Leaves::Bulk)
    };
    start.legal_moves().par_iter().map(below).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let game: VariantId = words.next().as_deref().unwrap_or("whale").parse()?;
    let depth: u32 = words.next().as_deref().unwrap_or("5").parse()?;
    let leaves = with_variant!(game, V => count::<V>(depth.max(1)));
    println!("{game}, depth {}: {leaves} leaves", depth.max(1));
    Ok(())
}
