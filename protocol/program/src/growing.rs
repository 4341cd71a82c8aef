//! Files that only grow: journals, files of games, and what else is added to run by run.
//!
//! [`open`] makes sure of the name, once: whoever syncs what they append has put it on disk, power cuts included.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::outputs::resolve;
use crate::{lock, regular, whole};

/// Opens a file for reading and writing, made if it is not there, which one run at a time may have; `None` if another
/// one has it. When this returns, its name is on disk: a file that an earlier run made may have come to no sync.
///
/// # Errors
/// If the file system refuses, or something else than a regular file is there.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    let file = loop {
        let file =
            opened(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))?;
        if !lock::take(&file)? {
            return Ok(None);
        }
        // Who had it before may have removed it: see [`remove_empty`].
        if whole::is_there(&file)? {
            break file;
        }
    };
    // Where a link leads is where the name is.
    whole::sync_folder(resolve(path).parent().unwrap_or(Path::new("")))?;
    Ok(Some(file))
}

/// Removes a file that [`open`] made and that has come to hold nothing, while it is still open: an error leaves no trace.
pub fn remove_empty(path: &Path, file: &File) {
    if file.metadata().is_ok_and(|found| found.len() == 0) {
        // A link that somebody made stays. What cannot be removed is empty at least.
        let _ = fs::remove_file(resolve(path));
    }
}

/// Opens a file that is there for appending, and nothing else.
///
/// # Errors
/// If the file system refuses, or something else than a regular file is there.
pub fn append(path: &Path) -> io::Result<File> {
    opened(path, OpenOptions::new().append(true))
}

/// Opens a file for appending, made if it is not there: a log, which promises nothing and which several may write. A
/// last line that was cut off gets its end.
///
/// # Errors
/// If the file system refuses, or something else than a regular file is there.
pub fn log(path: &Path) -> io::Result<File> {
    let mut file = opened(path, OpenOptions::new().read(true).create(true).append(true))?;
    let mut last = *b"\n";
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// Opens a regular file. Another is refused before it is opened: to open a pipe may be to wait for somebody.
fn opened(path: &Path, options: &OpenOptions) -> io::Result<File> {
    match fs::metadata(path) {
        Ok(found) => regular::check(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = options.open(path)?;
    regular::check(&file.metadata()?)?;
    Ok(file)
}

/// Makes a folder, and those it is to lie in, where they are missing; their names are on disk then.
///
/// # Errors
/// If the file system refuses.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let missing: Vec<PathBuf> = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_owned)
        .collect();
    fs::create_dir_all(path)?;
    let mut parents = missing.iter().filter_map(|folder| folder.parent());
    parents.try_for_each(whole::sync_folder)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn one_run_at_a_time_has_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut first = open(&path).unwrap().unwrap();
        first.write_all(b"one").unwrap();
        assert!(open(&path).unwrap().is_none());
        append(&path).unwrap().write_all(b" and two").unwrap();
        drop(first);
        let mut text = String::new();
        open(&path).unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one and two");
        assert!(append(&folder.path().join("b")).is_err());
        for word in ["one\n", "tw", "three\n"] {
            log(&folder.path().join("log")).unwrap().write_all(word.as_bytes()).unwrap();
        }
        assert_eq!(fs::read(folder.path().join("log")).unwrap(), b"one\ntw\nthree\n");
        for (text, stays) in [("", false), ("three", true)] {
            let path = folder.path().join("c");
            let mut file = open(&path).unwrap().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            remove_empty(&path, &file);
            assert_eq!(path.exists(), stays);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_what_is_made_and_a_pipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (link, pipe) = (folder.path().join("link"), folder.path().join("pipe"));
        fs::create_dir(folder.path().join("far")).unwrap();
        std::os::unix::fs::symlink("far/a", &link).unwrap();
        assert!(open(&link).unwrap().is_some() && folder.path().join("far/a").is_file());
        // Not by a program: until it runs, a child holds its parent's files, and their locks, open.
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for refused in
            [open(&pipe).unwrap_err(), append(&pipe).unwrap_err(), log(&pipe).unwrap_err()]
        {
            assert_eq!(refused.to_string(), "expected a regular file, found a pipe");
        }
    }

    #[test]
    fn folders_are_made_as_far_as_they_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c");
        make_folder(&path).unwrap();
        make_folder(&path).unwrap();
        assert!(path.is_dir());
        fs::write(path.join("d"), "").unwrap();
        assert!(make_folder(&path.join("d/e")).is_err());
    }
}
