//! Why a line is no command.

use crate::lines::LineError;
use crate::output::quoted;

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
    #[error("{command}: expected {expected}, found {}", quoted(found))]
    Argument {
        /// Command.
        command: &'static str,
        /// Argument expected.
        expected: String,
        /// Text found in its place.
        found: String,
    },
}

/// The error of an argument, with what was expected and what was found.
pub(crate) fn wrong(
    command: &'static str,
    expected: impl Into<String>,
    found: &str,
) -> CommandError {
    CommandError::Argument { command, expected: expected.into(), found: found.to_owned() }
}
