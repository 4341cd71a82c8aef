//! The list of legal moves.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Color, Kind, Move, Square, Way};
use crate::variant::{Facts, MoveList, Variant};

use super::setwise::{Gote, Sente, Side};
use super::threats::Threats;

/// Which legal moves a list is to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All legal moves.
    All,
    /// Moves that capture something, on the way or at the end.
    Captures,
    /// Moves that capture nothing, drops among them.
    Quiets,
    /// Moves that capture nothing and promote.
    Promotions,
}

impl<V: Variant> Board<V> {
    /// Adds all legal moves of the wanted sort to `list`. Repetition is not looked at.
    ///
    /// `threats` are those of this board, as far as the caller knows them; [`Threats::default`] knows none.
    pub fn generate(&self, wanted: Wanted, threats: &Threats<V>, list: &mut V::MoveList) {
        if self.whale(self.side()).is_empty() {
            return;
        }
        if wanted == Wanted::Promotions && !V::PROMOTES {
            return;
        }
        if V::ANSWERS_CHECK {
            const { assert!(!(V::ANSWERS_CHECK && V::PROMOTES), "checks are answered by plain moves") };
            match self.side() {
                Color::Black => self.generate_checked::<Sente>(wanted, threats, list),
                Color::White => self.generate_checked::<Gote>(wanted, threats, list),
            }
        } else {
            let movers = match wanted {
                Wanted::Captures => self.capturers(threats),
                _ => self.pieces(self.side()),
            };
            self.board_moves(wanted, movers, V::board(), list);
            if matches!(wanted, Wanted::All | Wanted::Quiets) && !self.hand(self.side()).is_empty()
            {
                self.drops(V::board() & !self.occupied(), threats, list);
            }
        }
    }

    /// Adds the moves that capture nothing and may save the whale under attack, in a game that lets a side
    /// leave it there: the whale's own, and those that end on `stops`, see [`Self::check_stops`]. After any
    /// other quiet move the whale can be captured.
    pub fn generate_saving(
        &self,
        stops: Bitboard<V::Bits>,
        threats: &Threats<V>,
        list: &mut V::MoveList,
    ) {
        let (us, own) = (self.side(), self.pieces(self.side()));
        let whale = self.whale(us);
        self.board_moves(Wanted::Quiets, whale, V::board(), list);
        if stops.any() {
            self.board_moves(Wanted::Quiets, own & !whale, stops, list);
            self.drops(stops & !self.occupied(), threats, list);
        }
    }

    /// Adds the legal moves of the wanted sort where a whale under attack must be saved.
    #[inline(always)]
    fn generate_checked<S: Side>(
        &self,
        wanted: Wanted,
        threats: &Threats<V>,
        list: &mut V::MoveList,
    ) {
        let Some(whale) = self.whale(S::COLOR).first() else { return };
        let whale_set = Bitboard::of(whale);
        let (own, occupied) = (self.pieces(S::COLOR), self.occupied());
        let empty = V::board() & !occupied;
        let wanted_ends = self.wanted_ends(wanted);
        let lines = self.lines_on(whale, S::COLOR, occupied);
        let flights = Self::leaps(Class::WHALE, S::COLOR, whale) & !own;
        let checked = if flights.any() {
            let enemy = threats.of(self, !S::COLOR);
            // A slide that gives check goes on behind the whale.
            let slides = if enemy.slides().has(whale) {
                self.slide_map::<S::Other>(empty | whale_set)
            } else {
                Bitboard::EMPTY
            };
            let danger = enemy.all() | slides | self.whale_ring(!S::COLOR);
            for to in flights & !danger & wanted_ends {
                list.push(Move::board(Kind::WHALE, whale, to, false));
            }
            (danger & whale_set).any()
        } else {
            (lines.checkers | self.leap_checkers(whale, !S::COLOR)).any()
        };
        let mut targets = V::board() & !own;
        if checked {
            let leapers = self.leap_checkers(whale, !S::COLOR);
            targets &= Self::check_answers(whale, leapers, lines.checkers);
            if targets.is_empty() {
                return;
            }
        }
        let ends_wanted = targets & wanted_ends;
        let complex = self.sliding_pieces(S::COLOR) | lines.pinned;
        for from in own & !whale_set & !complex {
            let Some(piece) = self.piece_on(from) else { continue };
            let ends = Self::leaps(V::class_of(piece.kind()), S::COLOR, from);
            for to in ends & ends_wanted {
                list.push(Move::board(piece.kind(), from, to, false));
            }
        }
        for from in complex {
            let Some(piece) = self.piece_on(from) else { continue };
            let class = V::class_of(piece.kind());
            let mut ends = self.piece_ends(class, from, occupied) & ends_wanted;
            if lines.pinned.has(from) {
                ends &= self.pin_line(whale, S::COLOR, from, occupied);
            }
            for to in ends {
                list.push(Move::board(piece.kind(), from, to, false));
            }
        }
        if wanted != Wanted::Captures && !self.hand(S::COLOR).is_empty() {
            self.drops(empty & targets, threats, list);
        }
    }

