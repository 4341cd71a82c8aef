//! Mate in one, found without trying every move.
//!
//! Shogi programs call it the static mate test. The flight squares of the enemy whale decide most
//! positions, because whatever gives mate must cover all of them. Sets of squares leave few moves,
//! and those are tried.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Color, Move, Square};
use crate::variant::{Cover, Facts, Variant};

use super::setwise::{Gote, Sente, Side};
use super::threats::Threats;

impl<V: Variant> Board<V> {
    /// A legal move that gives check and leaves the enemy without a legal move, if there is one.
    ///
    /// Drops come first, then moves of pieces. It is exact: `None` means that no move mates. A move
    /// after which the enemy has no legal move but is not in check wins as well and is not looked
    /// for; neither is repetition, which a mate comes before.
    ///
    /// Where whales are captured ([`WhaleRule::Capture`](crate::WhaleRule::Capture)) the answer is
    /// always `None`: an attack on the whale may be answered there by anything, so that no flight
    /// squares decide, and a search sees the capture at its next ply but one.
    ///
    /// The enemy's whale must not stand attacked, which no position has. `threats` are those of this board,
    /// as far as the caller knows them.
    #[must_use]
    pub fn mate_in_one(&self, threats: &Threats<V>) -> Option<Move> {
        if !V::ANSWERS_CHECK {
            return None;
        }
        const { assert!(!(V::ANSWERS_CHECK && V::PROMOTES), "mates by promotion are not looked for") };
        match self.side() {
            Color::Black => self.find_mate::<Sente>(threats),
            Color::White => self.find_mate::<Gote>(threats),
        }
    }

    #[inline(always)]
    fn find_mate<S: Side>(&self, threats: &Threats<V>) -> Option<Move> {
        let us = S::COLOR;
        let whale = self.whale(!us).first()?;
        let (own, occupied) = (self.pieces(us), self.occupied());
        let whale_set = Bitboard::of(whale);
        // No slide ends on the whale, which would have been captured: none looks through it.
        let ours = threats.of(self, us);
        let slid = ours.slides();
        debug_assert!(!slid.has(whale), "the enemy whale is not left attacked");
        let through = V::board() & (!occupied | whale_set);
        let covered = ours.all() | self.whale_ring(us);
        let beside = Self::leaps(Class::WHALE, !us, whale);
        // Whatever comes closes lines only, unless it leaves one of our slides: these squares stay
        // open to the whale until something new covers them, and a piece that comes beside the whale
        // is taken unless it was covered.
        let bare = beside & !covered;
        let flights = bare & !self.pieces(!us);
        let safe = V::board() & !own & !bare;
        let reached = flights | whale_set;
        let cover = V::covering(us, whale, reached);
        let hunt = Hunt { whale, beside, reached, cover, screened: self.droppable(!us).0 > 0 };

        // Where a piece that checks is taken, unless by leaving it opens a slide.
        let mut guarded = None;
        let mut guarded = || {
            *guarded.get_or_insert_with(|| {
                // What is pinned may not be able to take, or what will be when one of ours leaves the
                // line; nor what may not retreat.
                let free = self.lines_on(whale, !us, self.pieces(!us)).pinned.is_empty()
                    && !self.rules().retreat_file_limit;
                if free { threats.of(self, !us).all() } else { Bitboard::EMPTY }
            })
        };
        for kind in self.hand(us).iter() {
            // A pawn may not be dropped to give mate.
            if Self::facts(kind).pawn {
                continue;
            }
            let class = V::class_of(kind);
            let squares = hunt.cover.by(class) & safe & !occupied;
            if squares.any() {
                let squares = squares & !guarded();
                for to in squares & self.contact(&hunt, class, us, occupied) {
                    let m = Move::drop(kind, to);
                    if self.mates(m) {
                        return Some(m);
                    }
                }
            }
        }

        // Pieces that by leaving may open a slide to a square beside the whale.
        let screens = slid & own;
        let openers = if screens.any() && (self.slide_map::<S>(through | screens) & bare).any() {
            screens
        } else {
            Bitboard::EMPTY
        };
        // The own whale gives check by opening a line alone.
        for index in 1..V::CLASSES {
            let movers = self.movers(us, index);
            if movers.is_empty() {
                continue;
            }
            let class = Class::from_index(index);
            let squares = self.covering(&hunt, class, us) & safe;
            let movers = if squares.any() { movers } else { movers & openers };
            if movers.is_empty() {
                continue;
            }
            let aims = self.contact(&hunt, class, us, occupied) & !own;
            for from in movers {
                let mut aims = if openers.has(from) { aims } else { aims & squares };
                if aims.any() && !screens.has(from) {
                    aims &= !guarded();
                }
                if let Some(m) = self.mate_by(class, from, aims) {
                    return Some(m);
                }
            }
        }
        if screens.any() {
            for from in self.uncoverers(whale, us, occupied) {
                let Some(piece) = self.piece_on(from) else { continue };
                let mate = self.mate_by(V::class_of(piece.kind()), from, V::board() & !own);
                if mate.is_some() {
                    return mate;
                }
            }
        }
        None
    }

    /// The squares from which a piece of `color` that moves like `class` reaches the whale and every
    /// flight square on an empty board.
    #[inline(always)]
    fn covering(&self, hunt: &Hunt<V>, class: Class, color: Color) -> Bitboard<V::Bits> {
        let squares = hunt.cover.by(class);
        if V::RETREATER != Some(class) {
            return squares;
        }
        let last_rank = V::last_rank(color);
        let reaching = |square: Square| {
            self.retreat_reach(!color, square)
                | V::by_class(V::TABLES.leaps, class, !color, square)
                | V::by_class(V::TABLES.slides, class, !color, square)
        };
        let mut retreating = last_rank & reaching(hunt.whale);
        if retreating.any() {
            for square in hunt.reached {
                retreating &= reaching(square);
            }
        }
        (squares & !last_rank) | retreating
    }

    /// The squares from which a piece of `color` that moves like `class` gives a check that no drop
    /// comes between.
    #[inline(always)]
    fn contact(
        &self,
        hunt: &Hunt<V>,
        class: Class,
        color: Color,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let aims = self.aims(class, color, hunt.whale, occupied);
        if hunt.screened {
            aims & (hunt.beside | Self::leaps(class, !color, hunt.whale))
        } else {
            aims
        }
    }

    /// A move of the piece on `from` to one of `ends` that mates.
    #[inline(always)]
    fn mate_by(&self, class: Class, from: Square, ends: Bitboard<V::Bits>) -> Option<Move> {
        if ends.is_empty() {
            return None;
        }
        let kind = self.piece_on(from)?.kind();
        (self.piece_ends(class, from, self.occupied()) & ends)
            .into_iter()
            .map(|to| Move::board(kind, from, to, false))
            .find(|&m| self.mates(m))
    }

    /// Whether `m`, legal but for the safety of the own whale, is legal and mates.
    #[inline(never)]
    fn mates(&self, m: Move) -> bool {
        let mut after = *self;
        after.apply(m);
        !after.can_move() && after.in_check() && !after.whale_attacked(self.side())
    }
}

/// What is known of the whale to be mated.
struct Hunt<V: Variant> {
    whale: Square,
    /// The squares it steps to on an empty board.
    beside: Bitboard<V::Bits>,
    /// The square of the whale and those that it could step to if it were attacked now: what must be reached.
    reached: Bitboard<V::Bits>,
    /// From where they all are reached.
    cover: Cover<V::Bits>,
    /// Whether its side can answer a slide from afar by a drop.
    screened: bool,
}
