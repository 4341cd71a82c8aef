//! The engine's rules against the oracle's: legal moves, checks, the position after every move.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use kujira_position::{Move, Position, Retreat, Rules, Variant};

use crate::oracle::ContactDrops;
use crate::playouts::{self, Taste};
use crate::setups::{self, Sort};
use crate::views;

/// What the compared positions contained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Positions.
    pub positions: u64,
    /// Legal moves, each with the position after it.
    pub moves: u64,
    /// Positions in check.
    pub checks: u64,
    /// Positions in check without a move.
    pub mates: u64,
    /// What became of drops that give check from nearby.
    pub contact: ContactDrops,
    /// Moves with captures on the way and passes, by what moved and how.
    pub lions: BTreeMap<String, u64>,
}

impl Seen {
    /// The sum of two accounts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let mut lions = self.lions;
        for (sort, count) in other.lions {
            *lions.entry(sort).or_default() += count;
        }
        Self {
            lions,
            positions: self.positions + other.positions,
            moves: self.moves + other.moves,
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

/// Compares a position, and all positions one move on, with what the oracle says of them. Nothing but text is
/// compared.
///
/// # Errors
/// The first difference, with the position as SFEN and its rules.
///
/// # Panics
/// If the oracle does not read the SFEN.
pub fn compare<V: Variant>(position: &Position<V>) -> Result<Seen, String> {
    let (sfen, rules) = (position.sfen(), position.rules());
    let same =
        |what: &dyn Fn() -> String, expected: &dyn fmt::Display, found: &dyn fmt::Display| {
            let (expected, found) = (expected.to_string(), found.to_string());
            if expected == found {
                return Ok(());
            }
            let what = what();
            Err(format!("{what} in {sfen} under {rules:?}: expected {expected}, found {found}"))
        };
    let oracle = views::oracle(position);
    same(&|| "SFEN".to_owned(), &oracle.sfen(), &sfen)?;
    same(&|| "check".to_owned(), &oracle.in_check(), &position.checked())?;
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
    let lists = [texts(expected.keys().collect()), texts(found.keys().collect())];
    same(&|| "moves".to_owned(), &lists[0], &lists[1])?;
    for ((text, (sfen_after, checked)), next) in found.iter().zip(expected.values()) {
        same(&|| format!("what {text} leads to"), &next.sfen(), sfen_after)?;
        same(&|| format!("check after {text}"), &next.in_check(), checked)?;
    }
    Ok(Seen {
        positions: 1,
        moves: found.len() as u64,
        checks: u64::from(oracle.in_check()),
        mates: u64::from(found.is_empty() && oracle.in_check()),
        contact: oracle.contact_drops(),
        lions,
    })
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

/// Every position of seeded games of all tastes; long games, so that hands fill and pieces promote.
#[must_use]
pub fn games<V: Variant>(seed: u64, rules: Rules, wanted: usize) -> Vec<Position<V>> {
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

/// Positions that no game needs to have led to.
#[must_use]
pub fn made_up<V: Variant>(seed: u64, sort: Sort, rules: Rules, wanted: usize) -> Vec<Position<V>> {
    let mut rng = playouts::random(seed);
    (0..wanted).map(|_| setups::random(&mut rng, sort, rules)).collect()
}

/// The rules that change which moves there are in games with dolphins.
pub const SWITCHED: [Rules; 3] = [
    Rules { retreat: Retreat::Two, ..Rules::DEFAULT },
    Rules { retreat_file_limit: true, ..Rules::DEFAULT },
    Rules { retreat: Retreat::Two, retreat_file_limit: true, ..Rules::DEFAULT },
];

/// An endless stream of different positions of a game: half of them from random games of all tastes, the others made
/// up, half of those with a white whale hunted. In games with dolphins a quarter stands under [`SWITCHED`] rules.
pub struct Stream<V: Variant> {
    seed: u64,
    round: u64,
    known: HashSet<(u64, u8)>,
    game: std::marker::PhantomData<V>,
}

impl<V: Variant> Stream<V> {
    /// The stream of a seed, the same for ever.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, round: 0, known: HashSet::new(), game: std::marker::PhantomData }
    }

    /// Some hundreds of positions, none of which was there before.
    #[must_use]
    pub fn next_batch(&mut self) -> Vec<Position<V>> {
        const EACH: usize = 200;
        let switched = !V::SPEC.has_lions() && self.round % 4 == 3;
        let number = usize::try_from(self.round / 4).unwrap_or(0) % SWITCHED.len();
        let rules = if switched { SWITCHED[number] } else { Rules::DEFAULT };
        // Four of the rounds: seeds next to each other must not give the same ones.
        let seed = |sort: u64| (self.seed << 32) ^ (4 * self.round + sort);
        let mut batch = games::<V>(seed(0), rules, 2 * EACH);
        batch.extend(made_up::<V>(seed(1), Sort::Mixed, rules, EACH));
        batch.extend(made_up::<V>(seed(2), Sort::Hunt, rules, EACH));
        let under = if switched { 1 + number as u8 } else { 0 };
        batch.retain(|position| self.known.insert((position.key(), under)));
        self.round += 1;
        batch
    }
}
