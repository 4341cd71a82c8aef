//! The engine's rules against the oracle's on random positions: legal moves, checks, the position
//! after every move. Nothing but text is compared.

use std::collections::BTreeMap;

use kujira_position::{Move, Position, Retreat, Rules, Variant};
use kujira_tests::oracle::ContactDrops;
use kujira_tests::playouts::{self, Taste};
use kujira_tests::setups::{self, Sort};
use kujira_tests::{for_every_game, for_games, for_small_games, views};
use rayon::prelude::*;

for_every_game!(random_games, mixed_setups);
for_small_games!(hunting_setups, switched_games, switched_setups);
for_games!(great_only: Great; hunting_setups_meet_every_sort_of_lion_move);

/// How many positions of a sort are compared: 3,333 on the smallest board, fewer where one takes
/// longer.
fn enough<V: Variant>() -> usize {
    120_000 / V::SPEC.geometry.area()
}

/// What the compared positions contained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    positions: u64,
    checks: u64,
    mates: u64,
    contact: ContactDrops,
    /// Moves with captures on the way and passes, by what moved and how.
    lions: BTreeMap<String, u64>,
}

impl Seen {
    fn plus(self, other: Self) -> Self {
        let mut lions = self.lions;
        for (sort, count) in other.lions {
            *lions.entry(sort).or_default() += count;
        }
        Self {
            lions,
            positions: self.positions + other.positions,
            checks: self.checks + other.checks,
            mates: self.mates + other.mates,
            contact: ContactDrops {
                mating: self.contact.mating + other.contact.mating,
                mating_though_taken: self.contact.mating_though_taken
                    + other.contact.mating_though_taken,
                legal: self.contact.legal + other.contact.legal,
                saved_by_capture: self.contact.saved_by_capture + other.contact.saved_by_capture,
            },
        }
    }
}

/// Compares a position, and all positions one move on.
fn compare<V: Variant>(position: &Position<V>) -> Seen {
    let sfen = position.sfen();
    let oracle = views::oracle(position);
    assert_eq!(oracle.sfen(), sfen);
    assert_eq!(position.checked(), oracle.in_check(), "check in {sfen}");
    let expected: BTreeMap<_, _> = oracle.successors().into_iter().collect();
    let mut found = BTreeMap::new();
    let mut after = position.clone();
    let mut lions = BTreeMap::new();
    for &m in position.legal_moves().iter() {
        after.make(m);
        if let Some(sort) = lion_sort(position, m) {
            *lions.entry(sort).or_default() += 1;
        }
        found.insert(position.usi(m), (after.sfen(), after.checked()));
        after.undo();
    }
    let texts = |moves: Vec<&String>| moves.into_iter().cloned().collect::<Vec<_>>().join(" ");
    let rules = position.rules();
    assert_eq!(
        texts(found.keys().collect()),
        texts(expected.keys().collect()),
        "moves in {sfen} under {rules:?}"
    );
    for ((text, (sfen_after, checked)), next) in found.iter().zip(expected.values()) {
        assert_eq!(*sfen_after, next.sfen(), "{text} in {sfen}");
        assert_eq!(*checked, next.in_check(), "check after {text} in {sfen} under {rules:?}");
    }
    Seen {
        positions: 1,
        checks: u64::from(oracle.in_check()),
        mates: u64::from(found.is_empty() && oracle.in_check()),
        contact: oracle.contact_drops(),
        lions,
    }
}

/// What moves and how, of a move that captures on the way or ends where it began: `FK x12 to 3` is a
/// false killer whale that takes both pieces before it and ends on the third square.
fn lion_sort<V: Variant>(position: &Position<V>, m: Move) -> Option<String> {
    let name = V::SPEC.written_name(m.kind());
    let Some(way) = m.way() else {
        return (!m.is_drop() && m.from() == m.to()).then(|| format!("{name} pass"));
    };
    let geometry = V::SPEC.geometry;
    let distance = |a: i8, b: i8| a.abs_diff(b);
    let steps = distance(geometry.x(m.from()), geometry.x(m.to()))
        .max(distance(geometry.y(m.from()), geometry.y(m.to())));
    let taken: String =
        (1..=2).filter(|&step| way.captures_step(step)).map(|step| step.to_string()).collect();
    let end = if position.piece_on(m.to()).is_some() && steps > 0 { " capturing" } else { "" };
    Some(format!("{name} x{taken} to {steps}{end}"))
}

fn compare_all<V: Variant>(positions: &[Position<V>]) -> Seen {
    positions.par_iter().map(compare).reduce(Seen::default, Seen::plus)
}

/// Every position of seeded games of all tastes; long games, so that hands fill and pieces promote.
fn games<V: Variant>(seed: u64, rules: Rules, wanted: usize) -> Vec<Position<V>> {
    let mut positions = Vec::new();
    let mut rng = playouts::random(seed);
    for taste in Taste::ALL {
        let each = wanted / Taste::ALL.len();
        playouts::visit(&mut rng, taste, rules, 200, each, |position| {
            positions.push(position.clone());
        });
    }
    positions
}

fn made_up<V: Variant>(seed: u64, sort: Sort, rules: Rules, wanted: usize) -> Vec<Position<V>> {
    let mut rng = playouts::random(seed);
    (0..wanted).map(|_| setups::random(&mut rng, sort, rules)).collect()
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

const SWITCHED: [Rules; 3] = [
    Rules { retreat: Retreat::Two, ..Rules::DEFAULT },
    Rules { retreat_file_limit: true, ..Rules::DEFAULT },
    Rules { retreat: Retreat::Two, retreat_file_limit: true, ..Rules::DEFAULT },
];

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