    /// The squares a move of the wanted sort may end on, as far as captures on the way do not
    /// decide.
    #[inline(always)]
    fn wanted_ends(&self, wanted: Wanted) -> Bitboard<V::Bits> {
        match wanted {
            Wanted::All => V::board(),
            Wanted::Captures => self.pieces(!self.side()),
            Wanted::Quiets | Wanted::Promotions => V::board() & !self.pieces(!self.side()),
        }
    }

    /// The pieces of the side to move that attack a piece of the other: no other can capture, not even
    /// on the way, for what a lion passes it also leaps to.
    #[inline]
    fn capturers(&self, threats: &Threats<V>) -> Bitboard<V::Bits> {
        let us = self.side();
        let attacked = threats.of(self, us).all() | self.whale_ring(us);
        (self.pieces(!us) & attacked)
            .into_iter()
            .fold(Bitboard::EMPTY, |all, at| all | self.attackers(at, us, self.occupied()))
    }

    /// Adds the wanted moves of the pieces on `movers`, all of the side to move, that end on `squares`, in
    /// the games where every move is free: nothing is asked about the own whale.
    #[inline]
    pub(super) fn board_moves(
        &self,
        wanted: Wanted,
        movers: Bitboard<V::Bits>,
        squares: Bitboard<V::Bits>,
        list: &mut V::MoveList,
    ) {
        let us = self.side();
        let (own, occupied) = (self.pieces(us), self.occupied());
        let ends_wanted = self.wanted_ends(wanted) & squares & !own;
        let zone = V::zone(us);
        let pawn_must = V::last_rank(us);
        for from in movers {
            let Some(piece) = self.piece_on(from) else { continue };
            let (kind, facts) = (piece.kind(), Self::facts(piece.kind()));
            let ends = self.piece_ends(facts.class, from, occupied) & ends_wanted;
            if V::PROMOTES && facts.promotes_to.is_some() {
                let promoting = if zone.has(from) { ends } else { ends & zone };
                for to in promoting {
                    list.push(Move::board(kind, from, to, true));
                }
                if wanted == Wanted::Promotions {
                    continue;
                }
                let forced = if facts.pawn && V::SPEC.pawns.must_promote {
                    pawn_must
                } else {
                    Bitboard::EMPTY
                };
                for to in ends & !forced {
                    list.push(Move::board(kind, from, to, false));
                }
                continue;
            }
            if wanted == Wanted::Promotions {
                continue;
            }
            for to in ends {
                list.push(Move::board(kind, from, to, false));
            }
            if V::TWO_PHASE == Some(facts.class)
                && wanted != Wanted::Captures
                && squares.has(from)
                && Self::two_phase_ends(us, from, occupied).has(from)
            {
                list.push(Move::board(kind, from, from, false));
            }
            if V::LIONS {
                self.lion_moves(facts.class, from, |to, way| match way {
                    Some(way) if wanted != Wanted::Quiets && squares.has(to) => {
                        list.push(Move::lion(kind, from, to, way));
                    }
                    None if wanted != Wanted::Captures && squares.has(to) => {
                        list.push(Move::board(kind, from, to, false));
                    }
                    _ => {}
                });
            }
        }
    }

