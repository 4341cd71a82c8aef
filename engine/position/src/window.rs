//! Hashes of parts of the board.

use std::ops::BitOr;

use crate::board::Board;
use crate::types::{Piece, Square};
use crate::variant::Variant;
use crate::zobrist;

/// Cells of the board in one word.
const CELLS: usize = size_of::<u64>();

/// The odd numbers by which the words of a window are told apart.
const FACTORS: [u64; Square::LIMIT / CELLS] = {
    let mut factors = zobrist::keys(zobrist::WINDOWS);
    let mut i = 0;
    while i < factors.len() {
        factors[i] |= 1;
        i += 1;
    }
    factors
};

/// Some squares of a board, in the form in which [`Board::hash_of`] reads them: a byte a square, eight in a word.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Window([u64; Square::LIMIT / CELLS]);

impl FromIterator<Square> for Window {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut window = Self::default();
        for square in squares {
            window.0[square.index() / CELLS] |= 0xff << (square.index() % CELLS * 8);
        }
        window
    }
}

impl BitOr<&Window> for &Window {
    type Output = Window;

    /// The squares of both.
    #[inline(always)]
    fn bitor(self, other: &Window) -> Window {
        Window(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<V: Variant> Board<V> {
    /// A hash of the pieces in a window: the same wherever the same pieces stand on its squares, whatever stands
    /// elsewhere. Its high bits are the best ones.
    #[inline(always)]
    #[must_use]
    pub fn hash_of(&self, window: &Window) -> u64 {
        let words = V::SPEC.geometry.squares().div_ceil(CELLS);
        let (cells, _) = self.cells().as_chunks::<CELLS>();
        cells[..words]
            .iter()
            .map(|cells| u64::from_le_bytes(cells.map(|cell| cell.map_or(0, Piece::byte))))
            .zip(&window.0)
            .zip(&FACTORS)
            .fold(0, |hash, ((cells, mask), &factor)| hash ^ (cells & mask).wrapping_mul(factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Great, Paulowich, Position, Whale};

    fn agrees<V: Variant>() {
        let geometry = V::SPEC.geometry;
        let half: Vec<_> = geometry.reading_order().step_by(3).collect();
        let window: Window = half.iter().copied().collect();
        let mut position = Position::<V>::start();
        let mut seen = Vec::new();
        for ply in 0..80 {
            let pieces: Vec<_> = half.iter().map(|&square| position.piece_on(square)).collect();
            seen.push((pieces, position.hash_of(&window) >> 40));
            let moves = position.legal_moves();
            let Some(&m) = moves.get(ply * 31 % moves.len().max(1)) else { break };
            position.make(m);
        }
        for (pieces, hash) in &seen {
            assert!(seen.iter().all(|(other, found)| (other == pieces) == (found == hash)));
        }
        assert!(seen.iter().any(|(pieces, _)| *pieces != seen[0].0));
        assert_eq!(position.hash_of(&Window::default()), 0);
    }

    #[test]
    fn hashes_are_equal_where_the_pieces_of_the_window_are() {
        agrees::<Whale>();
        agrees::<Paulowich>();
        agrees::<Great>();
    }

    #[test]
    fn a_window_of_two_has_the_squares_of_both() {
        let all = |from, to| (from..to).map(Square::from_index).collect::<Window>();
        assert_eq!(&all(0, 9) | &all(7, 121), all(0, 121));
    }
}
