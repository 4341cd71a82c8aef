//! Random numbers of the system, for what must not come out the same every time.

/// A seed that differs from run to run. Where the system has no random numbers it is always the same: every
/// engine then chooses alike, which does no harm.
pub(crate) fn seed() -> [u8; 32] {
    let mut seed = [0; 32];
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    let _ = getrandom::fill(&mut seed);
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    seed[..16].copy_from_slice(&super::page::since_start().as_nanos().to_le_bytes());
    seed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_seeds_differ() {
        assert_ne!(seed(), seed());
    }
}
