//! Where a book is to grow: drop-out expansion.
//!
//! A line of play costs so much for each of its plies and as much as both sides lose by its moves; what costs least is
//! looked at next. So the best lines become long, and each inferior move is followed the less far the more it loses.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kujira_position::{Move, Position, UsiMove, Variant};

use super::graph::{DECIDED, Graph};
use super::values::Values;

/// Something that is still to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// The position that a move leads to, from the position with this number.
    Move(usize, Move),
    /// The moves of the position with this number that no search told of.
    Others(usize),
}

/// A position to search, and the moves to search it for, as USI texts; all if there are none.
pub(super) type Task<V> = (Position<V>, Vec<String>);

/// A move from a position that a line of play came to.
struct Step {
    /// What the line costs up to there.
    cost: u64,
    /// What the position is worth to its side to move.
    best: i32,
    per_ply: u32,
}

impl Step {
    /// What the line costs with a move of this value.
    fn to(&self, value: i32) -> u64 {
        let loss = self.best.saturating_sub(value).max(0).unsigned_abs();
        self.cost + u64::from(self.per_ply.max(1)) + u64::from(loss)
    }
}

impl<V: Variant> Graph<V> {
    /// The positions that can be reached from the start and are not decided, cheapest first, with what the way there
    /// costs in centipawns; `per_ply` is what a ply costs.
    #[must_use]
    pub fn cheapest(&self, values: &Values, per_ply: u32) -> Vec<(u64, usize)> {
        let mut cheapest = Vec::new();
        let Some(start) = self.find(&Position::start()) else { return cheapest };
        let mut known = vec![false; self.len()];
        let mut open = BinaryHeap::from([(Reverse(0), start)]);
        while let Some((Reverse(cost), index)) = open.pop() {
            if std::mem::replace(&mut known[index], true) || values.get(index).abs() >= DECIDED {
                continue;
            }
            cheapest.push((cost, index));
            let step = Step { cost, best: values.get(index), per_ply };
            for (number, choice) in self.nodes()[index].choices.iter().enumerate() {
                if let Some(next) = self.at(choice.after) {
                    open.push((Reverse(step.to(values.after(self, index, number))), next));
                }
            }
        }
        cheapest
    }

    /// All leaves with their costs in centipawns, cheapest first; `per_ply` is what a ply costs.
    #[must_use]
    pub fn leaves(&self, values: &Values, per_ply: u32) -> Vec<(u64, Leaf)> {
        let mut leaves = Vec::new();
        for (cost, index) in self.cheapest(values, per_ply) {
            let step = Step { cost, best: values.get(index), per_ply };
            let node = &self.nodes()[index];
            for (number, choice) in node.choices.iter().enumerate() {
                if self.at(choice.after).is_none() && !choice.is_decided() {
                    let cost = step.to(values.after(self, index, number));
                    leaves.push((cost, Leaf::Move(index, choice.m)));
                }
            }
            if let Some(most) = node.others().filter(|most| most.abs() < DECIDED) {
                leaves.push((step.to(most), Leaf::Others(index)));
            }
        }
        leaves.sort_by_key(|&(cost, _)| cost);
        leaves
    }

    /// What is to be searched for a leaf; `None` if it has been meanwhile.
    pub(super) fn task(&self, leaf: Leaf) -> Option<Task<V>> {
        match leaf {
            Leaf::Move(index, m) => {
                let mut after = self.nodes()[index].position.clone();
                after.make(m);
                let after = after.setup().validate().ok()?;
                self.find(&after).is_none().then(|| (after, Vec::new()))
            }
            Leaf::Others(index) => {
                let node = &self.nodes()[index];
                let moves = node.position.legal_moves();
                let told = |m: &&Move| node.choices.iter().any(|choice| choice.m == **m);
                let others = moves.iter().filter(|m| !told(m));
                let others: Vec<_> = others.map(|&m| UsiMove::<V>::new(m).to_string()).collect();
                (!others.is_empty()).then(|| (node.position.clone(), others))
            }
        }
    }
}
