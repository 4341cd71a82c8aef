//! Texts as moves of a position, in USI and in Hodges notation: what is read is legal and is written so that it is read
//! again.
//!
//! Bytes: game, how many choices for the position (times eight), the choices, then a text a line.

use kujira_position::{Variant, with_variant};
use kujira_tests::agreement::notations;

use crate::choices::Choices;
use crate::position;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    with_variant!(choices.game(), V => of::<V>(&mut choices));
}

fn of<V: Variant>(choices: &mut Choices<'_>) {
    let position = position::next::<V>(choices);
    let Ok(text) = std::str::from_utf8(choices.rest()) else { return };
    for line in text.lines().take(20) {
        notations::check_text(&position, line);
    }
    for &m in position.legal_moves().iter().take(20) {
        notations::check_move(&position, m);
    }
    notations::check_position(&position);
}
