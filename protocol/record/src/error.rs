//! What is wrong with a text, and where.

use std::{fmt, io};

use kujira_position::{HodgesError, MoveError, SfenError};
use kujira_usi::ending::UnknownReason;
use kujira_usi::rules::UnknownSwitch;

use crate::game::PlayError;

/// Why a text could not be read: the place, then what was expected and what was found.
///
/// ```
/// let error = kujira_record::pgn::read("[Event x]", kujira_position::VariantId::Whale).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 8: expected a value in quotes, found \"x]\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}{fault}")]
pub struct Error {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub fault: Box<Fault>,
}

/// A place in a file, as far as it is known; numbers count from 1.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// The file, as the reader was told its name.
    pub file: Option<String>,
    /// The line.
    pub line: Option<usize>,
    /// The character in the line.
    pub column: Option<usize>,
    /// The game in the file.
    pub game: Option<usize>,
    /// The move in the game or the line of play.
    pub ply: Option<usize>,
}

/// A line of a text and a character in it, from 1.
pub(crate) type Spot = (usize, usize);

impl From<Spot> for Place {
    fn from((line, column): Spot) -> Self {
        Self { line: Some(line), column: Some(column), ..Self::default() }
    }
}

impl fmt::Display for Place {
    /// `games.pgn: line 7, column 12: game 2, move 3: `; empty if nothing is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "line {line}, column {column}: ")?,
            (Some(line), None) => write!(f, "line {line}: ")?,
            _ => {}
        }
        match (self.game, self.ply) {
            (Some(game), Some(ply)) => write!(f, "game {game}, move {ply}: "),
            (Some(game), None) => write!(f, "game {game}: "),
            (None, Some(ply)) => write!(f, "move {ply}: "),
            (None, None) => Ok(()),
        }
    }
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Something else should be there.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A text is no position of the game.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A text is no USI move there.
    #[error(transparent)]
    Usi(#[from] MoveError),
    /// A text is no move in Hodges notation there.
    #[error(transparent)]
    Hodges(#[from] HodgesError),
    /// A move cannot be added to the game.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A last line has no end, as a crash leaves it.
    #[error("expected the end of the line, found a line that was cut off")]
    CutOff,
    /// A text names no rules.
    #[error(transparent)]
    Rules(#[from] UnknownSwitch),
    /// A text names no reason of an end.
    #[error(transparent)]
    Reason(#[from] UnknownReason),
    /// A text is too long.
    #[error("expected a game of at most {} MiB ({most} bytes), found {found} bytes", most / (1024 * 1024))]
    TooLong {
        /// How many bytes are read.
        most: usize,
        /// How many it has.
        found: usize,
    },
    /// There are more of these than a file can hold.
    #[error("expected fewer {0}")]
    TooMany(&'static str),
    /// A line of a journal was damaged or changed.
    #[error(
        "expected a line of {what} as it was written, with the check sum {told:08x}, found one with {found:08x}: \
         it was damaged or changed"
    )]
    CheckSum {
        /// The sort of the journal.
        what: String,
        /// The check sum that the line tells.
        told: u32,
        /// The check sum of what it says.
        found: u32,
    },
    /// A line of a journal was written anew by another program.
    #[error(
        "expected a line of {what} with its check sum at the end as it was written, found another program's writing"
    )]
    Rewritten {
        /// The sort of the journal.
        what: String,
    },
    /// A line of a journal is not JSON, or other JSON than was expected.
    #[error("expected a line of {what}: {found}")]
    Json {
        /// The sort of the journal.
        what: String,
        /// What `serde_json` says of it.
        found: String,
    },
    /// A file is no UTF-8 from this byte on.
    #[error("expected a text in UTF-8, found the byte 0x{0:02x}")]
    Byte(u8),
    /// A file is UTF-16.
    #[error("expected a text in UTF-8, found one in UTF-16")]
    Utf16,
    /// A line ends by a carriage return alone, as on old computers.
    #[error(
        "expected lines that end with a line feed, found one that ends with a carriage return alone"
    )]
    LineEnd,
    /// A line is longer than so many bytes.
    #[error("expected a line of at most {0} bytes, found a longer one")]
    LongLine(u64),
    /// A file cannot be read.
    #[error("{found}")]
    Io {
        /// The sort of the fault.
        kind: io::ErrorKind,
        /// What the system says of it.
        found: String,
    },
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io { kind: error.kind(), found: error.to_string() }
    }
}

impl<F> From<F> for Error
where
    Fault: From<F>,
{
    /// The fault at an unknown place.
    fn from(fault: F) -> Self {
        Fault::from(fault).at(Place::default())
    }
}

impl Fault {
    /// Something else should be there; `found` is outside text.
    pub(crate) fn expected(expected: impl Into<String>, found: &str) -> Self {
        Self::instead(expected, quoted(found))
    }

    /// Something else should be there; `found` is a description in our words.
    pub(crate) fn instead(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Expected { expected: expected.into(), found: found.into() }
    }

    /// What was said before, as `told`, should not be said anew otherwise.
    pub(crate) fn again(told: &str, found: &str) -> Self {
        Self::expected(format!("no second value, or {} again", quoted(told)), found)
    }

    pub(crate) fn at(self, place: impl Into<Place>) -> Error {
        Error { place: place.into(), fault: Box::new(self) }
    }

    pub(crate) fn in_line(self, line: usize) -> Error {
        Error::from(self).in_line(line)
    }

    /// Whether it is one of the file, and not of a game in it: nothing can be read behind it.
    pub(crate) fn is_of_file(&self) -> bool {
        matches!(
            self,
            Self::Byte(_) | Self::LineEnd | Self::Utf16 | Self::LongLine(_) | Self::Io { .. }
        )
    }
}

impl Error {
    /// The same error in a file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.place.file = Some(file.into());
        self
    }

    /// The same error in a line of a file.
    #[must_use]
    pub fn in_line(mut self, line: usize) -> Self {
        self.place.line = Some(line);
        self
    }

    /// Whether the only fault is a last line that was cut off: everything before it is whole.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        *self.fault == Fault::CutOff
    }
}

impl From<Error> for String {
    /// The error as text, for callers whose errors are sentences.
    fn from(error: Error) -> Self {
        error.to_string()
    }
}

/// Outside text for a message: in quotes, printable, not too long.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let text = text.trim_end();
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut shown = String::new();
    for letter in text.chars().take(LONGEST) {
        match letter {
            '"' | '\\' => shown.extend(['\\', letter]),
            letter if letter.is_control() => shown.extend(letter.escape_default()),
            letter => shown.push(letter),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where() {
        let fault = || Fault::expected("a move", "x\t\"y\"");
        let told = Error::from(fault()).to_string();
        assert_eq!(told, r#"expected a move, found "x\t\"y\"""#);
        let error = fault().in_line(3).in_file("a.pgn");
        assert!(error.to_string().starts_with("a.pgn: line 3: expected a move, "), "{error}");
        let place = Place { line: Some(3), column: Some(7), ply: Some(2), ..Place::default() };
        assert_eq!(place.to_string(), "line 3, column 7: move 2: ");
        assert_eq!(
            Place { game: Some(4), ..place }.to_string(),
            "line 3, column 7: game 4, move 2: "
        );
        assert_eq!(quoted(""), "nothing");
        assert_eq!(quoted(&"x".repeat(50)).chars().count(), 43);
    }
}