    /// The squares where a piece of the side to move can end, ordinary moves only, own pieces not yet taken
    /// out.
    #[inline(always)]
    pub(super) fn piece_ends(
        &self,
        class: Class,
        from: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let us = self.side();
        let ends = self.attacks(class, us, from, occupied);
        if self.rules().retreat_file_limit && self.retreaters(us).has(from) {
            return ends & self.retreat_files();
        }
        ends
    }

    /// The squares where a retreater of the side to move can end, own pieces not yet taken out.
    #[inline]
    pub(super) fn retreat_ends(
        &self,
        from: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        self.retreat_attacks(self.side(), from, occupied) & self.retreat_files()
    }

    /// The files that the rule switches let a retreat end on. Retreats are diagonal: the piece
    /// itself never counts among those of the file it goes to.
    fn retreat_files(&self) -> Bitboard<V::Bits> {
        if self.rules().retreat_file_limit {
            let pawns = self.movers(self.side(), V::PAWN.index());
            V::board() & !Self::files_with(pawns, V::SPEC.pawns.file_limit)
        } else {
            V::board()
        }
    }

    /// Whether the rule switches let the piece of the side to move on `from`, which attacks `to`,
    /// go there.
    pub(super) fn may_retreat_to(&self, from: Square, to: Square) -> bool {
        !self.retreaters(self.side()).has(from) || self.retreat_files().has(to)
    }

    /// Calls `found` with the end square and captures of every lion move that is no plain leap:
    /// captures on the way, and the pass (no captures).
    #[inline]
    pub(crate) fn lion_moves(
        &self,
        class: Class,
        from: Square,
        mut found: impl FnMut(Square, Option<Way>),
    ) {
        let Some(lion) = &V::TABLES.lions[class.index()] else { return };
        let us = self.side();
        let (own, enemy) = (self.pieces(us), self.pieces(!us));
        let mut pass = false;
        for direction in lion.lines.seen_by(us) {
            let line = direction.index();
            let Some(first) = Self::way_square(from, line, 1) else { continue };
            if lion.pass && !own.has(first) && !enemy.has(first) {
                pass = true;
            }
            let takes_first = enemy.has(first);
            if takes_first {
                found(from, Some(Way::new(line, 1)));
            }
            if lion.reach < 2 {
                continue;
            }
            let Some(second) = Self::way_square(from, line, 2) else { continue };
            if takes_first && !own.has(second) {
                found(second, Some(Way::new(line, 1)));
            }
            if lion.reach < 3 {
                continue;
            }
            let Some(third) = Self::way_square(from, line, 3) else { continue };
            if own.has(third) {
                continue;
            }
            for mask in 1..=3 {
                let way = Way::new(line, mask);
                let takes = |step, square| !way.captures_step(step) || enemy.has(square);
                if takes(1, first) && takes(2, second) {
                    found(third, Some(way));
                }
            }
        }
        if pass {
            found(from, None);
        }
    }

    /// Adds the drops on `squares`, which are empty.
    #[inline]
    fn drops(&self, squares: Bitboard<V::Bits>, threats: &Threats<V>, list: &mut V::MoveList) {
        let us = self.side();
        let (_, pawns) = self.droppable(us);
        let pawn_squares = if pawns > 0 {
            self.pawn_drops(us, squares, || self.attacked_by_all(threats))
        } else {
            Bitboard::EMPTY
        };
        for kind in self.hand(us).iter() {
            let squares = if Self::facts(kind).pawn { pawn_squares } else { squares };
            for to in squares {
                list.push(Move::drop(kind, to));
            }
        }
    }
}
