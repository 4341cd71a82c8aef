//! Fingerprints: numbers that tell whether a file or a text is still the same.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kujira_program::regular;

/// The fingerprint of nothing.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// 64-bit FNV-1a (Fowler, Noll, Vo): no protection against malice, enough against oversight.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    go_on(START, bytes)
}

fn go_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The fingerprint of a file in hexadecimal.
///
/// # Errors
/// If the file cannot be read, or is something else than a regular file.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = BufReader::with_capacity(1 << 16, regular::open(path)?);
    let mut hash = START;
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(format!("{hash:016x}"));
        }
        hash = go_on(hash, bytes);
        let read = bytes.len();
        file.consume(read);
    }
}

/// A file that is to stay as it was when it was first looked at.
#[derive(Clone, Debug)]
pub struct Watched {
    path: PathBuf,
    fingerprint: String,
    /// Length and time of the last change: while these are the same nothing need be read.
    state: (u64, Option<SystemTime>),
}

impl Watched {
    /// The file as it is now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(path: PathBuf) -> io::Result<Self> {
        // The state first, so that a change while the file is read is noticed later.
        let state = state(&path)?;
        let fingerprint = of_file(&path)?;
        Ok(Self { path, fingerprint, state })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its fingerprint in hexadecimal.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Whether it still says the same. One that was only touched does.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        state(&self.path).is_ok_and(|found| found == self.state)
            || of_file(&self.path).is_ok_and(|found| found == self.fingerprint)
    }
}

fn state(path: &Path) -> io::Result<(u64, Option<SystemTime>)> {
    let found = fs::metadata(path)?;
    Ok((found.len(), found.modified().ok()))
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
    fn a_file_that_was_changed_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("watched");
        // More than is read at a time.
        let text = vec![b'x'; 200_000];
        fs::write(&path, &text).unwrap();
        let watched = Watched::new(path.clone()).unwrap();
        assert_eq!(watched.fingerprint(), format!("{:016x}", fingerprint(&text)));
        assert!(watched.is_unchanged());
        let later = SystemTime::now() + std::time::Duration::from_secs(9);
        let touch =
            || fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        touch();
        assert!(watched.is_unchanged(), "the same text at another time");
        let mut other = text;
        other[100_000] = b'y';
        fs::write(&path, &other).unwrap();
        touch();
        assert!(!watched.is_unchanged(), "as long, but another text");
        fs::remove_file(&path).unwrap();
        assert!(!watched.is_unchanged());
        assert!(Watched::new(path).is_err());
    }
}
