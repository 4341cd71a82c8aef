//! Which features of the linear evaluation a position has.
//!
//! Those of pieces on their squares are listed piece by piece. All others (hands, the safety of the
//! whales, pieces that hang) come from sets of attacked squares.

use kujira_position::{Bitboard, Board, Color, Kind, Piece, Square, Variant};

use super::features::{CHECKS, FLIGHTS, Features, HELD};

/// Where the features found in a position go.
pub trait Sink {
    /// The feature occurs `times` times more for Black than so far; fewer if negative.
    fn add(&mut self, feature: usize, times: i32);
    /// The first `steps` features from `first` on occur, each `times` times.
    fn climb(&mut self, first: usize, steps: usize, times: i32);
}

/// Passes features on as a side counts them.
struct Signed<F> {
    sign: i32,
    sink: F,
}

impl<F: FnMut(usize, i32)> Sink for Signed<F> {
    fn add(&mut self, feature: usize, times: i32) {
        (self.sink)(feature, self.sign * times);
    }

    fn climb(&mut self, first: usize, steps: usize, times: i32) {
        for feature in first..first + steps {
            self.add(feature, times);
        }
    }
}

impl<V: Variant> Features<V> {
    /// The features of a piece on the board, as its owner counts them; the white whales stand on
    /// `whales`, by color.
    pub fn of_piece(piece: Piece, at: Square, whales: [Square; 2]) -> impl Iterator<Item = usize> {
        let (kind, color) = (piece.kind(), piece.color());
        let class = V::SPEC.class_of(kind).index();
        let as_black = match color {
            Color::Black => at,
            Color::White => V::SPEC.geometry.turned(at),
        };
        let [own, enemy] = [color, !color].map(|owner| {
            let whale = whales[owner.index()];
            (kind != Kind::WHALE).then(|| Self::offset(color, whale, at))
        });
        [Self::square(class, as_black), Self::rank(kind, as_black)]
            .into_iter()
            .chain(own.map(|offset| Self::own_whale(class, offset)))
            .chain(enemy.map(|offset| Self::enemy_whale(class, offset)))
    }

    /// Where the white whales stand, by color; `None` if one was captured.
    pub(super) fn whales(board: &Board<V>) -> Option<[Square; 2]> {
        Some([board.whale(Color::Black).first()?, board.whale(Color::White).first()?])
    }

    /// Tells `sink` every feature of a position. Boards without both whales have none.
    pub fn extract(board: &Board<V>, sink: &mut impl Sink) {
        let Some(whales) = Self::whales(board) else { return };
        for at in board.occupied() {
            let Some(piece) = board.piece_on(at) else { continue };
            let times = if piece.color() == Color::Black { 1 } else { -1 };
            for feature in Self::of_piece(piece, at, whales) {
                sink.add(feature, times);
            }
        }
        find(board, Color::BOTH.map(|color| board.attacked_by(color)), sink);
    }

    /// Tells `sink` how many times more the side to move has each feature than its enemy; several calls
    /// for one feature add up. Boards without both whales have none.
    pub fn each(board: &Board<V>, sink: impl FnMut(usize, i32)) {
        let sign = if board.side() == Color::Black { 1 } else { -1 };
        Self::extract(board, &mut Signed { sign, sink });
    }
}

/// Tells `sink` the features that come from sets of attacked squares, for a position with both whales;
/// `attacked` is what each side attacks, by color.
#[inline]
pub(super) fn find<V: Variant>(
    board: &Board<V>,
    attacked: [Bitboard<V::Bits>; 2],
    sink: &mut impl Sink,
) {
    let [black, white] = attacked;
    attack::<V>(board, Color::Black, black, white, sink);
    attack::<V>(board, Color::White, white, black, sink);
    sink.add(Features::<V>::tempo(), sign(board.side()));
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// Tells `sink` the features that `us` has: `ours` and `theirs` are what the sides attack without their whales.
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
    sink.add(Features::<V>::space(), times * (ours & !pieces).count().cast_signed());
    sink.add(Features::<V>::guarded(), times * (ours & pieces).count().cast_signed());
}
