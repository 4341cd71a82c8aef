//! How many legal moves there are, without listing them.

use crate::attacks::slide_attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Color};
use crate::variant::{Facts, Variant};

use super::setwise::{Bounds, Gote, Sente, Side, for_each_constant};

impl<V: Variant> Board<V> {
    /// The number of legal moves. Repetition is not looked at.
    ///
    /// Pieces that move alike are counted together in sets; only what is pinned, and on the largest board
    /// what slides, is looked at piece by piece.
    #[must_use]
    pub fn count_moves(&self) -> usize {
        match (V::ANSWERS_CHECK, self.side()) {
            (true, Color::Black) => self.count_checked::<Sente, false>(),
            (true, Color::White) => self.count_checked::<Gote, false>(),
            (false, Color::Black) => self.count_free::<Sente>(),
            (false, Color::White) => self.count_free::<Gote>(),
        }
    }

    /// Whether there is a legal move, in the games in which a whale under attack must be saved.
    #[inline]
    pub(super) fn can_move(&self) -> bool {
        match self.side() {
            Color::Black => self.count_checked::<Sente, true>() > 0,
            Color::White => self.count_checked::<Gote, true>() > 0,
        }
    }

    /// The number of legal moves where a whale under attack must be saved; if `SOME`, 0 where there is
    /// none and any other number where there are some.
    #[inline(always)]
    fn count_checked<S: Side, const SOME: bool>(&self) -> usize {
        let Some(whale) = self.whale(S::COLOR).first() else { return 0 };
        let whale_set = Bitboard::of(whale);
        let (own, occupied) = (self.pieces(S::COLOR), self.occupied());
        let empty = V::board() & !occupied;
        let king = Self::leaps(Class::WHALE, S::COLOR, whale);
        let lines = self.lines_on(whale, S::COLOR, occupied);
        let flights = king & !own;
        let mut count = 0;
        let checked = if flights.any() {
            let danger = self.attack_map::<S::Other>(empty | whale_set);
            count = (flights & !danger).len();
            (danger & whale_set).any()
        } else {
            // A whale that cannot move needs no map of what is attacked.
            (lines.checkers | self.leap_checkers(whale, !S::COLOR)).any()
        };
        if SOME && count > 0 {
            return count;
        }
        let mut targets = V::board() & !own;
        if checked {
            let leapers = self.leap_checkers(whale, !S::COLOR);
            targets &= Self::check_answers(whale, leapers, lines.checkers);
            if targets.is_empty() {
                return count;
            }
        }

        let movers = !(whale_set | lines.pinned);
        let (long, short) = self.split_retreaters(S::COLOR);
        let (mut attacked, ends) =
            self.ends::<S>(Bounds { movers, retreaters: long, empty, targets });
        attacked |= king;
        count += ends;
        for from in short & movers {
            attacked |= self.retreat_attacks(S::COLOR, from, occupied);
            let ends = self.retreat_ends(from, occupied);
            count += (ends & targets).len();
        }
        for from in lines.pinned {
            let Some(piece) = self.piece_on(from) else { continue };
            let class = V::class_of(piece.kind());
            attacked |= self.attacks(class, S::COLOR, from, occupied);
            let line = self.pin_line(whale, S::COLOR, from, occupied);
            count += (self.piece_ends(class, from, occupied) & targets & line).len();
        }
        if !self.hand(S::COLOR).is_empty() {
            count += self.count_drops(S::COLOR, empty & targets, attacked);
        }
        count
    }

    /// The number of legal moves where whales are captured like anything else.
    #[inline(always)]
    fn count_free<S: Side>(&self) -> usize {
        if self.whale(S::COLOR).is_empty() {
            return 0;
        }
        let (own, occupied) = (self.pieces(S::COLOR), self.occupied());
        let targets = V::board() & !own;
        let promotable = self.promotable(S::COLOR);
        let zone = V::zone(S::COLOR);
        let mut attacked = Bitboard::EMPTY;
        let mut count = 0;
        for_each_constant!(V::TABLES.steps, step => {
            let leapers = self.leapers::<S>(step);
            let landing = Self::landing::<S>(leapers, step);
            attacked |= landing;
            count += (landing & targets).len();
            let promotes = Bitboard(step.promotes[S::COLOR.index()]);
            count += (Self::landing::<S>(leapers & promotable, step) & targets & promotes).len();
            if step.pawns && V::SPEC.pawns.must_promote {
                // Counted with and without promotion, but the farthest rank leaves no choice.
                let pawns = Self::landing::<S>(self.movers(S::COLOR, V::PAWN.index()), step);
                count -= (pawns & targets & V::last_rank(S::COLOR)).len();
            }
        });
        let mut x_rays = false;
        for index in 0..V::CLASSES {
            let lines = &V::TABLES.slide_lines[index];
            if lines.is_empty() {
                continue;
            }
            for from in self.movers(S::COLOR, index) {
                let ends = slide_attacks::<V>(lines, S::COLOR, from, occupied);
                attacked |= ends;
                x_rays |= (ends & self.whale(!S::COLOR)).any();
                let leaps = Self::leaps(Class::from_index(index), S::COLOR, from);
                debug_assert!((leaps & ends).is_empty(), "one way to each square");
                let ends = ends & targets;
                count += ends.len();
                if promotable.has(from) {
                    count += if zone.has(from) { ends.len() } else { (ends & zone).len() };
                }
            }
        }
        if let Some(class) = V::TWO_PHASE {
            for from in self.movers(S::COLOR, class.index()) {
                let ends = Self::two_phase_ends(S::COLOR, from, occupied);
                attacked |= ends;
                x_rays = true;
                count += (ends & (targets | Bitboard::of(from))).len();
            }
        }
        if V::LIONS {
            count += self.count_lions(S::COLOR);
        }
        if !self.hand(S::COLOR).is_empty() {
            // A slide that already hits the whale looks through it once it moves: then the map of
            // attacked squares proves nothing.
            count += if x_rays {
                self.count_drops(S::COLOR, V::board() & !occupied, V::board())
            } else {
                self.count_drops(S::COLOR, V::board() & !occupied, attacked)
            };
        }
        count
    }

    /// The number of drops of `color` on `squares`; `attacked` must hold every square that it attacks.
    #[inline(always)]
    fn count_drops(
        &self,
        color: Color,
        squares: Bitboard<V::Bits>,
        attacked: Bitboard<V::Bits>,
    ) -> usize {
        let (free, pawns) = self.droppable(color);
        let mut count = free * squares.len();
        if pawns > 0 {
            count += pawns * self.pawn_drops(color, squares, || attacked).len();
        }
        count
    }

    /// The number of lion moves of `color` that capture on the way, and of passes.
    #[inline]
    fn count_lions(&self, color: Color) -> usize {
        let mut count = 0;
        for index in 0..V::CLASSES {
            if V::TABLES.lions[index].is_some() {
                for from in self.movers(color, index) {
                    self.lion_moves(Class::from_index(index), from, |_, _| count += 1);
                }
            }
        }
        count
    }
}
