//! Nodes that need no full search, and moves that need more than one: null move, ProbCut, singular extension.

use kujira_position::{Move, Variant};

use crate::eval::Evaluator;
use crate::node::{All, Cut, Node};
use crate::params::*;
use crate::picker::{Class, Picker};
use crate::report::Bound;
use crate::score::{DECIDED, MAX_PLY, Value, count, from_table, lasts, to_table};
use crate::see;
use crate::stack::NodeContext;
use crate::tt::Entry;
use crate::worker::Worker;

/// What came of the question whether one move is better than all others.
pub(crate) enum Singular {
    /// The table move is to be searched this many plies deeper, or less deep if the number is negative.
    Extend(i32),
    /// Another move is good enough, too: the node can end with this score.
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
    /// Whether making `m` at `node` and exchanging on its end square gains at least `threshold` centipawns.
    #[inline(always)]
    pub(crate) fn gains(&self, m: Move, threshold: Value, node: &NodeContext<V>) -> bool {
        see::gains(self.position.board(), &node.threats, self.values, m, threshold)
    }

    /// Whether the enemy could mate at once if it were its turn.
    #[inline]
    pub(crate) fn mate_threatens(&mut self, node: &NodeContext<V>) -> bool {
        // There is no static mate where whales are captured: spare the pass.
        if Self::CAPTURES_WHALES {
            return false;
        }
        self.position.pass();
        let threat = self.position.board().mate_in_one(&node.threats).is_some();
        self.position.undo();
        threat
    }

    /// The score that ends the node because it stays above beta even when the enemy moves twice (Donninger,
    /// "Null move and deep search", ICCA Journal 1993). Far from the leaves a search without null moves has to
    /// confirm it.
    pub(crate) fn null_move(
        &mut self,
        eval: Value,
        beta: Value,
        depth: i32,
        node: &NodeContext<V>,
    ) -> Option<Value> {
        let (us, ply) = (self.position.side(), node.ply);
        let passed = self.before(node, 1).is_some_and(|last| last.played.get().is_none());
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
        let ahead = ((eval - beta) / null_move_eval_divisor()).min(null_move_eval_limit());
        let reduction = null_move_reduction() + depth / null_move_divisor() + ahead;
        let left = depth - reduction;
        self.make_null(node);
        let score = -self.search::<All>(-beta, -beta + 1, left, ply + 1);
        self.unmake();
        if self.aborted || score < beta {
            return None;
        }
        // A win found after a pass is no win proved.
        let score = if score >= DECIDED { beta } else { score };
        if depth < verification_depth() || self.verified_from > 0 {
            return Some(score);
        }
        self.verified_from = ply + count(verification_quarters() * left.max(0) / 4) + 1;
        let verified = self.search::<All>(beta - 1, beta, left, ply);
        self.verified_from = 0;
        (!self.aborted && verified >= beta).then_some(score)
    }

    /// The score that ends the node because a capture beats beta by far in a shallow search: a deep one would
    /// see it beat beta (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA
    /// Journal 1995).
    pub(crate) fn probable_cut<N: Node>(
        &mut self,
        beta: Value,
        depth: i32,
        estimate: Value,
        node: &NodeContext<V>,
    ) -> Option<Value> {
        let ply = node.ply;
        if depth < probable_cut_depth() || ply + 1 >= MAX_PLY {
            return None;
        }
        let raised = beta + probable_cut_margin();
        let key = self.key();
        let entry = self.shared.table.probe(key);
        let shallow = depth - probable_cut_reduction();
        if entry.is_some_and(|entry| {
            entry.depth >= shallow
                && entry.bound != Bound::Lower
                && from_table(entry.score, ply) < raised
        }) {
            return None;
        }
        node.stops.set(None);
        let base = self.arena.base();
        let mut picker = Picker::captures(base, entry.and_then(|entry| entry.best));
        let mut found = None;
        while let Some((m, class)) = self.pick(&mut picker, node) {
            if class != Class::Capture || !self.gains(m, raised - estimate, node) {
                continue;
            }
            self.make(m, None, node);
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
        self.arena.release(base);
        let (m, score) = found?;
        if lasts(score) {
            let (eval, depth, bound) = (node.raw_eval.get(), shallow + 1, Bound::Lower);
            let score = to_table(score, ply);
            let found = Entry { best: Some(m), score, depth, bound, eval, was_pv: false };
            self.shared.table.store(key, found);
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
        node: &NodeContext<V>,
    ) -> Singular {
        let ply = node.ply;
        let score = from_table(entry.score, ply);
        let bar = score - singular_margin::<V>() * depth / 16;
        node.excluded.set(Some(m));
        let left = (depth - 1) * singular_quarters() / 4;
        let others = if N::CUT {
            self.search::<Cut>(bar - 1, bar, left, ply)
        } else {
            self.search::<All>(bar - 1, bar, left, ply)
        };
        node.excluded.set(None);
        if others < bar {
            let double = !N::PV && others < bar - singular_double();
            Singular::Extend(if double {
                singular_double_extension()
            } else {
                singular_extension()
            })
        } else if others >= beta && others.abs() < DECIDED && !N::PV {
            // --- Multi-cut ---
            // Another move is as good, and both are good enough.
            Singular::Cut(others)
        } else if score >= beta {
            // --- Negative extension ---
            // The table move is good enough, and not the only one.
            Singular::Extend(-if N::PV { pv_negative_extension() } else { negative_extension() })
        } else if N::CUT {
            Singular::Extend(-cut_negative_extension())
        } else {
            Singular::Extend(0)
        }
    }
}
