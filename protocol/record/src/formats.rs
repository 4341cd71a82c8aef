//! Files of games: every format, by its name or by what the names of its files end with.

use std::path::Path;

use kujira_position::{Coordinates, VariantId};

use crate::error::Error;
use crate::head::Record;
use crate::{hodges, jsonl, pgn, text, usi};

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

    /// Reads the games of a file one after the other. `hint` is the game to try first where a text does not name one. A
    /// faulty game does not affect the others, as far as the format tells where they begin; its error has the number of
    /// the game.
    pub fn read_all<'a>(
        self,
        bytes: &'a [u8],
        hint: VariantId,
    ) -> Box<dyn Iterator<Item = Result<Record, Error>> + 'a> {
        let numbered = |(index, read): (usize, Result<Record, Error>)| {
            read.map_err(|error| error.in_game(index + 1))
        };
        if self == Self::Jsonl {
            return Box::new(jsonl::read_all(bytes).enumerate().map(numbered));
        }
        let text = match text::decode(bytes) {
            Ok(text) => text,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        match self {
            Self::Usi => Box::new(usi::read_all(text, hint).enumerate().map(numbered)),
            _ => {
                let games = pgn::read_all(text, hint).map(|read| read.map(Record::from));
                Box::new(games.enumerate().map(numbered))
            }
        }
    }

    /// Writes games; `squares` are those of Hodges text.
    pub fn write_all<'a>(
        self,
        records: impl IntoIterator<Item = &'a Record>,
        squares: Coordinates,
    ) -> String {
        let mut text = String::new();
        for record in records {
            if !text.is_empty() {
                text += self.separator();
            }
            text += &self.write(record, squares);
        }
        text
    }

    /// What stands between two games: an empty line where they are blocks of lines.
    #[must_use]
    pub fn separator(self) -> &'static str {
        match self {
            Self::Pgn | Self::Hodges => "\n",
            Self::Usi | Self::Jsonl => "",
        }
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
