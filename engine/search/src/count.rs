//! Perft that can be stopped.

use std::time::Instant;

use kujira_position::{Leaves, Position, UsiMove, Variant, perft};
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
    }
    // Two plies are shared out: the first moves alone are too few and too uneven.
    let mut lines = Vec::new();
    if depth > 0 {
        for (index, &m) in first.iter().enumerate() {
            let mut after = Position::clone(position);
            after.make(m);
            if depth == 1 {
                lines.push((index, after, 0));
                continue;
            }
            for &reply in after.legal_moves().iter() {
                let mut line = after.clone();
                line.make(reply);
                lines.push((index, line, depth - 2));
            }
        }
    }
    let counts: Option<Vec<(usize, u64)>> = lines
        .par_iter_mut()
        .with_max_len(1)
        .map(|(index, line, depth)| Some((*index, below(line, *depth, leaves, control)?)))
        .collect();
    for (index, count) in counts? {
        moves[index].1 += count;
    }
    Some(PerftReport { moves, time: start.elapsed() })
}

/// Leaves counted between two looks at `control` lie at most this many plies below.
const PIECE: u32 = 4;

fn below<V: Variant>(
    position: &mut Position<V>,
    depth: u32,
    leaves: Leaves,
    control: &Control,
) -> Option<u64> {
    if control.stopped() {
        return None;
    }
    if depth <= PIECE {
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

    #[test]
    fn a_stop_stops() {
        let control = Control::new();
        control.stop();
        assert_eq!(divide(&Position::<Great>::start(), 12, Leaves::Bulk, &control), None);
    }
}
