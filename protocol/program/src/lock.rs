//! Files that one run at a time may use.

use std::fs::{File, TryLockError};
use std::io;

/// Takes the lock of a file, until the file is closed; `false` if somebody else has it.
///
/// # Errors
/// If the file system refuses. Some know no locks: there nobody is kept away.
pub fn take(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
