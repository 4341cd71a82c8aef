//! How long moves of engines wait where no clock runs: engines answer faster than people can follow.
use kujira_record::NodeId;

use crate::clock::Millis;
use crate::slot::Done;

/// The longest that a move waits.
const LONGEST: Millis = 10_000;

/// The pace of a game.
pub(super) struct Pace {
    /// Least time between a move and the answer of an engine.
    least: Millis,
    /// When the last move was made.
    moved: Millis,
    /// The answer of an engine that waits, and until when.
    waiting: Option<(Millis, Done)>,
}

impl Pace {
    /// Nothing waits.
    pub(super) fn new(now: Millis) -> Self {
        Self { least: 0, moved: now, waiting: None }
    }

    pub(super) fn set(&mut self, least: Millis) {
        self.least = least.min(LONGEST);
    }

    /// The answer of an engine at `now`, unless it has to wait.
    pub(super) fn admit(&mut self, done: Done, now: Millis) -> Option<Done> {
        let due = self.moved.saturating_add(self.least);
        if due <= now {
            return Some(done);
        }
        self.waiting = Some((due, done));
        None
    }

    /// The waiting answer, if it is for this node and due. An answer for another node is dropped.
    pub(super) fn admitted(&mut self, node: Option<NodeId>, now: Millis) -> Option<Done> {
        let (due, done) = self.waiting.take()?;
        if Some(done.job.node) != node {
            return None;
        }
        if due <= now {
            return Some(done);
        }
        self.waiting = Some((due, done));
        None
    }

    /// A move is made.
    pub(super) fn moved(&mut self, now: Millis) {
        self.moved = now;
    }

    /// When the answer that waits is due.
    pub(super) fn due(&self) -> Option<Millis> {
        self.waiting.as_ref().map(|&(due, _)| due)
    }

    /// What waits is due now.
    pub(super) fn hurry(&mut self, now: Millis) {
        if let Some((due, _)) = &mut self.waiting {
            *due = now;
        }
    }

    /// What waits is not played.
    pub(super) fn forget(&mut self) {
        self.waiting = None;
    }
}
