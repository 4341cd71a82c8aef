//! Iterative deepening with aspiration windows: the root of a search, and what is told of it.

use std::time::Duration;

use kujira_position::{Move, Variant};

use crate::eval::Evaluator;
use crate::node::Root;
use crate::params::{aspiration, aspiration_depth, aspiration_growth, aspiration_limit};
use crate::report::Bound;
use crate::root::RootMove;
use crate::score::{INFINITE, MATE_BOUND, Value};
use crate::worker::{Line, Worker, describe};

/// Deepest iteration.
pub const MAX_DEPTH: u32 = 100;

/// Least time between two root moves that are told: wide positions have thousands.
const TELLING: Duration = Duration::from_millis(200);

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// Searches until a limit is reached; returns the best lines, best first.
    pub(crate) fn think(mut self) -> Vec<Line> {
        // Whatever happens there is a move and a score.
        let eval = self.evaluate_now(self.node(0));
        if let Some(first) = self.root_moves.first() {
            let (bound, pv) = (Bound::Exact, vec![first.m]);
            self.lines = vec![Line { depth: 0, selective_depth: 0, bound, score: eval, pv }];
        }
        let deepest = self.shared.limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH));
        // Threads that begin at different depths get into each other's way less.
        let first = 1 + u32::from(self.index % 2 == 1);
        for depth in first.min(deepest)..=deepest {
            self.depth = depth;
            let nodes = self.all_nodes();
            if let Some(main) = &mut self.main {
                (main.begun, main.nodes_before) = (self.shared.control.now(), nodes);
            }
            self.iterate();
            if let Some(main) = &mut self.main {
                main.progress.last = self.shared.control.now() - main.begun;
            }
            if self.aborted || self.is_enough() {
                break;
            }
        }
        self.shared.publish(self.index, self.nodes);
        if let Some(main) = &self.main {
            let limits = self.shared.limits;
            if main.untold && (limits.infinite || limits.ponder) {
                // Whoever asked may wait for long before there is an answer.
                self.tell_lines();
            }
            self.shared.control.wait_until_wanted(limits);
        }
        self.lines
    }

    /// Searches every line wanted to the depth of this iteration.
    fn iterate(&mut self) {
        let wanted = self.shared.multipv.clamp(1, self.root_moves.len().max(1));
        for line in 0..wanted {
            self.first_root_move = line;
            self.selective_depth = 0;
            self.raised = None;
            let score = self.aspire(line);
            self.sort(line);
            if self.aborted {
                // The first move of this iteration, or a better one found since, was searched to
                // its end: trust it, even if all that is known is that it is better.
                let found = match self.root_moves.first() {
                    Some(best) if best.bound != Bound::Upper => Some(self.line_of(best)),
                    Some(best) if best.score > -INFINITE => None,
                    // Nothing was searched again since a window was too low for it.
                    _ => self.raised.take(),
                };
                // Of several lines those of the iteration before are a whole set, if there was one.
                let first = self.depth == 1;
                if line > 0 && first {
                    self.lines = self.root_moves[..line].iter().map(|m| self.line_of(m)).collect();
                } else if (wanted == 1 || first)
                    && let Some(line) = found
                {
                    self.lines = vec![line];
                }
                return;
            }
            debug_assert_eq!(Some(score), self.root_moves.get(line).map(|best| best.score));
        }
        self.root_moves[..wanted].sort_by_key(|root| std::cmp::Reverse(root.score));
        let best: Vec<Line> =
            self.root_moves[..wanted].iter().map(|root| self.line_of(root)).collect();
        let same = match (self.lines.first(), best.first()) {
            (Some(old), Some(new)) => old.pv.first() == new.pv.first(),
            _ => false,
        };
        self.lines = best;
        self.note_progress(same);
        if let Some(main) = &mut self.main {
            main.untold = true;
            self.tell_lines_if_due();
        }
    }

    /// Tells the lines of the last iteration once they may be told.
    pub(crate) fn tell_lines_if_due(&mut self) {
        let Some(main) = self.main.as_mut().filter(|main| main.untold) else { return };
        let waited = self.shared.control.elapsed();
        if waited >= main.next_lines {
            main.next_lines = waited + self.shared.pv_interval;
            self.tell_lines();
        }
    }

    fn tell_lines(&mut self) {
        if let Some(main) = &mut self.main {
            main.untold = false;
        }
        for (index, line) in self.lines.iter().take(self.shared.multipv).enumerate() {
            self.report(line, index + 1);
        }
    }

    /// Notes what this iteration says about how much time the search deserves; `same`: the best move
    /// is that of the iteration before.
    fn note_progress(&mut self, same: bool) {
        let (Some(main), Some(best)) = (&mut self.main, self.lines.first()) else { return };
        let (average, progress) = (main.average.unwrap_or(best.score), &mut main.progress);
        main.average = Some((average + best.score) / 2);
        progress.fall = average - best.score;
        progress.stability = if same { progress.stability + 1 } else { 0 };
        let nodes = self.root_moves.first().map_or(0, |root| root.nodes);
        let single = self.lines.len() == 1 && self.nodes > 0;
        progress.effort = single.then(|| nodes as f64 / self.nodes as f64);
    }

    fn line_of(&self, root: &RootMove) -> Line {
        Line {
            depth: self.depth,
            selective_depth: root.selective_depth,
            bound: root.bound,
            score: root.score,
            pv: root.pv.clone(),
        }
    }

    /// Searches the root moves from `line` on, first with a narrow window round the last score.
    fn aspire(&mut self, line: usize) -> Value {
        let last = self.lines.get(line).map_or(0, |line| line.score);
        let depth = self.depth.cast_signed();
        let mut width = aspiration();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= aspiration_depth() && last.abs() < MATE_BOUND {
            (alpha, beta) = ((last - width).max(-INFINITE), (last + width).min(INFINITE));
        }
        loop {
            for root in &mut self.root_moves[line..] {
                // What an earlier iteration found must not hide what this one finds.
                (root.score, root.bound) = (-INFINITE, Bound::Upper);
            }
            let score = self.search::<Root>(alpha, beta, depth, 0);
            if self.aborted {
                return score;
            }
            self.sort(line);
            let bound = if score <= alpha {
                Bound::Upper
            } else if score >= beta {
                Bound::Lower
            } else {
                return score;
            };
            let found = self.root_moves.get(line);
            let found = found.map(|root| Line { score, bound, ..self.line_of(root) });
            if self.main.is_some()
                && self.shared.multipv == 1
                && self.shared.pv_interval.is_zero()
                && let Some(found) = &found
            {
                self.report(found, line + 1);
            }
            self.raised = found.filter(|found| found.bound == Bound::Lower);
            width = width * aspiration_growth() / 4;
            if bound == Bound::Upper {
                beta = (alpha + beta) / 2;
                alpha = if width > aspiration_limit() {
                    -INFINITE
                } else {
                    (score - width).max(-INFINITE)
                };
            } else {
                beta = if width > aspiration_limit() {
                    INFINITE
                } else {
                    (score + width).min(INFINITE)
                };
            }
        }
    }

    /// Puts the root moves from `line` on in order, best first; equals stay as they are.
    fn sort(&mut self, line: usize) {
        if let Some(rest) = self.root_moves.get_mut(line..) {
            rest.sort_by_key(|root| std::cmp::Reverse(root.score));
        }
    }

    fn report(&self, line: &Line, multipv: usize) {
        self.shared.publish(self.index, self.nodes);
        self.shared.reporter.info(&describe(self.shared, line, multipv));
    }

    /// Tells the root move that is searched now to those who wait.
    pub(crate) fn tell_current_move(&mut self, m: Move, number: usize) {
        let waited = self.shared.control.elapsed();
        if let Some(main) = self.main.as_mut().filter(|main| waited >= main.next_telling) {
            main.next_telling = waited + TELLING;
            let place = self.first_root_move + number;
            self.shared.reporter.current_move(self.depth, m, place);
        }
    }
}
