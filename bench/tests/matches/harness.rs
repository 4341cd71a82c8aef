//! Running `kujira-bench` on scripted engines, in a directory of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use kujira_bench::journal::read_journal;
use kujira_record::played::GameRecord;

/// A place for the files of one test, and a mark by which its engines are told from all others.
pub(crate) struct Place {
    directory: PathBuf,
    mark: u64,
}

impl Place {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mark = u64::from(std::process::id()) * 1000 + NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("kujira-bench-{mark}"));
        fs::create_dir_all(&directory).unwrap();
        Self { directory, mark }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The words of an engine with these arguments and further words.
    pub(crate) fn engine(&self, arguments: &[&str], words: &[&str]) -> Vec<String> {
        let mut engine = vec![
            "--engine".to_owned(),
            format!("cmd={}", env!("CARGO_BIN_EXE_scripted-engine")),
            // Overridden by option.Seed or not, it is seen in the list of processes.
            format!("arg=--mark={}", self.mark),
        ];
        engine.extend(arguments.iter().map(|argument| format!("arg={argument}")));
        engine.extend(words.iter().map(|&word| word.to_owned()));
        engine
    }

    /// `kujira-bench COMMAND GAME` with engines and further arguments, files at `match`.
    pub(crate) fn command(&self, what: &str, engines: &[Vec<String>], more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kujira-bench"));
        command.args(what.split(' '));
        for engine in engines {
            command.args(engine);
        }
        command.arg("--out").arg(self.path("match")).arg("--plain").args(more);
        command
    }

    /// Runs it to its end: the output and the finished games. A match that is void fails, others do
    /// not.
    pub(crate) fn run(
        &self,
        what: &str,
        engines: &[Vec<String>],
        more: &[&str],
    ) -> (String, Vec<GameRecord>) {
        let output = self.command(what, engines, more).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.success(), !text.contains("VOID"), "{text}");
        (text, self.games())
    }

    /// The games in the journal.
    pub(crate) fn games(&self) -> Vec<GameRecord> {
        let text = fs::read(self.path("match.jsonl")).unwrap();
        let (header, games, whole) = read_journal(&text).unwrap();
        assert!(header.is_some() && whole == text.len() as u64);
        games
    }

    /// Whether an engine of this place runs, once those that are ending have had time to.
    #[cfg(target_os = "linux")]
    pub(crate) fn something_runs(&self) -> bool {
        let mark = format!("--mark={}", self.mark);
        let started = Instant::now();
        loop {
            let runs = fs::read_dir("/proc").unwrap().flatten().any(|entry| {
                // A zombie has no command line, but it would have a parent that forgot it: the
                // parents here have ended.
                fs::read(entry.path().join("cmdline"))
                    .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&mark))
            });
            if !runs || started.elapsed() > Duration::from_secs(3) {
                return runs;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether an engine of this place runs: not known here.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn something_runs(&self) -> bool {
        false
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Standard output and standard error.
pub(crate) fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
