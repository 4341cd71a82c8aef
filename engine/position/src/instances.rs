//! In builds for tests, code for all three games that other crates then need not compile again.
//!
//! What is generic over the game is compiled wherever it is used: in the engine once, but there are two
//! dozen test programs. At `opt-level` 1 the compiler uses what a crate below has compiled already, if it
//! has: all that is named here. Optimised builds compile it where it is used, so that it can be inlined.

use std::hint::black_box;

use crate::board::Board;
use crate::notation::{UsiMove, sfen};
use crate::perft::{divide, perft};
use crate::position::Position;
use crate::setup::Setup;
use crate::variant::{Great, Paulowich, Variant, Whale};

/// Has the code compiled; calling it does nothing.
#[doc(hidden)]
#[inline(never)]
pub fn instances() {
    of::<Whale>();
    of::<Paulowich>();
    of::<Great>();
}

fn of<V: Variant>() {
    black_box([
        Position::<V>::start as *const (),
        Position::<V>::from_sfen as *const (),
        Position::<V>::from_sfen_under as *const (),
        Position::<V>::setup as *const (),
        Position::<V>::set_rules as *const (),
        Position::<V>::legal_moves as *const (),
        Position::<V>::occurrences as *const (),
        Position::<V>::outcome as *const (),
        Position::<V>::impasse as *const (),
        Position::<V>::turned as *const (),
        Position::<V>::keys_from_scratch as *const (),
        Position::<V>::sfen as *const (),
        Position::<V>::parse_usi as *const (),
        Position::<V>::usi as *const (),
        Position::<V>::hodges as *const (),
        Position::<V>::parse_hodges as *const (),
        Position::<V>::hodges_line as *const (),
        Position::<V>::parse_hodges_line as *const (),
        <Position<V> as std::fmt::Display>::fmt as *const (),
        <Position<V> as std::fmt::Debug>::fmt as *const (),
        <UsiMove<V> as std::fmt::Display>::fmt as *const (),
        <Board<V> as std::fmt::Debug>::fmt as *const (),
        <Board<V> as PartialEq>::eq as *const (),
        Board::<V>::generate as *const (),
        Board::<V>::generate_checks as *const (),
        Board::<V>::generate_saving as *const (),
        Board::<V>::count_moves as *const (),
        Board::<V>::is_legal as *const (),
        Board::<V>::mate_in_one as *const (),
        Board::<V>::attackers as *const (),
        Board::<V>::in_check as *const (),
        Setup::<V>::validate as *const (),
        Setup::<V>::empty as *const (),
        sfen::parse::<V> as *const (),
        perft::<V> as *const (),
        divide::<V> as *const (),
    ]);
}
