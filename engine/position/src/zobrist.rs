//! Zobrist numbers. They are the same in every build for ever, because files and tests hold keys.

/// The next number of the SplitMix64 sequence (Steele, Lea, Flood 2014) from a state.
const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A table of `N` Zobrist numbers; each `stream` has numbers of its own.
pub const fn keys<const N: usize>(stream: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut state = split_mix(0x4b75_6a69_7261_0000 ^ stream);
    let mut i = 0;
    while i < N {
        table[i] = split_mix(state);
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        i += 1;
    }
    table
}
