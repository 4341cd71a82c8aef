//! What can be wrong with a file of games.

use std::fmt;
use std::io;

use kujira_position::VariantId;

/// Why a file of games cannot be read or gone on with.
#[derive(Debug)]
pub enum DataError {
    /// The file system refuses.
    Io(io::Error),
    /// The file is something else.
    Foreign,
    /// The file was written by a later version of the format.
    Version {
        /// Its version.
        found: u16,
    },
    /// The games are of another game.
    Game {
        /// What was wanted.
        expected: VariantId,
        /// What the file holds.
        found: VariantId,
    },
    /// The file was begun with other settings.
    Settings {
        /// What differs.
        differences: Vec<String>,
    },
    /// Another run is writing to the file.
    InUse,
    /// A part of the file is not as it was written.
    Damaged {
        /// Where that part begins, in bytes from the start of the file.
        offset: u64,
        /// What was expected and what was found.
        fault: String,
    },
    /// A game that the rules do not allow.
    Illegal {
        /// The number of its opening.
        number: u32,
        /// What was expected and what was found.
        fault: String,
    },
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Foreign => {
                f.write_str("expected a file of self-play games, found something else")
            }
            Self::Version { found } => write!(
                f,
                "expected version {} of the format of self-play games, found {found}",
                crate::file::VERSION
            ),
            Self::Game { expected, found } => {
                write!(f, "expected games of {expected}, found games of {found}")
            }
            Self::Settings { differences } => write!(
                f,
                "expected the settings that the file was begun with: {}",
                differences.join("; ")
            ),
            Self::InUse => f.write_str("expected a file that nobody writes to, found it in use"),
            Self::Damaged { offset, fault } => write!(f, "damaged at byte {offset}: {fault}"),
            Self::Illegal { number, fault } => write!(f, "game {number}: {fault}"),
        }
    }
}

impl std::error::Error for DataError {}

impl From<io::Error> for DataError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
