//! Running `kujira-bench` on scripted engines, in a directory of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};

use kujira_arena::journal::{Line, read_journal};
use kujira_record::played::GameRecord;
use kujira_trial::soon;

/// A place for the files of one test, and a mark by which its engines are told from all others.
pub(crate) struct Place {
    directory: tempfile::TempDir,
    mark: u64,
}

impl Place {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mark = u64::from(std::process::id()) * 1_000_000 + NEXT.fetch_add(1, Ordering::Relaxed);
        Self { directory: tempfile::tempdir().unwrap(), mark }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-in-matches"));
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
        let (header, games, whole) = read_journal(&text, false).unwrap();
        assert!(header.is_some() && whole == text.len() as u64);
        games
    }

    /// How many lines of a file are there by now.
    pub(crate) fn lines(&self, name: &str) -> usize {
        fs::read_to_string(self.path(name)).unwrap_or_default().lines().count()
    }

    /// Makes engines with the argument that is returned answer so many searches each, and no more until
    /// [`Place::let_go`]: a run cannot come to its end before it is interrupted.
    pub(crate) fn hold(&self, searches: u32) -> String {
        fs::write(self.path("hold"), searches.to_string()).unwrap();
        self.held()
    }

    /// The argument of an engine that is held where [`Place::hold`] was called.
    pub(crate) fn held(&self) -> String {
        format!("--hold={}", self.path("hold").display())
    }

    pub(crate) fn let_go(&self) {
        fs::remove_file(self.path("hold")).unwrap();
    }

    /// Whether a process of this place runs that has this among its words, or any where there is none to look for; not
    /// known but on Linux.
    pub(crate) fn runs(&self, word: Option<&str>) -> bool {
        let mark = format!("--mark={}", self.mark);
        fs::read_dir("/proc").into_iter().flatten().flatten().any(|entry| {
            // A zombie has no command line.
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            line.split('\0').any(|found| found.ends_with(&mark))
                && word.is_none_or(|word| line.split('\0').any(|found| found == word))
        })
    }

    /// The processes of the engines of this place; not known but on Linux.
    pub(crate) fn engines(&self) -> Vec<u32> {
        let mark = format!("--mark={}", self.mark);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ours = processes.filter(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).split('\0').any(|word| word == mark)
        });
        ours.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    }

    /// Whether an engine of this place runs, once those that are ending have had time to. It would have a parent that
    /// forgot it: the parents here have ended.
    pub(crate) fn something_runs(&self) -> bool {
        !soon(|| !self.runs(None))
    }
}

/// A journal that was changed by hand, as if it had been written so: each line with its check sum.
pub(crate) fn resummed(text: &str) -> String {
    let mut summed = Vec::new();
    for line in bare(text).lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        kujira_record::journal::write(&mut summed, &line).unwrap();
    }
    String::from_utf8(summed).unwrap()
}

/// A journal without check sums, as they were before December 2026.
pub(crate) fn bare(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(",\"crc32\":\"") {
        Some((line, _)) => format!("{line}}}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Standard output and standard error.
pub(crate) fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
