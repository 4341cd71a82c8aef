//! What a position says of itself, as text, to compare two implementations by.

use kujira_position::{Position, Retreat, Rules, Variant, sfen};

use crate::oracle::{Game, Oracle, Switches};

/// The legal moves in USI, sorted, separated by blanks.
#[must_use]
pub fn moves<V: Variant>(position: &Position<V>) -> String {
    moves_with(position, "")
}

/// The legal moves whose USI text begins with `start`, sorted, separated by blanks.
#[must_use]
pub fn moves_with<V: Variant>(position: &Position<V>, start: &str) -> String {
    let mut texts: Vec<String> = position.legal_moves().iter().map(|&m| position.usi(m)).collect();
    texts.retain(|text| text.starts_with(start));
    texts.sort();
    texts.join(" ")
}

/// The position of an SFEN.
///
/// # Panics
/// With the reason, if it is none.
#[must_use]
pub fn position<V: Variant>(sfen: &str) -> Position<V> {
    ruled(sfen, Rules::DEFAULT)
}

/// The position of an SFEN under the given rules.
///
/// # Panics
/// With the reason, if it is none.
#[must_use]
pub fn ruled<V: Variant>(text: &str, rules: Rules) -> Position<V> {
    let mut setup = sfen::parse::<V>(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    setup.rules = rules;
    setup.validate().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position after some moves, separated by blanks.
///
/// # Panics
/// If one of them is not legal.
#[must_use]
pub fn played<V: Variant>(mut position: Position<V>, moves: &str) -> Position<V> {
    for text in moves.split_whitespace() {
        let m = position.parse_usi(text).unwrap_or_else(|error| panic!("{error}"));
        position.make(m);
    }
    position
}

/// The oracle's view of a position.
///
/// # Panics
/// If the oracle does not read the SFEN.
#[must_use]
pub fn oracle<V: Variant>(position: &Position<V>) -> Oracle {
    let game = Game::from_id(V::SPEC.id).expect("the oracle knows the three games");
    let rules = position.rules();
    let switches = Switches {
        retreat_two: rules.retreat == Retreat::Two,
        retreat_file_limit: rules.retreat_file_limit,
    };
    let sfen = position.sfen();
    Oracle::from_sfen(game, &sfen, switches).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}
