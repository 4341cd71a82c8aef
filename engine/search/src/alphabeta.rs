//! Principal variation search: alpha-beta with a full window for the first move of a node and an
//! empty one, often less deep, for the others.

use kujira_position::{Bitboard, Board, Kind, Move, Outcome, Threats, Variant, Wanted, WhaleRule};

use crate::eval::{Evaluator, captured};
use crate::history::{Danger, History};
use crate::learning::Tried;
use crate::node::{Cut, Node, Pv};
use crate::params::*;
use crate::picker::{Class, Knowledge, Picker};
use crate::pruning::{Singular, bounded, usable};
use crate::reduction;
use crate::report::Bound;
use crate::score::{
    CLAIM, DECIDED, INFINITE, MAX_PLY, Value, lasts, mate_in, mated_in, returned_score, to_table,
};
use crate::see;
use crate::tt::Entry;
use crate::worker::Worker;

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
            return self.quiesce::<N>(alpha, beta, 0, ply, false);
        }
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
        if !N::ROOT {
            if let Some(score) = self.finished::<N>(threats, ply) {
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
        let excluded = self.steps[ply].excluded;
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
                self.learn_from_table(m, threats, depth, ply);
            }
            return score;
        }
        let table_move = if N::ROOT {
            self.root_moves.get(self.first_root_move).map(|root| root.m)
        } else {
            entry.and_then(|entry| entry.best)
        };

        let checked = self.position.checked();
        // Of a position out of check with a mate in one only a search that begins there makes an entry, and
        // that holds the mate.
        if !N::ROOT
            && entry.is_none()
            && !checked
            && excluded.is_none()
            && let Some(m) = self.position.board().mate_in_one(threats)
        {
            self.blame_last_move(ply);
            return self.mates::<N>(m, ply);
        }
        let eval = if checked {
            (self.steps[ply].raw, self.steps[ply].eval) = (None, None);
            None
        } else if excluded.is_some() {
            self.steps[ply].eval
        } else {
            Some(self.evaluate(entry, threats, ply))
        };
        let before = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.steps[ply].eval);
        let improving = match (eval, before(2).or_else(|| before(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            _ => false,
        };

        if let Some(eval) = eval
            && !N::ROOT
            && excluded.is_none()
        {
            self.judge_last_move(eval, ply);
        }

        let prunes = ply >= unpruned() as usize;
        if !N::PV
            && prunes
            && excluded.is_none()
            && let Some(eval) = eval
        {
            // What the table knows is a better guess than the evaluation.
            let estimate = match entry {
                Some(entry) => bounded(eval, &entry, ply),
                None => eval,
            };
            let score =
                self.prune_node::<N>([alpha, beta], depth, ply, estimate, improving, threats);
            if self.aborted {
                return 0;
            }
            if let Some(score) = score {
                return score;
            }
        }
        if depth >= internal_reduction_depth() && table_move.is_none() && (N::PV || N::CUT) {
            depth -= 1;
        }
        let mut singular = 0;
        if !N::ROOT
            && excluded.is_none()
            && depth >= singular_depth()
            && ply < 2 * self.depth as usize
            && let Some(entry) = entry
            && let Some(m) = entry.best
            && entry.bound != Bound::Upper
            && entry.depth >= depth - 3
            && entry.score.abs() < DECIDED
            && self.position.board().is_legal(m)
        {
            match self.extend_singular::<N>(m, &entry, beta, depth, ply) {
                Singular::Extend(plies) => singular = plies,
                Singular::Cut(score) => return score,
            }
            if self.aborted {
                return 0;
            }
        }

        let us = self.position.side();
        let contexts = self.contexts(ply);
        let table_captures =
            table_move.is_some_and(|m| captured(self.position.board(), m).is_some());
        let base = self.memory.arena.base();
        let stops = if N::ROOT { None } else { self.stops() };
        let mut picker = if N::ROOT {
            let moves = self.root_moves[self.first_root_move..].iter().map(|root| root.m);
            Picker::listed(&mut self.memory.arena, moves)
        } else {
            let history = &self.memory.history;
            let [first, second] = history.killers(ply);
            Picker::all(base, table_move, [first, second, history.reply(contexts[0])])
        };

        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiet_number = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();

        while let Some((m, class)) = picker.next(
            &mut self.memory.arena,
            &Knowledge {
                board: self.position.board(),
                values: self.values,
                history: &self.memory.history,
                contexts,
                table: self.shared.table,
                threats,
                futile: -INFINITE,
                stops,
            },
        ) {
            if Some(m) == excluded {
                continue;
            }
            number += 1;
            let quiet = !matches!(class, Class::Capture | Class::LosingCapture);
            quiet_number += usize::from(class == Class::Quiet);
            if N::ROOT {
                self.tell_current_move(m, number);
            }
            let danger = quiet.then(|| self.danger(m, threats));
            let history =
                danger.map_or(0, |danger| self.memory.history.score(us, contexts, m, danger));
            let mut reduction =
                reduction::late_move::<V>(depth, number) - history * 1024 / reduction_history();

            if prunes && best > -DECIDED && !checked {
                // Neither checks, for mates begin with them, nor promotions are left out for being late. They
                // go with the rest where no more quiet moves are tried.
                if class == Class::Quiet && !m.promotes() {
                    let late = (late_move_count() + depth * depth) >> i32::from(!improving);
                    if !N::PV && quiet_number as i32 > late {
                        picker.skip_quiets();
                        continue;
                    }
                    let left = (depth - reduction / 1024).max(0);
                    if let Some(eval) = eval
                        && !N::PV
                        && left <= futility_depth()
                        && quiet_number > 3
                        && eval + futility_base() + futility() * left <= alpha
                        && alpha.abs() < DECIDED
                    {
                        best = best.max(eval + futility_base() + futility() * left);
                        picker.skip_quiets();
                        continue;
                    }
                    if left <= history_pruning_depth() && history < -history_pruning() * (depth + 1)
                    {
                        continue;
                    }
                }
                if depth <= exchange_depth()
                    && class != Class::Capture
                    && (Self::CAPTURES_WHALES || m.kind() != Kind::WHALE)
                    && !see::gains(
                        self.position.board(),
                        threats,
                        self.values,
                        m,
                        -by_whale_rule::<V>(exchange_margin(), hunt_exchange_margin()) * depth,
                    )
                {
                    continue;
                }
            }

            // Where pieces are dropped checks are many: one that gives a piece away is not searched deeper.
            let sound = match class {
                Class::LosingCapture => false,
                Class::Check => see::gains(self.position.board(), threats, self.values, m, 0),
                _ => true,
            };
            let nodes_before = self.nodes;
            self.make(m, threats, danger, ply);
            let gives_check = self.position.checked();
            let extension = if Some(m) == table_move && singular != 0 {
                singular
            } else {
                i32::from(gives_check && sound && ply < 2 * self.depth as usize)
            };
            let next = depth - 1 + extension;

            let mut score = -INFINITE;
            let mut full = N::PV && number == 1;
            if number > 1 {
                let mut reduced = next;
                if depth >= by_whale_rule::<V>(reduction_depth(), hunt_reduction_depth())
                    && number > 1 + 2 * usize::from(N::PV)
                    && class != Class::Capture
                    && !checked
                {
                    reduction += if N::PV { -1024 } else { 0 };
                    reduction -= if N::ROOT { root_reduction() } else { 0 };
                    reduction += if N::CUT { cut_reduction() } else { 0 };
                    reduction += if gives_check { -1024 } else { 0 };
                    reduction += if improving { 0 } else { 512 };
                    reduction += if table_captures { 512 } else { 0 };
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
            let _ = if quiet { quiets.try_push(m) } else { captures.try_push(m) };
        }
        self.memory.arena.release(base);
        if self.aborted {
            return best;
        }
        if number == 0 {
            // With a move left out nothing is known.
            return if excluded.is_some() { alpha } else { self.helpless(stops.is_some(), ply) };
        }

        if best >= beta
            && let Some(m) = best_move
        {
            self.learn(m, &quiets, &captures, threats, depth, ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // What is best among some of the moves says nothing of the position.
        let whole =
            excluded.is_none() && (!N::ROOT || self.first_root_move == 0 && self.unrestricted);
        if let Some(eval) = eval
            && whole
            && best.abs() < DECIDED
            && best_move.is_none_or(|m| captured(self.position.board(), m).is_none())
            && match bound {
                Bound::Exact => true,
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
            }
        {
            let place = self.place(ply);
            self.memory.corrections.learn(place, best - eval, depth);
        }
        if whole && lasts(best) {
            let score = to_table(best, ply);
            let eval = self.steps[ply].raw;
            self.shared.table.store(key, Entry { best: best_move, score, depth, bound, eval });
        }
        best
    }

    /// The score of a position in which nothing is left to search: a whale is captured or can be, the
    /// game has lasted too long, the position stood before, impasse can be claimed.
    #[inline]
    pub(crate) fn finished<N: Node>(&mut self, threats: &Threats<V>, ply: usize) -> Option<Value> {
        let us = self.position.side();
        let whale = if Self::CAPTURES_WHALES { self.position.whale(us).first() } else { None };
        if Self::CAPTURES_WHALES && whale.is_none() {
            return Some(mated_in(ply));
        }
        if ply >= self.shared.plies_left {
            return Some(self.drawn_by_length(ply));
        }
        if let Some(whale) = whale {
            let board = self.position.board();
            let attacked = threats.of(board, us).all() | Board::<V>::ring(whale);
            let attacked = (attacked & board.whale(!us)).any();
            debug_assert_eq!(attacked, board.whale_attacked(!us), "{board:?}");
            if attacked {
                if N::PV {
                    self.note_whale_capture(ply);
                }
                return Some(mate_in(ply + 1));
            }
        }
        let rules = self.position.rules();
        if rules.repetition {
            let window = self.steps[ply].since_pass.min(repetition_window() as usize);
            if let Some(returned) = self.position.returned(window) {
                return Some(returned_score(returned, ply));
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

    /// The score where the game is drawn for its length, unless the last move mated.
    #[cold]
    fn drawn_by_length(&self, ply: usize) -> Value {
        if self.position.count_moves() == 0 { mated_in(ply) } else { 0 }
    }

    /// Where whales are captured and that of the side to move is attacked: the squares on which another move
    /// than its own may save it.
    #[inline(always)]
    pub(crate) fn stops(&self) -> Option<Bitboard<V::Bits>> {
        (Self::CAPTURES_WHALES && self.position.checked())
            .then(|| self.position.board().check_stops())
    }

    /// The score where no move was tried; if `saving`, because those are left out that do not save the whale.
    #[cold]
    pub(crate) fn helpless(&self, saving: bool, ply: usize) -> Value {
        // In check or not: who cannot move has lost.
        let moves = saving && self.position.count_moves() > 0;
        if moves && ply + 1 >= self.shared.plies_left {
            // There is no move left to capture it.
            return 0;
        }
        mated_in(if moves { ply + 2 } else { ply })
    }

    /// The score of mating with `m`.
    #[inline]
    pub(crate) fn mates<N: Node>(&mut self, m: Move, ply: usize) -> Value {
        if N::PV {
            self.memory.lines.clear(ply + 1);
            self.memory.lines.set(ply, m);
        }
        mate_in(ply + 1)
    }

    /// The line expected goes on with the capture of the whale.
    #[cold]
    #[inline(never)]
    fn note_whale_capture(&mut self, ply: usize) {
        let mut moves = V::MoveList::default();
        self.position.board().generate(Wanted::Captures, &Threats::default(), &mut moves);
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

    /// Plays `m` from `ply`, where both sides have these threats; `danger`: see [`Step`](crate::worker::Step).
    #[inline(always)]
    pub(crate) fn make(
        &mut self,
        m: Move,
        threats: &Threats<V>,
        danger: Option<Danger>,
        ply: usize,
    ) {
        self.steps[ply].played = Some(m);
        self.steps[ply].danger = danger;
        self.steps[ply].context = History::<V>::context(self.position.side(), m);
        self.steps[ply + 1].since_pass = self.steps[ply].since_pass + 1;
        self.threats[ply + 1].inherit(threats, self.position.board(), m);
        self.evaluator.make(self.position.board(), m);
        self.position.make(m);
    }

    /// Takes the last move back.
    #[inline(always)]
    pub(crate) fn unmake(&mut self) {
        self.position.undo();
        self.evaluator.undo();
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
        let selective_depth = self.selective_depth;
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
            root.pv.extend(self.memory.lines.line(1));
        }
    }
}
