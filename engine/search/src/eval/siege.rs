//! How a side besieges the white whale of the other: numbers below [`inputs`], of which a few are on at once.
//!
//! | numbers | of them is on |
//! |---|---|
//! | 9 × 9 | one: how many squares round the whale are attacked, and how many of them it can flee to |
//! | 8 × 5 | one: how many kinds are held to drop (seven and more are one), and flights (four and more are one) |
//! | kinds in hand × 4 | one a kind that can: from how many squares a drop would check in safety (four and more are one) |
//!
//! A square is safe for a drop if the besieged side does not attack it, or only with its whale, which a piece of the
//! besieger would take in turn. (Attackers and safe checks around a king are terms of Stockfish's king safety of 2014
//! to 2020; here a network learns what each number is worth.)

use std::ops::Range;

use kujira_position::{Bitboard, Board, Color, Kind, Spec, Variant};

/// Numbers that are on in every position with both whales, of both sides.
pub(super) const ALWAYS: usize = 4;

/// Counts of the squares round a whale, from none.
const RING: usize = 9;

/// Counts of the kinds held, from none; more count as the last.
const HELD: usize = 8;

/// Counts of flights beside kinds held, from none; more count as the last.
const FLIGHTS: usize = 5;

/// Counts of squares for safe checks, from one; more count as the last.
const CHECKS: usize = 4;

/// How many numbers a side has.
pub(super) const fn inputs(spec: &Spec) -> usize {
    CHECKING + spec.hand_kinds * CHECKS
}

/// The numbers of the first two rows of the table: of each one is on.
pub(super) const ONE_OF: [Range<usize>; 2] = [0..RING * RING, RING * RING..CHECKING];

/// Where the numbers of checks begin.
const CHECKING: usize = RING * RING + HELD * FLIGHTS;

/// The numbers of safe checks by drops of `kind`: one is on at most.
pub(super) const fn checks(kind: Kind) -> Range<usize> {
    let first = CHECKING + (kind.index() - 1) * CHECKS;
    first..first + CHECKS
}

/// Tells `sink` the numbers that are on for the siege by `us`; none once a white whale is captured. `attacked` is what
/// each side attacks, by color.
#[inline(always)]
pub(super) fn each<V: Variant>(
    board: &Board<V>,
    attacked: [Bitboard<V::Bits>; 2],
    us: Color,
    mut sink: impl FnMut(usize),
) {
    let (Some(own), Some(enemy)) = (board.whale(us).first(), board.whale(!us).first()) else {
        return;
    };
    let (ours, theirs) = (attacked[us.index()], attacked[(!us).index()]);
    let (near_own, near_enemy) = (Board::<V>::ring(own), Board::<V>::ring(enemy));
    let ring = (near_enemy & ours).count() as usize;
    let flights = (near_enemy & !board.pieces(!us) & !(ours | near_own)).count() as usize;
    sink(ring * RING + flights);
    let hand = board.hand(us);
    let held = hand.kinds().min(HELD - 1);
    sink(RING * RING + held * FLIGHTS + flights.min(FLIGHTS - 1));
    let safe = !board.occupied() & !theirs & (!near_enemy | ours);
    for kind in hand.iter() {
        let count = (board.attacking_squares(kind, us, enemy) & safe).count() as usize;
        if count > 0 {
            sink(self::checks(kind).start + count.min(CHECKS) - 1);
        }
    }
}

/// The name of a number, for people: `siege, 3 attacked, 2 flights`, `siege, 4 kinds held, 1 flights`,
/// `siege, G checks from 2`.
pub(super) fn name(spec: &Spec, number: usize) -> String {
    let held = RING * RING;
    if number < held {
        format!("siege, {} attacked, {} flights", number / RING, number % RING)
    } else if number < CHECKING {
        let number = number - held;
        format!("siege, {} kinds held, {} flights", number / FLIGHTS, number % FLIGHTS)
    } else {
        let (kind, count) = ((number - CHECKING) / CHECKS + 1, (number - CHECKING) % CHECKS + 1);
        let token = spec.kind(Kind::from_index(kind)).token;
        format!("siege, {token} checks from {count}")
    }
}
