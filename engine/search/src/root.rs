//! The moves at the root: what is known of each, and in which order they are searched.

use std::cmp::Reverse;

use kujira_position::{Board, Move, Variant};

use crate::eval::{PieceValues, captured};
use crate::history::{CONTINUATIONS, Context, History, ThreatIndex};
use crate::params::material_weight;
use crate::report::Bound;
use crate::score::{INFINITE, Value};
use crate::scoring::gain;
use crate::see;
use crate::stack::NodeContext;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    pub(crate) score: Value,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    /// Nodes searched below it, in all iterations of this search.
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    /// A root move that is not searched yet.
    pub(crate) fn new(m: Move) -> Self {
        Self { m, score: -INFINITE, bound: Bound::Upper, selective_depth: 1, nodes: 0, pv: vec![m] }
    }
}

/// Puts moves that are yet to be searched in order, much as other nodes pick theirs: captures that lose nothing by
/// what they gain, quiet moves by what was learnt of them, captures that lose material.
pub(crate) fn order_unsearched<V: Variant>(
    moves: &mut [RootMove],
    board: &Board<V>,
    node: &NodeContext<V>,
    values: &PieceValues,
    history: &History<V>,
) {
    let side = board.side();
    let attacked = node.threats.of(board, !side).all();
    moves.sort_by_cached_key(|root| {
        let (m, gain) = (root.m, material_weight() * gain(board, values, root.m));
        Reverse(if captured(board, m).is_none() {
            let threat = ThreatIndex::of(m, attacked);
            (1, gain + history.score(side, [Context::NONE; CONTINUATIONS.len()], m, threat))
        } else if see::gains(board, &node.threats, values, m, 0) {
            (2, gain)
        } else {
            (0, gain)
        })
    });
}

#[cfg(test)]
mod tests {
    use kujira_position::{Color, Position, Whale};

    use super::*;

    #[test]
    fn unsearched_moves_come_captures_first_then_by_history_then_what_loses() {
        let position = Position::<Whale>::from_sfen("w5/2d3/2n3/d5/2K2g/W5 b - 1").unwrap();
        let (board, values) = (position.board(), PieceValues::built_in::<Whale>());
        let legal = position.legal_moves();
        let quiet = legal.iter().copied().rfind(|&m| captured(board, m).is_none()).unwrap();
        let mut history = History::new();
        let node = NodeContext::new(0);
        let threat = ThreatIndex::of(quiet, node.threats.of(board, Color::White).all());
        history.update_alone(Color::Black, quiet, threat, 2000);
        let mut moves: Vec<_> = legal.iter().copied().map(RootMove::new).collect();
        order_unsearched(&mut moves, board, &node, &values, &history);
        let order: Vec<_> = moves.iter().map(|root| position.usi(root.m)).collect();
        assert_eq!(order.len(), legal.len());
        assert_eq!(order[0], "4e1e");
        let first_quiet = moves.iter().find(|root| captured(board, root.m).is_none()).unwrap();
        assert_eq!(first_quiet.m, quiet);
        assert_eq!(order.last().map(String::as_str), Some("4e4c"));
    }
}
