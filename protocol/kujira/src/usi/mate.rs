//! `go mate`: an ordinary search that ends as soon as it knows a mate, or that there is none.

use std::sync::{Mutex, PoisonError};

use kujira_search::{Bound, Control, Info, Reporter, Score};
use kujira_usi::Checkmate;

/// Passes on what a search says and stops it when the question is answered.
pub(super) struct MateFinder<'a> {
    inner: &'a dyn Reporter,
    control: &'a Control,
    found: Mutex<Found>,
}

/// What is known of a mate.
#[derive(Default)]
enum Found {
    #[default]
    Nothing,
    /// The side to move mates by force with these moves, in USI.
    Mate(Vec<String>),
    /// The side to move cannot mate: the game is over, or it is mated itself by force.
    NoMate,
}

impl<'a> MateFinder<'a> {
    pub(super) fn new(inner: &'a dyn Reporter, control: &'a Control) -> Self {
        Self { inner, control, found: Mutex::default() }
    }

    /// The answer to `go mate`, when the search has ended.
    pub(super) fn answer(self) -> Checkmate {
        match self.found.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Found::Nothing => Checkmate::Timeout,
            Found::Mate(moves) => Checkmate::Mate(moves),
            Found::NoMate => Checkmate::NoMate,
        }
    }
}

impl Reporter for MateFinder<'_> {
    fn info(&self, info: &Info) {
        self.inner.info(info);
        if info.multipv != 1 || info.bound != Bound::Exact {
            return;
        }
        let found = match info.score {
            Score::Mate(plies) if plies > 0 => {
                // Nobody could follow half a mate.
                if usize::try_from(plies) != Ok(info.pv.len()) {
                    return;
                }
                Found::Mate(info.pv.clone())
            }
            Score::Mate(_) => Found::NoMate,
            // Before the first move is searched a line of depth 0 names it.
            Score::Centipawns(_) if info.depth == 0 && info.pv.is_empty() => Found::NoMate,
            Score::Centipawns(_) => return,
        };
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = found;
        self.control.stop();
    }

    fn current_move(&self, depth: u32, m: &str, number: usize) {
        self.inner.current_move(depth, m, number);
    }

    fn note(&self, text: &str) {
        self.inner.note(text);
    }
}
