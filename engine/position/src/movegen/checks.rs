//! The list of quiet moves that give check.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Kind, Move, Square};
use crate::variant::{Facts, MoveList, Variant};

use super::threats::Threats;

impl<V: Variant> Board<V> {
    /// Adds to `list` all legal moves that capture nothing and give check, drops among them, directly
    /// or by opening a line: after them the enemy whale could be captured next. A quiescence search
    /// tries them at its first ply.
    ///
    /// Nothing is added where the enemy whale can be captured at once: then no other move matters.
    /// Repetition is not looked at. `threats` are those of this board, as far as the caller knows them.
    pub fn generate_checks(&self, threats: &Threats<V>, list: &mut V::MoveList) {
        let us = self.side();
        let (Some(whale), Some(target)) = (self.whale(us).first(), self.whale(!us).first()) else {
            return;
        };
        if !V::ANSWERS_CHECK && (threats.of(self, us).all() | Self::ring(whale)).has(target) {
            return;
        }
        let occupied = self.occupied();
        let mut ends = V::board() & !occupied;
        let uncoverers = self.uncoverers(target, us, occupied);
        let mut pinned = Bitboard::EMPTY;
        if V::ANSWERS_CHECK {
            let lines = self.lines_on(whale, us, occupied);
            let leapers = self.leap_checkers(whale, !us);
            pinned = lines.pinned;
            if uncoverers.has(whale) {
                self.whale_checks(whale, target, ends, list);
            }
            if (lines.checkers | leapers).any() {
                ends &= Self::check_answers(whale, leapers, lines.checkers);
                if ends.is_empty() {
                    return;
                }
            }
        }
        // Where checks are answered no whale gives check but by opening a line.
        for index in usize::from(V::ANSWERS_CHECK)..V::CLASSES {
            let movers = self.movers(us, index);
            if movers.is_empty() {
                continue;
            }
            let class = Class::from_index(index);
            let aims = self.aims(class, us, target, occupied);
            for from in movers {
                let mut ends = ends;
                if pinned.has(from) {
                    ends &= self.pin_line(whale, us, from, occupied);
                }
                let opened = if uncoverers.has(from) {
                    self.uncovering_ends(from, target, us, occupied)
                } else {
                    Bitboard::EMPTY
                };
                self.piece_checks(class, from, target, ends, [aims, opened], list);
            }
        }
        if !self.hand(us).is_empty() {
            self.drop_checks(target, ends, threats, list);
        }
    }

    /// Adds the checks that the piece of the side to move on `from` gives by going to one of `ends`,
    /// given where its class aims at `target` and where it opens a line to it.
    #[inline(always)]
    fn piece_checks(
        &self,
        class: Class,
        from: Square,
        target: Square,
        ends: Bitboard<V::Bits>,
        [mut aims, opened]: [Bitboard<V::Bits>; 2],
        list: &mut V::MoveList,
    ) {
        let us = self.side();
        let Some(kind) = self.piece_on(from).map(|piece| piece.kind()) else { return };
        let facts = Self::facts(kind);
        let vacated = self.occupied() & !Bitboard::of(from);
        if V::TWO_PHASE == Some(class) {
            // Elsewhere a slide back over the square just left would have given check from there,
            // too; here the way there may have been closed.
            aims = self.aims(class, us, target, vacated);
        }
        let promotes_to = if V::PROMOTES { facts.promotes_to } else { None };
        if promotes_to.is_none() && (aims | opened).is_empty() {
            return;
        }
        let ends = self.piece_ends(class, from, self.occupied()) & ends;
        if let Some(promoted) = promotes_to {
            let promoting = if V::zone(us).has(from) { ends } else { ends & V::zone(us) };
            if promoting.any() {
                let aims = self.aims(V::class_of(promoted), us, target, vacated);
                for to in promoting & (aims | opened) {
                    list.push(Move::board(kind, from, to, true));
                }
            }
        }
        let forced = if facts.pawn && V::SPEC.pawns.must_promote {
            V::last_rank(us)
        } else {
            Bitboard::EMPTY
        };
        for to in ends & !forced & (aims | opened) {
            list.push(Move::board(kind, from, to, false));
        }
    }

    /// Adds the moves of the own whale on `whale` to one of `ends` that open a line to `target` and
    /// leave it safe.
    #[cold]
    fn whale_checks(
        &self,
        whale: Square,
        target: Square,
        ends: Bitboard<V::Bits>,
        list: &mut V::MoveList,
    ) {
        let (us, occupied) = (self.side(), self.occupied());
        let opened = self.uncovering_ends(whale, target, us, occupied);
        for to in Self::leaps(Class::WHALE, us, whale) & ends & opened {
            let vacated = occupied & !Bitboard::of(whale);
            if self.attackers(to, !us, vacated).is_empty() {
                list.push(Move::board(Kind::WHALE, whale, to, false));
            }
        }
    }

    /// Adds the drops on `squares`, which are empty, that give check to the whale on `target`.
    #[inline(always)]
    fn drop_checks(
        &self,
        target: Square,
        squares: Bitboard<V::Bits>,
        threats: &Threats<V>,
        list: &mut V::MoveList,
    ) {
        let (us, occupied) = (self.side(), self.occupied());
        let (_, pawns) = self.droppable(us);
        let pawn_squares = if pawns > 0 {
            let squares = squares & self.before_whale(us);
            self.pawn_drops(us, squares, || self.attacked_by_all(threats))
        } else {
            Bitboard::EMPTY
        };
        for kind in self.hand(us).iter() {
            let drops = if Self::facts(kind).pawn {
                pawn_squares
            } else {
                self.aims(V::class_of(kind), us, target, occupied) & squares
            };
            for to in drops {
                list.push(Move::drop(kind, to));
            }
        }
    }
}
