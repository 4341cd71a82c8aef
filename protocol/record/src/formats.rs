//! Files of games: every format, by its name or by what the names of its files end with.

use std::io::BufRead;
use std::path::Path;

use kujira_position::{Coordinates, VariantId};

use crate::error::Error;
use crate::head::Record;
use crate::{hodges, jsonl, pgn, usi};

/// A format of files of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFormat {
    /// `startpos moves …`: the main line, players and result.
    Usi,
    /// JSON Lines: everything.
    Jsonl,
    /// PGN: everything but options of players and numbers of engines.
    Pgn,
    /// Hodges text: as PGN.
    Hodges,
}

/// Every format with its name and the extensions of its files, the usual one first.
const FORMATS: [(FileFormat, &str, &[&str]); 4] = [
    (FileFormat::Usi, "usi", &["usi"]),
    (FileFormat::Jsonl, "jsonl", &["jsonl", "ndjson", "json"]),
    (FileFormat::Pgn, "pgn", &["pgn"]),
    (FileFormat::Hodges, "hodges", &["txt", "hodges"]),
];

impl FileFormat {
    /// Every format.
    pub const ALL: [Self; FORMATS.len()] = [Self::Usi, Self::Jsonl, Self::Pgn, Self::Hodges];

    /// The name of the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The format of a file by its extension, in any case.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?;
        let ends = |row: &&(Self, &str, &[&str])| row.2.iter().any(|e| e.eq_ignore_ascii_case(end));
        FORMATS.iter().find(ends).map(|row| row.0)
    }

    /// What stands between two games: an empty line where games are blocks of lines.
    #[must_use]
    pub fn between(self) -> &'static str {
        if matches!(self, Self::Pgn | Self::Hodges) { "\n" } else { "" }
    }

    /// Adds a game to a text; `squares` are those of Hodges text.
    pub fn append(self, text: &mut String, record: &Record, squares: Coordinates) {
        if !text.is_empty() {
            *text += self.between();
        }
        *text += &self.write(record, squares);
    }

    /// Writes a game; `squares` are those of Hodges text.
    #[must_use]
    pub fn write(self, Record { game, head }: &Record, squares: Coordinates) -> String {
        match self {
            Self::Usi => usi::write_with(game, head),
            Self::Jsonl => jsonl::write(game, head),
            Self::Pgn => pgn::write_with(game, head),
            Self::Hodges => hodges::write(game, head, squares),
        }
    }
}

/// Reads the games of a file in whatever format one after the other: no more than one is in memory. `hint` is the game
/// to try first where a text does not name one. A faulty game does not affect the others, as far as the format tells
/// where they begin; its error has the number of the game, and its line where the format has any. Behind an error that
/// the file cannot be read, or is no UTF-8, there are no more.
///
/// ```
/// use kujira_record::{FileFormat, games};
///
/// let file = &b"startpos moves 2e2d 5b5c resign\nstartpos moves 2e2e\nstartpos\n"[..];
/// let read: Vec<_> = games(file, FileFormat::Usi, None).collect();
/// assert_eq!(read[0].as_ref().map(|record| record.game.path(2).len()), Ok(3));
/// let error = read[1].as_ref().unwrap_err();
/// assert_eq!((error.place.line, error.place.game, error.place.ply), (Some(2), Some(2), Some(1)));
/// assert!(read[2].is_ok() && read.len() == 3);
/// ```
pub fn games<'a>(
    reader: impl BufRead + Send + 'a,
    format: FileFormat,
    hint: impl Into<Option<VariantId>>,
) -> Games<'a> {
    let hint = hint.into();
    let games: Games<'a> = match format {
        FileFormat::Usi => Box::new(usi::games(reader, hint)),
        FileFormat::Jsonl => Box::new(jsonl::games(reader)),
        FileFormat::Pgn | FileFormat::Hodges => {
            Box::new(pgn::games(reader, hint).map(|read| read.map(Record::from)))
        }
    };
    Box::new((1..).zip(games).map(|(number, read)| {
        read.map_err(|mut error| {
            error.place.game = (!error.fault.is_of_file()).then_some(number);
            error
        })
    }))
}

/// The games of a file, one after the other.
pub type Games<'a> = Box<dyn Iterator<Item = Result<Record, Error>> + Send + 'a>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_names() {
        for format in FileFormat::ALL {
            assert_eq!(FileFormat::named(format.name()), Some(format));
        }
        for (path, format) in [
            ("a/match.jsonl", Some(FileFormat::Jsonl)),
            ("b.PGN", Some(FileFormat::Pgn)),
            ("c.d.txt", Some(FileFormat::Hodges)),
            ("e.usi", Some(FileFormat::Usi)),
            ("usi", None),
            ("f.kif", None),
        ] {
            assert_eq!(FileFormat::of(Path::new(path)), format, "{path}");
        }
    }
}
