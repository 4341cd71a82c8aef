//! At every node: the incremental keys are those computed from nothing, check is what a fresh look
//! says, and taking a move back restores everything.

use std::collections::HashMap;

use kujira_position::{Position, Variant};
use kujira_tests::agreement::keys::{check_node, there_and_back};
use kujira_tests::{counts, for_every_game, playouts, views};
use rayon::prelude::*;

for_every_game!(keys_and_undo_at_every_node, different_positions_have_different_keys);

/// Walks the tree and returns its number of leaves.
fn walk<V: Variant>(position: &mut Position<V>, depth: u32) -> u64 {
    check_node(position);
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    moves.iter().map(|&m| there_and_back(position, m, |after| walk(after, depth - 1))).sum()
}

fn keys_and_undo_at_every_node<V: Variant>() {
    const BUDGET: u64 = 4_000;
    counts::known::<V>().into_par_iter().with_max_len(1).for_each(|known| {
        let mut position = views::position::<V>(&known.sfen);
        let deepest = known.counts.iter().rev().find(|(_, count)| *count <= BUDGET);
        let &(depth, count) = deepest.expect("a count within the budget");
        assert_eq!(walk(&mut position, depth), count, "{}", known.place);
    });
}

fn different_positions_have_different_keys<V: Variant>() {
    let mut seen: HashMap<u64, String> = HashMap::new();
    let mut rng = playouts::random(3);
    for taste in playouts::Taste::ALL {
        playouts::visit::<V>(&mut rng, taste, Default::default(), 200, 3_000, |position| {
            // All of the SFEN but the move number.
            let sfen = position.sfen();
            let placement = sfen.rsplit_once(' ').expect("four fields").0.to_owned();
            let earlier = seen.entry(position.key()).or_insert_with(|| placement.clone());
            assert_eq!(*earlier, placement, "one key for two positions");
        });
    }
    assert!(seen.len() > 6_000, "{} positions are few", seen.len());
}
