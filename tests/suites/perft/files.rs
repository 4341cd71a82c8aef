//! The known counts, counted and played.

use kujira_position::{Leaves, Variant, perft};
use kujira_tests::counts::{self, Known};
use kujira_tests::{for_every_game, views};
use rayon::prelude::*;

/// Leaves to a count beyond which starts are only counted, not played.
const PLAYED: u64 = 10_000_000;

for_every_game!(lines_counted, lines_played, start_counted, start_played);

fn check<V: Variant>(known: &[Known], leaves: Leaves, budget: u64) {
    let counts: Vec<(&Known, u32, u64)> = known
        .iter()
        .flat_map(|known| known.counts.iter().map(move |&(depth, count)| (known, depth, count)))
        .filter(|&(_, _, count)| count <= budget)
        .collect();
    assert!(counts.len() >= known.len(), "every position is counted to some depth");
    counts.into_par_iter().with_max_len(1).for_each(|(known, depth, expected)| {
        let position = views::position::<V>(&known.sfen);
        assert_eq!(position.sfen(), known.sfen, "{}", known.place);
        let found = perft(&position, depth, leaves);
        assert_eq!(found, expected, "{}: {} to depth {depth}", known.place, known.sfen);
    });
}

fn lines_counted<V: Variant>() {
    check::<V>(&counts::known::<V>(), Leaves::Bulk, u64::MAX);
}

fn lines_played<V: Variant>() {
    check::<V>(&counts::known::<V>(), Leaves::Played, u64::MAX);
}

fn start_counted<V: Variant>() {
    check::<V>(&[counts::start::<V>()], Leaves::Bulk, u64::MAX);
}

fn start_played<V: Variant>() {
    check::<V>(&[counts::start::<V>()], Leaves::Played, PLAYED);
}
