//! Zobrist numbers. They are the same in every build for ever, because files and tests hold keys.

/// Whether numbers are worked out where they are wanted: a page would download tables of them, which nothing compresses.
pub const WORKED_OUT: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The stream of pieces on squares.
pub const PIECES: u64 = 1;

/// The stream of the words of a window; 2 and 3 are those of hands and of the side to move.
pub const WINDOWS: u64 = 4;

/// What a state grows by.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The next number of the SplitMix64 sequence (Steele, Lea, Flood 2014) from a state.
const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn start(stream: u64) -> u64 {
    split_mix(0x4b75_6a69_7261_0000 ^ stream)
}

/// The number with an index; each `stream` has numbers of its own.
#[inline(always)]
pub const fn key(stream: u64, index: usize) -> u64 {
    split_mix(start(stream).wrapping_add(STEP.wrapping_mul(index as u64)))
}

/// The first `N` numbers of a stream.
pub const fn keys<const N: usize>(stream: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut state = start(stream);
    let mut i = 0;
    while i < N {
        table[i] = split_mix(state);
        state = state.wrapping_add(STEP);
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worked_out_is_what_stands_in_a_table() {
        let table = keys::<100>(PIECES);
        assert!(table.iter().enumerate().all(|(index, &found)| found == key(PIECES, index)));
    }
}
