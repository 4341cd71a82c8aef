//! Where pieces in hand may go.

use crate::bitboard::{Bitboard, Bits};
use crate::board::Board;
use crate::types::{Class, Color, Kind, Piece, Square};
use crate::variant::{Facts, Variant};

use super::generate::Wanted;
use super::setwise::{Gote, Sente, Side};
use super::threats::Threats;

impl<V: Variant> Board<V> {
    /// How many kinds in hand of the side to move are free to go anywhere, and how many are under
    /// the pawn rules.
    #[inline(always)]
    pub(super) fn droppable(&self, color: Color) -> (usize, usize) {
        let hand = self.hand(color);
        let pawns = hand.kinds_among(V::Bits::narrow(V::PAWN_SLOTS));
        (hand.kinds() - pawns, pawns)
    }

    /// The squares, empty or not, where the farthest rank and the file limit let a pawn of `color`
    /// be dropped.
    #[inline(always)]
    pub(super) fn pawn_files(&self, color: Color) -> Bitboard<V::Bits> {
        let pawns = self.movers(color, V::PAWN.index());
        V::board() & !V::last_rank(color) & !Self::files_with(pawns, V::SPEC.pawns.file_limit)
    }

    /// The square in front of the enemy whale: a pawn of `color` there attacks it.
    #[inline(always)]
    pub(super) fn before_whale(&self, color: Color) -> Bitboard<V::Bits> {
        let by = i32::from(V::SPEC.geometry.stride);
        let ahead = match color {
            Color::Black => self.whale(Color::White).moved(-by),
            Color::White => self.whale(Color::Black).moved(by),
        };
        ahead & V::board()
    }

    /// Whether a pawn of the side to move, dropped on `square` in front of the enemy whale (a
    /// legal drop otherwise), gives mate.
    #[cold]
    #[inline(never)]
    pub(super) fn drop_mates(&self, square: Square) -> bool {
        let us = self.side();
        let Some(pawn) = (1..=V::SPEC.hand_kinds)
            .map(Kind::from_index)
            .find(|&kind| Self::facts(kind).pawn && self.hand(us).has(kind))
        else {
            return false;
        };
        let mut after = *self;
        after.spend(us, pawn);
        after.put(square, Piece::new(us, pawn));
        after.pass_turn();
        if V::ANSWERS_CHECK { !after.can_answer_contact(square) } else { after.is_lost(square) }
    }

    /// Whether the side to move, in check by the pawn that just came to `pawn`, has a legal move.
    fn can_answer_contact(&self, pawn: Square) -> bool {
        match self.side() {
            Color::Black => self.can_answer_contact_as::<Sente>(pawn),
            Color::White => self.can_answer_contact_as::<Gote>(pawn),
        }
    }

    fn can_answer_contact_as<S: Side>(&self, pawn: Square) -> bool {
        let Some(whale) = self.whale(S::COLOR).first() else { return true };
        let occupied = self.occupied();
        // Nothing comes between: the pawn is taken, or the whale goes. A second attacker cannot be,
        // because the whale was not attacked before and a pawn that comes opens no line.
        let danger = self.attack_map::<S::Other>(V::board() & (!occupied | self.whale(S::COLOR)));
        let flights = Self::leaps(Class::WHALE, S::COLOR, whale) & !self.pieces(S::COLOR) & !danger;
        if flights.any() {
            return true;
        }
        let pinned = self.lines_on(whale, S::COLOR, occupied).pinned;
        let takers = self.attackers(pawn, S::COLOR, occupied) & !self.whale(S::COLOR) & !pinned;
        takers.into_iter().any(|from| self.may_retreat_to(from, pawn))
    }

    /// Whether the side to move loses its whale whatever it replies to the pawn that just came to
    /// `pawn` (the game where whales are captured): the pawn stays a threat until it is taken or the
    /// whale goes, so that no other reply matters but taking the enemy whale.
    fn is_lost(&self, pawn: Square) -> bool {
        let us = self.side();
        let mut replies = V::MoveList::default();
        self.board_moves(Wanted::All, self.pieces(us), V::board(), &mut replies);
        let enemy = self.whale(!us) | Bitboard::of(pawn);
        for &m in replies.iter() {
            if m.kind() != Kind::WHALE && m.way().is_none() && !enemy.has(m.to()) {
                continue;
            }
            let mut after = *self;
            after.apply(m);
            if after.whale(!us).is_empty() {
                return false;
            }
            let relevant = m.kind() == Kind::WHALE
                || after.piece_on(pawn).is_none_or(|piece| piece.color() == us);
            if relevant && !after.whale_attacked(us) {
                return false;
            }
        }
        true
    }

    /// Every square that the side to move attacks, or more, for [`Self::pawn_drops`].
    #[inline]
    pub(super) fn attacked_by_all(&self, threats: &Threats<V>) -> Bitboard<V::Bits> {
        let us = self.side();
        let ours = threats.of(self, us);
        // A slide that already hits the whale looks through it once it moves: then the map of attacked squares
        // proves nothing.
        let looks_through = (ours.slides() & self.whale(!us)).any()
            || V::TWO_PHASE.is_some_and(|class| self.movers(us, class.index()).any());
        if looks_through { V::board() } else { ours.all() | self.whale_ring(us) }
    }

    /// The empty squares where the pawns in hand may go, among `squares`. `attacked` gives every square that
    /// the side to move attacks, or more: it settles most mating-drop questions at once.
    #[inline(always)]
    pub(super) fn pawn_drops(
        &self,
        color: Color,
        squares: Bitboard<V::Bits>,
        attacked: impl FnOnce() -> Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let drops = squares & self.pawn_files(color);
        let contact = drops & self.before_whale(color);
        if contact.is_empty() {
            return drops;
        }
        if let Some(whale) = self.whale(!color).first() {
            // A flight square is one that nothing attacks even now: the pawn can only close lines.
            let flights =
                Self::leaps(Class::WHALE, !color, whale) & !self.pieces(!color) & !attacked();
            if flights.any() {
                return drops;
            }
        }
        match contact.first() {
            Some(square) if self.drop_mates(square) => drops & !contact,
            _ => drops,
        }
    }
}
