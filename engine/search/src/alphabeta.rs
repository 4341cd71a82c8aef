//! Principal variation search: alpha-beta with a full window for the first move of a node and an
//! empty one, often less deep, for the others.

use kujira_position::{Kind, Move, Variant};

use crate::eval::{Evaluator, captured};
use crate::learning::Tried;
use crate::node::{Cut, Node, Pv};
use crate::params::*;
use crate::picker::{Class, Picker};
use crate::pruning::{Singular, bounded, usable};
use crate::reduction;
use crate::report::Bound;
use crate::score::{
    DECIDED, INFINITE, MAX_PLY, Value, count, lasts, mate_in, mated_in, plies, to_table,
};
use crate::stack::NodeContext;
use crate::tt::Entry;
use crate::worker::Worker;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The score of the position at `ply`, searched `depth` plies deep: exact between `alpha` and
    /// `beta`, else a bound (fail-soft). Worthless once the search was aborted.
    ///
    /// The techniques stand in the order in which they happen, each under the name by which others know it.
    pub(crate) fn search<N: Node>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
    ) -> Value {
        // --- Quiescence ---
        // An evaluation in the middle of an exchange says nothing.
        if depth <= 0 && !N::ROOT {
            return self.quiesce::<N>(alpha, beta, 0, ply, false);
        }
        if self.count_node() {
            return 0;
        }
        let node = self.node(ply);
        if N::PV {
            node.clear_line();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        debug_assert!(node.threats.agree_with(self.position.board()), "{:?}", self.position);
        if !N::ROOT {
            // --- End of the game ---
            // A capturable whale, a repetition, a claim or the greatest length leaves nothing to search.
            if let Some(score) = self.terminal_score::<N>(node) {
                return score;
            }
            if ply >= MAX_PLY {
                return self.evaluate_now(node);
            }

            // --- Mate distance pruning ---
            // Nothing found here can beat a mate already found nearer to the root.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // --- Table cut-off ---
        // An earlier search, at least as deep, has answered the question.
        let key = self.key();
        let excluded = node.excluded.get();
        let entry = self.shared.table.probe(key);
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth >= depth
            && let Some(score) = usable(&entry, alpha, beta, ply)
        {
            if score >= beta
                && let Some(m) = entry.best
            {
                self.learn_from_table(m, depth, node);
            }
            return score;
        }
        let table_move = if N::ROOT {
            self.root_moves.get(self.first_root_move).map(|root| root.m)
        } else {
            entry.and_then(|entry| entry.best)
        };

        // --- Mate in one ---
        // Flight squares tell it without a search (shogi's static mate test). A table hit rules out an unseen
        // mate in one: only a search that begins at a position makes an entry for it, and that one holds the mate.
        let checked = self.position.checked();
        if !N::ROOT
            && entry.is_none()
            && !checked
            && excluded.is_none()
            && let Some(m) = self.position.board().mate_in_one(&node.threats)
            && self.arena.sees(self.position.board(), m)
        {
            self.blame_last_move(node);
            return self.mates::<N>(m, node);
        }

        // --- Static evaluation ---
        // Most of the pruning below relies on it. It means nothing in check.
        let eval = if checked {
            node.forget_eval();
            None
        } else if excluded.is_some() {
            node.eval.get()
        } else {
            Some(self.evaluate(entry, node))
        };

        // --- Improving ---
        // A side that stands better than a move ago may hope for more, and is pruned less.
        let before = |plies: usize| self.before(node, plies).and_then(|node| node.eval.get());
        let improving = match (eval, before(2).or_else(|| before(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            _ => false,
        };

        // --- Evaluation history ---
        // The last move is judged by what it did to the evaluation, before anything is searched.
        if let Some(eval) = eval
            && !N::ROOT
            && excluded.is_none()
        {
            self.judge_last_move(eval, node);
        }

        // A node that was once on an expected line may be again.
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);

        let prunes = plies(ply) >= unpruned();
        if !N::PV
            && prunes
            && excluded.is_none()
            && beta.abs() < DECIDED
            && let Some(eval) = eval
        {
            // The table's score, where it bounds the evaluation, is the better guess.
            let estimate = entry.map_or(eval, |entry| bounded(eval, &entry, ply));

            // --- Razoring ---
            // So far behind that only captures can help: see what they come to.
            if depth <= razor_depth() && estimate + razor_base() + razor() * depth <= alpha {
                let score = self.quiesce::<N>(alpha, beta, 0, ply, true);
                if score <= alpha || self.aborted {
                    return score;
                }
            }

            // --- Reverse futility ---
            // So far ahead that the enemy's next moves will not change it, unless one of them mates.
            let rising = if improving { reverse_futility_rising() } else { 0 };
            let ahead = depth <= reverse_futility_depth()
                && estimate - reverse_futility() * depth + rising >= beta;
            if ahead && !self.mate_threatens(node) {
                return estimate;
            }
            if !ahead {
                // --- Null move ---
                // A position that stays above beta when the enemy moves twice will do so after a real move.
                let score = self.null_move(estimate, beta, depth, node);
                if self.aborted {
                    return 0;
                }
                if let Some(score) = score {
                    return score;
                }

                // --- ProbCut ---
                // A capture that beats beta by far in a shallow search will beat beta in a deep one.
                let score = self.probable_cut::<N>(beta, depth, estimate, node);
                if self.aborted {
                    return 0;
                }
                if let Some(score) = score {
                    return score;
                }
            }
        }

        // --- Internal iterative reduction ---
        // Without a table move the order is poor: a shallower search is cheap and leaves one.
        if depth >= internal_reduction_depth() && table_move.is_none() && (N::PV || N::CUT) {
            depth -= internal_reduction();
        }

        // --- Singular extension ---
        // A table move that beats all others by a margin is searched deeper: everything hangs on it.
        let extensible = plies(ply) < extension_limit() * self.depth.cast_signed();
        let mut singular = 0;
        if !N::ROOT
            && excluded.is_none()
            && depth >= singular_depth()
            && extensible
            && let Some(entry) = entry
            && let Some(m) = entry.best
            && entry.bound != Bound::Upper
            && entry.depth >= depth - singular_entry_depth()
            && entry.score.abs() < DECIDED
            && self.position.board().is_legal(m)
        {
            match self.extend_singular::<N>(m, &entry, beta, depth, node) {
                Singular::Extend(plies) => singular = plies,
                Singular::Cut(score) => return score,
            }
            if self.aborted {
                return 0;
            }
        }

        // Without a search of the others the table move of a node near the leaves is taken for singular where the
        // evaluation does not expect what it does ("low depth singular extension" of Stockfish, 2021).
        if !N::ROOT
            && excluded.is_none()
            && depth < singular_depth()
            && extensible
            && let Some(entry) = entry
            && entry.best.is_some()
            && entry.bound == Bound::Lower
            && entry.score.abs() < DECIDED
            && eval.is_some_and(|eval| eval <= alpha - shallow_singular())
        {
            singular = 1;
        }

        // --- Move picking ---
        // Table move, good captures, killers, quiet moves by history, bad captures.
        let us = self.position.side();
        let contexts = self.contexts(node);
        let table_captures =
            table_move.is_some_and(|m| captured(self.position.board(), m).is_some());
        let stops = if N::ROOT { None } else { self.stops() };
        node.contexts.set(contexts);
        node.stops.set(stops);
        let base = self.arena.base();
        let mut picker = if N::ROOT {
            let moves = self.root_moves[self.first_root_move..].iter().map(|root| root.m);
            Picker::listed(self.arena, moves)
        } else {
            let [first, second] = node.killers();
            // Learnt in an earlier search, which may have seen other moves.
            let reply = self.history.reply(contexts[0]);
            let reply = reply.filter(|&m| self.arena.sees(self.position.board(), m));
            Picker::all(base, table_move, [first, second, reply])
        };

        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiet_number = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();

        while let Some((m, class)) = self.pick(&mut picker, node) {
            if Some(m) == excluded {
                continue;
            }
            number += 1;
            let quiet = !matches!(class, Class::Capture | Class::LosingCapture);
            quiet_number += i32::from(class == Class::Quiet);
            if N::ROOT {
                self.tell_current_move(m, number);
            }
            let threat = quiet.then(|| self.threat_index(m, node));
            let history = threat.map_or(0, |threat| self.history.score(us, contexts, m, threat));
            let mut reduction =
                reduction::late_move::<V>(depth, number) - history * 1024 / reduction_history();

            if prunes && best > -DECIDED && !checked {
                // Checks, with which mates begin, and promotions are not left out for being late. They are left
                // out with the rest once no more quiet moves are tried.
                if class == Class::Quiet && !m.promotes() {
                    // --- Late move pruning ---
                    // Where the moves before failed, the many after them will.
                    let late = late_move_count() + late_move_growth() * depth * depth / 16;
                    let late = if improving { late } else { late * late_move_falling() / 4 };
                    if !N::PV && quiet_number > late {
                        picker.skip_quiets();
                        continue;
                    }

                    // --- Futility ---
                    // So far behind that no quiet move reaches alpha in the plies left.
                    let left = (depth - reduction / 1024).max(0);
                    let margin = futility_base() + futility() * left + history / futility_history();
                    if let Some(eval) = eval
                        && !N::PV
                        && left <= futility_depth()
                        && quiet_number > futility_count()
                        && eval + margin <= alpha
                        && alpha.abs() < DECIDED
                    {
                        best = best.max(eval + margin);
                        picker.skip_quiets();
                        continue;
                    }

                    // --- History pruning ---
                    // A move that failed wherever it was tried is not tried again near the leaves.
                    if left <= history_pruning_depth() && history < -history_pruning() * (depth + 1)
                    {
                        continue;
                    }
                }

                // --- SEE pruning ---
                // A move that gives away more than the plies left can win back.
                if depth <= exchange_depth()
                    && class != Class::Capture
                    && (Self::CAPTURES_WHALES || m.kind() != Kind::WHALE)
                    && !self.gains(m, -exchange_margin::<V>() * depth, node)
                {
                    continue;
                }
            }

            // --- Check extension ---
            // Checks force, but where pieces are dropped they are many: one that gives a piece away is not
            // searched deeper.
            let sound = match class {
                Class::LosingCapture => false,
                Class::Check => self.gains(m, 0, node),
                _ => true,
            };
            let nodes_before = self.nodes;
            self.make(m, threat, node);
            let gives_check = self.position.checked();
            let extension = if Some(m) == table_move && singular != 0 {
                singular
            } else {
                if gives_check && sound && extensible { check_extension() } else { 0 }
            };
            let next = depth - 1 + extension;

            // --- Late move reduction ---
            // Moves far back in the order are searched less deep, and again if they surprise.
            let mut score = -INFINITE;
            let mut full = N::PV && number == 1;
            if number > 1 {
                let mut reduced = next;
                let unreduced = reduction_count() + if N::PV { pv_reduction_count() } else { 0 };
                if depth >= reduction_depth::<V>()
                    && number > count(unreduced)
                    && class != Class::Capture
                    && !checked
                {
                    reduction -= if N::PV { pv_reduction() } else { 0 };
                    reduction -= if N::ROOT { root_reduction() } else { 0 };
                    reduction -= if was_pv { was_pv_reduction() } else { 0 };
                    reduction += if N::CUT { cut_reduction() } else { 0 };
                    reduction -= if gives_check { check_reduction() } else { 0 };
                    reduction += if improving { 0 } else { falling_reduction() };
                    reduction += if table_captures { capture_reduction() } else { 0 };
                    reduced = (next - reduction / 1024).clamp(1.min(next), next);
                }
                if reduced < next {
                    score = -self.search::<Cut>(-alpha - 1, -alpha, reduced, ply + 1);
                }
                if score > alpha || reduced == next {
                    score = -self.search::<N::Next>(-alpha - 1, -alpha, next, ply + 1);
                }
                full = N::PV && score > alpha && (N::ROOT || score < beta);
            } else if !N::PV {
                score = -self.search::<N::Next>(-beta, -alpha, next, ply + 1);
            }

            // --- Principal variation search ---
            // Only the first move, and one that beats it, is asked for an exact score.
            if full {
                score = -self.search::<Pv>(-beta, -alpha, next, ply + 1);
            }
            self.unmake();
            if self.aborted {
                break;
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.judge_root_move(m, number, nodes, score, alpha, beta);
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if N::PV {
                        let follows = self.node(ply + 1);
                        if !full {
                            // Nothing is known of what follows but that it is good enough.
                            follows.clear_line();
                        }
                        node.set_line(m, follows);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            let _ = if quiet { quiets.try_push(m) } else { captures.try_push(m) };
        }
        self.arena.release(base);
        if self.aborted {
            return best;
        }

        // --- Mate ---
        // A search with a move left out says nothing about mates.
        if number == 0 {
            return if excluded.is_some() { alpha } else { self.helpless(stops.is_some(), node) };
        }

        // --- Histories ---
        // The move that refuted the last one is tried sooner elsewhere, those before it later.
        if best >= beta
            && let Some(m) = best_move
        {
            self.learn(m, &quiets, &captures, depth, node);
        }
        // The best of some of the moves says nothing about the position.
        if excluded.is_none() && (!N::ROOT || self.first_root_move == 0 && self.unrestricted) {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let found = Found { score: best, bound, best: best_move, depth, was_pv };
            self.note_score(found, eval, key, node);
        }
        best
    }

    /// Notes what a full search of `node`, whose position has this evaluation and key, came to.
    #[inline(always)]
    fn note_score(&mut self, found: Found, eval: Option<Value>, key: u64, node: &NodeContext<V>) {
        let Found { score, bound, best, depth, was_pv } = found;

        // --- Correction history ---
        // The evaluation errs by about as much in similar positions.
        if let Some(eval) = eval
            && score.abs() < DECIDED
            && best.is_none_or(|m| captured(self.position.board(), m).is_none())
            && match bound {
                Bound::Exact => true,
                Bound::Lower => score > eval,
                Bound::Upper => score < eval,
            }
        {
            let place = self.place(node);
            self.corrections.learn(place, score - eval, depth);
        }

        // --- Table --- Store the result in the table.
        if lasts(score) {
            let (score, eval) = (to_table(score, node.ply), node.raw_eval.get());
            self.shared.table.store(key, Entry { best, score, depth, bound, eval, was_pv });
        }
    }

    /// Notes what the search of a root move came to, and the nodes it took.
    fn judge_root_move(
        &mut self,
        m: Move,
        number: usize,
        nodes: u64,
        score: Value,
        alpha: Value,
        beta: Value,
    ) {
        let (selective_depth, next) = (self.selective_depth, self.node(1));
        // Root moves are tried in the order of their list.
        let place = self.first_root_move + number - 1;
        let Some(root) = self.root_moves.get_mut(place) else { return };
        debug_assert_eq!(root.m, m);
        root.nodes += nodes;
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
            root.pv.extend(next.line());
        }
    }
}

/// What a full search of a node came to.
struct Found {
    score: Value,
    bound: Bound,
    best: Option<Move>,
    depth: i32,
    was_pv: bool,
}
