//! All pieces that leap by the same offset, or slide in the same direction, moved at once: a union
//! of sets, one shift, one mask. No look-up, no loop over pieces.

use crate::bitboard::{Bitboard, Bits};
use crate::board::Board;
use crate::tables::{Fill, Step};
use crate::types::{Class, Color};
use crate::variant::{Facts, Variant};

/// A color as a type, so that the direction of every shift is a constant.
pub(super) trait Side {
    const COLOR: Color;
    type Other: Side<Other = Self>;
}

/// Black, as a type.
pub(super) struct Sente;

/// White, as a type.
pub(super) struct Gote;

impl Side for Sente {
    const COLOR: Color = Color::Black;
    type Other = Gote;
}

impl Side for Gote {
    const COLOR: Color = Color::White;
    type Other = Sente;
}

/// Which of the leaps and slides of a side are asked for.
#[derive(Clone, Copy)]
pub(super) struct Bounds<V: Variant> {
    /// The pieces that move; what else is among them does not matter.
    pub(super) movers: Bitboard<V::Bits>,
    /// The retreaters among them that slide.
    pub(super) retreaters: Bitboard<V::Bits>,
    /// The squares that slides pass.
    pub(super) empty: Bitboard<V::Bits>,
    /// The squares on which moves are counted.
    pub(super) targets: Bitboard<V::Bits>,
}

