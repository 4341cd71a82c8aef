//! Files of games that commands read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use kujira_position::{Coordinates, VariantId};
use kujira_program::status::warn;
use kujira_record::{FileFormat, Record, games};

use kujira_arena::journal::{faults, is_journal};
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
    /// Hands over the games of files one after the other, each with its number: those of a range, or all. Returns how
    /// many there are in the files, at least one.
    ///
    /// # Errors
    /// That a file cannot be read, what is wrong with which game, or that there are fewer than were asked for.
    pub(super) fn each(
        &self,
        paths: &[PathBuf],
        range: Option<(usize, usize)>,
        mut take: impl FnMut(usize, Record),
    ) -> Result<usize, String> {
        let (first, last) = range.unwrap_or((1, usize::MAX));
        let mut all = 0;
        for path in paths {
            let name = path.display();
            let named = |error: io::Error| format!("{name}: {error}");
            let format = format(self.from.as_deref(), path, "--from")?;
            let mut file: Box<dyn BufRead + Send> =
                Box::new(BufReader::new(File::open(path).map_err(named)?));
            if format == FileFormat::Jsonl {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).map_err(named)?;
                if is_journal(&bytes) {
                    self.check(&mut bytes, path)?;
                }
                file = Box::new(Cursor::new(bytes));
            }
            for read in games(file, format, self.variant) {
                match read.map_err(|error| error.in_file(name.to_string())) {
                    Ok(record) => {
                        all += 1;
                        if (first..=last).contains(&all) {
                            take(all, record);
                        }
                    }
                    // What a run leaves that was killed; the games before it are whole.
                    Err(error) if error.is_cut_off() || self.skip => {
                        warn(&format!("kujira-bench: left out: {error}\n"));
                    }
                    Err(error) => return Err(error.to_string()),
                }
            }
        }
        match (all, paths) {
            (0, [path]) => Err(format!("{}: expected games, found none", path.display())),
            (0, _) => Err("expected games, found none in any file".to_owned()),
            _ if range.is_some() && all < last => {
                Err(format!("expected --games up to {all}, found {first}-{last}"))
            }
            _ => Ok(all),
        }
    }
}

impl RecordArgs {
    /// Looks at a journal as every command does. Lines that are wrong are made blank where games are left out.
    fn check(&self, bytes: &mut [u8], path: &Path) -> Result<(), String> {
        for (place, error) in faults(bytes, self.sums.unchecked) {
            let error = format!("{}: {error}", path.display());
            if !self.skip {
                return Err(error);
            }
            warn(&format!("kujira-bench: left out: {error}\n"));
            if let Some(line) = bytes.get_mut(place) {
                line.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
        }
        Ok(())
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
