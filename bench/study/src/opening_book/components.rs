//! Strongly connected components (Kosaraju's algorithm, without recursion, which long books would be too deep for).

/// The sets of nodes that lead to each other, each behind those that it leads to; `next` says for each node which ones it
/// leads to.
pub(super) fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); next.len()];
    for (from, all) in next.iter().enumerate() {
        all.iter().for_each(|&to| before[to].push(from));
    }
    let mut left = vec![false; next.len()];
    let mut found = Vec::new();
    for from in left_last(&before).into_iter().rev() {
        let (mut open, mut members) = (vec![from], Vec::new());
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut left[node], true) {
                members.push(node);
                open.extend(&next[node]);
            }
        }
        if !members.is_empty() {
            found.push(members);
        }
    }
    found
}

/// The nodes in the order in which a walk leaves them for the last time.
fn left_last(next: &[Vec<usize>]) -> Vec<usize> {
    let (mut seen, mut order) = (vec![false; next.len()], Vec::with_capacity(next.len()));
    let mut path: Vec<(usize, usize)> = Vec::new();
    for from in 0..next.len() {
        if !std::mem::replace(&mut seen[from], true) {
            path.push((from, 0));
        }
        while let Some((node, number)) = path.last_mut() {
            let to = next[*node].get(*number).copied();
            *number += 1;
            match to {
                None => {
                    order.push(*node);
                    path.pop();
                }
                Some(to) if std::mem::replace(&mut seen[to], true) => {}
                Some(to) => path.push((to, 0)),
            }
        }
    }
    order
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
