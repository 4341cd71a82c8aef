//! What a search says, as XBoard shows it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kujira_cecp::notation::text;
use kujira_position::{Move, VariantId};
use kujira_search::{Bound, Control, Info, Reporter, Score};

use crate::output::{Output, one_line, per_second};

/// The score of a mate, before the moves to it are added.
const MATE: i64 = 100_000;

/// The reporter of one search: thinking lines if they are wanted, and what `.` and `hint` ask for. Where nobody reads
/// those lines any more it ends the search.
#[derive(Debug)]
pub(crate) struct Thinking<'a> {
    output: &'a Output,
    control: &'a Control,
    /// Whether lines are wanted; may change during the search.
    post: &'a AtomicBool,
    game: VariantId,
    /// Number of legal moves.
    moves: usize,
    state: Mutex<State>,
}

/// How far the search is.
#[derive(Default, Debug)]
struct State {
    depth: u32,
    nodes: u64,
    /// The root move now searched and its number from 1.
    current: Option<(Move, usize)>,
    /// The best move found so far.
    best: Option<Move>,
}

impl<'a> Thinking<'a> {
    /// A reporter for a search under this control of a position with so many legal moves.
    pub(crate) fn new(
        output: &'a Output,
        control: &'a Control,
        post: &'a AtomicBool,
        game: VariantId,
        moves: usize,
    ) -> Self {
        Self { output, control, post, game, moves, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best move found so far, as XBoard reads it.
    pub(crate) fn best(&self) -> Option<String> {
        self.state().best.map(|best| text(self.game, best))
    }

    /// The answer to `.`: time in centiseconds, nodes, depth, moves not yet searched, all moves, and the
    /// move now searched.
    pub(crate) fn status(&self) -> String {
        let state = self.state();
        let time = self.control.elapsed().as_millis() / 10;
        let (m, number) = match state.current {
            Some((m, number)) => (text(self.game, m), number),
            None => (String::new(), 0),
        };
        let left = self.moves.saturating_sub(number);
        let (nodes, depth, all) = (state.nodes, state.depth, self.moves);
        format!("stat01: {time} {nodes} {depth} {left} {all} {m}").trim_end().to_owned()
    }
}

/// A score in centipawns, mates as CECP has them.
fn centipawns(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => value.into(),
        Score::Mate(plies) if plies > 0 => MATE + (i64::from(plies) + 1) / 2,
        Score::Mate(plies) => -MATE + i64::from(plies) / 2,
    }
}

impl Reporter for Thinking<'_> {
    fn info(&self, info: &Info) {
        {
            let mut state = self.state();
            state.depth = info.depth;
            state.nodes = info.nodes;
            if info.multipv == 1
                && let Some(&best) = info.pv.first()
            {
                state.best = Some(best);
            }
        }
        if !self.post.load(Ordering::Relaxed) {
            return;
        }
        let (score, time) = (centipawns(info.score), info.time.as_millis() / 10);
        let speed = per_second(info.nodes, info.time);
        let (depth, nodes, deepest) = (info.depth, info.nodes, info.selective_depth);
        let mut pv: Vec<String> = info.pv.iter().map(|&m| text(self.game, m)).collect();
        match info.bound {
            Bound::Exact => {}
            Bound::Lower => pv.push("!".to_owned()),
            Bound::Upper => pv.push("?".to_owned()),
        }
        let pv = pv.join(" ");
        // The last number is that of table bases looked up.
        self.output.lines(&format!("{depth} {score} {time} {nodes} {deepest} {speed} 0\t{pv}"));
        if self.output.broken() {
            self.control.stop();
        }
    }

    fn current_move(&self, depth: u32, m: Move, number: usize) {
        let mut state = self.state();
        state.depth = depth;
        state.current = Some((m, number));
    }

    fn note(&self, text: &str) {
        self.output.lines(&format!("# {}", one_line(text)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        for (score, told) in [
            (Score::Centipawns(-35), -35),
            (Score::Mate(1), 100_001),
            (Score::Mate(2), 100_001),
            (Score::Mate(5), 100_003),
            (Score::Mate(0), -100_000),
            (Score::Mate(-2), -100_001),
            (Score::Mate(-6), -100_003),
        ] {
            assert_eq!(centipawns(score), told, "{score}");
        }
    }
}
