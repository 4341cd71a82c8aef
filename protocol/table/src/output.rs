//! What a table asks its driver to do.

use crate::clock::Millis;
use crate::engine::{EngineCommand, EngineId};
use crate::message::Message;

/// A page that looks on: a number that the driver chooses, never the same for two pages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId(pub u64);

/// What the driver is to do, in this order. Nobody is shown what has changed before the driver has said what came
/// of keeping it.
#[derive(Clone, Debug)]
pub enum Output {
    /// Tell one page.
    ToPage(PageId, Message),
    /// Tell several pages, which have been told the state.
    ToPages(Vec<PageId>, Message),
    /// Tell every page that has joined and not left, and been told the state.
    ToAll(Message),
    /// Do something with an engine.
    Engine(EngineId, EngineCommand),
    /// Keep the game as it is now ([`Table::saved`](crate::Table::saved)) for the next time it is opened, so that it
    /// is there after whatever may happen, and tell [`Table::kept`](crate::Table::kept).
    Keep,
    /// Wake the table at this time, or not; takes the place of what was asked for before.
    WakeAt(Option<Millis>),
}
