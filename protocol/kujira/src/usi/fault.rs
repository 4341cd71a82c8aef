//! Why a line is no command.

use kujira_usi::{ArgumentError, quoted};

use crate::lines::LineError;

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The line is no text.
    #[error(transparent)]
    Line(#[from] LineError),
    /// No command has this name.
    #[error("expected a command (help lists them), found {}", quoted(found))]
    Unknown {
        /// Word found instead.
        found: String,
    },
    /// The first word of another protocol comes too late.
    #[error("expected {found} as the first word of a session, found it behind others")]
    Late {
        /// That word.
        found: &'static str,
    },
    /// An argument is missing or wrong.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
}
