//! Files of games that commands read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use kujira_position::{Coordinates, VariantId};
use kujira_program::status::warn;
use kujira_record::{FileFormat, Record, games};

use kujira_arena::journal::{Faults, is_game, is_journal};
use kujira_statistics::pool::LONGEST_NAME;

use super::sums::SumArgs;

/// How files of games are read.
#[derive(Args)]
pub(super) struct RecordArgs {
    /// How they are written; told by the ends of their names (.usi, .jsonl, .pgn, .txt) if nothing is said.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    from: Option<String>,
    /// Which kind of whale shogi moves are tried in first that do not say it: whale, paulowich, great.
    #[arg(long, value_name = "GAME", default_value_t = VariantId::Whale)]
    variant: VariantId,
    /// Leave out games that are wrong, and say which; else the first one ends it all.
    #[arg(long)]
    skip: bool,
    #[command(flatten)]
    pub(super) sums: SumArgs,
}

/// The names of the formats.
pub(super) fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FileFormat::ALL.map(FileFormat::name))
}

/// The format that was asked for, or that a file's name tells.
pub(super) fn format(
    asked: Option<&str>,
    path: &Path,
    argument: &str,
) -> Result<FileFormat, String> {
    asked.and_then(FileFormat::named).or_else(|| FileFormat::of(path)).ok_or_else(|| {
        format!(
            "{}: expected a name that ends with .usi, .jsonl, .pgn or .txt, or {argument}",
            path.display()
        )
    })
}

impl RecordArgs {
    /// Hands over the games of files one after the other, each with its number, for which those that are left out count,
    /// too: those of a range, or all. Returns how many there are in the files, at least one that can be read.
    ///
    /// # Errors
    /// That a file cannot be read, what is wrong with which game, that there are fewer than were asked for, or what `take`
    /// says.
    pub(super) fn each(
        &self,
        paths: &[PathBuf],
        range: Option<(usize, usize)>,
        mut take: impl FnMut(usize, Record) -> Result<(), String>,
    ) -> Result<usize, String> {
        let (first, last) = range.unwrap_or((1, usize::MAX));
        let (mut all, mut read_any) = (0, false);
        for path in paths {
            let name = path.display();
            let named = |error: io::Error| format!("{name}: {error}");
            let format = format(self.from.as_deref(), path, "--from")?;
            let mut file: Box<dyn BufRead + Send> =
                Box::new(BufReader::new(File::open(path).map_err(named)?));
            let wrong = Wrong::default();
            if format == FileFormat::Jsonl {
                let checked =
                    Checked::new(file, path, wrong.clone(), self.skip, self.sums.unchecked);
                file = Box::new(BufReader::new(checked));
            }
            for read in games(file, format, self.variant) {
                match read.map_err(|error| error.in_file(name.to_string())) {
                    Ok(record) => {
                        (all, read_any) = (all + 1, true);
                        if (first..=last).contains(&all) {
                            take(all, record)?;
                        }
                    }
                    // What a run leaves that was killed; the games before it are whole.
                    Err(error) if error.is_cut_off() => {
                        warn(&format!("kujira-bench: left out: {error}\n"));
                    }
                    Err(error) if self.skip => {
                        all += usize::from(error.place.game.is_some());
                        let told = error.place.line.and_then(|line| taken(&wrong).remove(&line));
                        let told = told.map(|told| format!("{name}: {told}"));
                        let told = told.unwrap_or_else(|| error.to_string());
                        warn(&format!("kujira-bench: left out: {told}\n"));
                    }
                    Err(error) => return Err(error.to_string()),
                }
            }
        }
        match (read_any, paths) {
            (false, [path]) => Err(format!("{}: expected games, found none", path.display())),
            (false, _) => Err("expected games, found none in any file".to_owned()),
            _ if range.is_some() && all < last => {
                Err(format!("expected --games up to {all}, found {first}-{last}"))
            }
            _ => Ok(all),
        }
    }
}

/// What is wrong with lines of a journal, by their numbers.
type Wrong = Arc<Mutex<BTreeMap<usize, String>>>;

fn taken(wrong: &Wrong) -> MutexGuard<'_, BTreeMap<usize, String>> {
    wrong.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file of JSON Lines, of which the lines are looked at as every command does if it is a journal. One that is wrong
/// ends it all; where games are left out it is blank, or a line that is none if it was one.
struct Checked<R> {
    file: R,
    path: PathBuf,
    wrong: Wrong,
    skip: bool,
    faults: Faults,
    /// Whether it is a journal, once that is known.
    journal: Option<bool>,
    number: usize,
    line: Vec<u8>,
    /// How much of the line has been read.
    read: usize,
}

impl<R: BufRead> Checked<R> {
    fn new(file: R, path: &Path, wrong: Wrong, skip: bool, unchecked: bool) -> Self {
        Self {
            file,
            path: path.to_owned(),
            wrong,
            skip,
            faults: Faults::new(unchecked),
            journal: None,
            number: 0,
            line: Vec::new(),
            read: 0,
        }
    }

    fn next_line(&mut self) -> io::Result<()> {
        self.line.clear();
        self.read = 0;
        self.file.read_until(b'\n', &mut self.line)?;
        self.number += 1;
        // What some editors put before a text in UTF-8.
        let line = self.line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.line);
        if self.journal.is_none() && !line.trim_ascii().is_empty() {
            self.journal = Some(is_journal(line));
        }
        if self.journal != Some(true) {
            return Ok(());
        }
        let Some(error) = self.faults.of(self.number, line) else { return Ok(()) };
        if !self.skip {
            return Err(io::Error::other(error));
        }
        let wrong: &[u8] = if is_game(line) {
            // It has its number all the same.
            taken(&self.wrong).insert(self.number, error);
            b"{}\n"
        } else {
            warn(&format!("kujira-bench: left out: {}: {error}\n", self.path.display()));
            b"\n"
        };
        self.line.splice(.., wrong.iter().copied());
        Ok(())
    }
}

impl<R: BufRead> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.read == self.line.len() {
            self.next_line()?;
        }
        let mut rest = self.line.get(self.read..).unwrap_or_default();
        let read = rest.read(bytes)?;
        self.read += read;
        Ok(read)
    }
}

/// Who played a game, Black first.
pub(super) fn players(record: &Record) -> String {
    // Files of others may have names of any length, with any signs.
    let [black, white] = record.head.players.each_ref().map(|player| match &player.name[..] {
        "" => "?".to_owned(),
        name => {
            let letters = name.chars().take(LONGEST_NAME);
            letters.map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
        }
    });
    format!("{black} – {white}")
}

/// What squares are called in Hodges notation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Squares {
    /// 1a at the top right.
    Japanese,
    /// a1 at the bottom left.
    Western,
}

impl From<Squares> for Coordinates {
    fn from(squares: Squares) -> Self {
        match squares {
            Squares::Japanese => Self::Japanese,
            Squares::Western => Self::Western,
        }
    }
}

/// Reads a number of games or plies, or a range of them, from `least` on.
pub(super) fn numbers(text: &str, least: usize) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if least <= first && first <= last => Ok((first, last)),
        _ => Err(format!("expected a number from {least} on such as 6, or a range such as 6-9")),
    }
}
