//! A time of day that steps to and fro, as where somebody sets the clock; other clocks run on.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Steps between the four times, in seconds from now.
const STEPS: [&str; 4] = ["+0", "+86400", "-86400", "+7"];

/// How long each of them holds.
const EACH: Duration = Duration::from_millis(150);

/// A time of day that steps; it comes from libfaketime (Debian's package `faketime`).
#[derive(Debug)]
pub struct SteppingClock {
    folder: tempfile::TempDir,
    library: PathBuf,
    over: Arc<AtomicBool>,
    steps: Arc<AtomicU32>,
    stepper: Option<JoinHandle<()>>,
}

impl SteppingClock {
    /// A clock that begins to step at once; `None`, which is said, where the library is not there.
    #[must_use]
    pub fn start() -> Option<Self> {
        let Some(library) = library() else {
            assert!(std::env::var_os("KUJIRA_NEED_FAKETIME").is_none(), "no libfaketime is there");
            println!("skipped: expected libfaketime (Debian's package faketime)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let steps = Arc::new(AtomicU32::new(0));
        let (path, new) = (folder.path().join("time"), folder.path().join("new"));
        let (done, count) = (Arc::clone(&over), Arc::clone(&steps));
        let set = move |step: &str| {
            // Whole, for it is read at any moment.
            fs::write(&new, format!("{step}\n")).unwrap();
            fs::rename(&new, &path).unwrap();
        };
        set(STEPS[0]);
        let stepper = std::thread::spawn(move || {
            for step in STEPS.iter().cycle().skip(1) {
                std::thread::sleep(EACH);
                if done.load(Ordering::Relaxed) {
                    break;
                }
                set(step);
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        Some(Self { folder, library, over, steps, stepper: Some(stepper) })
    }

    /// Lets a command, and what it starts, have this time of day.
    pub fn give(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", self.folder.path().join("time"))
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .env("DONT_FAKE_MONOTONIC", "1");
    }

    /// How many steps there were.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Ends it: how many steps there were.
    pub fn stop(mut self) -> u32 {
        self.over.store(true, Ordering::Relaxed);
        self.stepper.take().unwrap().join().unwrap();
        self.steps()
    }
}

impl Drop for SteppingClock {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(stepper) = self.stepper.take() {
            let _ = stepper.join();
        }
    }
}

/// Where Debian has the library for programs with threads.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten();
    let mut paths = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    paths.find(|path| path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wait_until;

    /// The time of day steps, and sleeping does not.
    #[test]
    fn the_time_of_day_steps() {
        let Some(clock) = SteppingClock::start() else { return };
        let mut times: Vec<i64> = Vec::new();
        wait_until("the time of day steps to and fro", || {
            let mut command = Command::new("sh");
            command.args(["-c", "sleep 0.05; date +%s"]);
            clock.give(&mut command);
            let output = command.output().unwrap();
            times.push(String::from_utf8(output.stdout).unwrap().trim().parse().unwrap());
            let steps = || times.windows(2).map(|pair| pair[1] - pair[0]);
            steps().any(|step| step < -80_000) && steps().any(|step| step > 80_000)
        });
        assert!(clock.stop() > 1, "{times:?}");
    }
}
