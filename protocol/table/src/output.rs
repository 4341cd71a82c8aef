//! What a table asks its driver to do.

use crate::clock::Millis;
use crate::engine::{EngineCommand, EngineId};
use crate::message::Message;
use crate::saved::Saved;

/// A page that looks on: a number that the driver chooses, never the same for two pages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId(pub u64);

/// What the driver is to do, in this order: whoever obeys one output after the other keeps a game before
/// anybody is shown what has changed.
#[derive(Clone, Debug)]
pub enum Output {
    /// Tell one page.
    ToPage(PageId, Message),
    /// Tell every page that has joined and not left.
    ToAll(Message),
    /// Do something with an engine.
    Engine(EngineId, EngineCommand),
    /// Keep this for the next time the game is opened, and tell [`Table::kept`](crate::Table::kept).
    Keep(Box<Saved>),
    /// Wake the table at this time, or not; takes the place of what was asked for before.
    WakeAt(Option<Millis>),
}
