//! Fingerprints: numbers that tell whether a file or a text is still the same.

use std::path::Path;
use std::{fs, io};

/// 64-bit FNV-1a (Fowler, Noll, Vo): no protection against malice, enough against oversight.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The fingerprint of a file in hexadecimal.
///
/// # Errors
/// If the file cannot be read.
pub fn of_file(path: &Path) -> io::Result<String> {
    Ok(format!("{:016x}", fingerprint(&fs::read(path)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        for (text, expected) in [
            ("", 0xcbf2_9ce4_8422_2325_u64),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(fingerprint(text.as_bytes()), expected, "{text}");
        }
    }
}
