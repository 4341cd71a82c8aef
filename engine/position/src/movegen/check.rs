//! Checks, pins, and the attackers of a square.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Color, Move, Square};
use crate::variant::{Facts, Variant};

/// How the enemy's slides bear on a whale.
pub(super) struct Lines<V: Variant> {
    /// Pieces that give check by a slide.
    pub(super) checkers: Bitboard<V::Bits>,
    /// Pieces of the whale's side that stand alone between it and an enemy slide.
    pub(super) pinned: Bitboard<V::Bits>,
}

impl<V: Variant> Board<V> {
    /// The pieces of `by` that would attack `target` by a slide on an empty board.
    #[inline(always)]
    pub(super) fn snipers(&self, target: Square, by: Color) -> Bitboard<V::Bits> {
        let mut snipers = Bitboard::EMPTY;
        let slides = V::row(V::TABLES.slides, !by, target);
        for (class, &squares) in slides.iter().enumerate() {
            if !V::TABLES.slide_lines[class].is_empty() {
                snipers |= self.movers(by, class) & Bitboard(squares);
            }
        }
        // Seen from the target the enemy's retreats run the other way.
        snipers | (self.retreaters(by) & self.retreat_reach(!by, target))
    }

    /// Slide checks and pins on a whale of `color` on `whale`.
    #[inline(always)]
    pub(super) fn lines_on(
        &self,
        whale: Square,
        color: Color,
        occupied: Bitboard<V::Bits>,
    ) -> Lines<V> {
        let mut lines = Lines { checkers: Bitboard::EMPTY, pinned: Bitboard::EMPTY };
        for sniper in self.snipers(whale, !color) {
            let blockers = V::between(whale, sniper) & occupied;
            if blockers.is_empty() {
                lines.checkers |= Bitboard::of(sniper);
            } else if !blockers.several() {
                lines.pinned |= blockers & self.pieces(color);
            }
        }
        lines
    }

    /// The pieces of `by` that attack `target` by a slide or retreat.
    #[inline(always)]
    pub(crate) fn slide_checkers(
        &self,
        target: Square,
        by: Color,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let snipers = self.snipers(target, by).into_iter();
        snipers.filter(|&sniper| (V::between(target, sniper) & occupied).is_empty()).collect()
    }

    /// Whether the side to move is in check by `m`, the legal move just made.
    #[inline]
    pub(crate) fn checked_by(&self, m: Move) -> bool {
        if !V::ANSWERS_CHECK {
            return self.in_check();
        }
        // Before the move the whale was not attacked: what attacks it now is the piece that moved, or
        // a slide it opened.
        let us = self.side();
        let Some(whale) = self.whale(us).first() else { return false };
        let arrived = V::class_of(Self::arriving(m));
        let occupied = self.occupied();
        Self::leaps(arrived, !us, m.to()).has(whale)
            || self.slide_checkers(whale, !us, occupied).any()
    }

    /// The squares a piece pinned on `square` may go to: those between the whale and the pinner,
    /// and the pinner. A narwhal can jump over its pinner, and leaves the line open then.
    pub(super) fn pin_line(
        &self,
        whale: Square,
        color: Color,
        square: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        for sniper in self.snipers(whale, !color) {
            let between = V::between(whale, sniper);
            if between & occupied == Bitboard::of(square) {
                return between | Bitboard::of(sniper);
            }
        }
        V::board()
    }

    /// The pieces of `by` that attack `target` by a leap.
    #[inline]
    pub(crate) fn leap_checkers(&self, target: Square, by: Color) -> Bitboard<V::Bits> {
        let mut checkers = Bitboard::EMPTY;
        let leaps = V::row(V::TABLES.leaps, !by, target);
        for (class, &squares) in leaps.iter().enumerate() {
            checkers |= self.movers(by, class) & Bitboard(squares);
        }
        checkers
    }

    /// The squares on which a move of another piece may stop the attack on the whale of the side to move:
    /// that of a single attacker, and those between. Captures on the way are not looked at.
    ///
    /// All squares are given where a piece attacks in two phases, which can go many ways, and where there
    /// is no whale.
    #[must_use]
    pub fn check_stops(&self) -> Bitboard<V::Bits> {
        let (us, occupied) = (self.side(), self.occupied());
        let Some(whale) = self.whale(us).first() else { return V::board() };
        if let Some(class) = V::TWO_PHASE
            && self
                .movers(!us, class.index())
                .into_iter()
                .any(|from| Self::two_phase_reaches(!us, from, whale, occupied))
        {
            return V::board();
        }
        let leapers = self.leap_checkers(whale, !us);
        let sliders = self.slide_checkers(whale, !us, occupied);
        Self::check_answers(whale, leapers, sliders)
    }

    /// The squares that answer the check given by `checkers` if another piece than the whale goes
    /// there: none for a double check, else the checker and, for a slide, the squares on its way.
    pub(super) fn check_answers(
        whale: Square,
        leapers: Bitboard<V::Bits>,
        sliders: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let checkers = leapers | sliders;
        if checkers.several() {
            return Bitboard::EMPTY;
        }
        match sliders.first() {
            Some(slider) => checkers | V::between(whale, slider),
            None => checkers,
        }
    }
}
