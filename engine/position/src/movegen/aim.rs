//! From where a piece would give check, and which pieces stand in the way of one.

use crate::attacks::slide_attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::types::{Class, Color, Square};
use crate::variant::{Facts, Variant};

impl<V: Variant> Board<V> {
    /// The squares from which a piece of the side to move that moves like `class` would attack the
    /// enemy whale if it stood there; `None` if there is no whale. What a move opens or closes by
    /// leaving its square is not looked at.
    #[inline]
    #[must_use]
    pub fn check_squares(&self, class: Class) -> Option<Bitboard<V::Bits>> {
        let us = self.side();
        let target = self.whale(!us).first()?;
        Some(self.aims(class, us, target, self.occupied()))
    }

    /// The squares from which a piece of `color` that moves like `class` would attack `target`, with
    /// `occupied` what blocks slides. Only for squares empty in `occupied` does it hold for the
    /// two-phase move, whose own square never blocks it.
    #[inline]
    pub(super) fn aims(
        &self,
        class: Class,
        color: Color,
        target: Square,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        // A board turned round: a piece attacks `target` from where its turned twin on `target`
        // would attack.
        let lines = &V::TABLES.slide_lines[class.index()];
        let mut aims = Self::leaps(class, !color, target)
            | slide_attacks::<V>(lines, !color, target, occupied);
        if V::RETREATER == Some(class) {
            aims |= self.retreat_attacks(!color, target, occupied) & V::last_rank(color);
        }
        if V::TWO_PHASE == Some(class) {
            let seen = slide_attacks::<V>(&V::TABLES.second_lines, !color, target, occupied);
            aims |= Self::first_steps(!color, target);
            for step in seen & !occupied {
                aims |= Self::first_steps(!color, step);
            }
            aims &= !Bitboard::of(target);
        }
        aims
    }

    /// Calls `found` with the squares that must be empty for a slide of `color` to reach `target`,
    /// for every way a slide could take on an empty board.
    #[inline(always)]
    fn ways_to(&self, target: Square, color: Color, mut found: impl FnMut(Bitboard<V::Bits>)) {
        for slider in self.snipers(target, color) {
            found(V::between(target, slider));
        }
        if let Some(class) = V::TWO_PHASE {
            for slider in self.movers(color, class.index()) {
                for step in Self::first_steps(color, slider) {
                    for direction in V::TABLES.second_lines.seen_by(!color) {
                        let ray = V::ray(direction, target);
                        if ray.has(step) {
                            let way = V::between(target, step) | Bitboard::of(step);
                            found(way & !Bitboard::of(slider));
                        }
                    }
                }
            }
        }
    }

    /// The pieces of `color` that alone keep a slide of their own side from `target`: those that can
    /// give check by leaving.
    #[inline]
    pub(super) fn uncoverers(
        &self,
        target: Square,
        color: Color,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let mut uncoverers = Bitboard::EMPTY;
        self.ways_to(target, color, |way| {
            let blockers = way & occupied;
            if !blockers.several() {
                uncoverers |= blockers & self.pieces(color);
            }
        });
        uncoverers
    }

    /// The squares of the board that open a slide of `color` to `target` if the piece on `from`, one
    /// of [`Self::uncoverers`], goes there.
    pub(super) fn uncovering_ends(
        &self,
        from: Square,
        target: Square,
        color: Color,
        occupied: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let mut ends = Bitboard::EMPTY;
        self.ways_to(target, color, |way| {
            if way & occupied == Bitboard::of(from) {
                ends |= V::board() & !way;
            }
        });
        ends
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::rules::{Retreat, Rules};
    use crate::variant::{Great, Paulowich, Whale};

    /// On boards with random obstacles every class attacks a square from exactly where `attacks`
    /// says so.
    fn check_aims<V: Variant>(retreat: Retreat) {
        let board = Board::<V>::empty(Rules { retreat, ..Rules::DEFAULT });
        let squares: Vec<Square> = V::SPEC.geometry.reading_order().collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut obstacles = |percent| {
            let mut set = Bitboard::EMPTY;
            for &square in &squares {
                if random.random_range(0..100) < percent {
                    set |= Bitboard::of(square);
                }
            }
            set
        };
        for percent in [0, 10, 30, 60] {
            for &target in squares.iter().step_by(3) {
                let occupied = obstacles(percent) | Bitboard::of(target);
                for class in (0..V::CLASSES).map(Class::from_index) {
                    for color in Color::BOTH {
                        let aims = board.aims(class, color, target, occupied);
                        for from in V::board() & !occupied {
                            let attacked = board.attacks(class, color, from, occupied).has(target);
                            assert_eq!(
                                aims.has(from),
                                attacked,
                                "{} of {color:?} from {from:?} to {target:?}",
                                V::SPEC.class(class).name
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn aims_are_attacks_looked_at_from_the_other_end() {
        check_aims::<Whale>(Retreat::Slide);
        check_aims::<Paulowich>(Retreat::Two);
        check_aims::<Great>(Retreat::Slide);
    }
}
