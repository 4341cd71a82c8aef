//! What a table asks its driver to do.

use crate::clock::Millis;
use crate::engine::{EngineCommand, EngineId};
use crate::message::Message;

/// A page that looks on: a number that the driver chooses, never the same for two pages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId(pub u64);

/// What the driver is to do, in this order. No page is told of a change before the driver has answered [`Self::Keep`].
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
    /// Keep the game as it is now ([`Table::saved`](crate::Table::saved)), safe from a crash or a power cut, and answer
    /// by [`Table::kept`](crate::Table::kept).
    Keep,
    /// Wake the table at this time, or not at all. It replaces the time asked for before.
    WakeAt(Option<Millis>),
}
