//! Regular files: what reading cannot block on, and no more of it than was asked for.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// What is found in the place of a regular file, in a word or two.
#[must_use]
pub fn name_of(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}

/// Refuses what is no regular file.
///
/// # Errors
/// What it is instead.
pub fn check(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let found = name_of(found.file_type());
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("expected a regular file, found {found}"),
    ))
}

/// Opens a regular file, or a link to one, for reading. A pipe is not opened at all: that would wait for
/// somebody to write there.
///
/// # Errors
/// If there is no file, it is something else, or it cannot be read.
pub fn open(path: &Path) -> io::Result<File> {
    check(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `largest` bytes, and no more of a larger one.
///
/// # Errors
/// As [`open`], or that the file is larger.
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(largest.saturating_add(1)).read_to_end(&mut bytes)?;
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
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("eight");
        std::fs::write(&path, b"12345678").unwrap();
        assert_eq!(read(&path, 8).unwrap(), b"12345678");
        let message = read(&path, 7).unwrap_err().to_string();
        assert_eq!(message, "expected a file of at most 7 bytes, found a larger one");
    }

    #[test]
    fn what_is_no_regular_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(refused(folder.path()), "expected a regular file, found a folder");
        #[cfg(unix)]
        {
            assert_eq!(refused(Path::new("/dev/zero")), "expected a regular file, found a device");
            let socket = folder.path().join("socket");
            let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert_eq!(refused(&socket), "expected a regular file, found a socket");
        }
    }
}
