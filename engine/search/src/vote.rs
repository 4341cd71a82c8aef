//! Which thread to believe.

use std::cmp::Ordering;
use std::collections::HashMap;

use kujira_position::Move;

use crate::score::{MATE_BOUND, Value};
use crate::worker::Line;

/// What the thread with the lowest score still counts, in centipawns and for each ply of depth.
const LEAST_WEIGHT: Value = 14;

/// The lines of the thread to believe. Each thread votes for its move with the depth it reached times
/// what its score lies above the lowest of all; where a win is found the soonest one decides (as
/// `ThreadPool::get_best_thread` of Stockfish). With several lines wanted it is the first thread, whose
/// lines were reported.
pub(crate) fn elect(results: Vec<Vec<Line>>, multipv: usize) -> Vec<Line> {
    let candidates = || results.iter().filter_map(|lines| lines.first());
    let Some(lowest) = candidates().map(|line| line.score).min() else { return Vec::new() };
    let weight =
        |line: &Line| i64::from(line.score - lowest + LEAST_WEIGHT) * i64::from(line.depth);
    let mut votes: HashMap<Option<Move>, i64> = HashMap::new();
    for line in candidates() {
        *votes.entry(line.pv.first().copied()).or_default() += weight(line);
    }
    let count = |line: &Line| votes.get(&line.pv.first().copied()).copied().unwrap_or_default();
    let better = |line: &Line, than: &Line| {
        if line.score.abs().max(than.score.abs()) >= MATE_BOUND {
            // The sooner win, or the later loss.
            return line.score > than.score
                && (line.score >= MATE_BOUND || than.score <= -MATE_BOUND);
        }
        match count(line).cmp(&count(than)) {
            Ordering::Greater => true,
            Ordering::Equal => weight(line) > weight(than),
            Ordering::Less => false,
        }
    };
    let mut chosen = 0;
    for (index, lines) in results.iter().enumerate().skip(1) {
        let best = results.get(chosen).and_then(|lines| lines.first());
        let taken = match (lines.first(), best) {
            (Some(line), Some(best)) => multipv == 1 && better(line, best),
            (line, None) => line.is_some(),
            (None, Some(_)) => false,
        };
        if taken {
            chosen = index;
        }
    }
    results.into_iter().nth(chosen).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square};

    use super::*;
    use crate::score::{mate_in, mated_in};

    /// What a thread says: the number of its move, its depth and its score.
    type Said = (usize, u32, Value);

    fn say(m: usize, depth: u32, score: Value) -> Vec<Line> {
        let m = Move::drop(Kind::from_index(m), Square::from_index(5));
        vec![Line { depth, selective_depth: 20, score, pv: vec![m] }]
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
        let cases: [(&[Said], usize); 6] = [
            // The only thread, and threads that say the same.
            (&[(1, 9, 30)], 0),
            (&[(1, 9, 30), (1, 9, 30)], 0),
            // Deeper, and higher.
            (&[(1, 9, 30), (2, 10, 30)], 1),
            (&[(1, 9, 30), (2, 9, 31)], 1),
            (&[(1, 12, 30), (2, 9, 30)], 0),
            // Two for one move outvote a third, and the deeper of the two is taken.
            (&[(1, 11, 30), (2, 9, 30), (2, 10, 30)], 2),
        ];
        for (said, index) in cases {
            assert_eq!(elected(said, 1), index, "{said:?}");
        }
        assert_eq!(elected(&[(1, 9, 30), (2, 10, 30)], 2), 0);
    }

    #[test]
    fn wins_and_losses_decide_alone() {
        let cases: [(&[Said], usize); 6] = [
            (&[(1, 20, 900), (2, 5, mate_in(5))], 1),
            (&[(1, 20, mate_in(7)), (2, 5, mate_in(5))], 1),
            (&[(1, 5, mate_in(5)), (2, 20, mate_in(7)), (2, 20, 900)], 0),
            (&[(1, 20, mated_in(4)), (2, 5, mated_in(6))], 1),
            (&[(1, 20, mated_in(4)), (2, 5, -900)], 1),
            (&[(1, 5, -900), (2, 20, mated_in(4))], 0),
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
