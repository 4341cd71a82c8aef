//! The vote of the threads: whose lines are the answer.

use std::collections::HashMap;

use kujira_position::Move;

use crate::params::{vote_shallower, vote_weight};
use crate::score::MATE_BOUND;
use crate::worker::Line;

/// The lines of the thread to believe. Each thread votes for its move with the depth it reached times
/// what its score lies above the lowest of all; where a win is found the soonest one decides (after
/// `ThreadPool::get_best_thread` of Stockfish). With several lines wanted it is the first thread, whose
/// lines were reported.
pub(crate) fn elect(mut results: Vec<Vec<Line>>, multipv: usize) -> Vec<Line> {
    if multipv > 1 {
        return results.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
    }
    let first = |lines: &Vec<Line>| lines.first().map(|line| (line.depth, line.score));
    let deepest = results.iter().filter_map(first).map(|(depth, _)| depth).max().unwrap_or(0);
    // A thread that the system kept waiting knows too little.
    let shallower = vote_shallower().unsigned_abs();
    results.retain(|lines| {
        first(lines)
            .is_some_and(|(depth, score)| score >= MATE_BOUND || depth + shallower >= deepest)
    });
    let candidates = || results.iter().filter_map(|lines| lines.first());
    let lowest = candidates().map(|line| line.score).min().unwrap_or(0);
    let weight =
        |line: &Line| i64::from(line.score - lowest + vote_weight()) * i64::from(line.depth);
    let mut votes: HashMap<Option<Move>, i64> = HashMap::new();
    for line in candidates() {
        *votes.entry(line.pv.first().copied()).or_default() += weight(line);
    }
    let count = |line: &Line| votes.get(&line.pv.first().copied()).copied().unwrap_or_default();
    let better = |line: &Line, than: &Line| {
        let (lost, was_lost) = (line.score <= -MATE_BOUND, than.score <= -MATE_BOUND);
        if line.score.max(than.score) >= MATE_BOUND {
            line.score > than.score
        } else if was_lost {
            // A later loss is better; so is no loss, from a search deep enough to have seen one.
            line.score > than.score && (lost || line.depth >= than.depth)
        } else if lost {
            line.depth > than.depth
        } else {
            (count(line), weight(line)) > (count(than), weight(than))
        }
    };
    let mut chosen: Option<(usize, &Line)> = None;
    for (index, line) in candidates().enumerate() {
        if chosen.is_none_or(|(_, best)| better(line, best)) {
            chosen = Some((index, line));
        }
    }
    let chosen = chosen.map_or(0, |(index, _)| index);
    results.into_iter().nth(chosen).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square};

    use super::*;
    use crate::report::Bound;
    use crate::score::{Value, mate_in, mated_in};

    /// What a thread says: the number of its move, its depth and its score.
    type Said = (usize, u32, Value);

    fn say(m: usize, depth: u32, score: Value) -> Vec<Line> {
        let m = Move::drop(Kind::from_index(m), Square::from_index(5));
        vec![Line { depth, selective_depth: 20, bound: Bound::Exact, score, pv: vec![m] }]
    }

    /// Which of the threads is believed.
    fn elected(said: &[Said], multipv: usize) -> usize {
        let results: Vec<_> = said.iter().map(|&(m, depth, score)| say(m, depth, score)).collect();
        let line = &elect(results, multipv)[0];
        let same = |&&(m, depth, score): &&Said| {
            (say(m, depth, score)[0].pv[0], depth, score) == (line.pv[0], line.depth, line.score)
        };
        said.iter().position(|said| same(&said)).unwrap()
    }

    #[test]
    fn votes_decide() {
        let cases: [(&[Said], usize); 8] = [
            // The only thread, and threads that say the same.
            (&[(1, 9, 30)], 0),
            (&[(1, 9, 30), (1, 9, 30)], 0),
            // Deeper, and higher.
            (&[(1, 9, 30), (2, 10, 30)], 1),
            (&[(1, 9, 30), (2, 9, 31)], 1),
            (&[(1, 12, 30), (2, 9, 30)], 0),
            // Two for one move outvote a third, and the deeper of the two is taken.
            (&[(1, 11, 30), (2, 9, 30), (2, 10, 30)], 2),
            // Who was kept waiting, or has searched nothing at all, is not asked.
            (&[(1, 12, -300), (2, 8, 100)], 0),
            (&[(1, 2, -300), (2, 0, 100)], 0),
        ];
        for (said, index) in cases {
            assert_eq!(elected(said, 1), index, "{said:?}");
        }
        assert_eq!(elected(&[(1, 9, 30), (2, 10, 30)], 2), 0);
    }

    #[test]
    fn wins_and_losses_decide_alone() {
        let cases: [(&[Said], usize); 7] = [
            (&[(1, 20, 900), (2, 5, mate_in(5))], 1),
            (&[(1, 20, mate_in(7)), (2, 5, mate_in(5))], 1),
            (&[(1, 5, mate_in(5)), (2, 20, mate_in(7)), (2, 20, 900)], 0),
            (&[(1, 20, mated_in(4)), (2, 18, mated_in(6))], 1),
            (&[(1, 20, mated_in(4)), (2, 20, -900)], 1),
            (&[(1, 20, mated_in(4)), (2, 19, -900)], 0),
            (&[(1, 19, -900), (2, 20, mated_in(4))], 1),
        ];
        for (said, index) in cases {
            assert_eq!(elected(said, 1), index, "{said:?}");
        }
    }

    #[test]
    fn threads_without_a_line_have_no_vote() {
        assert!(elect(Vec::new(), 1).is_empty());
        assert!(elect(vec![Vec::new(), Vec::new()], 1).is_empty());
        let lines = elect(vec![Vec::new(), say(3, 2, -50), Vec::new()], 1);
        assert_eq!(lines[0].score, -50);
    }
}
