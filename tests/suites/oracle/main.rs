//! The engine's rules against the oracle's on random positions: legal moves, checks, the position
//! after every move. Nothing but text is compared.

use std::collections::HashSet;

use kujira_position::{Position, Rules, Variant};
use kujira_tests::differential::{self, SWITCHED, Seen, Stream, games, made_up};
use kujira_tests::setups::Sort;
use kujira_tests::{for_every_game, for_games, for_small_games};
use rayon::prelude::*;

for_every_game!(random_games, mixed_setups, positions_of_the_command);
for_small_games!(hunting_setups, switched_games, switched_setups);
for_games!(great_only: Great; hunting_setups_meet_every_sort_of_lion_move);

/// How many positions of a sort are compared: 3,333 on the smallest board, fewer where one takes
/// longer.
fn enough<V: Variant>() -> usize {
    120_000 / V::SPEC.geometry.area()
}

fn compare_all<V: Variant>(positions: &[Position<V>]) -> Seen {
    let seen = positions.par_iter().map(|position| {
        differential::compare(position).unwrap_or_else(|difference| panic!("{difference}"))
    });
    seen.reduce(Seen::default, Seen::plus)
}

fn random_games<V: Variant>() {
    let seen = compare_all(&games::<V>(1, Rules::DEFAULT, enough::<V>()));
    assert!(seen.positions as usize > enough::<V>() - 4, "{seen:?}");
    assert!(seen.checks > 150 && seen.contact.legal > 10, "{seen:?}");
}

fn mixed_setups<V: Variant>() {
    let seen = compare_all(&made_up::<V>(2, Sort::Mixed, Rules::DEFAULT, enough::<V>()));
    assert!(seen.checks > 200 && seen.contact.legal > 100, "{seen:?}");
}

fn hunting_setups<V: Variant>() {
    let seen = compare_all(&made_up::<V>(3, Sort::Hunt, Rules::DEFAULT, 2 * enough::<V>()));
    assert!(seen.mates > 0, "{seen:?}");
    assert!(seen.contact.mating > 20 && seen.contact.legal > 500, "{seen:?}");
}

/// The comparison is worth nothing for moves that never occur in it: calf drops of every fate, and
/// every sort of move with captures on the way.
fn hunting_setups_meet_every_sort_of_lion_move<V: Variant>() {
    let seen = compare_all(&made_up::<V>(4, Sort::Hunt, Rules::DEFAULT, 2 * enough::<V>()));
    let contact = seen.contact;
    assert!(contact.mating > 100 && contact.legal > 200, "{seen:?}");
    assert!(contact.mating_though_taken > 50 && contact.saved_by_capture > 40, "{seen:?}");
    let sorts: Vec<&str> = seen.lions.keys().map(String::as_str).collect();
    assert_eq!(
        sorts,
        [
            "Bg x1 to 0",
            "Bl pass",
            "FK pass",
            "FK x1 to 0",
            "FK x1 to 2",
            "FK x1 to 2 capturing",
            "FK x1 to 3",
            "FK x1 to 3 capturing",
            "FK x12 to 3",
            "FK x12 to 3 capturing",
            "FK x2 to 3",
            "FK x2 to 3 capturing",
            "K x1 to 0",
            "K x1 to 2",
            "K x1 to 2 capturing",
        ]
    );
    assert!(seen.lions.values().all(|&count| count >= 5), "{seen:?}");
}

fn switched_games<V: Variant>() {
    for (rules, seed) in SWITCHED.into_iter().zip(10..) {
        compare_all(&games::<V>(seed, rules, enough::<V>() / 3));
    }
}

fn switched_setups<V: Variant>() {
    for (rules, seed) in SWITCHED.into_iter().zip(20..) {
        for sort in [Sort::Mixed, Sort::Hunt] {
            compare_all(&made_up::<V>(seed, sort, rules, enough::<V>() / 3));
        }
    }
}

/// What the command `differential` compares: some of the first of it.
fn positions_of_the_command<V: Variant>() {
    let mut stream = Stream::<V>::new(1);
    let batches: Vec<Vec<Position<V>>> = (0..4).map(|_| stream.next_batch()).collect();
    let positions = batches.concat();
    let different: HashSet<String> =
        positions.iter().map(|p| format!("{:?} {:?}", p.setup(), p.rules())).collect();
    assert_eq!(different.len(), positions.len(), "each is there once");
    assert!(positions.len() > 2_000, "{}", positions.len());
    let switched = batches[3].iter().all(|position| position.rules() != Rules::DEFAULT);
    assert_eq!(switched, !V::SPEC.has_lions());
    let some: Vec<_> = positions.into_iter().step_by(16).collect();
    let seen = compare_all(&some);
    assert!(seen.checks > 10 && seen.moves > 10 * seen.positions, "{seen:?}");
}
