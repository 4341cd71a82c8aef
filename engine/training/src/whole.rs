//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Looks whether [`write()`] can put a file there, before the work that it is to hold.
///
/// # Errors
/// What else is there, or that its folder is missing.
pub fn check(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "expected a folder to write in, found none",
        ));
    }
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(io::Error::other("expected a file or nothing, found something else"))
        }
        _ => Ok(()),
    }
}

/// Writes a file under another name, then renames it. A link to a file stays one.
///
/// # Errors
/// If the file system refuses, or something else than a file is there; a file that was there before is there still.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check(path)?;
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(part, path)
}
