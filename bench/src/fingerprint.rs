//! Fingerprints: numbers that tell whether a file or a text is still the same.

use std::fs;
use std::path::{Path, PathBuf};

/// 64-bit FNV-1a (Fowler, Noll, Vo): no protection against malice, enough against oversight.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The fingerprint of a file in hexadecimal; nothing if it cannot be read.
#[must_use]
pub fn of_file(path: &Path) -> Option<String> {
    Some(format!("{:016x}", fingerprint(&fs::read(path).ok()?)))
}

/// The file that starting `command` in `directory` runs: a name without `/` is looked for in PATH.
#[must_use]
pub fn program(command: &Path, directory: Option<&Path>) -> Option<PathBuf> {
    if command.components().count() > 1 || command.is_absolute() {
        let inside = directory.map(|directory| directory.join(command));
        return inside.into_iter().chain([command.to_owned()]).find(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|part| part.join(command)).find(|path| path.is_file())
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

    #[test]
    fn programs_are_found() {
        let shell = program(Path::new("sh"), None);
        assert_eq!(shell.is_some(), cfg!(unix));
        assert_eq!(program(Path::new("./no-such-program"), None), None);
        let own = std::env::current_exe().unwrap();
        assert_eq!(program(&own, None), Some(own.clone()));
        let name = Path::new(".").join(own.file_name().unwrap());
        assert!(program(&name, own.parent()).is_some_and(|found| of_file(&found) == of_file(&own)));
    }
}
