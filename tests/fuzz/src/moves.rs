//! Bit patterns as moves: legal exactly if generated.
//!
//! Bytes: game, how many choices for the position (times eight), the choices, then patterns of four bytes.

use kujira_position::{Square, Variant, with_variant};
use kujira_tests::agreement::bits;

use crate::choices::Choices;
use crate::position;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    with_variant!(choices.game(), V => of::<V>(&mut choices));
}

fn of<V: Variant>(choices: &mut Choices<'_>) {
    let position = position::next::<V>(choices);
    let (patterns, _) = choices.rest().as_chunks::<4>();
    let own: Vec<Square> = position.pieces(position.side()).into_iter().collect();
    let tried = patterns.iter().take(1000).flat_map(|&bytes| {
        let pattern = u32::from_le_bytes(bytes);
        // Where a whale was captured its side may have no piece at all.
        let from = own.get(pattern as usize % own.len().max(1));
        let near = from.map(|&from| bits::well_founded(&position, from, pattern));
        std::iter::once(pattern).chain(near)
    });
    bits::check(&position, tried);
    bits::check_damaged(&position);
}
