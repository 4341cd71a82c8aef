//! Which squares a side controls, and from where a piece in hand could attack a square: what an
//! evaluation wants to know of the whales' surroundings.

use std::cell::Cell;

use crate::attacks::ray_attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Color, Kind, Square};
use crate::variant::{Facts, Variant};

use super::setwise::{Gote, Sente, Side};

/// Which squares a side attacks, empty or not, with all but its white whale. Pins are not looked at.
#[derive(Clone, Copy, Debug)]
pub struct Control<V: Variant> {
    leaps: Bitboard<V::Bits>,
    slides: Bitboard<V::Bits>,
}

impl<V: Variant> Control<V> {
    /// All squares attacked.
    #[inline(always)]
    #[must_use]
    pub fn all(self) -> Bitboard<V::Bits> {
        self.leaps | self.slides
    }

    /// Those among them whose attack what stands elsewhere can close or open: where a slide, a retreat
    /// or a two-phase move goes. If a square that has a piece is not among them, nothing else is attacked
    /// when that piece leaves it.
    #[inline(always)]
    #[must_use]
    pub fn slides(self) -> Bitboard<V::Bits> {
        self.slides
    }
}

/// What both sides of one board control: found out where it is first asked for.
#[derive(Clone, Debug)]
pub struct Controls<V: Variant>([Cell<Option<Control<V>>>; 2]);

impl<V: Variant> Default for Controls<V> {
    #[inline(always)]
    fn default() -> Self {
        Self([Cell::new(None), Cell::new(None)])
    }
}

impl<V: Variant> Controls<V> {
    /// What `color` controls on `board`, which must always be the same but for who is to move.
    #[inline(always)]
    pub fn of(&self, board: &Board<V>, color: Color) -> Control<V> {
        let place = &self.0[color.index()];
        match place.get() {
            Some(control) => control,
            None => {
                let control = board.control(color);
                place.set(Some(control));
                control
            }
        }
    }
}

impl<V: Variant> Board<V> {
    /// Every square that some piece of `color` attacks, empty or not; what the white whale alone
    /// attacks is left out. Pins are not looked at.
    #[inline]
    #[must_use]
    pub fn controlled(&self, color: Color) -> Bitboard<V::Bits> {
        self.control(color).all()
    }

    /// The same, slides told apart.
    #[inline(never)]
    #[must_use]
    pub fn control(&self, color: Color) -> Control<V> {
        match color {
            Color::Black => self.control_of::<Sente>(),
            Color::White => self.control_of::<Gote>(),
        }
    }

    #[inline(always)]
    fn control_of<S: Side>(&self) -> Control<V> {
        let pieces = !self.whale(S::COLOR);
        let occupied = self.occupied();
        let leaps = self.leap_map::<S>(pieces) & V::board();
        if !V::WRAPS {
            // Whales leap, they do not slide.
            let slides = self.slide_map::<S>(V::board() & !occupied) & V::board();
            return Control { leaps, slides };
        }
        let mut slides = Bitboard::EMPTY;
        for index in 0..V::CLASSES {
            let lines = &V::TABLES.slide_lines[index];
            if lines.is_empty() {
                continue;
            }
            for from in self.movers(S::COLOR, index) {
                for direction in lines.seen_by(S::COLOR) {
                    slides |= ray_attacks::<V>(direction, from, occupied);
                }
            }
        }
        for from in self.retreaters(S::COLOR) {
            slides |= self.retreat_attacks(S::COLOR, from, occupied);
        }
        if let Some(class) = V::TWO_PHASE {
            for from in self.movers(S::COLOR, class.index()) {
                slides |= Self::two_phase_ends(S::COLOR, from, occupied) & !Bitboard::of(from);
            }
        }
        Control { leaps, slides }
    }

    /// The squares from which a piece of `kind` and `color` would attack `square` by its leaps and
    /// slides, with what now stands on the board in their way. Hooks are not looked at: no piece is
    /// dropped where one would apply.
    #[inline]
    #[must_use]
    pub fn attacking_squares(&self, kind: Kind, color: Color, square: Square) -> Bitboard<V::Bits> {
        let class = V::class_of(kind);
        let mut squares = Self::leaps(class, !color, square);
        for direction in V::TABLES.slide_lines[class.index()].seen_by(!color) {
            squares |= ray_attacks::<V>(direction, square, self.occupied());
        }
        squares
    }

    /// The squares beside the white whale of `color`.
    #[inline(always)]
    pub(super) fn whale_ring(&self, color: Color) -> Bitboard<V::Bits> {
        self.whale(color).first().map_or(Bitboard::EMPTY, Self::ring)
    }

    /// The squares one step of a white whale away from `square`.
    ///
    /// # Panics
    /// If `square` is beyond the last square of the board.
    #[inline(always)]
    #[must_use]
    pub fn ring(square: Square) -> Bitboard<V::Bits> {
        Self::leaps(Class::WHALE, Color::Black, square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::types::Piece;
    use crate::variant::{Great, Paulowich, Whale};

    /// Random games: a square is controlled exactly if a piece other than the whale is among its
    /// attackers, and a kind attacks a square from where its piece would be one of them.
    fn check<V: Variant>(games: usize) {
        let mut random = 7_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % below
        };
        for _ in 0..games {
            let mut position = Position::<V>::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[next(moves.len())]);
                let board = position.board();
                if board.whale(board.side()).is_empty() {
                    break;
                }
                for color in Color::BOTH {
                    let others = board.pieces(color) & !board.whale(color);
                    let expected: Bitboard<V::Bits> = V::board()
                        .into_iter()
                        .filter(|&s| (board.attackers(s, color, board.occupied()) & others).any())
                        .collect();
                    assert_eq!(board.controlled(color), expected, "{position:?}");
                    // Attacks that are no slides do not depend on who stands elsewhere.
                    let slides = board.control(color).slides();
                    for at in board.pieces(!color) & !slides {
                        assert_eq!(board.without(at).controlled(color), expected, "{position:?}");
                    }
                }
                let controls = Controls::default();
                for color in [board.side(), !board.side(), board.side()] {
                    let both = |control: Control<V>| (control.all(), control.slides());
                    assert_eq!(both(controls.of(board, color)), both(board.control(color)));
                }
                let empty: Vec<Square> = (V::board() & !board.occupied()).into_iter().collect();
                let target = empty[next(empty.len())];
                let (kind, color) =
                    (Kind::from_index(1 + next(V::SPEC.hand_kinds)), Color::BOTH[next(2)]);
                let squares = board.attacking_squares(kind, color, target);
                for &from in &empty {
                    if from == target || V::last_rank(color).has(from) {
                        continue;
                    }
                    let mut with = *board;
                    with.put(from, Piece::new(color, kind));
                    let attackers = with.attackers(target, color, board.occupied());
                    assert_eq!(squares.has(from), attackers.has(from), "{with:?} {kind:?}");
                }
            }
        }
    }

    #[test]
    fn control_is_what_attackers_say() {
        check::<Whale>(40);
        check::<Paulowich>(30);
        check::<Great>(6);
    }

    #[test]
    fn a_ring_has_eight_squares_away_from_the_edge() {
        let corner = Square::from_index(0);
        assert_eq!(Board::<Whale>::ring(corner).count(), 3);
        assert_eq!(Board::<Great>::ring(Square::from_index(60)).count(), 8);
    }
}
