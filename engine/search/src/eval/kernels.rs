//! The arithmetic of networks on whole rows: with AVX2 where the machine has it, portable elsewhere, both
//! with the same results to the bit.
//!
//! Sums of rows wrap round in 16 bits. They may do so on the way, but not in the end: a row sum is always
//! that of a position, and [`NetworkFile::check`](super::NetworkFile::check) has seen to it that it fits.

use super::network_file::ACTIVATION;

/// The number that units are clipped to, as wide as those of a row.
#[expect(clippy::cast_possible_truncation, reason = "asserted")]
const CEILING: i16 = {
    assert!(0 < ACTIVATION && ACTIVATION <= i16::MAX as i32);
    ACTIVATION as i16
};

/// How many numbers a block holds.
pub(super) const LANES: usize = 32;

/// Some numbers of a row: a cache line, two AVX2 registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

impl Block {
    pub(super) const ZERO: Self = Self([0; LANES]);

    /// A row as blocks, filled up with zeros.
    pub(super) fn row(numbers: &[i16]) -> impl Iterator<Item = Self> {
        numbers.chunks(LANES).map(|lanes| {
            let mut block = Self::ZERO;
            block.0[..lanes.len()].copy_from_slice(lanes);
            block
        })
    }
}

/// Proof that the machine has AVX2: there is one only where that was found.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx2(());

/// Which instructions do the arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kernel {
    /// Instructions that every machine has.
    Portable,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

