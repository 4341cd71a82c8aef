//! Where a book is to grow: drop-out expansion.
//!
//! A line of play costs so much for each of its plies and as much as both sides lose by its moves; what costs least is
//! looked at next. So the best lines become long, and each inferior move is followed the less far the more it loses.
//!
//! Who plays from a book makes the best moves in it, and needs answers to whatever is played against them. So losses of
//! one of the sides may count several times: a line costs the smaller of `own_loss` times what Black loses and what White
//! does, and of the reverse. Then lines in which one side plays well are followed farther, and fewer in which both do not.
//!
//! Games tell which moves are made that searches think little of. Those that enough games made are looked at first, the
//! most frequent ones before others.
//!
//! What was searched with less than half the nodes that a position is to have now is searched again, as if it were new.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::Hash;

use kujira_position::{Color, Move, Position, UsiMove, Variant};

use super::graph::{DECIDED, Graph};
use super::results::Results;
use super::values::Values;

/// Something that is still to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// The position that a move leads to, from the position with this number.
    Move(usize, Move),
    /// The moves of the position with this number that no search told of.
    Others(usize),
}

/// A position to search, and the moves to search it for; all if there are none.
pub(super) type Task<V> = (Position<V>, Vec<Move>);

/// What a line of play costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    /// A ply, in centipawns that a side may lose instead.
    pub per_ply: u32,
    /// How many times what one of the sides loses counts, the one that plays from the book: whichever makes a line
    /// cheaper.
    pub own_loss: u32,
}

impl Price {
    /// What both sides lose counts alike.
    #[must_use]
    pub fn even(per_ply: u32) -> Self {
        Self { per_ply, own_loss: 1 }
    }

    /// Who plays from the book in turn: anybody, where that makes no difference.
    fn players(self) -> &'static [Color] {
        const BOTH: [Color; 2] = Color::BOTH;
        if self.own_loss > 1 { &BOTH } else { &BOTH[..1] }
    }
}

/// A position that a line of play came to.
struct Step {
    /// What the line costs up to there.
    cost: u64,
    /// What the position is worth to its side to move.
    best: i32,
    per_ply: u64,
    /// What a centipawn lost there costs.
    loss: u64,
}

impl Step {
    /// What the line costs with a move of this value.
    fn to(&self, value: i32) -> u64 {
        let loss = self.best.saturating_sub(value).max(0).unsigned_abs();
        self.cost + self.per_ply + self.loss * u64::from(loss)
    }
}

/// All of them in order of their costs, each once, for what it costs at least.
fn cheapest_first<T: Copy + Eq + Hash>(mut all: Vec<(u64, T)>) -> Vec<(u64, T)> {
    all.sort_by_key(|&(cost, _)| cost);
    let mut known = HashSet::new();
    all.retain(|&(_, what)| known.insert(what));
    all
}

impl<V: Variant> Graph<V> {
    /// The positions that can be reached from the start and are not decided, cheapest first, with what the way there
    /// costs in centipawns.
    #[must_use]
    pub fn cheapest(&self, values: &Values, price: Price) -> Vec<(u64, usize)> {
        let players = price.players().iter();
        let all = players.flat_map(|&player| self.cheapest_to(player, values, price, 0));
        cheapest_first(all.collect())
    }

    /// The same, where this side plays from the book, without those that were searched much shorter than `nodes`, and
    /// what lies behind them.
    fn cheapest_to(
        &self,
        player: Color,
        values: &Values,
        price: Price,
        nodes: u64,
    ) -> Vec<(u64, usize)> {
        let mut cheapest = Vec::new();
        let start = Position::<V>::start().key();
        let Some(start) = self.searched(start, nodes) else { return cheapest };
        let mut known = vec![false; self.len()];
        let mut open = BinaryHeap::from([(Reverse(0), start)]);
        while let Some((Reverse(cost), index)) = open.pop() {
            if std::mem::replace(&mut known[index], true) || values.get(index).abs() >= DECIDED {
                continue;
            }
            cheapest.push((cost, index));
            let step = self.step(player, cost, index, values, price);
            for (number, choice) in self.nodes()[index].choices.iter().enumerate() {
                if let Some(next) = self.searched(choice.after, nodes) {
                    open.push((Reverse(step.to(values.after(self, index, number))), next));
                }
            }
        }
        cheapest
    }

    fn step(&self, player: Color, cost: u64, index: usize, values: &Values, price: Price) -> Step {
        let own = self.nodes()[index].position.side() == player;
        let loss = if own { price.own_loss } else { 1 };
        let (per_ply, loss) = (price.per_ply.max(1).into(), loss.into());
        Step { cost, best: values.get(index), per_ply, loss }
    }

    /// All leaves of a book whose positions are to be searched with so many nodes, with their costs in centipawns,
    /// cheapest first.
    #[must_use]
    pub fn leaves(&self, values: &Values, price: Price, nodes: u64) -> Vec<(u64, Leaf)> {
        let mut leaves = Vec::new();
        for &player in price.players() {
            for (cost, index) in self.cheapest_to(player, values, price, nodes) {
                let step = self.step(player, cost, index, values, price);
                let node = &self.nodes()[index];
                for (number, choice) in node.choices.iter().enumerate() {
                    if self.searched(choice.after, nodes).is_none() && !choice.is_decided() {
                        let cost = step.to(values.after(self, index, number));
                        leaves.push((cost, Leaf::Move(index, choice.m)));
                    }
                }
                if let Some(most) = node.others().filter(|most| most.abs() < DECIDED) {
                    leaves.push((step.to(most), Leaf::Others(index)));
                }
            }
        }
        cheapest_first(leaves)
    }

    /// What is to be searched with so many nodes for moves that at least so many games made and that the book does not
    /// follow: those that most games made first.
    pub(super) fn unanswered(&self, games: &Results<V>, least: u32, nodes: u64) -> Vec<Task<V>> {
        let mut found = Vec::new();
        for occurred in games.common(least) {
            let Some(index) = self.searched(occurred.position.key(), nodes) else { continue };
            for &(m, tally) in &occurred.moves {
                let choice = self.nodes()[index].choices.iter().find(|choice| choice.m == m);
                let followed = choice.is_some_and(|choice| {
                    choice.is_decided() || self.searched(choice.after, nodes).is_some()
                });
                if tally.games() >= least && !followed {
                    let text = UsiMove::<V>::new(m).to_string();
                    found.push((Reverse(tally.games()), index, text, (m, choice.is_some())));
                }
            }
        }
        found.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        let task = |(_, index, _, (m, told))| match told {
            true => self.task(Leaf::Move(index, m), nodes),
            false => Some((self.nodes()[index].position.clone(), vec![m])),
        };
        found.into_iter().filter_map(task).collect()
    }

    /// What is to be searched for a leaf, with so many nodes; `None` if it has been meanwhile.
    pub(super) fn task(&self, leaf: Leaf, nodes: u64) -> Option<Task<V>> {
        match leaf {
            Leaf::Move(index, m) => {
                let mut after = self.nodes()[index].position.clone();
                after.make(m);
                let after = after.setup().validate().ok()?;
                self.searched(after.key(), nodes).is_none().then(|| (after, Vec::new()))
            }
            Leaf::Others(index) => {
                let node = &self.nodes()[index];
                let moves = node.position.legal_moves();
                let told = |m: Move| {
                    node.choices.iter().any(|choice| choice.m == m && node.is_long(choice))
                };
                let others: Vec<_> = moves.iter().copied().filter(|&m| !told(m)).collect();
                (!others.is_empty()).then(|| (node.position.clone(), others))
            }
        }
    }
}
