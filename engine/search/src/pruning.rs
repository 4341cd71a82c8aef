//! Nodes that need no full search, and moves that need more than one.

use kujira_position::{Move, Threats, Variant};

use crate::eval::Evaluator;
use crate::history::Context;
use crate::node::{All, Cut, Node};
use crate::params::*;
use crate::picker::{Class, Knowledge, Picker};
use crate::report::Bound;
use crate::score::{DECIDED, INFINITE, MAX_PLY, Value, from_table, lasts, to_table};
use crate::see;
use crate::tt::Entry;
use crate::worker::Worker;

/// What came of the question whether one move is better than all others.
pub(crate) enum Singular {
    /// It is to be searched so many plies deeper.
    Extend(i32),
    /// So many moves are good enough that the node can end with this score.
    Cut(Value),
}

/// The score of a table entry if it decides the window at `ply`.
#[inline(always)]
pub(crate) fn usable(entry: &Entry, alpha: Value, beta: Value, ply: usize) -> Option<Value> {
    let score = from_table(entry.score, ply);
    let usable = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    usable.then_some(score)
}

/// `eval`, or the score of a table entry if that is known to lie on the right side of it.
#[inline(always)]
pub(crate) fn bounded(eval: Value, entry: &Entry, ply: usize) -> Value {
    let score = from_table(entry.score, ply);
    let better = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if better && score.abs() < DECIDED { score } else { eval }
}

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// A score for a node outside the expected line that lies so far from the window that searching
    /// its moves is not worth it; `estimate` is what it seems to be worth, `threats` what is known of
    /// its board.
    #[inline]
    pub(crate) fn prune_node<N: Node>(
        &mut self,
        [alpha, beta]: [Value; 2],
        depth: i32,
        ply: usize,
        estimate: Value,
        improving: bool,
        threats: &Threats<V>,
    ) -> Option<Value> {
        if beta.abs() >= DECIDED {
            return None;
        }
        // So far behind that only captures can help: see what they come to.
        if depth <= razor_depth() && estimate + razor_base() + razor() * depth <= alpha {
            let score = self.quiesce::<N>(alpha, beta, 0, ply, true);
            if score <= alpha || self.aborted {
                return Some(score);
            }
        }
        // So far ahead that the enemy's next moves will not change it.
        if depth <= reverse_futility_depth()
            && estimate - reverse_futility() * (depth - i32::from(improving)) >= beta
        {
            // Unless the next one mates.
            return if self.mate_threatens(threats) { None } else { Some(estimate) };
        }
        let score = self.null_move(estimate, beta, depth, ply, threats);
        if score.is_some() || self.aborted {
            return score;
        }
        self.probable_cut::<N>(beta, depth, ply, estimate, threats)
    }

    /// Whether the enemy could mate at once if it were its turn.
    #[inline]
    fn mate_threatens(&mut self, threats: &Threats<V>) -> bool {
        // There is no static mate where whales are captured: spare the pass.
        if Self::CAPTURES_WHALES {
            return false;
        }
        self.position.pass();
        let threat = self.position.board().mate_in_one(threats).is_some();
        self.position.undo();
        threat
    }

    /// If the enemy may even move twice and the score stays above beta, a real move will keep it
    /// there too (Donninger, "Null move and deep search", ICCA Journal 1993). Far from the leaves a
    /// search without null moves has to confirm it.
    fn null_move(
        &mut self,
        eval: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        threats: &Threats<V>,
    ) -> Option<Value> {
        let us = self.position.side();
        let passed = ply > 0 && self.steps[ply - 1].played.is_none();
        // With nothing but the whale to move the duty to move may hurt.
        let free = self.position.pieces(us).several() || !self.position.hand(us).is_empty();
        if depth < null_move_depth()
            || ply < self.verified_from
            || eval < beta
            || passed
            || !free
            || ply + 1 >= MAX_PLY
        {
            return None;
        }
        let reduction =
            null_move_reduction() + depth / null_move_divisor() + ((eval - beta) / 200).min(3);
        let left = depth - reduction;
        self.steps[ply].played = None;
        self.steps[ply].context = Context::NONE;
        self.steps[ply + 1].since_pass = 0;
        self.threats[ply + 1].copy(threats);
        self.shared.table.prefetch(self.position.board().key_after_pass());
        self.evaluator.pass();
        self.position.pass();
        let score = -self.search::<All>(-beta, -beta + 1, left, ply + 1);
        self.position.undo();
        self.evaluator.undo();
        if self.aborted || score < beta {
            return None;
        }
        // A win found after a pass is no win proved.
        let score = if score >= DECIDED { beta } else { score };
        if depth < verification_depth() || self.verified_from > 0 {
            return Some(score);
        }
        self.verified_from = ply + 3 * left.max(0) as usize / 4 + 1;
        let verified = self.search::<All>(beta - 1, beta, left, ply);
        self.verified_from = 0;
        (!self.aborted && verified >= beta).then_some(score)
    }

    /// If a capture beats beta by far in a shallow search, a deep one will see it beat beta (Buro,
    /// "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 1995).
    fn probable_cut<N: Node>(
        &mut self,
        beta: Value,
        depth: i32,
        ply: usize,
        estimate: Value,
        threats: &Threats<V>,
    ) -> Option<Value> {
        if depth < probable_cut_depth() || ply + 1 >= MAX_PLY {
            return None;
        }
        let raised = beta + probable_cut_margin();
        let key = self.position.key();
        let entry = self.shared.table.probe(key);
        let shallow = depth - probable_cut_reduction();
        if entry.is_some_and(|entry| {
            entry.depth >= shallow
                && entry.bound != Bound::Lower
                && from_table(entry.score, ply) < raised
        }) {
            return None;
        }
        let contexts = self.contexts(ply);
        let base = self.memory.arena.base();
        let mut picker = Picker::captures(base, entry.and_then(|entry| entry.best));
        let mut found = None;
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
                stops: None,
            },
        ) {
            if class != Class::Capture
                || !see::gains(self.position.board(), threats, self.values, m, raised - estimate)
            {
                continue;
            }
            self.make(m, threats, None, ply);
            let mut score = -self.quiesce::<N::Next>(-raised, -raised + 1, 0, ply + 1, false);
            if score >= raised && !self.aborted {
                score = -self.search::<N::Next>(-raised, -raised + 1, shallow, ply + 1);
            }
            self.unmake();
            if self.aborted {
                break;
            }
            if score >= raised {
                found = Some((m, score));
                break;
            }
        }
        self.memory.arena.release(base);
        let (m, score) = found?;
        if lasts(score) {
            let (eval, depth, bound) = (self.steps[ply].raw, shallow + 1, Bound::Lower);
            let score = to_table(score, ply);
            self.shared.table.store(key, Entry { best: Some(m), score, depth, bound, eval });
        }
        Some(if score.abs() < DECIDED { score - probable_cut_margin() } else { beta })
    }

    /// Whether the table move `m` is better than all other moves by a margin, so that everything
    /// hangs on it (Anantharaman, Campbell and Hsu, "Singular extensions", AI 1990).
    pub(crate) fn extend_singular<N: Node>(
        &mut self,
        m: Move,
        entry: &Entry,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Singular {
        let score = from_table(entry.score, ply);
        let margin = by_whale_rule::<V>(singular_margin(), hunt_singular_margin());
        let bar = score - margin * depth / 16;
        self.steps[ply].excluded = Some(m);
        let others = if N::CUT {
            self.search::<Cut>(bar - 1, bar, (depth - 1) / 2, ply)
        } else {
            self.search::<All>(bar - 1, bar, (depth - 1) / 2, ply)
        };
        self.steps[ply].excluded = None;
        if others < bar {
            Singular::Extend(if !N::PV && others < bar - singular_double() { 2 } else { 1 })
        } else if others >= beta && others.abs() < DECIDED && !N::PV {
            // Another move is as good, and both are good enough.
            Singular::Cut(others)
        } else if score >= beta {
            Singular::Extend(-2 + i32::from(N::PV))
        } else if N::CUT {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}
