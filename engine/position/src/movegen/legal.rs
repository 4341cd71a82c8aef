//! Whether one packed move is legal, wherever it came from.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Move, Piece};
use crate::variant::{Facts, Variant};

impl<V: Variant> Board<V> {
    /// Whether `m` is a legal move here. Any packed move may be asked about: one of another
    /// position, of another game, or bits from a damaged table that [`Move::from_bits`] let pass.
    /// Repetition is not looked at.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        let geometry = V::SPEC.geometry;
        if m.kind().index() >= V::SPEC.kinds.len()
            || !geometry.contains(m.to())
            || self.whale(self.side()).is_empty()
        {
            return false;
        }
        if m.is_drop() {
            return self.is_legal_drop(m);
        }
        if self.piece_on(m.from()) != Some(Piece::new(self.side(), m.kind())) || !self.reaches(m) {
            return false;
        }
        !V::ANSWERS_CHECK || self.saves_whale(m)
    }

    fn is_legal_drop(&self, m: Move) -> bool {
        let (us, kind, to) = (self.side(), m.kind(), m.to());
        let on_hand = kind.index() >= 1 && kind.index() <= V::SPEC.hand_kinds;
        if !on_hand || !self.hand(us).has(kind) || self.piece_on(to).is_some() {
            return false;
        }
        if V::ANSWERS_CHECK && !self.saves_whale(m) {
            return false;
        }
        !Self::facts(kind).pawn || self.pawn_drops(us, Bitboard::of(to), V::board).any()
    }

    /// Whether the own whale is not attacked after `m`, which the piece has or a drop on an empty square.
    fn saves_whale(&self, m: Move) -> bool {
        const { assert!(!(V::ANSWERS_CHECK && V::LIONS), "captures on the way are not looked at") };
        let (us, to) = (self.side(), Bitboard::of(m.to()));
        let left = if m.is_drop() { Bitboard::EMPTY } else { Bitboard::of(m.from()) };
        let whale = self.whale(us);
        let whale = if whale == left { to } else { whale };
        let occupied = (self.occupied() & !left) | to;
        // What stands where the move ends is captured.
        whale.first().is_some_and(|at| (self.attackers(at, !us, occupied) & !to).is_empty())
    }

    /// Whether a move of the piece on its starting square is one the piece has: the right way,
    /// promotion where it can and must be.
    fn reaches(&self, m: Move) -> bool {
        let us = self.side();
        let (from, to, facts) = (m.from(), m.to(), Self::facts(m.kind()));
        if from == to || m.way().is_some() {
            let two_phase_pass = V::TWO_PHASE == Some(facts.class)
                && m.way().is_none()
                && Self::two_phase_ends(us, from, self.occupied()).has(from);
            let mut found = two_phase_pass;
            self.lion_moves(facts.class, from, |end, way| {
                found |= end == to && way == m.way();
            });
            return found && !m.promotes();
        }
        let ends = self.piece_ends(facts.class, from, self.occupied()) & !self.pieces(us);
        if !ends.has(to) {
            return false;
        }
        if m.promotes() {
            let zone = V::zone(us);
            return V::PROMOTES && facts.promotes_to.is_some() && (zone.has(from) || zone.has(to));
        }
        let must = facts.pawn && V::SPEC.pawns.must_promote && V::last_rank(us).has(to);
        !must
    }
}
