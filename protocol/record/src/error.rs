//! What is wrong with a text, and where.

use std::fmt;

use kujira_position::{HodgesError, MoveError, SfenError};

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
    /// Something else: what, as a sentence.
    #[error("{0}")]
    Other(String),
}

impl Fault {
    /// Something else should be there; `found` is outside text.
    pub(crate) fn expected(expected: impl Into<String>, found: &str) -> Self {
        Self::Expected { expected: expected.into(), found: quoted(found) }
    }

    pub(crate) fn at(self, place: Place) -> Error {
        Error { place, fault: Box::new(self) }
    }

    pub(crate) fn nowhere(self) -> Error {
        self.at(Place::default())
    }

    pub(crate) fn in_line(self, line: usize) -> Error {
        self.at(Place { line: Some(line), ..Place::default() })
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

    /// The same error in a game of a file.
    #[must_use]
    pub fn in_game(mut self, game: usize) -> Self {
        self.place.game = Some(game);
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
        let told = fault().nowhere().to_string();
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