/// Calls a function compiled for AVX2 if `$kernel` has it, else the portable one.
macro_rules! dispatch {
    ($kernel:expr, $name:ident($($argument:expr),*)) => {
        match $kernel {
            Kernel::Portable => portable::$name($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Avx2` exists only on a machine that has AVX2.
            #[expect(unsafe_code, reason = "instructions beyond the target's")]
            Kernel::Avx2(Avx2(())) => unsafe { avx2::$name($($argument),*) },
        }
    };
}

impl Kernel {
    /// The fastest one that this machine has.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Self::Avx2(Avx2(()));
        }
        Self::Portable
    }

    /// `to = from − gone + come`, for one pair of rows.
    #[inline(always)]
    pub(super) fn exchange(self, to: &mut [Block], from: &[Block], gone: &[Block], come: &[Block]) {
        dispatch!(self, exchange(to, from, gone, come));
    }

    /// `to = from − gone + come − gone + come`, for two pairs of rows, `[gone, come, gone, come]`.
    #[inline(always)]
    pub(super) fn exchange_two(self, to: &mut [Block], from: &[Block], rows: [&[Block]; 4]) {
        dispatch!(self, exchange_two(to, from, rows));
    }

    /// `to += come − gone`.
    #[inline(always)]
    pub(super) fn exchange_in_place(self, to: &mut [Block], gone: &[Block], come: &[Block]) {
        dispatch!(self, exchange_in_place(to, gone, come));
    }

    /// `to = from +` the rows of `table` that begin at the blocks `rows`, as long as `from`.
    ///
    /// # Panics
    /// If one of the rows is not whole.
    #[inline(always)]
    pub(super) fn gather(self, to: &mut [Block], from: &[Block], table: &[Block], rows: &[u32]) {
        dispatch!(self, gather(to, from, table, rows));
    }

    /// The sum of squared clipped units times their output weights, over both views. First the rows of `table`
    /// that begin at the blocks `more` of a view are added to its units. Output weights are within ±127, units
    /// have at most 16 blocks.
    ///
    /// # Panics
    /// If one of the rows is not whole.
    #[inline(always)]
    pub(super) fn weigh(
        self,
        units: [&[Block]; 2],
        table: &[Block],
        more: [&[u32]; 2],
        weights: [&[Block]; 2],
    ) -> i64 {
        dispatch!(self, weigh(units, table, more, weights))
    }
}

/// The arithmetic in plain Rust.
mod portable {
    use super::{Block, CEILING, LANES};

    /// A block is computed as a whole before it is stored, so that no number waits for another.
    #[inline(always)]
    fn block(lane: impl Fn(usize) -> i16) -> Block {
        Block(std::array::from_fn(lane))
    }

    #[inline(always)]
    pub(super) fn exchange(to: &mut [Block], from: &[Block], gone: &[Block], come: &[Block]) {
        for (((to, from), gone), come) in to.iter_mut().zip(from).zip(gone).zip(come) {
            *to = block(|i| from.0[i].wrapping_sub(gone.0[i]).wrapping_add(come.0[i]));
        }
    }

    #[inline(always)]
    pub(super) fn exchange_two(to: &mut [Block], from: &[Block], rows: [&[Block]; 4]) {
        let [gone, come, gone_too, come_too] = rows;
        let first = to.iter_mut().zip(from).zip(gone).zip(come);
        for (((((to, from), gone), come), gone_too), come_too) in first.zip(gone_too).zip(come_too)
        {
            *to = block(|i| {
                from.0[i]
                    .wrapping_sub(gone.0[i])
                    .wrapping_add(come.0[i])
                    .wrapping_sub(gone_too.0[i])
                    .wrapping_add(come_too.0[i])
            });
        }
    }

    #[inline(always)]
    pub(super) fn exchange_in_place(to: &mut [Block], gone: &[Block], come: &[Block]) {
        for ((to, gone), come) in to.iter_mut().zip(gone).zip(come) {
            *to = block(|i| to.0[i].wrapping_sub(gone.0[i]).wrapping_add(come.0[i]));
        }
    }

    #[inline(always)]
    pub(super) fn gather(to: &mut [Block], from: &[Block], table: &[Block], rows: &[u32]) {
        for (index, (to, from)) in to.iter_mut().zip(from).enumerate() {
            *to = rows.iter().fold(*from, |sum, &row| {
                let row = &table[row as usize + index];
                block(|i| sum.0[i].wrapping_add(row.0[i]))
            });
        }
    }

    /// A unit is at most 127 and a weight at most 127 (of either sign), so that 32 terms stay below
    /// 2^28. Blocks are added up in 64 bits.
    pub(super) fn weigh(
        units: [&[Block]; 2],
        table: &[Block],
        more: [&[u32]; 2],
        weights: [&[Block]; 2],
    ) -> i64 {
        let mut sum = 0;
        for ((units, more), weights) in units.into_iter().zip(more).zip(weights) {
            for (at, (units, weights)) in units.iter().zip(weights).enumerate() {
                let units = more.iter().fold(*units, |units, &first| {
                    let row = &table[first as usize + at];
                    block(|i| units.0[i].wrapping_add(row.0[i]))
                });
                let unit = |i: usize| i32::from(units.0[i].clamp(0, CEILING));
                let lane = |i: usize| unit(i) * unit(i) * i32::from(weights.0[i]);
                sum += i64::from((0..LANES).map(lane).sum::<i32>());
            }
        }
        sum
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi16,
        _mm256_add_epi32, _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cvtepi32_epi64,
        _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_store_si256, _mm256_sub_epi16,
    };

    use super::{Block, CEILING};

    /// A block in registers.
    type Lanes = [__m256i; 2];

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(block: &Block) -> Lanes {
        let first: *const __m256i = std::ptr::from_ref(block).cast();
        // SAFETY: a block is 64 bytes long and aligned to 64.
        #[expect(unsafe_code, reason = "the intrinsic; see docs/decisions.md for its gain")]
        unsafe {
            [_mm256_load_si256(first), _mm256_load_si256(first.add(1))]
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(block: &mut Block, [low, high]: Lanes) {
        let first: *mut __m256i = std::ptr::from_mut(block).cast();
        // SAFETY: a block is 64 bytes long and aligned to 64.
        #[expect(unsafe_code, reason = "the intrinsic; see docs/decisions.md for its gain")]
        unsafe {
            _mm256_store_si256(first, low);
            _mm256_store_si256(first.add(1), high);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn plus([low, high]: Lanes, [low_too, high_too]: Lanes) -> Lanes {
        [_mm256_add_epi16(low, low_too), _mm256_add_epi16(high, high_too)]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn minus([low, high]: Lanes, [low_too, high_too]: Lanes) -> Lanes {
        [_mm256_sub_epi16(low, low_too), _mm256_sub_epi16(high, high_too)]
    }

    /// `lanes − gone + come`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn exchanged(lanes: Lanes, gone: &Block, come: &Block) -> Lanes {
        plus(minus(lanes, load(gone)), load(come))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn exchange(to: &mut [Block], from: &[Block], gone: &[Block], come: &[Block]) {
        for (((to, from), gone), come) in to.iter_mut().zip(from).zip(gone).zip(come) {
            store(to, exchanged(load(from), gone, come));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn exchange_two(to: &mut [Block], from: &[Block], rows: [&[Block]; 4]) {
        let [gone, come, gone_too, come_too] = rows;
        let first = to.iter_mut().zip(from).zip(gone).zip(come);
        for (((((to, from), gone), come), gone_too), come_too) in first.zip(gone_too).zip(come_too)
        {
            store(to, exchanged(exchanged(load(from), gone, come), gone_too, come_too));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn exchange_in_place(to: &mut [Block], gone: &[Block], come: &[Block]) {
        for ((to, gone), come) in to.iter_mut().zip(gone).zip(come) {
            store(to, exchanged(load(to), gone, come));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn gather(to: &mut [Block], from: &[Block], table: &[Block], rows: &[u32]) {
        for (index, (to, from)) in to.iter_mut().zip(from).enumerate() {
            let mut sum = load(from);
            for &row in rows {
                sum = plus(sum, load(&table[row as usize + index]));
            }
            store(to, sum);
        }
    }

    /// A unit is at most 127 and a weight at most 127 (of either sign), so that their product is within
    /// 16,129 and fits 16 bits, and times the unit within 2,048,383. One lane of 32 bits gathers four of
    /// those a block, and with at most 16 blocks in each of two views stays below 2^30. The lanes are
    /// added up in 64 bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn weigh(
        units: [&[Block]; 2],
        table: &[Block],
        more: [&[u32]; 2],
        weights: [&[Block]; 2],
    ) -> i64 {
        let (floor, ceiling) = (_mm256_setzero_si256(), _mm256_set1_epi16(CEILING));
        let mut sums = [_mm256_setzero_si256(); 2];
        for ((units, more), weights) in units.into_iter().zip(more).zip(weights) {
            for (at, (units, weights)) in units.iter().zip(weights).enumerate() {
                let mut units = load(units);
                for &first in more {
                    units = plus(units, load(&table[first as usize + at]));
                }
                for ((sum, units), weights) in sums.iter_mut().zip(units).zip(load(weights)) {
                    let unit = _mm256_min_epi16(_mm256_max_epi16(units, floor), ceiling);
                    let product = _mm256_mullo_epi16(unit, weights);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(product, unit));
                }
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
        let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sum));
        let four = _mm256_add_epi64(low, high);
        let two = _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
        _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn random_blocks(random: &mut Xoshiro256PlusPlus, blocks: usize, bound: i16) -> Vec<Block> {
        let mut number = || random.random_range(-bound..=bound);
        (0..blocks).map(|_| Block(std::array::from_fn(|_| number()))).collect()
    }

    /// On a machine without AVX2 this compares the portable kernel with itself.
    #[test]
    fn both_kernels_agree_to_the_bit() {
        let fast = Kernel::detect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for blocks in 1..=16 {
            let mut any = || random_blocks(&mut random, blocks, 32_767);
            let (from, rows) = (any(), [any(), any(), any(), any()]);
            let rows = rows.each_ref().map(Vec::as_slice);
            let (mut one, mut other) = (any(), vec![Block::ZERO; blocks]);
            fast.exchange(&mut one, &from, rows[0], rows[1]);
            Kernel::Portable.exchange(&mut other, &from, rows[0], rows[1]);
            assert_eq!(one, other);
            fast.exchange_two(&mut one, &from, rows);
            Kernel::Portable.exchange_two(&mut other, &from, rows);
            assert_eq!(one, other);
            fast.exchange_in_place(&mut one, rows[3], rows[1]);
            Kernel::Portable.exchange_in_place(&mut other, rows[3], rows[1]);
            assert_eq!(one, other);
            let table: Vec<Block> = rows.concat();
            let begins = [2 * blocks as u32, 0, 3 * blocks as u32];
            fast.gather(&mut one, &from, &table, &begins);
            Kernel::Portable.gather(&mut other, &from, &table, &begins);
            assert_eq!(one, other);
            for bound in [300, 32_767] {
                let mut both = |bound| [(); 2].map(|()| random_blocks(&mut random, blocks, bound));
                let (units, weights) = (both(bound), both(127));
                let (units, weights) =
                    (units.each_ref().map(Vec::as_slice), weights.each_ref().map(Vec::as_slice));
                let table = random_blocks(&mut random, 9 * blocks, bound / 9);
                let rows = [3, 8, 1, 3].map(|row| row * blocks as u32);
                for more in [[&rows[..0], &rows[..1]], [&rows, &rows[1..]]] {
                    assert_eq!(
                        fast.weigh(units, &table, more, weights),
                        Kernel::Portable.weigh(units, &table, more, weights)
                    );
                }
            }
        }
    }

    #[test]
    fn the_greatest_sums_do_not_overflow() {
        let units = [Block([i16::MAX; LANES]); 16];
        let units = [&units[..]; 2];
        for weight in [127, -127] {
            let weights = [Block([weight; LANES]); 16];
            let weights = [&weights[..]; 2];
            let expected = 2 * 512 * 127 * 127 * i64::from(weight);
            assert_eq!(Kernel::detect().weigh(units, &[], [&[]; 2], weights), expected);
            assert_eq!(Kernel::Portable.weigh(units, &[], [&[]; 2], weights), expected);
        }
    }

    #[test]
    fn rows_are_exchanged() {
        let block = |number| [Block([number; LANES])];
        let mut to = block(0);
        for kernel in [Kernel::Portable, Kernel::detect()] {
            kernel.exchange(&mut to, &block(7), &block(3), &block(10));
            assert_eq!(to, block(14));
            let rows = [block(1), block(20), block(300), block(4_000)];
            kernel.exchange_two(&mut to, &block(7), rows.each_ref().map(|row| &row[..]));
            assert_eq!(to, block(7 - 1 + 20 - 300 + 4_000));
            // On the way sums may wrap round.
            kernel.exchange(&mut to, &block(-30_000), &block(30_000), &block(29_000));
            assert_eq!(to, block(-31_000));
            let table = [block(5), block(60), block(700)].concat();
            kernel.gather(&mut to, &block(1), &table, &[0, 2]);
            assert_eq!(to, block(706));
        }
    }
}
