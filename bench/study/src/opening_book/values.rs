//! What every position of a book is worth: scores of searches, and minimax over them.
//!
//! A move is worth what the position after it is, if the search of that took at least half as many nodes as the longest
//! one of the position before, and else what that one says of it, which is not to be overruled by shorter ones. What only
//! shorter ones told of is no better than the worst move that it told of.
//!
//! Play that never leaves the positions it comes back to is a draw by repetition, or lost for whoever gives check with
//! all of their moves there. Positions that can reach each other (a strongly connected component) are therefore worth
//! at first what such play is worth, and then, step by step, what can be forced against that: a score above it takes
//! some plies to force, and so does one below it, so that this comes to an end at the exact values. Only where a side
//! gives check with some of the moves within a component is a cycle of checks alone taken for a draw.

use kujira_position::{Color, Variant};
use kujira_usi::Score;

use super::components::components;
use super::graph::{Choice, Graph, Node, much_shorter};

/// Beyond this a value is a mate, which is a ply farther away a ply earlier.
const MATES: i32 = 500_000;

/// A mate with no ply to come, as [`Score::centipawns`] has it.
const MATE: i32 = 1_000_000;

/// Having to be given perpetual check.
const PERPETUAL: i32 = 20_000;

/// The value of each position to its side to move, in centipawns; mates as [`Score::centipawns`] has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    values: Vec<i32>,
    /// The component of each, by its number.
    components: Vec<usize>,
    /// The step that found it, within its component: who forces it goes on to one that was found sooner.
    steps: Vec<u32>,
    /// For each choice the position that it leads to, if that says what it is worth.
    next: Vec<Vec<Option<usize>>>,
}

/// A value as a score.
#[must_use]
pub fn score_of(value: i32) -> Score {
    match value {
        _ if value > MATES => Score::Mate(MATE - value),
        _ if value < -MATES => Score::Mate(-MATE - value),
        _ => Score::Cp(value),
    }
}

/// The value of a position to the side that moved there.
fn to_mover(value: i32) -> i32 {
    match -value {
        value if value > MATES => value - 1,
        value if value < -MATES => value + 1,
        value => value,
    }
}

impl Values {
    /// The values of all positions.
    #[must_use]
    pub fn of<V: Variant>(graph: &Graph<V>) -> Self {
        let next = deciding(graph);
        let links: Vec<Vec<usize>> =
            next.iter().map(|next| next.iter().flatten().copied().collect()).collect();
        let all = graph.len();
        let mut values = Self {
            values: vec![0; all],
            components: vec![usize::MAX; all],
            steps: vec![0; all],
            next,
        };
        // Behind those that it leads to.
        for (number, members) in components(&links).iter().enumerate() {
            members.iter().for_each(|&member| values.components[member] = number);
            if let [single] = members[..] {
                values.values[single] = values.best(graph, single);
                continue;
            }
            let within = |index: usize| values.components[index] == number;
            let endless = endless(graph, members, &values.next, within);
            for (member, value) in members.iter().zip(endless) {
                values.values[*member] = value;
            }
            for step in 1.. {
                let next: Vec<i32> =
                    members.iter().map(|&member| values.best(graph, member)).collect();
                let mut changed = false;
                for (&member, value) in members.iter().zip(next) {
                    if std::mem::replace(&mut values.values[member], value) != value {
                        (values.steps[member], changed) = (step, true);
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        values
    }

    /// The value of a position.
    #[must_use]
    pub fn get(&self, index: usize) -> i32 {
        self.values[index]
    }

    /// The position that says what a move of another one is worth: the one it leads to, if its search took at least half
    /// as many nodes.
    pub(super) fn next(&self, index: usize, choice: usize) -> Option<usize> {
        self.next[index][choice]
    }

    /// The value of a move of a position to whoever makes it: that of the position it leads to, or what searches of the
    /// one before say.
    pub(super) fn after<V: Variant>(&self, graph: &Graph<V>, index: usize, choice: usize) -> i32 {
        if let Some(next) = self.next(index, choice) {
            return to_mover(self.values[next]);
        }
        let node = &graph.nodes()[index];
        let choice = &node.choices[choice];
        let score = choice.score.centipawns();
        match node.bound() {
            Some(bound) if !node.is_long(choice) => score.min(bound),
            _ => score,
        }
    }

    /// The number of the best choice at a position: of equals one that goes on, then the first.
    pub(super) fn choice<V: Variant>(&self, graph: &Graph<V>, index: usize) -> Option<usize> {
        let choices = (0..graph.nodes()[index].choices.len()).rev();
        choices
            .max_by_key(|&choice| (self.after(graph, index, choice), self.goes_on(index, choice)))
    }

    /// Whether a move comes nearer to what its side can force; one that does not is only as good as long as another
    /// one does later.
    pub(super) fn goes_on(&self, index: usize, choice: usize) -> bool {
        let sooner = |next: usize| {
            self.components[next] != self.components[index]
                || self.steps[next] == 0
                || self.steps[next] < self.steps[index]
        };
        self.values[index] <= 0 || self.next(index, choice).is_none_or(sooner)
    }

    fn best<V: Variant>(&self, graph: &Graph<V>, index: usize) -> i32 {
        let choices = 0..graph.nodes()[index].choices.len();
        choices.map(|choice| self.after(graph, index, choice)).max().unwrap_or(0)
    }
}

/// For each choice of each position the one that says what it is worth.
fn deciding<V: Variant>(graph: &Graph<V>) -> Vec<Vec<Option<usize>>> {
    let of_node = |node: &Node<V>| {
        let long = |&next: &usize| !much_shorter(graph.nodes()[next].nodes, node.nodes);
        let next = |choice: &Choice| graph.at(choice.after).filter(long);
        node.choices.iter().map(next).collect()
    };
    graph.nodes().iter().map(of_node).collect()
}

/// What play without an end among these positions is worth to the side to move at each.
fn endless<V: Variant>(
    graph: &Graph<V>,
    members: &[usize],
    next: &[Vec<Option<usize>>],
    within: impl Fn(usize) -> bool,
) -> Vec<i32> {
    let checks = Color::BOTH.map(|side| {
        let nodes = members.iter().map(|&member| (&graph.nodes()[member], &next[member]));
        let mut moves = nodes
            .filter(|(node, _)| node.position.side() == side)
            .flat_map(|(node, next)| node.choices.iter().zip(next))
            .filter(|(_, next)| next.is_some_and(&within));
        moves.all(|(choice, _)| choice.gives_check)
    });
    let value = |member: &usize| {
        let black = graph.nodes()[*member].position.side() == Color::Black;
        match checks {
            [true, false] if black => -PERPETUAL,
            [false, true] if !black => -PERPETUAL,
            [true, false] | [false, true] => PERPETUAL,
            _ => 0,
        }
    };
    members.iter().map(value).collect()
}
