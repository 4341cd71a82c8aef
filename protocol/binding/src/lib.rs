//! What the packages `whaleshogi` for Python (`protocol/python`) and for JavaScript (`protocol/web/rules`) share: moves
//! as people and programs give them, names of what is on a board, moves and positions as numbers, boards as
//! pictures. Here are values and
//! texts; what language they are told to is not known.
#![forbid(unsafe_code)]

pub mod drawing;
pub mod encode;
pub mod given;
pub mod names;
pub mod written;

/// Why what somebody gives is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// A text or number that means nothing here: what was expected, and what was found.
    #[error("{0}")]
    Wrong(String),
    /// A name that is none of a few: what was expected, and what was found.
    #[error("{0}")]
    Name(String),
    /// A move that is not legal.
    #[error("{text}")]
    Illegal {
        /// What was expected, and what was found.
        text: String,
        /// The legal moves that come nearest.
        near: Vec<String>,
    },
}

impl Refused {
    /// A text that is none of a few choices.
    #[must_use]
    pub fn none_of(choices: &str, found: &str) -> Self {
        Self::Wrong(format!("expected one of {choices}, found {found:?}"))
    }

    /// A name that is none of a few.
    #[must_use]
    pub fn no_name(choices: &str, found: &str) -> Self {
        Self::Name(format!("expected one of {choices}, found {found:?}"))
    }
}
