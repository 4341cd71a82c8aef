//! Files that are there as a whole or not at all.
//!
//! [`write()`] writes to another name in the same folder, syncs, renames and syncs the folder, so that a reader, a
//! crash or a power cut finds the old file or the new one. The other name is `.NAME.kujira-XXXXXX.part`, which no
//! file has yet and which stays locked while it is written: what a killed program left is known by that and is
//! removed by [`sweep`].

use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lock;
use crate::outputs::resolve;
use crate::regular::{self, name_of};

/// What the name of an unfinished file ends with.
const ENDING: &str = ".part";

/// What stands behind the name of the file in that of an unfinished one.
const INFIX: &str = ".kujira-";

/// A file younger than this may be one that somebody is about to lock, where nobody would notice that it was removed.
const YOUNG: Duration = Duration::from_secs(if cfg!(unix) { 0 } else { 2 });

/// Letters by which tempfile tells unfinished versions apart.
const LETTERS: usize = 6;

/// The longest name of a file, in bytes, where most file systems have it.
const LONGEST_NAME: usize = 255;

/// Looks whether [`write()`] can put a file there, before the work that it is to hold: for that an empty file is
/// made in its folder and removed again.
///
/// # Errors
/// What else is there, that it is write-protected, or that its folder is missing or takes no file.
pub fn check(path: &Path) -> io::Result<()> {
    look(path)?;
    let path = resolve(path);
    let (folder, prefix) = place(&path);
    match tempfile::Builder::new().prefix(&prefix).suffix(ENDING).tempfile_in(folder)?.close() {
        // Somebody took it for what a killed program left.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        closed => closed,
    }
}

/// What stands at `path` and may be replaced: a file or nothing.
fn look(path: &Path) -> io::Result<Option<Metadata>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "expected a folder to write in, found none",
        ));
    }
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !found.is_file() {
        let found = name_of(found.file_type());
        return Err(io::Error::other(format!("expected a file or nothing, found {found}")));
    }
    // To rename asks the folder alone: what the file itself forbids is asked here. The superuser may do all.
    let protected = found.permissions().readonly()
        || matches!(File::options().write(true).open(path),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied);
    if protected {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "expected a file that may be written, found a write-protected one",
        ));
    }
    Ok(Some(found))
}

/// Puts a file in its place whole: when this returns it is there, a power cut included. A link to a file stays
/// one, and a file that was there keeps its permissions and, as far as the system allows it, its owner.
///
/// # Errors
/// If the file system refuses, or something else than a file, or a write-protected one, is there. A file that was
/// there before is there still, unless all that failed is the last step, the sync of the folder.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// As [`write()`], for what is too large to have at once: `fill` writes it.
///
/// # Errors
/// As [`write()`], or if `fill` fails.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let before = look(path)?;
    let path = resolve(path);
    let (folder, prefix) = place(&path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(ENDING);
    #[cfg(unix)]
    builder.permissions(match &before {
        // What others may not read they may not read unfinished either.
        Some(found) => found.permissions(),
        // Not for its owner alone, as temporary files are.
        None => std::os::unix::fs::PermissionsExt::from_mode(0o666),
    });
    let mut file = loop {
        let file = builder.tempfile_in(folder)?;
        // Somebody may have taken it for what a killed program left, before it was locked.
        if lock::take(file.as_file())? && is_there(file.as_file())? {
            break file;
        }
    };
    let mut out = BufWriter::new(file.as_file_mut());
    fill(&mut out)?;
    out.flush()?;
    drop(out);
    if let Some(found) = before {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only the superuser may give a file away.
            let _ = fchown(file.as_file(), Some(found.uid()), Some(found.gid()));
        }
        file.as_file().set_permissions(found.permissions())?;
    }
    file.as_file().sync_all()?;
    // A folder that cannot be opened is found out while the old file is still there.
    let folder = Folder::open(folder)?;
    file.persist(&path).map_err(|error| error.error)?;
    folder.sync()
}

/// Whether a file still has a name.
pub(crate) fn is_there(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    return Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0);
    #[cfg(not(unix))]
    return file.metadata().map(|_| true);
}

/// Makes sure that a file which was made or renamed in `folder` is found there after a power cut.
///
/// # Errors
/// If the file system refuses; one that cannot sync folders is no reason.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    Folder::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?.sync()
}

