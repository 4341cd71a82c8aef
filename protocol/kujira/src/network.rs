//! Files of networks: where they are looked for, and how they are read.

use std::env;
use std::io;
use std::path::PathBuf;

use kujira_search::eval::NetworkFile;
use kujira_shell::regular;

use crate::files::{Leave, attempt};

/// Reads the regular file at `path`: if that is not absolute, beside the executable, else from the working
/// directory. A file that does not answer is not waited for once the session is to end.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is far too large.
pub fn read(path: &str, leave: &Leave) -> io::Result<Vec<u8>> {
    let path = path.to_owned();
    attempt(leave, move || {
        let beside = env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(&path)));
        let path: PathBuf = beside.filter(|file| file.is_file()).unwrap_or_else(|| path.into());
        regular::read(&path, NetworkFile::LARGEST)
    })
}
