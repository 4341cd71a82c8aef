//! Which players' ratings the games tie to each other.

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

use super::encounter::Encounter;

/// Players in groups, the largest group first; those within a group by number.
pub(super) type Groups = Vec<Vec<usize>>;

/// The groups of players who met, directly or through others.
pub(super) fn met(players: usize, encounters: &[Encounter]) -> Groups {
    let both = |one: &Encounter| [one.players, turned(one.players)];
    groups(players, encounters.iter().flat_map(both))
}

/// The groups within which everybody took something from everybody else, directly or through others. Within such a
/// group, and nowhere else, the likeliest ratings are finite (L. R. Ford, *Solution of a ranking problem from binary
/// comparisons*, 1957).
pub(super) fn tied(players: usize, encounters: &[Encounter]) -> Groups {
    let took = |one: &Encounter| {
        let [[black_lost, black_drew, black_won], [white_lost, white_drew, white_won]] =
            one.by_color;
        let draws = black_drew + white_drew;
        let first = (black_won + white_won + draws > 0).then_some(one.players);
        let second = (black_lost + white_lost + draws > 0).then_some(turned(one.players));
        first.into_iter().chain(second)
    };
    groups(players, encounters.iter().flat_map(took))
}

fn turned([first, second]: [usize; 2]) -> [usize; 2] {
    [second, first]
}

/// The strongly connected components of the graph with these edges.
fn groups(players: usize, edges: impl Iterator<Item = [usize; 2]>) -> Groups {
    let mut graph = DiGraphMap::<usize, ()>::from_edges(edges.map(|[from, to]| (from, to, ())));
    for player in 0..players {
        graph.add_node(player);
    }
    let mut groups = kosaraju_scc(&graph);
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(winner: usize, loser: usize) -> Encounter {
        Encounter::of_games([winner, loser], [[0, 0, 1], [0, 0, 0]])
    }

    #[test]
    fn groups_are_found() {
        let circle = [won(0, 1), won(1, 2), won(2, 0)];
        assert_eq!(tied(3, &circle), [[0, 1, 2]]);
        assert_eq!(tied(3, &circle[..2]), [[0], [1], [2]]);
        assert_eq!(met(3, &circle[..2]), [[0, 1, 2]]);
        let drawn = Encounter::of_games([3, 1], [[0, 0, 0], [0, 1, 0]]);
        assert_eq!(tied(4, &[won(0, 1), drawn]), [vec![1, 3], vec![0], vec![2]]);
        assert_eq!(met(4, &[won(0, 1), drawn]), [vec![0, 1, 3], vec![2]]);
        // As White, the first lost: the second took something.
        let lost = Encounter::of_games([0, 1], [[0, 0, 0], [1, 0, 0]]);
        assert_eq!(tied(2, &[won(0, 1), lost]), [[0, 1]]);
        assert!(tied(0, &[]).is_empty());
    }
}
