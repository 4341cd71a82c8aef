//! Files that are there as a whole or not at all.
//!
//! [`write()`] writes to another name in the same folder, syncs, renames and syncs the folder, so that a reader, a
//! crash or a power cut finds the old file or the new one. The other name is `.NAME.kujira-XXXXXX.part`, which no
//! file has yet and which stays locked while it is written: what a killed program left is known by that and is
//! removed by [`sweep`].

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lock;
use crate::outputs::resolve;
use crate::regular::name_of;

/// What the name of an unfinished file ends with.
const ENDING: &str = ".part";

/// A file younger than this may be one that somebody is about to lock.
const YOUNG: Duration = Duration::from_secs(2);

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
            let found = name_of(found.file_type());
            Err(io::Error::other(format!("expected a file or nothing, found {found}")))
        }
        _ => Ok(()),
    }
}

/// Puts a file in its place whole: when this returns it is there, a power cut included. A link to a file stays
/// one, and a file that was there keeps its permissions.
///
/// # Errors
/// If the file system refuses, or something else than a file is there; a file that was there before is there still.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check(path)?;
    let path = resolve(path);
    let (folder, prefix) = place(&path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ENDING);
    // Not for its owner alone, as temporary files are.
    #[cfg(unix)]
    let all = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(all);
    let mut file = builder.tempfile_in(folder)?;
    lock::take(file.as_file())?;
    file.write_all(bytes)?;
    if let Ok(found) = fs::metadata(&path) {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Makes sure that a file which was made or renamed in `folder` is found there after a power cut.
///
/// # Errors
/// If the file system refuses; one that cannot sync folders is no reason.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // Elsewhere folders cannot be opened.
    if cfg!(unix) {
        match File::open(folder)?.sync_all() {
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Removes what programs that were killed left unfinished of the file at `path`; returns how many there were. What
/// somebody is writing is left alone.
pub fn sweep(path: &Path) -> usize {
    let path = resolve(path);
    let (folder, prefix) = place(&path);
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let unfinished = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        rest.is_some_and(|rest| rest.ends_with(ENDING.as_bytes()))
    });
    unfinished
        .filter(|entry| is_left(&entry.path()) && fs::remove_file(entry.path()).is_ok())
        .count()
}

/// Whether nobody writes to an unfinished file any more.
fn is_left(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let age = file.metadata().and_then(|found| found.modified()).ok();
    let old = age.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > YOUNG);
    // Where there are no locks nothing can be known.
    old && file.try_lock().is_ok()
}

/// The folder of a file, and what the names of its unfinished versions begin with.
fn place(path: &Path) -> (&Path, OsString) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".kujira-");
    (folder.unwrap_or(Path::new(".")), prefix)
}

/// The name of a file with something behind it.
#[must_use]
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.net");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.net"]);
        let none = write(&folder.path().join("none/a.net"), b"x").unwrap_err();
        assert!(none.to_string().contains("expected a folder to write in"), "{none}");
        let inside = write(folder.path(), b"x").unwrap_err();
        assert!(
            inside.to_string().contains("expected a file or nothing, found a folder"),
            "{inside}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        symlink("a", &link).unwrap();
        // A link to nothing is written through, as any program would.
        write(&link, b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    /// Neither the unfinished file of somebody else nor a file that only has such a name is lost.
    #[test]
    fn only_what_was_left_unfinished_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, age: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            file
        };
        let locked = make(".a.net.kujira-1.part", 99);
        assert!(lock::take(&locked).unwrap());
        make(".a.net.kujira-2.part", 99);
        make(".a.net.kujira-3.part", 0);
        make(".b.net.kujira-4.part", 99);
        make("a.net.part", 99);
        make(".a.net.kujira-5", 99);
        assert_eq!(sweep(&folder.path().join("a.net")), 1);
        assert_eq!(
            names(folder.path()),
            [
                ".a.net.kujira-1.part",
                ".a.net.kujira-3.part",
                ".a.net.kujira-5",
                ".b.net.kujira-4.part",
                "a.net.part",
            ]
        );
    }
}
