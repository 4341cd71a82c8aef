//! SIGKILL at random moments, then the same command again, until it is done.

use std::fs::{self, File, TryLockError};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::wait_until;

/// The environment variable that says how many kills there are to be.
pub const VARIABLE: &str = "KUJIRA_KILLS";

/// How many kills are asked for: as many as the environment says, or `few`.
#[must_use]
pub fn wanted(few: u32) -> u32 {
    let asked = std::env::var(VARIABLE).ok();
    asked.map_or(few, |asked| {
        asked.parse().unwrap_or_else(|_| panic!("{VARIABLE}: expected a number"))
    })
}

/// Where runs are killed.
#[derive(Debug)]
pub struct Trial {
    name: &'static str,
    folder: tempfile::TempDir,
    seed: u64,
}

impl Trial {
    /// A trial of what is called `name`, in a folder of its own.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        Self { name, folder: tempfile::tempdir().unwrap(), seed: now.as_nanos() as u64 }
    }

    /// Where the run that nobody killed has its files.
    #[must_use]
    pub fn whole(&self) -> PathBuf {
        self.folder.path().join("whole")
    }

    /// Lets the command run to its end in a folder, then again in others, killed at random moments and taken up,
    /// until there were `kills` kills; each run that came to its end is compared with the whole one by `compare`,
    /// which is given its folder. Says how often and how far.
    pub fn run(&self, kills: u32, command: impl Fn(&Path) -> Command, compare: impl Fn(&Path)) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        self.run_until(kills, command, compare, |_, time| {
            let moment: f64 = random.random_range(0.0..1.0);
            std::thread::sleep(Duration::from_secs_f64(0.6 * moment * time.as_secs_f64()));
            moment
        });
    }

    /// As [`Trial::run`], but that `wait` waits for the moment of a kill, and says in which part of the time it was.
    /// It is given the folder and the time that a run takes at most.
    fn run_until(
        &self,
        kills: u32,
        command: impl Fn(&Path) -> Command,
        compare: impl Fn(&Path),
        mut wait: impl FnMut(&Path, Duration) -> f64,
    ) {
        let whole = self.whole();
        fs::create_dir(&whole).unwrap();
        let begun = Instant::now();
        end(&mut command(&whole), self.name);
        let first = begun.elapsed();
        let mut time = first;
        compare(&whole);
        let (mut killed, mut runs) = (0, 0);
        let mut moments = [0_u32; 4];
        while killed < kills {
            let place = self.folder.path().join(format!("run-{runs}"));
            fs::create_dir(&place).unwrap();
            runs += 1;
            loop {
                if killed == kills {
                    end(&mut command(&place), self.name);
                    break;
                }
                let mut child = quiet(&mut command(&place)).spawn().unwrap();
                let moment = wait(&place, time);
                child.kill().unwrap();
                let status = child.wait().unwrap();
                if status.signal() == Some(9) {
                    killed += 1;
                    moments[(moment * 4.0) as usize] += 1;
                    wait_for_files(&place);
                } else {
                    assert!(status.success(), "{}, seed {}: {status}", self.name, self.seed);
                    // However much faster than the first they are, the next are killed in the end.
                    time = time * 4 / 5;
                    break;
                }
            }
            compare(&place);
            assert_eq!(leftovers(&place), [""; 0], "{}, seed {}", self.name, self.seed);
        }
        println!(
            "{}: {killed} kills in {runs} runs of {:.1} s, by quarters of the time allowed \
             {moments:?}; every run ended as the one not killed",
            self.name,
            first.as_secs_f64()
        );
    }
}

/// Waits until the files of a killed run are nobody's: a child that it had just begun has them, and their locks, until
/// that runs a program of its own.
fn wait_for_files(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let file = File::open(entry.path()).unwrap();
        let held = || matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        wait_until("nobody has the files of a killed run", || !held());
        // And not by closing it: a child of this process may have it, too.
        let _ = file.unlock();
    }
}

/// A command that tells nobody.
fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

/// Runs a command to a good end.
fn end(command: &mut Command, name: &str) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{name}: {}", crate::said(&output));
}

/// Names of unfinished files.
#[must_use]
pub fn leftovers(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter(|name| [".part", ".new", ".unfinished"].iter().any(|ending| name.ends_with(ending)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that begins anew what it should go on with is found out, and one that goes on is not.
    #[test]
    fn what_is_lost_is_noticed() {
        let run = |words: &'static str| {
            let trial = Trial::new("trial");
            let command = |folder: &Path| {
                let mut command = Command::new("sh");
                command.arg("-c").arg(words).current_dir(folder);
                command
            };
            let lines =
                |folder: &Path| fs::read_to_string(folder.join("lines")).unwrap_or_default();
            let compare = |folder: &Path| assert_eq!(lines(folder), "1\n2\n3\n4\n");
            // Killed once something is there to be lost.
            trial.run_until(8, command, compare, |folder, _| {
                wait_until("a line is there", || !lines(folder).is_empty());
                0.0
            });
        };
        run(
            "touch lines; while n=$(wc -l <lines); [ $n -lt 4 ]; do echo $((n + 1)) >>lines; sleep 0.03; done",
        );
        let lost = "for n in 1 2 3 4; do echo $n >>lines; sleep 0.03; done";
        assert!(std::panic::catch_unwind(|| run(lost)).is_err());
    }

    /// However quick a run is, it is killed as often as was asked for.
    #[test]
    fn runs_that_end_at_once_are_killed_too() {
        let command = |_: &Path| Command::new("true");
        Trial::new("quick").run(5, command, |folder| assert!(folder.is_dir()));
    }
}
