//! Why a line is no command.

use crate::lines::LineError;
use crate::output::quoted;

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// It is no text.
    #[error(transparent)]
    Line(#[from] LineError),
    /// No command has this name.
    #[error("expected a command (help lists them), found {}", quoted(found))]
    Unknown {
        /// What was found instead.
        found: String,
    },
    /// An argument is missing or wrong.
    #[error("{command}: expected {expected}, found {}", quoted(found))]
    Argument {
        /// The command.
        command: &'static str,
        /// What should have been there.
        expected: String,
        /// What was there.
        found: String,
    },
}

/// A fault of an argument: what should have been there, and what was.
pub(crate) fn wrong(
    command: &'static str,
    expected: impl Into<String>,
    found: &str,
) -> CommandError {
    CommandError::Argument { command, expected: expected.into(), found: found.to_owned() }
}
