//! One searching thread: what it holds, what it begins with, and how it plays and evaluates.

use kujira_position::{Move, Position, Variant};

use crate::check_interval::CheckInterval;
use crate::correction::{Corrections, Place};
use crate::eval::{Evaluator, PieceValues};
use crate::history::{CONTINUATIONS, Context, Contexts, History, ThreatIndex};
use crate::main_thread::MainThread;
use crate::report::{Bound, Info};
use crate::root::{self, RootMove};
use crate::score::{EVAL_LIMIT, Value, mate_in, plies, reported};
use crate::scoring::Arena;
use crate::shared::Shared;
use crate::stack::{self, NodeContext, Stack};
use crate::tt::Entry;

/// What a thread keeps from one search to the next.
pub(crate) struct Memory<V: Variant> {
    /// Number of the thread.
    index: usize,
    history: History<V>,
    corrections: Corrections<V>,
    arena: Arena<V>,
    stack: Box<Stack<V>>,
}

impl<V: Variant> Memory<V> {
    /// The memory of the thread with this number, in which nothing is known.
    pub(crate) fn new(index: usize) -> Self {
        Self {
            index,
            history: History::new(),
            corrections: Corrections::new(),
            arena: Arena::new(),
            stack: stack::empty(),
        }
    }

    /// Forgets what was learnt.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}

/// A line and its score. The score is exact, or a lower bound where the search was broken off while it found
/// the line better than expected.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Depth of the iteration; 0 if nothing was searched.
    pub(crate) depth: u32,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    pub(crate) score: Value,
    pub(crate) pv: Vec<Move>,
}

/// One searching thread at work.
pub(crate) struct Worker<'a, V: Variant, E> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) history: &'a mut History<V>,
    pub(crate) corrections: &'a mut Corrections<V>,
    pub(crate) arena: &'a mut Arena<V>,
    /// The nodes from the root to here.
    pub(crate) stack: &'a Stack<V>,
    pub(crate) values: &'a PieceValues,
    pub(crate) position: Position<V>,
    pub(crate) evaluator: E,
    pub(crate) root_moves: Vec<RootMove>,
    /// Place of the first root move that is searched: those before it already have a line of this depth.
    pub(crate) first_root_move: usize,
    pub(crate) selective_depth: usize,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) aborted: bool,
    /// Null moves are tried from this ply on: a verification searches without them.
    pub(crate) verified_from: usize,
    /// Whether the root moves are all legal moves.
    pub(crate) unrestricted: bool,
    /// Number of the thread.
    pub(crate) index: usize,
    pub(crate) check_interval: CheckInterval,
    pub(crate) lines: Vec<Line>,
    /// The line that a search of this iteration found better than its window.
    pub(crate) raised: Option<Line>,
    /// What the first thread does for all; `None` in the others.
    pub(crate) main: Option<MainThread>,
}

