//! The lines expected below each ply of the search.

use kujira_position::Move;

use crate::score::MAX_PLY;

/// A triangle of moves: for each ply the best line found from there.
pub(crate) struct Lines {
    moves: Box<[[Option<Move>; MAX_PLY + 1]]>,
    lengths: [usize; MAX_PLY + 2],
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self {
            moves: vec![[None; MAX_PLY + 1]; MAX_PLY + 2].into_boxed_slice(),
            lengths: [0; MAX_PLY + 2],
        }
    }

    /// Nothing is expected at `ply` yet.
    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// `m` is best at `ply`, followed by the line of the next ply.
    #[inline]
    pub(crate) fn set(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        let tail = self.lengths[ply + 1].min(MAX_PLY - ply);
        upper[ply][0] = Some(m);
        upper[ply][1..=tail].copy_from_slice(&lower[0][..tail]);
        self.lengths[ply] = tail + 1;
    }

    /// The line at `ply`.
    pub(crate) fn line(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        self.moves[ply][..self.lengths[ply]].iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Kind, Square};

    use super::*;

    #[test]
    fn a_line_takes_over_the_one_below() {
        let m = |to| Move::drop(Kind::from_index(1), Square::from_index(to));
        let mut lines = Lines::new();
        for ply in (0..3).rev() {
            lines.clear(ply + 1 + usize::from(ply < 2) * 9);
            lines.set(ply, m(ply));
        }
        assert_eq!(lines.line(0).collect::<Vec<_>>(), [m(0), m(1), m(2)]);
        lines.clear(1);
        lines.set(0, m(9));
        assert_eq!(lines.line(0).collect::<Vec<_>>(), [m(9)]);
        lines.clear(0);
        assert_eq!(lines.line(0).count(), 0);
    }

    #[test]
    fn the_deepest_ply_has_room() {
        let m = Move::drop(Kind::from_index(1), Square::from_index(1));
        let mut lines = Lines::new();
        for ply in (0..=MAX_PLY).rev() {
            lines.set(ply, m);
        }
        assert_eq!(lines.line(0).count(), MAX_PLY + 1);
    }
}
