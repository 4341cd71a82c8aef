//! Sets of squares in one machine word.

use std::fmt;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::types::Square;

/// A word that holds a bit a square: `u64` for the boards of up to 8×8, `u128` for 11×11.
pub trait Bits:
    Copy
    + Eq
    + Hash
    + Send
    + Sync
    + fmt::Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;
    /// Width of a counter in a [`Hand`](crate::Hand) of this word, in bits.
    const LANE: u32;
    /// How many counters a [`Hand`](crate::Hand) of this word has room for.
    const LANES: usize;
    /// The top bit of every counter of a [`Hand`](crate::Hand).
    const LANES_TOP: Self;
    /// Every bit but the top one of every counter of a [`Hand`](crate::Hand).
    const LANES_BELOW_TOP: Self;

    /// The low bits of `wide`.
    fn narrow(wide: u128) -> Self;
    /// The bits, widened.
    fn widen(self) -> u128;
    /// How many bits are set.
    fn count(self) -> u32;
    /// Index of the lowest bit set; the width of the word if none is.
    fn lowest(self) -> u32;
    /// A mask of the highest bit set and all above it. Bit 0 counts as set.
    fn highest_and_above(self) -> Self;
    /// A mask of the lowest bit set and all below it; all bits if none is set.
    fn lowest_and_below(self) -> Self;
    /// All bits but the lowest set.
    fn without_lowest(self) -> Self;
    /// Sum, dropping what overflows.
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference, dropping what overflows.
    fn wrapping_sub(self, other: Self) -> Self;
    /// The lowest eight bits.
    fn low_byte(self) -> u8;
    /// The lowest 64 bits.
    fn low_word(self) -> u64;
    /// Every bit moved up by `by` places, which are fewer than the word has.
    fn up(self, by: u32) -> Self;
    /// Every bit moved down by `by` places, which are fewer than the word has.
    fn down(self, by: u32) -> Self;

    /// Every bit moved up by `by` places, or down if `by` is negative.
    #[inline(always)]
    fn moved(self, by: i32) -> Self {
        if by >= 0 { self.up(by.unsigned_abs()) } else { self.down(by.unsigned_abs()) }
    }
}

macro_rules! impl_bits {
    ($word:ty, $lane:literal, $lanes:literal, $up:expr, $down:expr) => {
        impl Bits for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LANE: u32 = $lane;
            const LANES: usize = $lanes;
            const LANES_TOP: Self = {
                let mut top = 0;
                let mut slot = 0;
                while slot < $lanes {
                    top |= 1 << (slot * $lane + $lane - 1);
                    slot += 1;
                }
                top
            };
            const LANES_BELOW_TOP: Self = Self::LANES_TOP - (Self::LANES_TOP >> ($lane - 1));

            #[inline(always)]
            fn narrow(wide: u128) -> Self {
                // No move of this crate asks for bits that the word of its game does not have.
                #[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation)]
                {
                    wide as $word
                }
            }

            #[inline(always)]
            fn widen(self) -> u128 {
                u128::from(self)
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn highest_and_above(self) -> Self {
                Self::MAX.up(Self::BITS - 1 - (self | 1).leading_zeros())
            }

            #[inline(always)]
            fn lowest_and_below(self) -> Self {
                self ^ self.wrapping_sub(1)
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn low_byte(self) -> u8 {
                self.to_le_bytes()[0]
            }

            #[inline(always)]
            fn low_word(self) -> u64 {
                // Of the wide word the upper half is left out, and the other has none.
                #[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation)]
                {
                    self as u64
                }
            }

            #[inline(always)]
            fn up(self, by: u32) -> Self {
                $up(self, by)
            }

            #[inline(always)]
            fn down(self, by: u32) -> Self {
                $down(self, by)
            }
        }
    };
}

// Seven kinds in hand and up to 14 dolphins: bytes. 26 kinds and up to 4 of one: nibbles.
impl_bits!(u64, 8, 8, |word: u64, by| word << by, |word: u64, by| word >> by);
impl_bits!(u128, 4, 26, wide_up, wide_down);

#[inline(always)]
fn wide_up(word: u128, by: u32) -> u128 {
    if HAS_WIDE_SHIFTS { word << by } else { up_by_halves(word, by) }
}

#[inline(always)]
fn wide_down(word: u128, by: u32) -> u128 {
    if HAS_WIDE_SHIFTS { word >> by } else { down_by_halves(word, by) }
}

/// Whether a shift of 128 bits is a few instructions. WebAssembly calls a function that returns through memory.
const HAS_WIDE_SHIFTS: bool = !cfg!(target_family = "wasm");

#[inline(always)]
fn up_by_halves(word: u128, by: u32) -> u128 {
    let [low, high] = halves(word);
    if by < 64 {
        joined([low << by, high << by | low >> 1 >> (63 - by)])
    } else {
        joined([0, low << (by - 64)])
    }
}

#[inline(always)]
fn down_by_halves(word: u128, by: u32) -> u128 {
    let [low, high] = halves(word);
    if by < 64 {
        joined([low >> by | high << 1 << (63 - by), high >> by])
    } else {
        joined([high >> (by - 64), 0])
    }
}

/// The lower and the upper half.
#[inline(always)]
fn halves(word: u128) -> [u64; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "halves")]
    [word as u64, (word >> 64) as u64]
}

