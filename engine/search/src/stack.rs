//! What is known of each ply from the root to here: one stack, an entry a ply.
//!
//! The entries are shared and their fields cells, so that a node holds its own entry while it plays moves,
//! writes to that of the next ply and looks at those of the plies before (as `StateInfo` and `Stack` of
//! Stockfish do, in one).

use std::cell::Cell;

use kujira_position::{Bitboard, Move, Threats, Variant};

use crate::history::{CONTINUATIONS, Context, Contexts, ThreatIndex};
use crate::score::{MAX_PLY, Value};

/// Entries of a stack: a search at the deepest ply looks at the next ones.
const ENTRIES: usize = MAX_PLY + 4;

/// The nodes from the root to here, by ply.
pub(crate) type Stack<V> = [NodeContext<V>; ENTRIES];

/// A stack on which nothing is known.
pub(crate) fn empty<V: Variant>() -> Box<Stack<V>> {
    let entries: Box<[_]> = (0..ENTRIES).map(NodeContext::new).collect();
    match entries.try_into() {
        Ok(stack) => stack,
        Err(_) => unreachable!("as many entries as were made"),
    }
}

/// What is known of the node at one ply, and of the move that is searched there.
pub(crate) struct NodeContext<V: Variant> {
    /// Plies below the root.
    pub(crate) ply: usize,
    /// The squares that each side attacks.
    pub(crate) threats: Threats<V>,
    /// The move played from here; `None` for a null move.
    pub(crate) played: Cell<Option<Move>>,
    /// The move played from here, as continuation history knows it.
    pub(crate) context: Cell<Context>,
    /// The threats that the move played from here leaves and meets, if it is a quiet one of the full search
    /// whose effect on the evaluation is still to be judged.
    pub(crate) unjudged: Cell<Option<ThreatIndex>>,
    /// A move left out, to see how good the others are.
    pub(crate) excluded: Cell<Option<Move>>,
    /// What the evaluator says of the position; `None` in check, unless quiescence leaves the whale attacked.
    pub(crate) raw_eval: Cell<Option<Value>>,
    /// The raw evaluation less the errors made in similar positions; `None` where there is no raw evaluation.
    pub(crate) eval: Cell<Option<Value>>,
    /// Moves since the last null move or the start of the game.
    pub(crate) since_null: Cell<usize>,
    /// The moves that led here.
    pub(crate) contexts: Cell<Contexts>,
    /// The squares on which another move than the whale's own may save it, where whales are captured and that of
    /// the side to move is attacked.
    pub(crate) stops: Cell<Option<Bitboard<V::Bits>>>,
    /// The two quiet moves that last refuted a move at this ply.
    killers: Cell<[Option<Move>; 2]>,
    /// Moves of the line expected from here.
    length: Cell<usize>,
    line: [Cell<Option<Move>>; MAX_PLY + 1],
}

impl<V: Variant> NodeContext<V> {
    /// A node at `ply` of which nothing is known.
    pub(crate) fn new(ply: usize) -> Self {
        Self {
            ply,
            threats: Threats::default(),
            played: Cell::new(None),
            context: Cell::new(Context::NONE),
            unjudged: Cell::new(None),
            excluded: Cell::new(None),
            raw_eval: Cell::new(None),
            eval: Cell::new(None),
            since_null: Cell::new(0),
            contexts: Cell::new([Context::NONE; CONTINUATIONS.len()]),
            stops: Cell::new(None),
            killers: Cell::new([None; 2]),
            length: Cell::new(0),
            line: [const { Cell::new(None) }; MAX_PLY + 1],
        }
    }

    /// Forgets the node of an earlier search.
    pub(crate) fn reset(&self) {
        self.threats.copy(&Threats::default());
        self.played.set(None);
        self.context.set(Context::NONE);
        self.unjudged.set(None);
        self.excluded.set(None);
        self.forget_eval();
        self.since_null.set(0);
        self.killers.set([None; 2]);
        self.clear_line();
    }

    /// Leaves the position without an evaluation.
    #[inline(always)]
    pub(crate) fn forget_eval(&self) {
        self.raw_eval.set(None);
        self.eval.set(None);
    }

    /// The two quiet moves that last refuted a move at this ply, the latest first.
    #[inline(always)]
    pub(crate) fn killers(&self) -> [Option<Move>; 2] {
        self.killers.get()
    }

    /// Remembers the quiet move `m`, which refuted a move at this ply.
    #[inline]
    pub(crate) fn add_killer(&self, m: Move) {
        let [first, _] = self.killers.get();
        if first != Some(m) {
            self.killers.set([Some(m), first]);
        }
    }

    /// Empties the line expected from here.
    #[inline(always)]
    pub(crate) fn clear_line(&self) {
        self.length.set(0);
    }

    /// Sets the line expected from here to `m` and the line of `next`, the node one ply on.
    #[inline]
    pub(crate) fn set_line(&self, m: Move, next: &Self) {
        let [first, rest @ ..] = &self.line;
        first.set(Some(m));
        let tail = next.length.get().min(rest.len());
        for (place, follows) in rest.iter().zip(&next.line[..tail]) {
            place.set(follows.get());
        }
        self.length.set(tail + 1);
    }

    /// The line expected from here.
    pub(crate) fn line(&self) -> impl Iterator<Item = Move> + '_ {
        self.line[..self.length.get()].iter().filter_map(Cell::get)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square, Whale};

    use super::*;

    fn m(to: usize) -> Move {
        Move::drop(Kind::from_index(1), Square::from_index(to))
    }

    #[test]
    fn a_line_takes_over_the_one_below() {
        let stack = empty::<Whale>();
        stack[2].set_line(m(7), &stack[3]);
        stack[1].set_line(m(5), &stack[2]);
        stack[0].set_line(m(3), &stack[1]);
        assert_eq!(stack[0].line().collect::<Vec<_>>(), [m(3), m(5), m(7)]);
        stack[1].clear_line();
        stack[0].set_line(m(9), &stack[1]);
        assert_eq!(stack[0].line().collect::<Vec<_>>(), [m(9)]);
        let deepest = &stack[MAX_PLY];
        deepest.set_line(m(1), &stack[MAX_PLY + 1]);
        assert_eq!(deepest.line().count(), 1);
        assert_eq!(stack[1].line().count(), 0);
    }

    /// A line as long as there is room for grows no longer.
    #[test]
    fn the_longest_line_loses_its_end() {
        let stack = empty::<Whale>();
        for ply in (0..ENTRIES - 1).rev() {
            stack[ply].set_line(m(ply % 36), &stack[ply + 1]);
        }
        assert_eq!(stack[0].line().count(), MAX_PLY + 1);
        assert_eq!(stack[0].line().last(), Some(m(MAX_PLY % 36)));
    }

    #[test]
    fn killers_are_the_last_two_different_ones() {
        let stack = empty::<Whale>();
        for to in [1, 2, 2, 3] {
            stack[4].add_killer(m(to));
        }
        stack[4].add_killer(m(3));
        assert_eq!(stack[4].killers(), [Some(m(3)), Some(m(2))]);
        assert_eq!(stack[5].killers(), [None, None]);
        stack[4].reset();
        assert_eq!(stack[4].killers(), [None, None]);
    }
}
