//! The number by which a file says which inputs or features it was made for.

/// The identity of a list of names: their FNV-1a hash of 64 bits (Fowler, Noll and Vo).
pub(super) fn identity(names: &str) -> u64 {
    names.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
