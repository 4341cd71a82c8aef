//! How much less deep late moves are searched.

use kujira_position::Variant;

use crate::params::{reduction_base, reduction_growth};
use crate::score::{count, plies};

/// Depths and move numbers that are told apart.
const SIZE: usize = 64;

/// The base 2 logarithm of `x` in 1/256, straight between powers of two. It takes whole numbers alone: the
/// floating point logarithm differs between systems, and with it the number of nodes searched.
const fn log2(x: usize) -> i32 {
    let power = x.ilog2();
    power.cast_signed() * 256 + plies(((x - (1 << power)) * 256) >> power)
}

static LOG2: [i32; SIZE] = {
    let mut table = [0; SIZE];
    let mut x = 1;
    while x < SIZE {
        table[x] = log2(x);
        x += 1;
    }
    table
};

/// The reduction of the move of this number (from 1) with `depth` plies left, in 1/1024 plies.
#[inline(always)]
pub(crate) fn late_move<V: Variant>(depth: i32, number: usize) -> i32 {
    let depth = LOG2[count(depth.max(0)).min(SIZE - 1)];
    let number = LOG2[number.min(SIZE - 1)];
    reduction_base() + depth * number / 256 * reduction_growth::<V>() / 256
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Whale};

    use super::*;

    #[test]
    fn deeper_and_later_means_more() {
        assert_eq!(log2(8), 3 * 256);
        assert_eq!(log2(12), 3 * 256 + 128);
        check::<Whale>();
        check::<Great>();
    }

    fn check<V: Variant>() {
        for depth in 2..70 {
            for number in 2..70 {
                let here = late_move::<V>(depth, number);
                assert!(here >= late_move::<V>(depth - 1, number));
                assert!(here >= late_move::<V>(depth, number - 1));
            }
        }
        assert!(late_move::<V>(12, 40) > 2 * 1024 && late_move::<V>(3, 2) < 1024);
    }
}
