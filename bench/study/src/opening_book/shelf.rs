//! Several books made one, and a book for engines.

use std::collections::{BTreeMap, HashSet};

use kujira_position::{Move, UsiMove, Variant};
use kujira_record::book::{BookMove, Compact, Entry, Searched};

use super::graph::{DECIDED, Graph};
use super::values::{Values, score_of};

/// What several books know together, in the order of the positions' texts: whatever the order of the books, the
/// same. A search goes if others of the same position with as many nodes tell of all of its moves.
#[must_use]
pub fn merged<V: Variant>(searched: Vec<Searched<V>>) -> Vec<String> {
    let mut positions: BTreeMap<u64, Vec<(u64, String, Vec<Move>)>> = BTreeMap::new();
    for found in searched {
        let moves = found.lines.iter().filter_map(|(_, pv)| pv.first().copied()).collect();
        let line = (found.nodes, found.to_string(), moves);
        positions.entry(found.position.key()).or_default().push(line);
    }
    let mut texts = Vec::new();
    for mut lines in positions.into_values() {
        lines.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut told: HashSet<Move> = HashSet::new();
        for (_, text, moves) in lines {
            if moves.iter().filter(|&&m| told.insert(m)).count() > 0 {
                texts.push(text);
            }
        }
    }
    texts.sort();
    texts
}

/// What is worth being played without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Nodes that the longest search of a position itself must have taken.
    pub search: u64,
    /// Nodes that must have been searched at a position and all that it leads to; a quarter of it behind each move.
    pub nodes: u64,
    /// Centipawns that a move may be worse than the best.
    pub margin: u32,
}

impl Worth {
    /// What engines are given where nobody asks for something else.
    pub const USUAL: Self = Self { search: 300_000, nodes: 800_000, margin: 30 };
}

/// A book for engines: positions that can be reached from the start, with their good moves.
///
/// A search that a player would make itself knows more than a short one for the book, however many of those stand behind
/// it. Only a move that was looked at closely, too, is taken over, and a position not at all where what seems best was not.
#[must_use]
pub fn compact<V: Variant>(graph: &Graph<V>, worth: Worth) -> Compact {
    let values = Values::of(graph);
    let mut entries = Vec::new();
    let Some(start) = graph.find(&kujira_position::Position::start()) else {
        return Compact::new(V::ID, entries);
    };
    let reached = graph.reached(start, |_| false);
    for (index, node) in graph.nodes().iter().enumerate() {
        let best = values.get(index);
        let effort = |from: usize, enough: u64| graph.effort(from, enough) >= enough;
        let long = reached[index] && node.nodes >= worth.search;
        if !long || best.abs() >= DECIDED || !effort(index, worth.nodes) {
            continue;
        }
        let mut moves: Vec<(i32, Move)> = Vec::new();
        for (number, choice) in node.choices.iter().enumerate() {
            let next = values.next(index, number);
            let followed = next.is_some_and(|next| effort(next, worth.nodes / 4));
            // Nobody is to walk in a circle round what they could have.
            if followed && values.goes_on(index, number) {
                moves.push((values.after(graph, index, number), choice.m));
            }
        }
        moves.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        let worst = best.saturating_sub_unsigned(worth.margin);
        if moves.first().is_none_or(|&(value, _)| value < worst) {
            continue;
        }
        moves.retain(|&(value, _)| value >= worst);
        let moves = moves.into_iter().map(|(value, m)| BookMove {
            text: UsiMove::<V>::new(m).to_string(),
            score: score_of(value),
        });
        entries.push(Entry { key: node.position.key(), moves: moves.collect() });
    }
    Compact::new(V::ID, entries)
}
