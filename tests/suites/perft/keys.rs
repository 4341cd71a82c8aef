//! At every node: the incremental keys are those computed from nothing, check is what a fresh look
//! says, and taking a move back restores everything.

use std::collections::HashMap;

use kujira_position::{Position, Variant};
use kujira_tests::{counts, for_every_game, playouts, views};
use rayon::prelude::*;

for_every_game!(keys_and_undo_at_every_node, different_positions_have_different_keys);

/// Walks the tree and returns its number of leaves.
fn walk<V: Variant>(position: &mut Position<V>, depth: u32) -> u64 {
    let sfen = position.sfen();
    assert_eq!((position.board_key(), position.hand_key()), position.keys_from_scratch(), "{sfen}");
    assert_eq!(position.key(), position.board_key() ^ position.hand_key());
    assert_eq!(position.checked(), position.board().in_check(), "{sfen}");
    let fresh = position.setup().validate();
    // Only a captured whale makes a position that cannot be set up.
    if let Ok(fresh) = &fresh {
        assert_eq!(fresh, position, "{sfen} set up again");
        assert_eq!(fresh.key(), position.key(), "{sfen} set up again");
        assert_eq!(fresh.checked(), position.checked(), "{sfen} set up again");
    } else {
        assert!(position.whale(position.side()).is_empty(), "{sfen}: {fresh:?}");
    }
    if depth == 0 {
        return 1;
    }
    let before = position.clone();
    let mut leaves = 0;
    for &m in position.legal_moves().iter() {
        position.make(m);
        assert_ne!(position.key(), before.key(), "{sfen} {}", position.usi(m));
        leaves += walk(position, depth - 1);
        position.undo();
        assert_eq!(*position, before, "{sfen} after {} and back", before.usi(m));
        assert_eq!(position.key(), before.key(), "{sfen}");
        assert_eq!(position.hand_key(), before.hand_key(), "{sfen}");
        assert_eq!(position.checked(), before.checked(), "{sfen}");
    }
    leaves
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
