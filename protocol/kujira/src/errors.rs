//! Everything a session can find fault with, as one line of text that says what was expected and
//! what was found.

use std::any::Any;
use std::fmt;
use std::io;

use kujira_position::{PositionError, SetupError, VariantId};
use kujira_search::HashError;
use kujira_search::eval::NetworkError;
use kujira_usi::fairy::GameError;
use kujira_usi::{Protocol, quoted};

/// Why a command had no effect, or not the whole effect. Displayed in the words of USI.
#[derive(Debug, thiserror::Error)]
#[error("{}", Told(self, &USI))]
pub enum SessionError {
    /// No option has this name.
    UnknownOption {
        /// Name found.
        found: String,
        /// Names of all options.
        names: String,
    },
    /// An option cannot have this value.
    OptionValue {
        /// Name of the option.
        name: &'static str,
        /// Values that the option can have.
        expected: String,
        /// Value found.
        found: String,
    },
    /// The position in play is impossible under the rule asked for.
    Rules {
        /// Name of the option.
        name: &'static str,
        /// Reason.
        error: SetupError,
    },
    /// The position was refused.
    Position {
        /// Reason.
        error: PositionError,
        /// The game in play and the game whose board it seems to be, if that is another one.
        other_board: Option<(VariantId, VariantId)>,
    },
    /// The game was refused that a client of UCI told.
    FairyGame {
        /// Reason.
        error: GameError,
        /// As with [`SessionError::Position`].
        other_board: Option<(VariantId, VariantId)>,
    },
    /// What a command is about was asked for and refused.
    Refused {
        /// First word of the command.
        command: &'static str,
        /// What was refused: the game, or the position.
        what: &'static str,
        /// Why that was refused.
        why: String,
    },
    /// No memory is left for the transposition table.
    Hash(HashError),
    /// The log file cannot be written.
    LogFile {
        /// Path of the file.
        path: String,
        /// Reason.
        error: io::Error,
    },
    /// The file that an option names cannot be read.
    File {
        /// Name of the option.
        option: &'static str,
        /// Path of the file.
        path: String,
        /// Reason.
        error: io::Error,
    },
    /// The file is no network for the game in play.
    Network {
        /// Path of the file.
        path: String,
        /// Reason.
        error: NetworkError,
    },
    /// The file is no book.
    Book {
        /// Path of the file.
        path: String,
        /// Reason.
        error: kujira_record::Error,
    },
    /// A defect of the engine.
    Internal {
        /// Message of the panic.
        message: String,
    },
}

/// The words of a protocol that errors speak of.
struct Words {
    /// The command that sets options.
    set: &'static str,
    /// The option that chooses the game.
    variant: &'static str,
    /// The option that says how large the table is.
    hash: &'static str,
    /// How a game is called, if it can be played.
    game: fn(VariantId) -> Option<&'static str>,
}

const USI: Words = Words {
    set: "setoption",
    variant: "USI_Variant",
    hash: "USI_Hash",
    game: |game| Some(game.spec().id),
};

const UCI: Words =
    Words { variant: "UCI_Variant", hash: "Hash", game: |game| game.spec().fairy, ..USI };

#[cfg(feature = "cecp")]
const CECP: Words = Words { set: "option", variant: "variant", hash: "memory", ..USI };

/// An error in these words.
struct Told<'a>(&'a SessionError, &'static Words);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.tell(f, self.1)
    }
}

impl SessionError {
    /// That the file which `option` names cannot be read.
    pub(crate) fn unreadable(option: &'static str, path: &str, error: io::Error) -> Self {
        Self::File { option, path: path.to_owned(), error }
    }

    /// The error in the words of a protocol.
    #[must_use]
    pub fn told(&self, protocol: Protocol) -> impl fmt::Display + '_ {
        Told(
            self,
            match protocol {
                Protocol::Usi => &USI,
                Protocol::Uci => &UCI,
            },
        )
    }

    /// The error in the words of CECP.
    #[cfg(feature = "cecp")]
    pub(crate) fn in_cecp(&self) -> impl fmt::Display + '_ {
        Told(self, &CECP)
    }

    fn tell(&self, f: &mut fmt::Formatter<'_>, words: &Words) -> fmt::Result {
        let set = words.set;
        let elsewhere = |f: &mut fmt::Formatter<'_>, boards: &Option<(VariantId, VariantId)>| {
            let Some((current, other)) = boards else { return Ok(()) };
            let variant = words.variant;
            write!(f, " ({variant} is {}; ", (words.game)(*current).unwrap_or(current.spec().id))?;
            match (words.game)(*other) {
                Some(other) => write!(f, "for this board set {variant} {other})"),
                None => write!(f, "{} is played in USI alone)", other.spec().name),
            }
        };
        match self {
            Self::UnknownOption { found, names } => {
                write!(f, "{set}: expected one of {names}, found {}", quoted(found))
            }
            Self::OptionValue { name, expected, found } => write!(
                f,
                "{set} {name}: expected {expected}, found {}; the old value stays",
                quoted(found)
            ),
            Self::Rules { name, error } => write!(
                f,
                "{set} {name}: expected a rule that fits the position in play, found {error}; \
                 the old value stays"
            ),
            Self::Position { error, other_board } => {
                write!(f, "position: {error}")?;
                elsewhere(f, other_board)
            }
            Self::FairyGame { error, other_board } => {
                write!(f, "position: {error}")?;
                elsewhere(f, other_board)
            }
            Self::Refused { command, what, why } => {
                write!(f, "{command}: expected another {what}, as the last one was refused: {why}")
            }
            Self::Hash(error) => write!(f, "{}: {error}", words.hash),
            Self::LogFile { path, error } => {
                write!(f, "DebugLogFile: expected a file to append to, found {path}: {error}")
            }
            Self::File { option, path, error } => {
                let kept = if *option == "BookFile" { "book" } else { "evaluation" };
                let found = format!("found {path}: {error}; the {kept} in use stays");
                write!(f, "{option}: expected a file to read, {found}")
            }
            Self::Network { path, error } => {
                write!(f, "EvalFile: {path}: {error}; the evaluation in use stays")
            }
            Self::Book { path, error } => {
                write!(f, "BookFile: {path}: {error}; the book in use stays")
            }
            Self::Internal { message } => {
                write!(f, "internal: {message}; the engine starts afresh")
            }
        }
    }
}

/// The message of a panic.
#[must_use]
pub fn message_of(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a failure without a message")
}

#[cfg(all(test, feature = "cecp"))]
mod tests {
    use super::*;

    #[test]
    fn xboard_is_told_of_its_own_words() {
        let error = kujira_position::AnyPosition::from_sfen(VariantId::Whale, "x").unwrap_err();
        let other_board = Some((VariantId::Whale, VariantId::Paulowich));
        let error = SessionError::Position { error: PositionError::Sfen(error), other_board };
        let told = error.in_cecp().to_string();
        assert!(
            told.ends_with("(variant is whale; for this board set variant paulowich)"),
            "{told}"
        );
        assert!(error.to_string().contains("USI_Variant paulowich"));
    }
}
