//! Engines between table and driver: which engine, events, commands.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an engine is there for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It plays.
    Player,
    /// It analyses and gives hints.
    Analyst,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Player => "player",
            Self::Analyst => "analyst",
        })
    }
}

/// One run of an engine. A restarted engine is another run, so that the table can tell late lines of the run before
/// from its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EngineId {
    pub(crate) role: Role,
    pub(crate) generation: u64,
}

impl EngineId {
    /// What the engine is there for.
    #[must_use]
    pub const fn role(self) -> Role {
        self.role
    }
}

/// What happens to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineEvent<'a> {
    /// It has been started and hears what it is sent.
    Started,
    /// It could not be started: a sentence that says why.
    NotStarted(&'a str),
    /// It wrote a line.
    Line(&'a str),
    /// It has ended: what it complained about last, or nothing.
    Ended(&'a str),
    /// It does not read what it is sent any more.
    Silent,
}

/// What is to be done with an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineCommand {
    /// Start it. Answered by [`EngineEvent::Started`] or [`EngineEvent::NotStarted`].
    Start,
    /// Send it this line, to which the driver adds the end of a line.
    Send(String),
    /// Tell it to quit, and kill it if it has not ended after a moment. The table needs it no more.
    Quit,
    /// Kill it. The table needs it no more.
    Kill,
}
