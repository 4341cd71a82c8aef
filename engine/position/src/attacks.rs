//! Which squares pieces attack, one piece at a time.
//!
//! Slides are arithmetic on rays instead of look-ups by occupancy: the nearest piece on an ascending
//! ray is its lowest bit, on a descending ray its highest, and a subtraction or shift makes a mask of
//! the squares up to it. It needs no PEXT instruction (slow on some processors), no tables by occupancy,
//! and works alike for the rays of the nightrider. Whether one piece reaches one square is asked of the
//! squares between, which are tabulated.

use crate::bitboard::{Bitboard, Bits};
use crate::board::Board;
use crate::geometry::Direction;
use crate::rules::Retreat;
use crate::tables::Lines;
use crate::types::{Class, Color, Square};
use crate::variant::{Facts, Variant};

/// Squares reached from `square` along `direction` up to and including the first piece of
/// `occupied`.
#[inline(always)]
fn ray_attacks<V: Variant>(
    direction: Direction,
    square: Square,
    occupied: Bitboard<V::Bits>,
) -> Bitboard<V::Bits> {
    let ray = V::ray(direction, square);
    let blockers = ray & occupied;
    let reach = if direction.ascends() {
        blockers.0.lowest_and_below()
    } else {
        blockers.0.highest_and_above()
    };
    ray & Bitboard(reach)
}

/// Squares that slides of `color` along `lines` reach from `square`, each up to and including the first
/// piece of `occupied`.
#[inline(always)]
pub(crate) fn slide_attacks<V: Variant>(
    lines: &Lines,
    color: Color,
    square: Square,
    occupied: Bitboard<V::Bits>,
) -> Bitboard<V::Bits> {
    let mut attacks = Bitboard::EMPTY;
    for direction in lines.seen_by(color) {
        attacks |= ray_attacks::<V>(direction, square, occupied);
    }
    attacks
}

impl<V: Variant> Board<V> {
    /// Squares a piece on `square` leaps to on an empty board.
    #[inline(always)]
    pub(crate) fn leaps(class: Class, color: Color, square: Square) -> Bitboard<V::Bits> {
        V::by_class(V::TABLES.leaps, class, color, square)
    }

    /// The pieces of `color` that move by the retreat hook: those on its farthest rank.
    #[inline(always)]
    pub(crate) fn retreaters(&self, color: Color) -> Bitboard<V::Bits> {
        match V::RETREATER {
            Some(class) => self.movers(color, class.index()) & V::last_rank(color),
            None => Bitboard::EMPTY,
        }
    }

    /// The pieces of `color` that move by more than leaps.
    #[inline(always)]
    pub(crate) fn sliding_pieces(&self, color: Color) -> Bitboard<V::Bits> {
        let mut pieces = self.retreaters(color);
        for index in 0..V::CLASSES {
            if !V::TABLES.slide_lines[index].is_empty() {
                pieces |= self.movers(color, index);
            }
        }
        pieces
    }

    /// The squares a retreat of the rules in force reaches on an empty board.
    #[inline(always)]
    pub(crate) fn retreat_reach(&self, color: Color, square: Square) -> Bitboard<V::Bits> {
        let Some(class) = V::RETREATER else { return Bitboard::EMPTY };
        let table = match self.rules().retreat {
            Retreat::Slide => V::TABLES.retreats,
            Retreat::Two => V::TABLES.short_retreats,
        };
        V::by_class(table, class, color, square)
    }

    /// Squares attacked by a retreater.
    #[inline]
    pub(crate) fn retreat_attacks(
        &self,
        color: Color,
        square: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let slides = slide_attacks::<V>(&V::TABLES.retreat_lines, color, square, occupied);
        slides & self.retreat_reach(color, square)
    }

    /// The first steps of a two-phase move from `square`.
    #[inline(always)]
    pub(crate) fn first_steps(color: Color, square: Square) -> Bitboard<V::Bits> {
        Bitboard(V::TABLES.first_steps[color.index() * V::SQUARES + square.index()])
    }

    /// Squares a two-phase move can end on or capture on: `square` itself included if the piece can
    /// come back to it.
    #[inline]
    pub(crate) fn two_phase_ends(
        color: Color,
        square: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let occupied = occupied & !Bitboard::of(square);
        let steps = Self::first_steps(color, square);
        let mut ends = steps;
        for step in steps & !occupied {
            ends |= slide_attacks::<V>(&V::TABLES.second_lines, color, step, occupied);
        }
        ends
    }

    /// Whether `target` is among [`Self::two_phase_ends`]; it must not be `square`.
    #[inline]
    pub(crate) fn two_phase_reaches(
        color: Color,
        square: Square,
        target: Square,
        occupied: Bitboard<V::Bits>,
    ) -> bool {
        let occupied = occupied & !Bitboard::of(square);
        let steps = Self::first_steps(color, square);
        if steps.has(target) {
            return true;
        }
        let mut lines = Bitboard::EMPTY;
        for direction in V::TABLES.second_lines.seen_by(!color) {
            lines |= V::ray(direction, target);
        }
        (steps & lines & !occupied)
            .into_iter()
            .any(|step| (V::between(step, target) & occupied).is_empty())
    }

    /// Squares attacked by a piece that stands on `square` and moves like `class`: those it could
    /// capture on, whatever stands there. `occupied` is what blocks slides.
    #[inline]
    pub(crate) fn attacks(
        &self,
        class: Class,
        color: Color,
        square: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let lines = &V::TABLES.slide_lines[class.index()];
        let mut attacks =
            Self::leaps(class, color, square) | slide_attacks::<V>(lines, color, square, occupied);
        if V::RETREATER == Some(class) && V::last_rank(color).has(square) {
            attacks |= self.retreat_attacks(color, square, occupied);
        }
        if V::TWO_PHASE == Some(class) {
            attacks |= Self::two_phase_ends(color, square, occupied) & !Bitboard::of(square);
        }
        attacks
    }

    /// The pieces of `by` that attack `square`, with `occupied` what blocks slides. Captures that a
    /// lion makes on the way are among the squares it leaps to.
    ///
    /// # Panics
    /// If `square` is beyond the last square of the board.
    #[must_use]
    pub fn attackers(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let mut attackers =
            self.leap_checkers(square, by) | self.slide_checkers(square, by, occupied);
        if let Some(class) = V::TWO_PHASE {
            for from in self.movers(by, class.index()) & !Bitboard::of(square) {
                if Self::two_phase_reaches(by, from, square, occupied) {
                    attackers |= Bitboard::of(from);
                }
            }
        }
        attackers
    }

    /// Whether the whale of `color` could be captured if it were the other side's move.
    #[must_use]
    pub fn whale_attacked(&self, color: Color) -> bool {
        self.whale(color)
            .first()
            .is_some_and(|square| self.attackers(square, !color, self.occupied()).any())
    }

    /// Whether the side to move is in check: its whale could be captured next, by whatever piece.
    #[must_use]
    pub fn in_check(&self) -> bool {
        self.whale_attacked(self.side())
    }
}
