//! Games that are not learnt from, to judge by.

use kujira_position::Variant;
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use kujira_data::sample::Sample;

/// Whether a game with these samples is held out, as `share` of all games are: this depends on the seed and
/// the position its opening leads to, so that games with one opening are all on the same side.
#[must_use]
pub fn holds_out<V: Variant>(samples: &[Sample<V>], seed: u64, share: f64) -> bool {
    samples.first().is_some_and(|first| draw(seed, first.board.key()) < share)
}

/// The distance of two states of [`SplitMix64`].
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number from 0 to 1 for a position, the same in every run with the same seed: the number that SplitMix64 draws
/// after `key` others.
fn draw(seed: u64, key: u64) -> f64 {
    let state = seed.wrapping_add(key.wrapping_sub(1).wrapping_mul(STEP));
    SplitMix64::from_seed(state.to_le_bytes()).next_u64() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of games are divided as they always were.
    #[test]
    fn the_numbers_drawn_do_not_change() {
        for (seed, key, bits) in [
            (0x1, 0x0, 0x5692161d100b05e5_u64),
            (0x5, 0x123456789abcdef0, 0x10843da34c3960b7_u64),
            (0xffffffffffffffff, 0xffffffffffffffff, 0xde0a564cbcd060c4_u64),
        ] {
            assert_eq!(draw(seed, key), bits as f64 / u64::MAX as f64);
        }
    }
}
