//! A position that the fuzzer made up.

use kujira_position::{Position, Retreat, Rules, Variant};
use kujira_tests::playouts::{self, Taste};
use kujira_tests::setups::{self, Sort};

use crate::choices::Choices;

/// Rules from a byte.
#[must_use]
pub fn rules(byte: u8) -> Rules {
    Rules {
        retreat: if byte & 1 == 0 { Retreat::Slide } else { Retreat::Two },
        retreat_file_limit: byte & 2 != 0,
        impasse: byte & 4 != 0,
        repetition: byte & 8 == 0,
    }
}

/// A position of a game or one that no game needs to have led to, and some moves from there.
pub fn made_up<V: Variant>(choices: &mut Choices<'_>) -> Position<V> {
    let how = choices.byte();
    let rules = rules(how >> 4);
    let moves = choices.below(32);
    let mut position = match how % 3 {
        0 => {
            let mut start = Position::<V>::start();
            start.set_rules(rules).expect("no rule forbids a starting position");
            start
        }
        1 => setups::random(choices, Sort::Mixed, rules),
        _ => setups::random(choices, Sort::Hunt, rules),
    };
    play(&mut position, choices, moves);
    position
}

/// A position from the next choices: how many there are (times eight), then the choices.
pub fn next<V: Variant>(choices: &mut Choices<'_>) -> Position<V> {
    let length = 8 * choices.below(16);
    made_up(&mut Choices::new(choices.take(length)))
}

/// Plays at most so many moves.
pub fn play<V: Variant>(position: &mut Position<V>, choices: &mut Choices<'_>, moves: usize) {
    let taste = Taste::ALL[choices.below(Taste::ALL.len())];
    for _ in 0..moves {
        let Some(m) = playouts::choose(choices, taste, position) else { return };
        position.make(m);
    }
}
