//! The board turned round with colors swapped: the same game from the other side.

use kujira_position::{Leaves, Position, Variant, perft};
use kujira_tests::agreement::turned;
use kujira_tests::{counts, for_every_game, playouts, setups, views};
use rayon::prelude::*;

for_every_game!(turned_perft, turned_moves);

fn turned_perft<V: Variant>() {
    const BUDGET: u64 = 300_000;
    let mut known = counts::known::<V>();
    known.push(counts::start::<V>());
    known.into_par_iter().with_max_len(1).for_each(|known| {
        let position = views::position::<V>(&known.sfen);
        let turned = position.turned();
        assert_eq!(turned.turned(), position, "{}", known.place);
        assert_ne!(turned.side(), position.side());
        assert_eq!(turned.checked(), position.checked(), "{}", known.place);
        for &(depth, count) in known.counts.iter().filter(|(_, count)| *count <= BUDGET) {
            assert_eq!(perft(&turned, depth, Leaves::Bulk), count, "{} turned", known.place);
            assert_eq!(perft(&turned, depth, Leaves::Played), count, "{} turned", known.place);
        }
    });
}

fn turned_moves<V: Variant>() {
    let mut positions: Vec<Position<V>> = playouts::sample(41, 500);
    let mut rng = playouts::random(42);
    for sort in [setups::Sort::Mixed, setups::Sort::Hunt] {
        positions.extend((0..200).map(|_| setups::random(&mut rng, sort, Default::default())));
    }
    positions.into_par_iter().for_each(|position| turned::check(&position));
}
