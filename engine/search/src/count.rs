//! Perft that can be stopped.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use kujira_position::{Leaves, Move, Position, UsiMove, Variant, perft};
use rayon::prelude::*;

use crate::control::Control;
use crate::engine::PerftReport;

/// The leaves below each legal move of `position`, on the threads of the current pool; `None` if
/// `control` stopped it.
pub(crate) fn divide<V: Variant>(
    position: &Position<V>,
    depth: u32,
    leaves: Leaves,
    control: &Control,
) -> Option<PerftReport> {
    let start = Instant::now();
    let first = position.legal_moves();
    let mut moves: Vec<(String, u64)> =
        first.iter().map(|&m| (UsiMove::<V>::new(m).to_string(), 0)).collect();
    if depth == 0 {
        moves.clear();
        return Some(PerftReport { moves, time: start.elapsed() });
    }
    if depth < 3 {
        for (&m, (_, count)) in first.iter().zip(&mut moves) {
            *count = after(position, &[m], depth - 1, leaves, control)?;
        }
        return Some(PerftReport { moves, time: start.elapsed() });
    }
    // Two plies are shared out: the first moves alone are too few and too uneven. Only the moves are
    // kept, because there can be millions of them.
    let mut lines = Vec::new();
    for (index, &m) in first.iter().enumerate() {
        if control.stopped() {
            return None;
        }
        let mut next = Position::clone(position);
        next.make(m);
        lines.extend(next.legal_moves().iter().map(|&reply| (index as u16, reply)));
    }
    let counts: Vec<AtomicU64> = first.iter().map(|_| AtomicU64::new(0)).collect();
    lines.par_iter().with_max_len(1).try_for_each(|&(index, reply)| {
        let index = usize::from(index);
        let count = after(position, &[first[index], reply], depth - 2, leaves, control)?;
        counts[index].fetch_add(count, Ordering::Relaxed);
        Some(())
    })?;
    for ((_, sum), count) in moves.iter_mut().zip(counts) {
        *sum = count.into_inner();
    }
    Some(PerftReport { moves, time: start.elapsed() })
}

/// About how many leaves may be counted between two looks at `control`: some milliseconds of work.
const PIECE: usize = 1_000_000;

/// Whether `depth` plies are few enough to count without a look at `control`, by the number of moves
/// here. Two plies always are.
fn is_small<V: Variant>(position: &Position<V>, depth: u32) -> bool {
    depth <= 2 || depth <= 4 && position.count_moves().pow(depth) <= PIECE
}

/// The leaves at `depth` below the position that the moves of `line` lead to.
fn after<V: Variant>(
    position: &Position<V>,
    line: &[Move],
    depth: u32,
    leaves: Leaves,
    control: &Control,
) -> Option<u64> {
    if control.stopped() {
        return None;
    }
    let mut position = Position::clone(position);
    for &m in line {
        position.make(m);
    }
    below(&mut position, depth, leaves, control)
}

fn below<V: Variant>(
    position: &mut Position<V>,
    depth: u32,
    leaves: Leaves,
    control: &Control,
) -> Option<u64> {
    if control.stopped() {
        return None;
    }
    if is_small(position, depth) {
        return Some(perft(position, depth, leaves));
    }
    let moves = position.legal_moves();
    let mut sum = 0;
    for &m in moves.iter() {
        position.make(m);
        let count = below(position, depth - 1, leaves, control);
        position.undo();
        sum += count?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn check<V: Variant>(totals: &[u64]) {
        let start = Position::<V>::start();
        for (depth, &total) in totals.iter().enumerate() {
            for leaves in [Leaves::Bulk, Leaves::Played] {
                let report = divide(&start, depth as u32 + 1, leaves, &Control::new()).unwrap();
                assert_eq!(report.total(), total, "depth {}", depth + 1);
            }
        }
        assert_eq!(divide(&start, 0, Leaves::Bulk, &Control::new()).unwrap().moves, []);
    }

    #[test]
    fn totals() {
        check::<Whale>(&[7, 49, 398, 3230, 30_664, 302_268, 3_376_569]);
        check::<Paulowich>(&[8, 64, 584, 5329, 54_323, 558_162]);
        check::<Great>(&[42, 1764, 73_627, 3_073_156]);
    }

    /// Lists of thousands of moves: two plies are 8.6 million lines.
    #[test]
    fn the_longest_lists_are_counted_and_stopped() {
        let sfen = "w,10/11/11/11/11/11/11/11/11/11/W,10 b \
                    BW,BD,RT,SE,M,F,B,HP,DP,BR,S,2NB,H,P,K,BRC,bw,bd,rt,se,m,f,b,hp,dp,br,s,2nb,h,p,k,brc";
        let position = Position::<Great>::from_sfen(sfen).unwrap();
        let report = divide(&position, 2, Leaves::Bulk, &Control::new()).unwrap();
        assert_eq!(report.total(), perft(&position, 2, Leaves::Bulk));
        assert!(report.total() > 3_000_000);
        let control = Control::new();
        let stopper = || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            control.stop();
            Instant::now()
        };
        let (stopped, report, ended) = std::thread::scope(|scope| {
            let stopped = scope.spawn(stopper);
            let report = divide(&position, 4, Leaves::Played, &control);
            (stopped.join().unwrap(), report, Instant::now())
        });
        assert_eq!(report, None);
        assert!(ended - stopped < std::time::Duration::from_secs(2), "{:?}", ended - stopped);
    }

    #[test]
    fn a_stop_stops() {
        let control = Control::new();
        control.stop();
        assert_eq!(divide(&Position::<Great>::start(), 12, Leaves::Bulk, &control), None);
    }
}
