//! Files that options name. A file that does not answer does not hold up the end of a session.
//!
//! A file can lie where nothing answers (a network that is gone, a disk that sleeps). Whatever opens or reads one
//! therefore runs on a thread of its own, and the session that waits for it leaves soon after it was told to.

use std::env;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use kujira_program::regular;

/// The time between two looks whether the session is to end.
const LOOK: Duration = Duration::from_millis(20);

/// The number of looks, over all files of a session together, that it still waits once it is to end: two seconds.
const GRACE: u32 = 100;

/// Tells a session that is busy with a file that it is to end.
#[derive(Clone, Debug, Default)]
pub struct Leave(Arc<AtomicU32>);

impl Leave {
    /// Says that the session is to end: no line will follow.
    pub fn now(&self) {
        let _ = self.0.compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Looks once more. Returns whether that was often enough.
    fn looks(&self) -> bool {
        let told = |looks| (looks > 0).then_some(u32::saturating_add(looks, 1));
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, told);
        before.is_ok_and(|looks| looks > GRACE)
    }
}

/// Does what may take for ever on another thread and waits for it, but not long once the session is to end: then
/// the thread is left behind.
///
/// # Errors
/// What `work` found, or that it did not come to an end.
pub fn attempt<T: Send + 'static>(
    leave: &Leave,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    attempt_with_looks(LOOK, leave, work)
}

/// As [`attempt`], with this time between two looks.
fn attempt_with_looks<T: Send + 'static>(
    look: Duration,
    leave: &Leave,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (sender, result) = mpsc::sync_channel(1);
    // Nobody may be there to take the result any more.
    let work = move || drop(sender.send(work()));
    thread::Builder::new().name("file".to_owned()).spawn(work)?;
    loop {
        match result.recv_timeout(look) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("a failure without a message"));
            }
            Err(RecvTimeoutError::Timeout) if leave.looks() => {
                let what = "expected an answer of the file system, found none";
                return Err(io::Error::new(io::ErrorKind::TimedOut, what));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Reads the regular file at `path`, of at most `largest` bytes: if that is not absolute, beside the executable, else
/// from the working directory. A file that does not answer is not waited for once the session is to end.
///
/// # Errors
/// If there is no such file, it cannot be read, or it is larger.
pub fn read_beside(path: &str, largest: u64, leave: &Leave) -> io::Result<Vec<u8>> {
    let path = path.to_owned();
    attempt(leave, move || {
        let beside = env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(&path)));
        let path: PathBuf = beside.filter(|file| file.is_file()).unwrap_or_else(|| path.into());
        regular::read(&path, largest)
    })
}

#[cfg(test)]
mod tests {
    use kujira_trial::PATIENCE;

    use super::*;

    #[test]
    fn nothing_is_waited_for_after_the_end() {
        let leave = Leave::default();
        let looks = |leave: &Leave| leave.0.load(Ordering::Relaxed);
        let slow = || {
            thread::sleep(LOOK * 4);
            Ok(7)
        };
        assert_eq!(attempt(&leave, slow).unwrap(), 7);
        // What is only slow still comes in time: here after the first look.
        leave.now();
        let told = leave.clone();
        let slow = move || {
            while looks(&told) < 2 {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(7)
        };
        assert_eq!(attempt_with_looks(PATIENCE / GRACE, &leave, slow).unwrap(), 7);
        let never = || {
            thread::sleep(PATIENCE);
            Ok(())
        };
        let attempt_in_vain = || attempt_with_looks(Duration::from_millis(1), &leave, never);
        let error = attempt_in_vain().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        // All files of a session have these looks together.
        let before = looks(&leave);
        assert!((0..20).all(|_| attempt_in_vain().is_err()));
        assert_eq!(looks(&leave), before + 20);
        assert_eq!(attempt_with_looks(PATIENCE, &leave, || Ok(1)).unwrap(), 1);
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = attempt(&Leave::default(), || -> io::Result<()> { panic!("no") }).unwrap_err();
        assert_eq!(error.to_string(), "a failure without a message");
    }
}