/// A folder that is to be synced; none where folders cannot be opened.
struct Folder(Option<File>);

impl Folder {
    fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self(if cfg!(unix) { Some(File::open(folder)?) } else { None }))
    }

    fn sync(&self) -> io::Result<()> {
        use io::ErrorKind::{InvalidInput, Unsupported};
        match self.0.as_ref().map_or(Ok(()), File::sync_all) {
            Err(error) if !matches!(error.kind(), InvalidInput | Unsupported) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Removes what programs that were killed left unfinished of the file at `path`; returns how many there were. What
/// somebody is writing is left alone.
pub fn sweep(path: &Path) -> usize {
    let path = resolve(path);
    let (folder, prefix) = place(&path);
    let ours = |name: &[u8]| name.strip_prefix(prefix.as_bytes()).is_some_and(is_unfinished);
    sweep_names(folder, YOUNG, ours)
}

/// Removes what programs that were killed left unfinished of those files in `folder` whose names are `ours`, for a
/// program that has them to itself: there also what is young is left.
pub fn sweep_folder(folder: &Path, ours: impl Fn(&str) -> bool) -> usize {
    sweep_names(folder, Duration::ZERO, |name| {
        let end = name.len().saturating_sub(LETTERS + ENDING.len());
        let Some((name, rest)) = name.split_at_checked(end) else { return false };
        let name = name.strip_prefix(b".").and_then(|name| name.strip_suffix(INFIX.as_bytes()));
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        name.is_some_and(&ours) && is_unfinished(rest)
    })
}

fn sweep_names(folder: &Path, young: Duration, unfinished: impl Fn(&[u8]) -> bool) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let unfinished =
        entries.flatten().filter(|entry| unfinished(entry.file_name().as_encoded_bytes()));
    unfinished
        .filter(|entry| {
            left(entry, young).is_some_and(|_locked| fs::remove_file(entry.path()).is_ok())
        })
        .count()
}

/// Whether this is the end of an unfinished file's name: as many letters or digits as [`write()`] asks for, and
/// the ending.
fn is_unfinished(rest: &[u8]) -> bool {
    rest.strip_suffix(ENDING.as_bytes())
        .is_some_and(|part| part.len() == LETTERS && part.iter().all(u8::is_ascii_alphanumeric))
}

/// An unfinished file to which nobody writes any more, locked: nobody begins to now.
fn left(entry: &DirEntry, young: Duration) -> Option<File> {
    // No link: it could lead to what somebody else keeps. No pipe: opening it waits.
    if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
        return None;
    }
    let file = regular::open(&entry.path()).ok()?;
    // A file from the future is young, wherever that matters.
    let age = || file.metadata().and_then(|found| found.modified()).ok()?.elapsed().ok();
    let old = young.is_zero() || age().is_some_and(|age| age > young);
    // Where there are no locks nothing can be known.
    (old && file.try_lock().is_ok()).then_some(file)
}

