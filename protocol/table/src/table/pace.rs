//! How long moves of engines wait to be seen, where no clock runs: engines answer faster than people look.
use super::Table;
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

impl Table {
    /// The engine that plays has answered: its move is made when it may be seen.
    pub(super) fn engine_answers(&mut self, done: &Done) {
        let due = self.pace.moved.saturating_add(self.pace.least);
        if self.clock.is_none() && due > self.now {
            self.pace.waiting = Some((due, done.clone()));
        } else {
            self.engine_moves(done);
        }
    }

    /// Makes the move that has waited long enough, unless the game has gone elsewhere.
    pub(super) fn settle_pace(&mut self) {
        let Some((due, done)) = &self.pace.waiting else { return };
        let stands = self.saved.playing && done.job.node == self.saved.tip;
        if !stands {
            self.pace.forget();
        } else if *due <= self.now
            && let Some((_, done)) = self.pace.waiting.take()
        {
            self.changed = true;
            self.engine_moves(&done);
        }
    }
}
