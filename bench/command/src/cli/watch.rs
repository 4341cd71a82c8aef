//! `report --watch`: a test whose games many machines play.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use kujira_arena::clock::parse_positive;
use kujira_arena::watch::{Look, Watch};
use kujira_program::status::{Stop, say, tell, warn};
use kujira_statistics::{Sprt, Verdict};

use super::out::write;

/// What is watched, and how.
#[derive(Args)]
#[command(next_help_heading = "Many machines")]
pub(super) struct WatchArgs {
    /// Follow the growing journals of shards in this folder, until the test is decided: pairs count in the order of
    /// their numbers.
    #[arg(long, value_name = "FOLDER", requires = "elo0", conflicts_with_all = ["journals", "mixed", "unchecked", "json"])]
    pub(super) watch: Option<PathBuf>,
    /// Write this file once the test is decided: `match --stop-file` ends by it.
    #[arg(long, value_name = "FILE", requires = "watch")]
    stop_file: Option<PathBuf>,
    /// Time between two looks.
    #[arg(long, value_name = "TIME", requires = "watch", value_parser = parse_positive, default_value = "10")]
    every: Duration,
    /// A shard whose journal has not grown for so long is left out; when all are, the test ends without an answer.
    #[arg(long, value_name = "TIME", requires = "watch", value_parser = parse_positive, default_value = "600")]
    silent: Duration,
}

impl WatchArgs {
    /// Watches a folder until the test is decided, or nobody plays any more.
    pub(super) fn run(&self, folder: &Path, sprt: Sprt, allow_failures: bool) -> Result<(), Stop> {
        self.check_stop_file()?;
        let mut watch = Watch::new(folder, sprt, self.silent);
        let (lower, upper) = sprt.bounds();
        say(&format!("{sprt}: LLR in [{lower:.3}, {upper:.3}]\n"))?;
        let mut last = Instant::now();
        let (mut told, mut pairs) = (0, 0);
        let mut strangers = BTreeSet::new();
        loop {
            let look = watch.look()?;
            for path in watch.strangers().difference(&strangers) {
                warn(&format!("kujira-bench: {}: no journal of a match\n", path.display()));
            }
            strangers.clone_from(watch.strangers());
            let rate = look.new as f64 / last.elapsed().as_secs_f64().max(1e-3);
            last = Instant::now();
            // The first look counts what was there.
            let rate = if told == 0 { String::new() } else { format!(", {rate:.1} games/s") };
            if look.new > 0 || told == 0 || look.pairs != pairs {
                say(&format!("{look}{rate}\n"))?;
            }
            (told, pairs) = (told + 1, look.pairs);
            if look.verdict.is_some() || look.silent {
                return self.end(&watch, &look, allow_failures);
            }
            thread::sleep(self.every);
        }
    }

    /// Refuses a file for the answer that holds something else.
    fn check_stop_file(&self) -> Result<(), String> {
        let Some(path) = self.stop_file.as_ref().filter(|path| path.exists()) else {
            return Ok(());
        };
        let answers = [Verdict::Passed, Verdict::Failed].map(|verdict| format!("{verdict}\n"));
        match fs::read(path) {
            Ok(found) if answers.iter().any(|answer| *answer.as_bytes() == found) => Ok(()),
            _ => Err(format!(
                "--stop-file: {}: expected no file, or the answer of an earlier test, found something else",
                path.display()
            )),
        }
    }

    /// Tells how the test ended.
    fn end(&self, watch: &Watch, look: &Look, allow_failures: bool) -> Result<(), Stop> {
        let mut text = String::new();
        for name in watch.left_out() {
            let _ = writeln!(text, "{name} was silent and is left out");
        }
        for (host, failures) in watch.failures() {
            let host = if host.is_empty() { "a machine" } else { host };
            let _ = writeln!(text, "{host}: {failures} games lost by failures");
        }
        if watch.late() > 0 {
            let _ = writeln!(text, "{} pairs came too late and are not counted", watch.late());
        }
        let Some(verdict) = look.verdict else {
            if look.journals == 0 {
                return Err("expected journals of shards in that folder, found none"
                    .to_owned()
                    .into());
            }
            let (pairs, llr) = (look.pairs, look.llr);
            say(&format!(
                "{text}undecided after {pairs} pairs, LLR {llr:.3}: no journal grows any more\n"
            ))?;
            return Ok(());
        };
        let stands = watch.stands(allow_failures);
        if let Some(path) = self.stop_file.as_ref().filter(|_| stands.is_ok()) {
            self.check_stop_file()?;
            write(path, format!("{verdict}\n").as_bytes())?;
        }
        let word = match &stands {
            Ok(()) => verdict.to_string(),
            Err(_) => "withheld".to_owned(),
        };
        tell(&format!("{text}{}: {word} after {} pairs\n", watch.sprt(), look.pairs));
        Ok(stands?)
    }
}
