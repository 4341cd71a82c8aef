//! Principal variation search: alpha-beta with a full window for the first move of a node and an
//! empty one, often less deep, for the others.

use kujira_position::{Kind, Move, Outcome, Variant, Wanted, WhaleRule};

use crate::eval::{Evaluator, captured};
use crate::node::{Cut, Node, Pv};
use crate::params::*;
use crate::picker::{Class, Knowledge, Picker};
use crate::report::Bound;
use crate::score::{
    CLAIM, INFINITE, MATE_BOUND, MAX_PLY, Value, from_table, mate_in, mated_in, recurrence,
    to_table,
};
use crate::see;
use crate::tt::Entry;
use crate::worker::Worker;
use crate::{history::HISTORY_LIMIT, reduction};

/// Quiet moves of a node that are remembered, to be punished when a later one is better.
const TRIED: usize = 32;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// Whether whales are captured like any piece.
    pub(crate) const CAPTURES_WHALES: bool = matches!(V::SPEC.whale, WhaleRule::Capture);

    /// The score of the position at `ply`, searched `depth` plies deep: exact between `alpha` and
    /// `beta`, else a bound (fail-soft). Worthless once the search was aborted.
    pub(crate) fn search<N: Node>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
    ) -> Value {
        if depth <= 0 && !N::ROOT {
            return self.quiesce::<N>(alpha, beta, 0, ply);
        }
        if self.count_node() {
            return 0;
        }
        if N::PV {
            self.memory.lines.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if !N::ROOT {
            if let Some(score) = self.finished::<N>(ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return self.evaluator.evaluate(self.position.board());
            }
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        if !N::PV
            && let Some(entry) = entry
            && entry.depth >= depth
        {
            let score = from_table(entry.score, ply);
            let usable = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if usable {
                return score;
            }
        }
        let table_move = if N::ROOT {
            self.root_moves.get(self.first_root_move).map(|root| root.m)
        } else {
            entry.and_then(|entry| entry.best)
        };

        let checked = self.position.checked();
        let eval = (!checked).then(|| self.evaluator.evaluate(self.position.board()));
        self.steps[ply].eval = eval;
        let improving = match (eval, ply.checked_sub(2).map(|before| self.steps[before].eval)) {
            (Some(now), Some(Some(before))) => now > before,
            (Some(_), _) => true,
            _ => false,
        };

        let prunes = ply >= unpruned() as usize;
        if !N::PV
            && prunes
            && let Some(eval) = eval
            && beta.abs() < CLAIM
        {
            // So far ahead that the enemy's next moves will not change it.
            if depth <= reverse_futility_depth()
                && eval - reverse_futility() * (depth - i32::from(improving)) >= beta
            {
                return eval;
            }
            if let Some(score) = self.null_move(eval, beta, depth, ply) {
                return score;
            }
            if self.aborted {
                return 0;
            }
        }
        if depth >= internal_reduction_depth() && table_move.is_none() {
            depth -= 1;
        }

        let us = self.position.side();
        let previous = ply.checked_sub(1).and_then(|before| self.steps[before].played);
        let base = self.memory.arena.base();
        let mut picker = if N::ROOT {
            let moves = self.root_moves[self.first_root_move..].iter().map(|root| root.m);
            Picker::listed(&mut self.memory.arena, moves)
        } else {
            let history = &self.memory.history;
            let [first, second] = history.killers(ply);
            Picker::all(base, table_move, [first, second, history.reply(previous)])
        };

        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiet_number = 0;
        let mut tried = [None::<Move>; TRIED];
        let mut tried_count = 0;

        while let Some((m, class)) = picker.next(
            &mut self.memory.arena,
            &Knowledge {
                board: self.position.board(),
                worth: self.worth,
                history: &self.memory.history,
            },
        ) {
            number += 1;
            let quiet = class == Class::Quiet;
            quiet_number += usize::from(quiet);
            if N::ROOT {
                self.tell_current_move(m, number);
            }
            let history = if quiet { self.memory.history.score(us, m) } else { 0 };

            if prunes && best > -MATE_BOUND && !checked {
                if quiet {
                    let late = late_move_count() + depth * depth * if improving { 2 } else { 1 };
                    if !N::PV && depth <= late_move_depth() && quiet_number as i32 > late {
                        picker.skip_quiets();
                        continue;
                    }
                    if let Some(eval) = eval
                        && !N::PV
                        && depth <= futility_depth()
                        && quiet_number > 3
                        && eval + futility_base() + futility() * depth <= alpha
                        && alpha.abs() < CLAIM
                    {
                        picker.skip_quiets();
                        continue;
                    }
                }
                if depth <= exchange_depth()
                    && class != Class::Capture
                    && m.kind() != Kind::WHALE
                    && !see::gains(self.position.board(), self.worth, m, -exchange_margin() * depth)
                {
                    continue;
                }
            }

            self.make(m, ply);
            let gives_check = self.position.checked();
            let extension = i32::from(
                gives_check && ply < 2 * self.depth as usize && class != Class::LosingCapture,
            );
            let next = depth - 1 + extension;

            let mut score = -INFINITE;
            let mut full = N::PV && number == 1;
            if number > 1 {
                let mut reduced = next;
                if depth >= reduction_depth()
                    && number > 1 + 2 * usize::from(N::PV)
                    && class != Class::Capture
                    && !checked
                {
                    let mut reduction = reduction::late_move(depth, number);
                    reduction -= history * 1024 / reduction_history();
                    reduction += if N::PV { -1024 } else { 0 };
                    reduction += if gives_check { -1024 } else { 0 };
                    reduction += if improving { 0 } else { 512 };
                    reduced = (next - reduction / 1024).clamp(1.min(next), next);
                }
                score = -self.search::<Cut>(-alpha - 1, -alpha, reduced, ply + 1);
                if score > alpha && reduced < next {
                    score = -self.search::<Cut>(-alpha - 1, -alpha, next, ply + 1);
                }
                full = N::PV && score > alpha && (N::ROOT || score < beta);
            } else if !N::PV {
                score = -self.search::<Cut>(-beta, -alpha, next, ply + 1);
            }
            if full {
                score = -self.search::<Pv>(-beta, -alpha, next, ply + 1);
            }
            self.unmake();
            if self.aborted {
                break;
            }
            if N::ROOT {
                self.judge_root_move(m, number, score, alpha, beta);
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if N::PV {
                        if !full {
                            // Nothing is known of what follows but that it is good enough.
                            self.memory.lines.clear(ply + 1);
                        }
                        self.memory.lines.set(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if quiet && tried_count < TRIED {
                tried[tried_count] = Some(m);
                tried_count += 1;
            }
        }
        self.memory.arena.release(base);
        if self.aborted {
            return best;
        }
        if number == 0 {
            // In check or not: who cannot move has lost.
            return mated_in(ply);
        }

        if best >= beta
            && let Some(m) = best_move
            && captured(self.position.board(), m).is_none()
        {
            let bonus = (depth * depth * 16 + 32 * depth).min(HISTORY_LIMIT / 8);
            let history = &mut self.memory.history;
            history.refuted(ply, previous, m);
            history.update(us, m, bonus);
            for other in tried[..tried_count].iter().flatten().filter(|&&other| other != m) {
                history.update(us, *other, -bonus);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // What is best among some of the moves says nothing of the position.
        if !N::ROOT || (self.first_root_move == 0 && self.unrestricted) {
            let score = to_table(best, ply);
            self.shared.table.store(key, Entry { best: best_move, score, depth, bound });
        }
        best
    }

    /// The score of a position in which nothing is left to search: a whale is captured or can be,
    /// the position stood before, impasse can be claimed.
    #[inline]
    pub(crate) fn finished<N: Node>(&mut self, ply: usize) -> Option<Value> {
        let us = self.position.side();
        if Self::CAPTURES_WHALES {
            if self.position.whale(us).is_empty() {
                return Some(mated_in(ply));
            }
            if self.position.whale_attacked(!us) {
                if N::PV {
                    self.note_whale_capture(ply);
                }
                return Some(mate_in(ply + 1));
            }
        }
        let rules = self.position.rules();
        if rules.repetition {
            let window = self.steps[ply].since_pass.min(repetition_window() as usize);
            if let Some(verdict) = self.position.recurrence(window) {
                return Some(recurrence(verdict, ply));
            }
        }
        if rules.impasse
            && let Some(Outcome::Win { winner, .. }) = self.position.impasse()
            && winner == us
        {
            return Some(CLAIM - ply as Value);
        }
        None
    }

    /// The line expected goes on with the capture of the whale.
    fn note_whale_capture(&mut self, ply: usize) {
        let mut moves = V::MoveList::default();
        self.position.board().generate(Wanted::Captures, &mut moves);
        let board = self.position.board();
        let takes = moves.iter().copied().find(|&m| {
            captured(board, m).is_some_and(|capture| {
                capture.pieces(board).any(|(_, piece)| piece.kind() == Kind::WHALE)
            })
        });
        if let Some(m) = takes {
            self.memory.lines.clear(ply + 1);
            self.memory.lines.set(ply, m);
        }
    }

    /// If the enemy may even move twice and the score stays above beta, a real move will keep it
    /// there too (Donninger, "Null move and deep search", ICCA Journal 1993).
    fn null_move(&mut self, eval: Value, beta: Value, depth: i32, ply: usize) -> Option<Value> {
        let us = self.position.side();
        let passed = ply > 0 && self.steps[ply - 1].played.is_none();
        // With nothing but the whale to move the duty to move may hurt.
        let free = self.position.pieces(us).several() || !self.position.hand(us).is_empty();
        if depth < null_move_depth() || eval < beta || passed || !free || ply + 1 >= MAX_PLY {
            return None;
        }
        let reduction =
            null_move_reduction() + depth / null_move_divisor() + ((eval - beta) / 200).min(2);
        self.steps[ply].played = None;
        self.steps[ply + 1].since_pass = 0;
        self.evaluator.pass();
        self.position.pass();
        let score = -self.search::<Cut>(-beta, -beta + 1, depth - reduction, ply + 1);
        self.position.undo();
        self.evaluator.undo();
        // A win found after a pass is no win proved.
        (!self.aborted && score >= beta).then_some(if score >= CLAIM - MAX_PLY as Value {
            beta
        } else {
            score
        })
    }

    /// Plays `m` from `ply`.
    #[inline(always)]
    pub(crate) fn make(&mut self, m: Move, ply: usize) {
        self.steps[ply].played = Some(m);
        self.steps[ply + 1].since_pass = self.steps[ply].since_pass + 1;
        self.evaluator.make(self.position.board(), m);
        self.position.make(m);
    }

    /// Takes the last move back.
    #[inline(always)]
    pub(crate) fn unmake(&mut self) {
        self.position.undo();
        self.evaluator.undo();
    }

    /// Notes what the search of a root move came to.
    fn judge_root_move(&mut self, m: Move, number: usize, score: Value, alpha: Value, beta: Value) {
        let selective_depth = self.selective_depth;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.m == m) else { return };
        if number > 1 && score <= alpha {
            // Not better, but how much worse nobody knows: keep the order.
            root.score = -INFINITE;
            root.bound = Bound::Upper;
            return;
        }
        root.score = score;
        root.selective_depth = selective_depth;
        root.bound = if score <= alpha {
            Bound::Upper
        } else if score >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        root.pv.clear();
        root.pv.push(m);
        if score > alpha {
            root.pv.extend(self.memory.lines.line(1));
        }
    }
}
