//! What pages know of a game, so that they are told only what has changed.
use kujira_record::{Game, Node, NodeId};
use kujira_usi::{Ending, Score};

/// What pages know of the tree of moves. It is compared with the tree, so that code which changes the tree need not
/// report it.
#[derive(Default)]
pub(super) struct Known {
    /// By their numbers; none: pages know no such move.
    nodes: Vec<Option<Variable>>,
}

/// What can change of a node.
#[derive(PartialEq)]
struct Variable {
    children: Vec<NodeId>,
    ending: Option<Ending>,
    score: Option<(Score, u32)>,
}

impl Variable {
    fn of(node: &Node) -> Self {
        Self { children: node.children.clone(), ending: node.ending, score: node.score }
    }

    fn is_of(&self, node: &Node) -> bool {
        self.children == node.children && self.ending == node.ending && self.score == node.score
    }
}

impl Known {
    /// Takes over the present tree. Returns the numbers of moves that are new or changed, parents before children, and
    /// of those that are gone.
    pub(super) fn update(&mut self, game: &Game) -> (Vec<NodeId>, Vec<NodeId>) {
        let order = game.reachable();
        let mut there = vec![false; self.nodes.len()];
        let mut changed = Vec::new();
        for &id in &order {
            let Some(node) = game.node(id) else { continue };
            if self.nodes.len() <= id {
                self.nodes.resize_with(id + 1, || None);
            }
            if let Some(there) = there.get_mut(id) {
                *there = true;
            }
            let Some(known) = self.nodes.get_mut(id) else { continue };
            if !known.as_ref().is_some_and(|known| known.is_of(node)) {
                *known = Some(Variable::of(node));
                changed.push(id);
            }
        }
        let mut removed = Vec::new();
        for (id, (known, there)) in self.nodes.iter_mut().zip(there).enumerate() {
            if !there && known.take().is_some() {
                removed.push(id);
            }
        }
        (changed, removed)
    }
}
