//! The board turned round with colors swapped: the same game from the other side.

use kujira_position::{Leaves, Move, Position, Variant, Way, perft};
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

/// The same move seen from the other side.
fn turned_move<V: Variant>(m: Move) -> Move {
    let turned = |square| V::SPEC.geometry.turned(square);
    if m.is_drop() {
        return Move::drop(m.kind(), turned(m.to()));
    }
    let (from, to) = (turned(m.from()), turned(m.to()));
    match m.way() {
        None => Move::board(m.kind(), from, to, m.promotes()),
        Some(way) => {
            let mask = (1..=2).filter(|&step| way.captures_step(step)).sum();
            // Opposite queen directions are four apart.
            Move::lion(m.kind(), from, to, Way::new((way.line() + 4) % 8, mask))
        }
    }
}

fn turned_moves<V: Variant>() {
    let mut positions: Vec<Position<V>> = playouts::sample(41, 500);
    let mut rng = playouts::random(42);
    for sort in [setups::Sort::Mixed, setups::Sort::Hunt] {
        positions.extend((0..200).map(|_| setups::random(&mut rng, sort, Default::default())));
    }
    positions.into_par_iter().for_each(|position| {
        let turned = position.turned();
        let mut expected: Vec<Move> =
            position.legal_moves().iter().map(|&m| turned_move::<V>(m)).collect();
        expected.sort_unstable();
        let mut found = turned.legal_moves().to_vec();
        found.sort_unstable();
        assert_eq!(found, expected, "{}", position.sfen());
        // And they lead to positions that are each other's turned ones.
        let (mut here, mut there) = (position.clone(), turned);
        for &m in position.legal_moves().iter() {
            here.make(m);
            there.make(turned_move::<V>(m));
            assert_eq!(here.turned(), there, "{} {}", position.sfen(), position.usi(m));
            assert_eq!(here.checked(), there.checked(), "{}", position.sfen());
            here.undo();
            there.undo();
        }
    });
}
