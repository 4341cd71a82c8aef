//! What can be wrong with a file of games.

use std::io;

use kujira_position::VariantId;

/// Why a file of games cannot be read or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("expected a file of self-play games, found something else")]
    Foreign,
    /// The file was written by another version of the format.
    #[error("expected version {expected} of the format of self-play games, found {found}")]
    Version {
        /// The version that is read.
        expected: u16,
        /// The version of the file.
        found: u16,
    },
    /// The games are of another game.
    #[error("expected games of {expected}, found games of {found}")]
    Game {
        /// What was wanted.
        expected: VariantId,
        /// What the file holds.
        found: VariantId,
    },
    /// The file was begun with other settings.
    #[error("expected the settings that the file was begun with: {}", differences.join("; "))]
    Settings {
        /// What differs.
        differences: Vec<String>,
    },
    /// Another run is writing to the file.
    #[error("expected a file that nobody writes to, found it in use")]
    InUse,
    /// A part of the file is not as it was written.
    #[error("damaged at byte {offset}: {fault}")]
    Damaged {
        /// Where that part begins, in bytes from the start of the file.
        offset: u64,
        /// What was expected and what was found.
        fault: String,
    },
    /// A game that the rules do not allow.
    #[error("game {number}: {fault}")]
    Illegal {
        /// The number of its opening.
        number: u32,
        /// What was expected and what was found.
        fault: String,
    },
}
