//! Strongly connected components, by Kosaraju's algorithm: Tarjan's is recursive in petgraph, and long books are too deep
//! for that.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The sets of nodes that lead to each other, each behind those that it leads to; `next` says for each node which ones it
/// leads to.
pub(super) fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), ()>::new();
    for _ in next {
        graph.add_node(());
    }
    for (from, all) in next.iter().enumerate() {
        for &to in all {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    let found = kosaraju_scc(&graph).into_iter();
    found.map(|members| members.into_iter().map(NodeIndex::index).collect()).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Which node reaches which, by trying all.
    fn reaches(next: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let mut reaches: Vec<Vec<bool>> = next
            .iter()
            .enumerate()
            .map(|(from, all)| (0..next.len()).map(|to| to == from || all.contains(&to)).collect())
            .collect();
        for through in 0..next.len() {
            for from in 0..next.len() {
                for to in 0..next.len() {
                    reaches[from][to] |= reaches[from][through] && reaches[through][to];
                }
            }
        }
        reaches
    }

    #[test]
    fn components_are_those_that_reach_each_other() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..200 {
            let count = random.random_range(1..12);
            let edges = random.random_range(0..2 * count);
            let mut next = vec![Vec::new(); count];
            for _ in 0..edges {
                next[random.random_range(0..count)].push(random.random_range(0..count));
            }
            let (found, reaches) = (components(&next), reaches(&next));
            let mut place = vec![usize::MAX; count];
            for (number, members) in found.iter().enumerate() {
                for &member in members {
                    assert_eq!(std::mem::replace(&mut place[member], number), usize::MAX);
                }
            }
            for from in 0..count {
                for to in 0..count {
                    let together = reaches[from][to] && reaches[to][from];
                    assert_eq!(place[from] == place[to], together, "{next:?} {found:?}");
                    assert!(!reaches[from][to] || place[to] <= place[from], "{next:?} {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_line_is_no_trouble() {
        let next: Vec<Vec<usize>> = (0..100_000).map(|node| vec![(node + 1).min(99_999)]).collect();
        let found = components(&next);
        assert_eq!((found.len(), &found[0][..]), (100_000, &[99_999][..]));
    }
}
