//! Mate in one.

use kujira_position::{Great, Move, Paulowich, Position, Retreat, Rules, Variant, Whale};
use kujira_tests::{for_small_games, views};
use rayon::prelude::*;

use super::positions;

for_small_games!(mates_are_found_exactly, mates_are_found_under_other_rules);

/// Every mating move, found by trying all moves.
fn mates<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let mut after = position.clone();
    let mut mates = Vec::new();
    for &m in position.legal_moves().iter() {
        after.make(m);
        if after.checked() && after.count_moves() == 0 {
            mates.push(m);
        }
        after.undo();
    }
    mates
}

/// How many positions have a mate, and in how many of them it is a move of a piece only.
fn compare<V: Variant>(positions: &[Position<V>]) -> [usize; 2] {
    positions
        .par_iter()
        .map(|position| {
            let mates = mates(position);
            match position.mate_in_one() {
                Some(m) => {
                    assert!(mates.contains(&m), "{} is no mate in {position:?}", position.usi(m));
                    [1, usize::from(mates.iter().all(|m| !m.is_drop()))]
                }
                None => {
                    let texts: Vec<_> = mates.iter().map(|&m| position.usi(m)).collect();
                    assert!(texts.is_empty(), "{texts:?} mate in {position:?}");
                    [0, 0]
                }
            }
        })
        .reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
}

fn mates_are_found_exactly<V: Variant>() {
    let positions = positions::<V>(51, Rules::DEFAULT, 120_000);
    let [mates, moved] = compare(&positions);
    assert!(positions.len() >= 100_000 && mates > 4_000 && moved > 1_000, "{mates} {moved}");
}

fn mates_are_found_under_other_rules<V: Variant>() {
    for (seed, retreat_file_limit) in [(52, false), (53, true)] {
        let rules = Rules { retreat: Retreat::Two, retreat_file_limit, ..Rules::DEFAULT };
        let [mates, moved] = compare(&positions::<V>(seed, rules, 6_000));
        assert!(mates > 150 && moved > 40, "{mates} {moved}");
    }
}

fn check<V: Variant>(sfen: &str, expected: Option<&str>) {
    let position = views::position::<V>(sfen);
    let found = position.mate_in_one().map(|m| position.usi(m));
    assert_eq!(found.as_deref(), expected, "{sfen}");
}

#[test]
fn mates_made_by_hand() {
    // Dropped beside the whale and covered by a dolphin.
    check::<Whale>("2w3/6/2D3/6/6/3W2 b K 1", Some("K*4b"));
    // What could take the piece that checks is pinned once that has left the line between.
    check::<Whale>("wBb1K1/6/W5/6/6/6 b - 1", Some("5a5b"));
    // As the first, with a dolphin in hand: that may not be dropped to mate, and gives none elsewhere.
    check::<Whale>("2w3/6/2D3/6/6/3W2 b D 1", None);
}

#[test]
fn whales_that_are_captured_are_not_mated() {
    let sfen = Position::<Great>::start().sfen();
    check::<Great>(&sfen, None);
    check::<Paulowich>(Paulowich::SPEC.start, None);
}
