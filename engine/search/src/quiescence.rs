//! Quiescence search: captures and, in its first plies, promotions and checks until nothing hangs, so that
//! evaluations are not taken in the middle of an exchange or before a mate.

use kujira_position::Variant;

use crate::eval::Evaluator;
use crate::node::Node;
use crate::params::{quiescence_checks, quiescence_depth, quiescence_evasions, quiescence_margin};
use crate::picker::{Class, Knowledge, Picker, gain};
use crate::pruning::usable;
use crate::report::Bound;
use crate::score::{INFINITE, MAX_PLY, Value, lasts, to_table};
use crate::tt::Entry;
use crate::worker::Worker;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The score at `ply`, `deep` plies below the full search, when only captures, promotions, answers to
    /// checks and at first checks are tried and the side to move may also leave everything as it is. `judged`:
    /// the full search has evaluated this position, and found no mate in one.
    pub(crate) fn quiesce<N: Node>(
        &mut self,
        mut alpha: Value,
        beta: Value,
        deep: i32,
        ply: usize,
        judged: bool,
    ) -> Value {
        if self.count_node() {
            return 0;
        }
        if N::PV {
            self.memory.lines.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        let known = self.threats;
        let threats = &known[ply];
        debug_assert!(threats.agree_with(self.position.board()), "{:?}", self.position);
        if let Some(score) = self.finished::<N>(threats, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluator.evaluate(self.position.board());
        }
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = usable(&entry, alpha, beta, ply)
        {
            return score;
        }

        let original_alpha = alpha;
        // Where check must be answered the answers are few. Elsewhere they are many, even those that may save
        // the whale.
        let evades =
            self.position.checked() && (!Self::CAPTURES_WHALES || deep < quiescence_evasions());
        let mut best = -INFINITE;
        let mut stand = -INFINITE;
        if !evades {
            // What the table knows has none, or the entry holds it, see the full search.
            if !judged
                && entry.is_none()
                && let Some(m) = self.position.board().mate_in_one(threats)
            {
                return self.mates::<N>(m, ply);
            }
            stand = match self.steps[ply].eval {
                Some(eval) if judged => eval,
                _ => self.evaluate(entry, threats, ply),
            };
            best = stand;
            if stand >= beta && entry.is_none() {
                let eval = self.steps[ply].raw;
                let bound = Bound::Lower;
                self.shared
                    .table
                    .store(key, Entry { best: None, score: stand, depth: 0, bound, eval });
            }
            if stand >= beta || deep >= quiescence_depth() {
                return stand;
            }
            alpha = alpha.max(stand);
        } else {
            (self.steps[ply].raw, self.steps[ply].eval) = (None, None);
        }

        let base = self.memory.arena.base();
        let contexts = self.contexts(ply);
        let table_move = entry.and_then(|entry| entry.best);
        let stops = if evades { self.stops() } else { None };
        let mut picker = if evades {
            let [first, second] = self.memory.history.killers(ply);
            Picker::all(base, table_move, [first, second, None])
        } else {
            Picker::tactical(base, table_move, deep < quiescence_checks())
        };
        let mut best_move = None;
        let mut number = 0;
        while let Some((m, class)) = picker.next(
            &mut self.memory.arena,
            &Knowledge {
                board: self.position.board(),
                values: self.values,
                history: &self.memory.history,
                contexts,
                table: self.shared.table,
                threats,
                // What comes to no more than the best does not change it.
                futile: if evades { -INFINITE } else { best - stand - quiescence_margin() },
                stops,
            },
        ) {
            number += 1;
            if !evades && class != Class::Quiet {
                let gain = gain(self.position.board(), self.values, m);
                let reach = stand + gain + quiescence_margin();
                if reach <= alpha {
                    best = best.max(reach);
                    continue;
                }
            }
            self.make(m, threats, None, ply);
            let score = -self.quiesce::<N>(-beta, -alpha, deep + 1, ply + 1, false);
            self.unmake();
            if self.aborted {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if N::PV {
                        self.memory.lines.set(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.memory.arena.release(base);
        if self.aborted {
            return best;
        }
        if evades && number == 0 {
            return self.helpless(stops.is_some(), ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha && N::PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if lasts(best) {
            let (score, eval) = (to_table(best, ply), self.steps[ply].raw);
            self.shared.table.store(key, Entry { best: best_move, score, depth: 0, bound, eval });
        }
        best
    }
}
