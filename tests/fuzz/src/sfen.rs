//! A text as SFEN, or a position that the fuzzer made up: everything that says something of it agrees.
//!
//! Bytes: game, `t` for a text or anything else for a position, rules, then the text or choices.

use kujira_position::{Variant, sfen, with_variant};
use kujira_tests::agreement;

use crate::choices::Choices;
use crate::position;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    with_variant!(choices.game(), V => of::<V>(&mut choices));
}

fn of<V: Variant>(choices: &mut Choices<'_>) {
    if choices.byte() != b't' {
        return agreement::check(&position::made_up::<V>(choices));
    }
    let rules = position::rules(choices.byte());
    let Ok(text) = std::str::from_utf8(choices.rest()) else { return };
    let mut setup = match sfen::parse::<V>(text) {
        Ok(setup) => setup,
        Err(error) => return assert!(error.to_string().contains("expected "), "{error}"),
    };
    setup.rules = rules;
    match setup.validate() {
        Ok(position) => agreement::check(&position),
        Err(error) => assert!(error.to_string().contains("expected "), "{error}"),
    }
}
