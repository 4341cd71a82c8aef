//! The positions of a book and the moves between them.
//!
//! Positions that are reached in several ways are one. Those that are mirror images of each other would be worth the
//! same, but no starting position is its own mirror image, and a game would have to carry all pieces across the board to
//! come to one: they are not looked for.

use std::collections::HashMap;

use kujira_position::{Move, Position, Variant};
use kujira_record::book::Searched;
use kujira_usi::Score;

/// A score from which on nothing is left to find out, in centipawns: more than any evaluation.
pub(super) const DECIDED: i32 = 15_001;

/// A book as a graph.
#[derive(Clone, Debug)]
pub struct Graph<V: Variant> {
    nodes: Vec<Node<V>>,
    index: HashMap<u64, usize>,
}

/// A position that was searched.
#[derive(Clone, Debug)]
pub(super) struct Node<V: Variant> {
    pub(super) position: Position<V>,
    /// Those of the longest search, the one with the most.
    pub(super) nodes: u64,
    pub(super) legal_moves: usize,
    pub(super) choices: Vec<Choice>,
}

/// A move that a search told of.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) m: Move,
    /// What the search of the position before it says, as the side to move sees it.
    pub(super) score: Score,
    /// Nodes of that search, and its depth in plies.
    pub(super) nodes: u64,
    pub(super) depth: u32,
    /// Whether it told of no other move.
    pub(super) alone: bool,
    pub(super) pv: Vec<Move>,
    /// The key of the position after it.
    pub(super) after: u64,
    pub(super) gives_check: bool,
    /// Whether it ends the game.
    pub(super) ends: bool,
}

/// Whether a search with so many nodes has nothing to say where another one took so many.
pub(super) fn much_shorter(nodes: u64, other: u64) -> bool {
    nodes < other.div_ceil(2)
}

impl Choice {
    /// Whether nothing is left to find out.
    pub(super) fn is_decided(&self) -> bool {
        self.ends || self.score.centipawns().abs() >= DECIDED
    }
}

impl<V: Variant> Node<V> {
    /// The most that a move can be worth which no search of at least half the nodes of the longest one told of.
    pub(super) fn bound(&self) -> Option<i32> {
        let long = || self.choices.iter().filter(|choice| self.is_long(choice));
        let score = |choice: &Choice| choice.score.centipawns();
        // A search of one move alone says nothing of others.
        long().filter(|choice| !choice.alone).map(score).min().or_else(|| long().map(score).min())
    }

    /// The same, where there are such moves.
    pub(super) fn others(&self) -> Option<i32> {
        let told = self.choices.iter().filter(|choice| self.is_long(choice)).count();
        self.bound().filter(|_| told < self.legal_moves)
    }

    /// Whether the search that told of a move is not much shorter than the longest one.
    pub(super) fn is_long(&self, choice: &Choice) -> bool {
        !much_shorter(choice.nodes, self.nodes)
    }
}

impl<V: Variant> Default for Graph<V> {
    fn default() -> Self {
        Self { nodes: Vec::new(), index: HashMap::new() }
    }
}

impl<V: Variant> Graph<V> {
    /// A graph of what these searches found.
    pub fn of<'a>(searched: impl IntoIterator<Item = &'a Searched<V>>) -> Self
    where
        V: 'a,
    {
        let mut graph = Self::default();
        searched.into_iter().for_each(|found| graph.add(found));
        graph
    }

    /// Adds what a search found. What is there already of a move stays if it took more nodes.
    pub fn add(&mut self, found: &Searched<V>) {
        let key = found.position.key();
        let index = *self.index.entry(key).or_insert_with(|| {
            self.nodes.push(Node {
                position: found.position.clone(),
                nodes: 0,
                legal_moves: found.position.legal_moves().len(),
                choices: Vec::new(),
            });
            self.nodes.len() - 1
        });
        let node = &mut self.nodes[index];
        node.nodes = node.nodes.max(found.nodes);
        let alone = found.lines.len() == 1;
        for (score, pv) in &found.lines {
            let Some(&m) = pv.first() else { continue };
            let (score, nodes, depth, pv) = (*score, found.nodes, found.depth, pv.clone());
            match node.choices.iter_mut().find(|choice| choice.m == m) {
                Some(known) if known.nodes >= nodes => {}
                Some(known) => *known = Choice { score, nodes, depth, alone, pv, ..known.clone() },
                None => {
                    let mut after = node.position.clone();
                    after.make(m);
                    node.choices.push(Choice {
                        m,
                        score,
                        nodes,
                        depth,
                        alone,
                        pv,
                        after: after.key(),
                        gives_check: after.checked(),
                        ends: after.outcome().is_some(),
                    });
                }
            }
        }
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of this position, if it is there.
    #[must_use]
    pub fn find(&self, position: &Position<V>) -> Option<usize> {
        self.at(position.key())
    }

    pub(super) fn at(&self, key: u64) -> Option<usize> {
        self.index.get(&key).copied()
    }

    /// The number of the position with this key, if a search of it took about so many nodes or more.
    pub(super) fn searched(&self, key: u64, nodes: u64) -> Option<usize> {
        self.at(key).filter(|&index| !much_shorter(self.nodes[index].nodes, nodes))
    }

    /// How many positions there are with a search that took at least half as many nodes as these.
    #[must_use]
    pub fn count_searched(&self, nodes: u64) -> usize {
        self.nodes.iter().filter(|node| !much_shorter(node.nodes, nodes)).count()
    }

    /// Nodes of the longest search of all.
    #[must_use]
    pub fn longest_search(&self) -> u64 {
        self.nodes.iter().map(|node| node.nodes).max().unwrap_or(0)
    }

    pub(super) fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// The numbers of the positions that can be reached from this one, itself included, until `enough` says so of one of
    /// them.
    pub(super) fn reached(&self, from: usize, mut enough: impl FnMut(usize) -> bool) -> Vec<bool> {
        let (mut seen, mut open) = (vec![false; self.nodes.len()], vec![from]);
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            if enough(index) {
                break;
            }
            open.extend(
                self.nodes[index].choices.iter().filter_map(|choice| self.at(choice.after)),
            );
        }
        seen
    }

    /// Nodes searched at a position and at all that can be reached from it, or some more than `enough` of them.
    #[must_use]
    pub fn effort(&self, from: usize, enough: u64) -> u64 {
        let mut sum = 0;
        self.reached(from, |index| {
            sum += self.nodes[index].nodes;
            sum > enough
        });
        sum
    }

    /// How many positions can be reached from this one, itself included.
    #[must_use]
    pub fn count(&self, from: usize) -> usize {
        self.reached(from, |_| false).iter().filter(|&&seen| seen).count()
    }
}
