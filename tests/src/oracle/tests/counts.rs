//! Perft counts: the starting positions, and the lines of the count files.

use kujira_position::{Great, Paulowich, Variant, Whale};

use super::{Game, Oracle, position};
use crate::counts::{Known, known, start};

/// Counts above this are left to slower runs.
const BUDGET: u64 = 30_000;
/// Counts of starting positions, which are only three, above this are left to slower runs.
const START_BUDGET: u64 = 100_000;

fn game<V: Variant>() -> Game {
    Game::from_id(V::SPEC.id).expect("the oracle knows the three games")
}

/// Checks the counts of a position up to a budget; returns the deepest depth checked.
fn check(position: &Oracle, known: &Known, budget: u64) -> u32 {
    assert_eq!(position.sfen(), known.sfen);
    let within = known.counts.iter().take_while(|(_, count)| *count <= budget);
    within.fold(0, |_, &(depth, count)| {
        assert_eq!(position.perft(depth), count, "{}: {} to {depth}", known.place, known.sfen);
        depth
    })
}

fn check_start<V: Variant>(deepest: u32) {
    let oracle = Oracle::start(game::<V>());
    assert_eq!(oracle.perft(0), 1);
    assert_eq!(check(&oracle, &start::<V>(), START_BUDGET), deepest);
}

#[test]
fn starting_positions_have_the_known_counts() {
    check_start::<Whale>(5);
    check_start::<Paulowich>(5);
    check_start::<Great>(3);
}

fn check_files<V: Variant>() {
    for known in known::<V>() {
        assert!(check(&position(game::<V>(), &known.sfen), &known, BUDGET) > 0, "{}", known.place);
    }
}

#[test]
fn whale_files_hold() {
    check_files::<Whale>();
}

#[test]
fn paulowich_files_hold() {
    check_files::<Paulowich>();
}

#[test]
fn great_files_hold() {
    check_files::<Great>();
}
