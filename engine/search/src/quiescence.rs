//! Quiescence search: captures and, in its first plies, promotions and checks until nothing hangs, so that
//! evaluations are not taken in the middle of an exchange or before a mate.

use std::ops::ControlFlow;

use kujira_position::Variant;

use crate::eval::Evaluator;
use crate::node::Node;
use crate::params::{quiescence_checks, quiescence_depth, quiescence_evasions, quiescence_margin};
use crate::picker::{Class, Picker};
use crate::pruning::usable;
use crate::report::Bound;
use crate::score::{INFINITE, MAX_PLY, Value, lasts, to_table};
use crate::scoring::gain;
use crate::stack::NodeContext;
use crate::tt::Entry;
use crate::worker::Worker;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The score at `ply`, `deep` plies below the full search, when only captures, promotions, answers to
    /// checks and at first checks are tried and the side to move may also leave everything as it is. `judged`
    /// says that the full search has evaluated this position, and found no mate in one.
    pub(crate) fn quiesce<N: Node>(
        &mut self,
        alpha: Value,
        beta: Value,
        deep: i32,
        ply: usize,
        judged: bool,
    ) -> Value {
        if self.count_node() {
            return 0;
        }
        let node = self.node(ply);
        if N::PV {
            node.clear_line();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        debug_assert!(node.threats.agree_with(self.position.board()), "{:?}", self.position);

        // --- End of the game ---
        // A capturable whale, a repetition, a claim or the greatest length leaves nothing to search.
        if let Some(score) = self.terminal_score::<N>(node) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluate_now(node);
        }

        // --- Table cut-off ---
        // Every entry of the table comes from a search at least as deep.
        let entry = self.shared.table.probe(self.key());
        if !N::PV
            && let Some(entry) = entry
            && let Some(score) = usable(&entry, alpha, beta, ply)
        {
            return score;
        }

        // --- Stand pat ---
        // Nobody has to capture, but a check has to be answered. The answers are few, except where whales are
        // captured: there only the first plies try them all.
        let evades =
            self.position.checked() && (!Self::CAPTURES_WHALES || deep < quiescence_evasions());
        let mut stand_pat = None;
        if evades {
            node.forget_eval();
        } else {
            match self.stand_pat::<N>(entry, beta, deep, judged, node) {
                ControlFlow::Break(score) => return score,
                ControlFlow::Continue(score) => stand_pat = Some(score),
            }
        }
        self.try_tactical::<N>([alpha, beta], stand_pat, deep, entry, node)
    }

    /// The score of leaving everything as it is, or a break with the score of the node where that, or a mate in
    /// one, ends it.
    #[inline(always)]
    fn stand_pat<N: Node>(
        &mut self,
        entry: Option<Entry>,
        beta: Value,
        deep: i32,
        judged: bool,
        node: &NodeContext<V>,
    ) -> ControlFlow<Value, Value> {
        // --- Mate in one ---
        // Flight squares tell it without a search; a table hit rules out an unseen mate in one.
        if !judged
            && entry.is_none()
            && let Some(m) = self.position.board().mate_in_one(&node.threats)
            && self.arena.sees(self.position.board(), m)
        {
            return ControlFlow::Break(self.mates::<N>(m, node));
        }
        let score = match node.eval.get() {
            Some(eval) if judged => eval,
            _ => self.evaluate(entry, node),
        };
        if score >= beta && entry.is_none() {
            let (eval, bound) = (node.raw_eval.get(), Bound::Lower);
            let entry = Entry { best: None, score, depth: 0, bound, eval, was_pv: false };
            self.shared.table.store(self.key(), entry);
        }
        if score >= beta || deep >= quiescence_depth() {
            ControlFlow::Break(score)
        } else {
            ControlFlow::Continue(score)
        }
    }

    /// The best score among `stand_pat` and the moves of quiescence. Without `stand_pat` every answer to a
    /// check is tried.
    #[inline(always)]
    fn try_tactical<N: Node>(
        &mut self,
        [mut alpha, beta]: [Value; 2],
        stand_pat: Option<Value>,
        deep: i32,
        entry: Option<Entry>,
        node: &NodeContext<V>,
    ) -> Value {
        let ply = node.ply;
        let original_alpha = alpha;
        let mut best = stand_pat.unwrap_or(-INFINITE);
        alpha = alpha.max(best);

        // --- Move picking ---
        // Captures that lose nothing, and at first promotions and checks; in check every answer.
        let base = self.arena.base();
        let table_move = entry.and_then(|entry| entry.best);
        let stops = if stand_pat.is_none() { self.stops() } else { None };
        node.contexts.set(self.contexts(node));
        node.stops.set(stops);
        let mut picker = if stand_pat.is_none() {
            let [first, second] = node.killers();
            Picker::all(base, table_move, [first, second, None])
        } else {
            Picker::tactical(base, table_move, deep < quiescence_checks())
        };
        let mut best_move = None;
        let mut number = 0;
        loop {
            if let Some(stand_pat) = stand_pat {
                // A capture that cannot beat the best score is not worth picking.
                picker.set_bar(best - stand_pat - quiescence_margin());
            }
            let Some((m, class)) = self.pick(&mut picker, node) else { break };
            number += 1;

            // --- Delta pruning ---
            // Not even what is captured, and a margin, brings the score to alpha.
            if let Some(stand_pat) = stand_pat
                && class != Class::Quiet
            {
                let gain = gain(self.position.board(), self.values, m);
                let reach = stand_pat + gain + quiescence_margin();
                if reach <= alpha {
                    best = best.max(reach);
                    continue;
                }
            }
            self.make(m, None, node);
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
                        node.set_line(m, self.node(ply + 1));
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.arena.release(base);
        if self.aborted {
            return best;
        }

        // --- Mate ---
        // A check without an answer ends the game.
        if stand_pat.is_none() && number == 0 {
            return self.helpless(stops.is_some(), node);
        }

        // --- Table --- Store the result in the table.
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha && N::PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if lasts(best) {
            let (score, eval) = (to_table(best, ply), node.raw_eval.get());
            let entry = Entry { best: best_move, score, depth: 0, bound, eval, was_pv: false };
            self.shared.table.store(self.key(), entry);
        }
        best
    }
}
