//! Games that are not learnt from, to judge by.

use kujira_position::Variant;

use crate::sample::Sample;

/// Whether a game with these samples is held out, as `share` of all games are: this depends on the seed and
/// the position its opening leads to, so that games with one opening are all on the same side.
pub(crate) fn holds_out<V: Variant>(samples: &[Sample<V>], seed: u64, share: f64) -> bool {
    samples.first().is_some_and(|first| draw(seed, first.board.key()) < share)
}

/// A number from 0 to 1 for a position: the same in every run with the same seed (SplitMix64).
fn draw(seed: u64, key: u64) -> f64 {
    let mut bits = seed.wrapping_add(key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ (bits >> 31)) as f64 / u64::MAX as f64
}