#[inline(always)]
fn joined([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitboard<B>(pub(crate) B);

impl<B: Bits> Bitboard<B> {
    /// No square.
    pub const EMPTY: Self = Self(B::ZERO);

    /// Just this square.
    #[inline(always)]
    #[must_use]
    pub fn of(square: Square) -> Self {
        Self(B::ONE.up(u32::from(square.byte())))
    }

    /// How many squares it holds.
    #[inline(always)]
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count()
    }

    /// How many squares it holds, in the numbers that lists are counted in.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.0.count() as usize
    }

    /// Whether it holds no square.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == B::ZERO
    }

    /// Whether it holds at least one square.
    #[inline(always)]
    #[must_use]
    pub fn any(self) -> bool {
        self.0 != B::ZERO
    }

    /// Whether it holds more than one square.
    #[inline(always)]
    #[must_use]
    pub fn several(self) -> bool {
        self.0.without_lowest() != B::ZERO
    }

    /// Whether it holds `square`.
    #[inline(always)]
    #[must_use]
    pub fn has(self, square: Square) -> bool {
        (self & Self::of(square)).any()
    }

    /// The square with the lowest index, if any.
    #[inline(always)]
    #[must_use]
    pub fn first(self) -> Option<Square> {
        self.any().then(|| Square::from_index(self.0.lowest() as usize))
    }

    /// The set moved by `by` indices; squares that leave the word are gone, squares that leave the
    /// board sideways must be masked by the caller.
    #[inline(always)]
    pub(crate) fn moved(self, by: i32) -> Self {
        Self(self.0.moved(by))
    }
}

macro_rules! impl_set_operator {
    ($operator:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl<B: Bits> $operator for Bitboard<B> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($operator::$method(self.0, other.0))
            }
        }

        impl<B: Bits> $assign for Bitboard<B> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                self.0 = $operator::$method(self.0, other.0);
            }
        }
    };
}

impl_set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
impl_set_operator!(BitOr, bitor, BitOrAssign, bitor_assign);
impl_set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl<B: Bits> Not for Bitboard<B> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The squares of a set, in ascending order of index.
#[derive(Clone, Debug)]
pub struct Squares<B: Bits>(Bitboard<B>);

impl<B: Bits> Iterator for Squares<B> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first();
        self.0 = Bitboard(self.0.0.without_lowest());
        square
    }
}

impl<B: Bits> IntoIterator for Bitboard<B> {
    type Item = Square;
    type IntoIter = Squares<B>;

    #[inline(always)]
    fn into_iter(self) -> Squares<B> {
        Squares(self)
    }
}

impl<B: Bits> FromIterator<Square> for Bitboard<B> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl<B: Bits> fmt::Debug for Bitboard<B> {
    /// The indices of the squares held.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Square::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_and_highest_masks() {
        assert_eq!(0b0110_1000_u64.lowest_and_below(), 0b1111);
        assert_eq!(0_u64.lowest_and_below(), u64::MAX);
        assert_eq!(0b0110_1000_u64.highest_and_above(), u64::MAX << 6);
        assert_eq!(0_u128.highest_and_above(), u128::MAX);
        assert_eq!((1_u128 << 100).highest_and_above(), u128::MAX << 100);
    }

    #[test]
    fn shifts_by_halves_are_shifts() {
        let word = 0x8123_4567_89ab_cdef_fedc_ba98_7654_3211_u128;
        for by in 0..128 {
            assert_eq!(up_by_halves(word, by), word << by, "{by}");
            assert_eq!(down_by_halves(word, by), word >> by, "{by}");
        }
    }

    #[test]
    fn squares_come_out_in_order() {
        let squares = [3, 17, 100].map(Square::from_index);
        let set: Bitboard<u128> = squares.into_iter().collect();
        assert_eq!(set.count(), 3);
        assert!(set.several() && set.has(squares[1]) && !set.has(Square::from_index(4)));
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
    }
}
