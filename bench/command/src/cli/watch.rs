//! `report --watch`: a test whose games many machines play.

use std::fmt::{Display, Write as _};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use kujira_arena::clock::parse_positive;
use kujira_arena::watch::{Look, Watch};
use kujira_program::status::{Stop, say, tell, warn};
use kujira_program::{regular, whole};
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
    /// Write this file once the test is decided: `match --stop-file` ends by it. One that is there must be such a file.
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
        if let Some(path) = &self.stop_file {
            refuse_loss(path)?;
        }
        let mut last = Instant::now();
        let mut watch = Watch::new(folder, sprt, self.silent, last);
        let (lower, upper) = sprt.bounds();
        say(&format!("{sprt}: LLR in [{lower:.3}, {upper:.3}]\n"))?;
        // Pairs that were told.
        let mut told = None;
        loop {
            let look = watch.look(Instant::now())?;
            for note in &look.notes {
                warn(&format!("{note}\n"));
            }
            let rate = look.new as f64 / last.elapsed().as_secs_f64().max(1e-3);
            last = Instant::now();
            // The first look counts what was there.
            let rate = if told.is_none() { String::new() } else { format!(", {rate:.1} games/s") };
            if look.new > 0 || told != Some(look.pairs) {
                say(&format!("{look}{rate}\n"))?;
            }
            told = Some(look.pairs);
            if look.verdict.is_some() || look.silent {
                return self.end(folder, &watch, &look, allow_failures);
            }
            thread::sleep(self.every);
        }
    }

    /// Tells how the test ended.
    fn end(
        &self,
        folder: &Path,
        watch: &Watch,
        look: &Look,
        allow_failures: bool,
    ) -> Result<(), Stop> {
        if look.journals == 0 {
            let silent = self.silent.as_secs_f64();
            let folder = folder.display();
            let what =
                format!("{folder}: expected journals of shards, found none within {silent} s");
            return Err(what.into());
        }
        let mut text = String::new();
        for line in watch.left_out() {
            let _ = writeln!(text, "{line}");
        }
        for (host, failures) in watch.failures() {
            let host = if host.is_empty() { "a machine" } else { host };
            let _ = writeln!(text, "{host}: {failures} games lost by failures");
        }
        let &Look { pairs, llr, .. } = look;
        let Some(verdict) = look.verdict else {
            say(&format!(
                "{text}undecided after {pairs} pairs, LLR {llr:.3}: no journal grows any more\n"
            ))?;
            return Ok(());
        };
        let stands = watch.stands(allow_failures);
        // A verdict that does not stand is none that machines should stop for.
        let written = match (&self.stop_file, &stands) {
            (Some(path), Ok(())) => {
                refuse_loss(path).and_then(|()| write(path, format!("{verdict}\n").as_bytes()))
            }
            _ => Ok(()),
        };
        let word = match &stands {
            Ok(()) => verdict.to_string(),
            Err(_) => "withheld".to_owned(),
        };
        tell(&format!("{text}{}: {word} after {pairs} pairs\n", watch.sprt()));
        stands?;
        Ok(written?)
    }
}

/// Refuses a stop file that would go over anything but an earlier one, or could be taken for a journal.
fn refuse_loss(path: &Path) -> Result<(), String> {
    let named = |error: &dyn Display| format!("--stop-file: {}: {error}", path.display());
    if path.extension().is_some_and(|extension| extension == "jsonl") {
        return Err(named(&"expected another name than that of a journal (.jsonl)"));
    }
    whole::check(path).map_err(|error| named(&error))?;
    let verdicts = [Verdict::Passed, Verdict::Failed].map(|verdict| format!("{verdict}\n"));
    let longest = verdicts.iter().map(String::len).max().unwrap_or_default() as u64;
    let mut found = Vec::new();
    match regular::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file
            .and_then(|file| file.take(longest + 1).read_to_end(&mut found))
            .map_err(|error| named(&error))?,
    };
    if verdicts.iter().any(|verdict| verdict.as_bytes() == found) {
        return Ok(());
    }
    Err(named(
        &"expected no file, or one that says passed or failed and nothing else, found another",
    ))
}