/// An element of a table in a constant, if it has so many.
pub(super) const fn nth<T>(table: &'static [T], index: usize) -> Option<&'static T> {
    if index < table.len() { Some(&table[index]) } else { None }
}

/// Repeats a block for every element of a table of constants, with the element itself a constant
/// in each repetition: a plain loop leaves it to the optimiser to unroll and fold, which it does not
/// do for long tables.
macro_rules! for_each_constant {
    ($table:expr, $item:ident => $body:block) => {
        for_each_constant!(@ $table, $item => $body;
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)
    };
    (@ $table:expr, $item:ident => $body:block; $($index:literal)*) => {
        $(
            if let Some($item) = const { $crate::movegen::setwise::nth($table, $index) } $body
        )*
        const { assert!($table.len() <= 24, "the list of literals above covers the table") }
    };
}
pub(super) use for_each_constant;

impl<V: Variant> Board<V> {
    /// The pieces of `color` in any of the first `count` of `classes`.
    #[inline(always)]
    fn union(
        &self,
        color: Color,
        classes: &[Class; Class::LIMIT],
        count: usize,
    ) -> Bitboard<V::Bits> {
        let mut union = Bitboard::EMPTY;
        let mut i = 0;
        while i < count {
            union |= self.movers(color, classes[i].index());
            i += 1;
        }
        union
    }

    /// The pieces of a side that have the leap `step`.
    #[inline(always)]
    pub(super) fn leapers<S: Side>(&self, step: &Step<V::Bits>) -> Bitboard<V::Bits> {
        self.union(S::COLOR, &step.classes, step.count)
    }

    /// The squares where `pieces` land that all leap by `step`.
    #[inline(always)]
    pub(super) fn landing<S: Side>(
        pieces: Bitboard<V::Bits>,
        step: &Step<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let by = if matches!(S::COLOR, Color::Black) { step.by } else { -step.by };
        let landed = pieces.moved(by);
        // Without wrapping the caller's own mask takes away what left the board.
        if V::WRAPS { landed & Bitboard(step.lands[S::COLOR.index()]) } else { landed }
    }

    /// The pieces of a side that slide along `fill`, `retreaters` with them where they do.
    #[inline(always)]
    pub(super) fn sliders<S: Side>(
        &self,
        fill: &Fill,
        retreaters: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let sliders = self.union(S::COLOR, &fill.classes, fill.count);
        if fill.retreats { sliders | retreaters } else { sliders }
    }

    /// The squares where `pieces` end that all slide along `fill` through `empty` squares: doubling steps, see
    /// Kogge-Stone fills on chessprogramming.org. Needs a layout with empty columns.
    #[inline(always)]
    pub(super) fn filling<S: Side>(
        pieces: Bitboard<V::Bits>,
        fill: &Fill,
        empty: Bitboard<V::Bits>,
    ) -> Bitboard<V::Bits> {
        let by = if matches!(S::COLOR, Color::Black) { fill.by } else { -fill.by };
        let (mut from, mut through) = (pieces, empty);
        from |= through & from.moved(by);
        through &= through.moved(by);
        from |= through & from.moved(2 * by);
        through &= through.moved(2 * by);
        // Boards with empty columns have at most seven ranks: six squares to pass at most.
        from |= through & from.moved(4 * by);
        from.moved(by)
    }

    /// Where the pieces of a side leap and slide, and how many moves to the targets that makes. Squares beyond the
    /// board may be among the first.
    #[inline(always)]
    pub(super) fn ends<S: Side>(&self, bounds: Bounds<V>) -> (Bitboard<V::Bits>, usize) {
        if Self::QUADS { self.quad_ends::<S>(bounds) } else { self.single_ends::<S>(bounds) }
    }

    /// As [`Self::ends`], direction by direction.
    #[inline(always)]
    pub(super) fn single_ends<S: Side>(&self, bounds: Bounds<V>) -> (Bitboard<V::Bits>, usize) {
        let Bounds { movers, retreaters, empty, targets } = bounds;
        let (mut all, mut count) = (Bitboard::EMPTY, 0);
        for_each_constant!(V::TABLES.steps, step => {
            let landing = Self::landing::<S>(self.leapers::<S>(step) & movers, step);
            all |= landing;
            count += (landing & targets).len();
        });
        for_each_constant!(V::TABLES.fills, fill => {
            if fill.count > 0 || fill.retreats {
                let sliders = self.sliders::<S>(fill, retreaters) & movers;
                // Most positions have no slider for most directions.
                if sliders.any() {
                    let ends = Self::filling::<S>(sliders, fill, empty);
                    all |= ends;
                    count += (ends & targets).len();
                }
            }
        });
        (all, count)
    }

    /// Every square that pieces of a side attack, with `empty` the squares that slides pass. For
    /// games in which the slides of [`Fill`]s, leaps and retreats are all there is.
    #[inline(always)]
    pub(super) fn attack_map<S: Side>(&self, empty: Bitboard<V::Bits>) -> Bitboard<V::Bits> {
        let (long, short) = self.split_retreaters(S::COLOR);
        let (mut map, _) = self.ends::<S>(Bounds {
            movers: !Bitboard::EMPTY,
            retreaters: long,
            empty,
            targets: Bitboard::EMPTY,
        });
        for from in short {
            map |= self.retreat_attacks(S::COLOR, from, !empty);
        }
        map & V::board()
    }

    /// Every square that pieces of a side among `movers` attack by leaps, and some beyond the board.
    #[inline(always)]
    pub(super) fn leap_map<S: Side>(&self, movers: Bitboard<V::Bits>) -> Bitboard<V::Bits> {
        let mut map = Bitboard::EMPTY;
        for_each_constant!(V::TABLES.steps, step => {
            map |= Self::landing::<S>(self.leapers::<S>(step) & movers, step);
        });
        map
    }

    /// Every square that pieces of a side attack by slides and retreats, and some beyond the board.
    #[inline(always)]
    pub(super) fn slide_map<S: Side>(&self, empty: Bitboard<V::Bits>) -> Bitboard<V::Bits> {
        let mut map = Bitboard::EMPTY;
        let (long, short) = self.split_retreaters(S::COLOR);
        for_each_constant!(V::TABLES.fills, fill => {
            if fill.count > 0 || fill.retreats {
                let sliders = self.sliders::<S>(fill, long);
                // Most positions have no slider for most directions.
                if sliders.any() {
                    map |= Self::filling::<S>(sliders, fill, empty);
                }
            }
        });
        for from in short {
            map |= self.retreat_attacks(S::COLOR, from, !empty);
        }
        map
    }

    /// The retreaters of `color`: those that slide with everything else, and those that the rule
    /// switches single out.
    #[inline(always)]
    pub(super) fn split_retreaters(&self, color: Color) -> (Bitboard<V::Bits>, Bitboard<V::Bits>) {
        let retreaters = self.retreaters(color);
        if self.rules().plain_retreats() {
            (retreaters, Bitboard::EMPTY)
        } else {
            (Bitboard::EMPTY, retreaters)
        }
    }

    /// The whole files on which `pieces` has `limit` (1 or 2) or more squares.
    #[inline(always)]
    pub(super) fn files_with(pieces: Bitboard<V::Bits>, limit: u8) -> Bitboard<V::Bits> {
        let stride = u32::from(V::SPEC.geometry.stride);
        let ranks = u32::from(V::SPEC.geometry.ranks);
        let (mut once, mut twice) = (pieces.0, V::Bits::ZERO);
        let mut by = if ranks > 8 { 8 } else { 4 };
        while by > 0 {
            // Fold the upper ranks onto the lower: carries mark files met twice.
            let (upper, lower) = (once >> (by * stride), once);
            twice = twice | twice >> (by * stride) | (upper & lower);
            once = upper | lower;
            by /= 2;
        }
        let met = if limit == 1 { once } else { twice };
        let mut files = met & V::Bits::narrow(V::SPEC.geometry.rank_mask(0));
        let mut by = 1;
        while by < ranks {
            files = files | files << (by * stride);
            by *= 2;
        }
        Bitboard(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;
    use crate::variant::{Great, Paulowich, Whale};

    /// Against counting on the fingers, on all sets of up to three squares of a few patterns.
    fn check_files<V: Variant>() {
        let geometry = V::SPEC.geometry;
        let squares: Vec<Square> = geometry.reading_order().collect();
        for (i, &a) in squares.iter().enumerate() {
            for &b in &squares[i..] {
                let set: Bitboard<V::Bits> = [a, b].into_iter().collect();
                for limit in [1, 2] {
                    let files = Board::<V>::files_with(set, limit);
                    for &square in &squares {
                        let on_file = set
                            .into_iter()
                            .filter(|&s| geometry.x(s) == geometry.x(square))
                            .count();
                        let expected = on_file >= usize::from(limit);
                        assert_eq!(files.has(square), expected, "{a:?} {b:?} {square:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn files_are_counted() {
        check_files::<Whale>();
        check_files::<Paulowich>();
        check_files::<Great>();
    }
}
