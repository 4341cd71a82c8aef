//! What the coach has seen, and what it was asked.
use kujira_record::NodeId;

use crate::clock::Millis;
use crate::coach::{Sight, Warning};
use crate::output::PageId;

/// What the coach has seen. Positions are texts that follow `position`: numbers of moves may come again.
#[derive(Default)]
pub(super) struct Coach {
    /// Whether it looks on by itself.
    pub(super) on: bool,
    /// The position where somebody is to move, and what the engine found there, if anything.
    pub(super) sight: Option<(String, Option<Sight>)>,
    /// The same position, and what the other side would take if it were its turn.
    pub(super) threat: Option<(String, Option<Warning>)>,
    pub(super) asked: Option<Asked>,
}

/// A move that somebody is about to make.
pub(super) struct Asked {
    pub(super) page: PageId,
    pub(super) at: NodeId,
    pub(super) usi: String,
    /// Until when there is an answer, whatever it is.
    pub(super) by: Millis,
}
