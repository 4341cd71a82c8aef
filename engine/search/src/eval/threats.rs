//! The features that change with every move wherever it is made: hands, the safety of the whales,
//! pieces that hang. They are found anew in every position evaluated.

use kujira_position::{Bitboard, Board, Color, Threats, Variant};

use super::features::{Features, Sink};

/// Squares round a whale, at most.
pub(super) const RING: usize = 8;

/// Squares for drops of a kind that check; more count as this many.
pub(super) const CHECKS: usize = 4;

/// Kinds held, from none; more count as the last.
pub(super) const HELD: usize = 8;

/// Flights of a whale beside which kinds in hand are counted, from none; more count as the last.
pub(super) const FLIGHTS: usize = 5;

/// What each side threats without its white whales, by color.
#[inline(always)]
pub(super) fn controlled<V: Variant>(board: &Board<V>) -> [Bitboard<V::Bits>; 2] {
    known(board, &Threats::default())
}

/// The same, if it is known already, or so that it will be.
#[inline(always)]
pub(super) fn known<V: Variant>(board: &Board<V>, threats: &Threats<V>) -> [Bitboard<V::Bits>; 2] {
    Color::BOTH.map(|color| threats.of(board, color).all())
}

/// Tells `sink` these features of a position with both whales; `controlled` is what each side threats,
/// by color.
#[inline]
pub(super) fn find<V: Variant>(
    board: &Board<V>,
    controlled: [Bitboard<V::Bits>; 2],
    sink: &mut impl Sink,
) {
    let [black, white] = controlled;
    attack::<V>(board, Color::Black, black, white, sink);
    attack::<V>(board, Color::White, white, black, sink);
    sink.add(Features::<V>::tempo(), sign(board.side()));
}

/// The same, but only what `us` has.
pub(super) fn find_for<V: Variant>(board: &Board<V>, us: Color, sink: &mut impl Sink) {
    attack::<V>(board, us, board.attacked_by(us), board.attacked_by(!us), sink);
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// What `us` has: `ours` and `theirs` are what the sides control without their whales.
#[inline(always)]
fn attack<V: Variant>(
    board: &Board<V>,
    us: Color,
    ours: Bitboard<V::Bits>,
    theirs: Bitboard<V::Bits>,
    sink: &mut impl Sink,
) {
    let (Some(own), Some(enemy)) = (board.whale(us).first(), board.whale(!us).first()) else {
        return;
    };
    let (times, moves) = (sign(us), board.side() == us);
    let (near_own, near_enemy) = (Board::<V>::ring(own), Board::<V>::ring(enemy));
    let (pieces, occupied) = (board.pieces(us), board.occupied());

    let attacked = near_enemy & ours;
    sink.climb(Features::<V>::ring(moves), attacked.count() as usize, times);
    sink.climb(Features::<V>::bare(moves), (attacked & !theirs).count() as usize, times);
    let flights = (near_enemy & !board.pieces(!us) & !(ours | near_own)).count() as usize;
    sink.climb(Features::<V>::flights(moves), flights, times);

    let hand = board.hand(us);
    let (held, few) = (hand.kinds().min(HELD - 1), flights.min(FLIGHTS - 1));
    sink.add(Features::<V>::squeeze(moves, held, few), times);
    // A piece dropped there is not taken, or only by a whale that would be taken in turn. Where
    // whales must be saved the latter cannot be.
    let safe = !occupied & !theirs & (!near_enemy | ours);
    for kind in hand.iter() {
        sink.climb(Features::<V>::hand(kind), hand.count(kind), times);
        let checks = (board.attacking_squares(kind, us, enemy) & safe).count() as usize;
        sink.climb(Features::<V>::drop_check(moves, kind), checks.min(CHECKS), times);
    }

    let defended = ours | near_own;
    for square in pieces & (theirs | near_enemy) & !defended & !board.whale(us) {
        if let Some(piece) = board.piece_on(square) {
            sink.add(Features::<V>::hanging(moves, piece.kind()), times);
        }
    }
    sink.add(Features::<V>::space(), times * (ours & !pieces).count() as i32);
    sink.add(Features::<V>::guarded(), times * (ours & pieces).count() as i32);
}
