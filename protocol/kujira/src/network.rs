//! Files of networks: where they are looked for, and how they are read.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No network is as large as this, in bytes.
const LARGEST: u64 = 32 << 20;

/// Reads the file at `path`: if that is not absolute, beside the executable, else from the working
/// directory.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is far too large.
pub fn read(path: &str) -> io::Result<Vec<u8>> {
    let beside = env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(path)));
    let path: PathBuf = beside.filter(|file| file.is_file()).unwrap_or_else(|| path.into());
    read_file(&path, LARGEST)
}

/// Reads a file of at most `largest` bytes, and no more of a larger one.
fn read_file(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        let message = format!("expected a file of at most {largest} bytes, found a larger one");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_too_large_are_not_read() {
        let path = env::temp_dir().join(format!("kujira-network-{}", std::process::id()));
        std::fs::write(&path, b"12345678").unwrap();
        let (fits, too_large) = (read_file(&path, 8), read_file(&path, 7));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(fits.unwrap(), b"12345678");
        let message = too_large.unwrap_err().to_string();
        assert_eq!(message, "expected a file of at most 7 bytes, found a larger one");
    }
}
