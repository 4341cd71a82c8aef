//! What the first thread of a search does for all: it watches the clock and tells the lines.

use std::time::Duration;

use kujira_position::Color;

use crate::score::Value;
use crate::shared::Shared;
use crate::system::Instant;
use crate::time_manager::{Progress, TimeManager};

/// Time after the request from which on root moves are told to whoever waits.
const FIRST_TELLING: Duration = Duration::from_secs(1);

/// The state of the first thread that the others do not have (Stockfish's `SearchManager`).
pub(crate) struct MainThread {
    /// The side to move at the root.
    side: Color,
    /// `None` while the search ponders.
    pub(crate) clock: Option<TimeManager>,
    pub(crate) progress: Progress,
    /// Running average of the scores of the iterations, centipawns.
    pub(crate) average: Option<Value>,
    /// When this iteration began.
    pub(crate) begun: Instant,
    /// Nodes that all threads had searched when this iteration began.
    pub(crate) nodes_before: u64,
    /// Time from which on the current root move is told again, counted from the request.
    pub(crate) next_telling: Duration,
    /// Time from which on lines are told again, counted from the request.
    pub(crate) next_lines: Duration,
    /// Whether the lines of the last iteration are still to be told.
    pub(crate) untold: bool,
}

impl MainThread {
    /// The first thread of a search that begins, with `side` to move.
    pub(crate) fn new(shared: &Shared<'_>, side: Color, now: Instant) -> Self {
        let clock = (!shared.limits.ponder)
            .then(|| TimeManager::new(shared.control.received(), shared.limits, side, shared.time));
        Self {
            side,
            clock,
            progress: Progress::default(),
            average: None,
            begun: now,
            nodes_before: 0,
            next_telling: FIRST_TELLING,
            next_lines: Duration::ZERO,
            untold: false,
        }
    }

    /// Starts the clock once the move pondered on was played.
    pub(crate) fn watch_ponder(&mut self, shared: &Shared<'_>) {
        if self.clock.is_none()
            && let Some((hit, times)) = shared.control.ponder_hit_at()
        {
            let mut limits = shared.limits.clone();
            limits.times = times.or(limits.times);
            let clock = TimeManager::new(hit, &limits, self.side, shared.time);
            self.clock = Some(clock.pondered(hit - shared.control.received()));
        }
    }
}