impl<'a, V: Variant, E: Evaluator<V>> Worker<'a, V, E> {
    /// A thread with this memory that is about to search `position` for the best of `moves`.
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<V>,
        values: &'a PieceValues,
        mut position: Position<V>,
        evaluator: E,
        moves: &[Move],
    ) -> Self {
        let now = shared.control.now();
        let Memory { index, history, corrections, arena, stack } = memory;
        arena.release(0);
        arena.skill = shared.skill;
        stack.iter().for_each(NodeContext::reset);
        position.reserve(stack.len());
        let mut worker = Self {
            shared,
            history,
            corrections,
            arena,
            stack,
            values,
            evaluator,
            root_moves: moves.iter().copied().map(RootMove::new).collect(),
            first_root_move: 0,
            selective_depth: 0,
            depth: 0,
            nodes: 0,
            aborted: false,
            verified_from: 0,
            unrestricted: moves.len() == position.count_moves(),
            index: *index,
            check_interval: CheckInterval::new(shared.limits.nodes, now),
            lines: Vec::new(),
            raised: None,
            main: (*index == 0).then(|| MainThread::new(shared, position.side(), now)),
            position,
        };
        let node = worker.node(0);
        node.since_null.set(worker.position.moves_made());
        root::order_unsearched(
            &mut worker.root_moves,
            worker.position.board(),
            node,
            values,
            worker.history,
        );
        // The move found earlier comes first: it is played where there is time for no more than a glance.
        let known = shared.table.probe(worker.key()).and_then(|entry| entry.best);
        if let Some(place) = worker.root_moves.iter().position(|root| Some(root.m) == known) {
            worker.root_moves[..=place].rotate_right(1);
        }
        worker.evaluator.reset(worker.position.board());
        worker
    }

    /// The key under which the table keeps the position.
    #[inline(always)]
    pub(crate) fn key(&self) -> u64 {
        self.position.key() ^ self.shared.salt
    }

    /// The node at `ply` of the line that is searched.
    #[inline(always)]
    pub(crate) fn node(&self, ply: usize) -> &'a NodeContext<V> {
        &self.stack[ply]
    }

    /// The node `plies` before `node`, if the root is not nearer.
    #[inline(always)]
    pub(crate) fn before(&self, node: &NodeContext<V>, plies: usize) -> Option<&'a NodeContext<V>> {
        node.ply.checked_sub(plies).map(|ply| self.node(ply))
    }

    /// The moves that led to `node`.
    #[inline(always)]
    pub(crate) fn contexts(&self, node: &NodeContext<V>) -> Contexts {
        CONTINUATIONS.map(|back| self.before(node, back).map_or(Context::NONE, |n| n.context.get()))
    }

    /// Sets the line expected from `node` to `m` alone.
    #[inline]
    pub(crate) fn expect_only(&self, node: &NodeContext<V>, m: Move) {
        let next = self.node(node.ply + 1);
        next.clear_line();
        node.set_line(m, next);
    }

    /// Plays `m` from `node`; `unjudged` is noted as [`NodeContext::unjudged`].
    #[inline(always)]
    pub(crate) fn make(&mut self, m: Move, unjudged: Option<ThreatIndex>, node: &NodeContext<V>) {
        let next = self.node(node.ply + 1);
        node.played.set(Some(m));
        node.unjudged.set(unjudged);
        node.context.set(History::<V>::context(self.position.side(), m));
        next.since_null.set(node.since_null.get() + 1);
        next.threats.inherit(&node.threats, self.position.board(), m);
        self.evaluator.make(self.position.board(), m);
        self.position.make(m);
    }

    /// Passes the turn at `node`.
    #[inline(always)]
    pub(crate) fn make_null(&mut self, node: &NodeContext<V>) {
        let next = self.node(node.ply + 1);
        node.played.set(None);
        node.context.set(Context::NONE);
        next.since_null.set(0);
        next.threats.copy(&node.threats);
        self.shared.table.prefetch(self.position.board().key_after_pass());
        self.evaluator.pass();
        self.position.pass();
    }

    /// Takes the last move or null move back.
    #[inline(always)]
    pub(crate) fn unmake(&mut self) {
        self.position.undo();
        self.evaluator.undo();
    }

    /// Where the errors of the evaluation at `node` are kept.
    #[inline(always)]
    pub(crate) fn place(&self, node: &NodeContext<V>) -> Place {
        let last = self.before(node, 1).map_or(Context::NONE, |last| last.context.get());
        self.corrections.place(&self.position, last)
    }

    /// Evaluates the position at `node`, unless the table has it, and notes what the evaluator says; returns
    /// that less the errors it made in similar positions.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, entry: Option<Entry>, node: &NodeContext<V>) -> Value {
        let raw = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate_now(node));
        let eval = self.corrections.correct(raw, self.place(node));
        node.raw_eval.set(Some(raw));
        node.eval.set(Some(eval));
        eval
    }

    /// What the evaluator says of the position at `node`.
    #[inline(always)]
    pub(crate) fn evaluate_now(&mut self, node: &NodeContext<V>) -> Value {
        self.evaluator.evaluate(self.position.board(), &node.threats)
    }
}

/// The score of a line, but that a mate some moves away is none for sure where a defence may be overlooked.
fn known(shared: &Shared<'_>, line: &Line) -> Value {
    let sure = shared.skill.is_none() || line.depth == 0 || line.score == mate_in(1);
    if sure { line.score } else { line.score.clamp(-EVAL_LIMIT, EVAL_LIMIT) }
}

/// A line for the reporter.
pub(crate) fn describe(shared: &Shared<'_>, line: &Line, multipv: usize) -> Info {
    Info {
        depth: line.depth,
        selective_depth: plies(line.selective_depth).unsigned_abs().max(line.depth),
        multipv,
        score: reported(known(shared, line), shared.pawn),
        bound: line.bound,
        nodes: shared.nodes(),
        time: shared.control.elapsed(),
        hashfull: shared.table.permille(),
        pv: line.pv.clone(),
    }
}