/// The folder of a file, and what the names of its unfinished versions begin with. Of a name that leaves no room
/// for more only the beginning is taken.
fn place(path: &Path) -> (&Path, String) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let room = LONGEST_NAME - 1 - INFIX.len() - LETTERS - ENDING.len();
    let fits = |(at, letter): &(usize, char)| at + letter.len_utf8() <= room;
    let begin: String = name.char_indices().take_while(fits).map(|(_, letter)| letter).collect();
    let prefix = format!(".{begin}{INFIX}");
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
        let locked = make(".a.net.kujira-111111.part", 99);
        assert!(lock::take(&locked).unwrap());
        make(".a.net.kujira-222222.part", 99);
        make(".a.net.kujira-333333.part", if cfg!(unix) { 0 } else { 99 });
        make(".b.net.kujira-444444.part", 99);
        make("a.net.part", 99);
        make(".a.net.kujira-555555", 99);
        make(".a.net.kujira-notes.part", 99);
        make(".a.net.kujira-my-own.part", 99);
        assert_eq!(sweep(&folder.path().join("a.net")), 2);
        assert_eq!(
            names(folder.path()),
            [
                ".a.net.kujira-111111.part",
                ".a.net.kujira-555555",
                ".a.net.kujira-my-own.part",
                ".a.net.kujira-notes.part",
                ".b.net.kujira-444444.part",
                "a.net.part",
            ]
        );
    }

    #[test]
    fn what_was_left_of_any_file_of_a_folder_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let kept = [
            "a.json",
            ".kujira-123456",
            ".a.kujira-12-456.part",
            "a.kujira-123456.part",
            ".mine.kujira-123456.part",
        ];
        for name in [&kept[..], &[".a.json.kujira-123456.part", ".b.kujira-abCD56.part"]].concat() {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(99)).unwrap();
        }
        File::create(folder.path().join(".c.kujira-123456.part")).unwrap();
        let locked = File::create(folder.path().join(".d.kujira-123456.part")).unwrap();
        assert!(lock::take(&locked).unwrap());
        assert_eq!(sweep_folder(folder.path(), |name| name != "mine"), 3);
        let mut expected = [&kept[..], &[".d.kujira-123456.part"]].concat();
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
    }

    /// Somebody else's sweep takes nothing away that is being written, not even between its making and its lock.
    #[cfg(unix)]
    #[test]
    fn sweeping_takes_nothing_from_writers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for number in 0..300 {
                    check(&path).unwrap();
                    write(&path, format!("{number}").as_bytes()).unwrap();
                }
            });
            while !writer.is_finished() {
                sweep(&path);
            }
        });
        assert_eq!(fs::read(&path).unwrap(), b"299");
        assert_eq!(names(folder.path()), ["a"]);
    }

    /// A pipe or a link of such a name is neither waited for nor removed.
    #[cfg(unix)]
    #[test]
    fn only_files_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let old = File::create(folder.path().join("old")).unwrap();
        old.set_modified(SystemTime::now() - Duration::from_secs(99)).unwrap();
        let (link, pipe) = (".a.kujira-111111.part", ".a.kujira-222222.part");
        std::os::unix::fs::symlink("old", folder.path().join(link)).unwrap();
        // Not by a program: until it runs, a child holds its parent's files, and their locks, open.
        nix::unistd::mkfifo(&folder.path().join(pipe), nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert_eq!(sweep(&folder.path().join("a")), 0);
        assert_eq!(names(folder.path()), [link, pipe, "old"]);
    }

    /// The longest name that the file system takes leaves room for its unfinished version.
    #[test]
    fn long_names_are_written_and_swept() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["n".repeat(255), format!("{}x", "\u{9be8}".repeat(84))] {
            let path = folder.path().join(&name);
            check(&path).unwrap();
            write(&path, b"one").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"one");
            let (_, prefix) = place(&path);
            let left = folder.path().join(format!("{prefix}123456.part"));
            let file = File::create(&left).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(99)).unwrap();
            drop(file);
            assert_eq!(sweep(&path), 1);
            assert_eq!(names(folder.path()), [name]);
            fs::remove_file(&path).unwrap();
        }
        assert!(check(&folder.path().join("n".repeat(256))).is_err());
    }

    /// What its owner protected is not replaced, though its folder would allow it.
    #[test]
    fn write_protected_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "mine").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        for refused in [check(&path).unwrap_err(), write(&path, b"x").unwrap_err()] {
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
            assert!(refused.to_string().ends_with("found a write-protected one"), "{refused}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        assert_eq!(names(folder.path()), ["a"]);
    }

    /// A folder that takes no file is found out before the work.
    #[cfg(target_os = "linux")]
    #[test]
    fn folders_that_take_no_file_are_found_out() {
        assert!(check(Path::new("/proc/kujira.net")).is_err());
        let folder = tempfile::tempdir().unwrap();
        check(&folder.path().join("a")).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_nowhere_and_owners_stay() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, turning) = (folder.path().join("a"), folder.path().join("loop"));
        symlink("loop", &turning).unwrap();
        assert!(check(&turning).is_err() && write(&turning, b"x").is_err());
        assert!(fs::symlink_metadata(&turning).unwrap().is_symlink());
        fs::write(&path, "one").unwrap();
        // Only the superuser can try this.
        let given = chown(&path, Some(12_345), Some(12_346)).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, b"two").unwrap();
        let found = fs::metadata(&path).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, 0o600);
        assert!(!given || (found.uid(), found.gid()) == (12_345, 12_346));
    }
}
