//! Where the squares of a board lie: coordinates, directions, square names.

use crate::types::{Color, Square};

/// The shape of a board and its layout in a bit set.
///
/// Square `(x, y)` (file from Black's left, rank from Black's side, both from 0) has index
/// `y * stride + x`. A stride wider than the board leaves empty columns, so that single steps
/// sideways fall off instead of wrapping round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Number of files (columns).
    pub files: u8,
    /// Number of ranks (rows).
    pub ranks: u8,
    /// Distance between the indices of a square and the one in front of it.
    pub stride: u8,
}

/// One of the sixteen directions of a slide: eight of the queen, eight of the nightrider.
///
/// Directions with bit 2 clear go towards higher indices; flipping bit 2 turns a direction round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction(u8);

impl Direction {
    /// Number of directions.
    pub const COUNT: usize = 16;
    /// Number of queen directions; they come first.
    pub const QUEEN: usize = 8;

    /// Offsets `(dx, dy)` by index, as Black sees the board.
    const OFFSETS: [(i8, i8); Self::COUNT] = [
        (0, 1),
        (1, 1),
        (1, 0),
        (-1, 1),
        (0, -1),
        (-1, -1),
        (-1, 0),
        (1, -1),
        (1, 2),
        (2, 1),
        (-1, 2),
        (-2, 1),
        (-1, -2),
        (-2, -1),
        (1, -2),
        (2, -1),
    ];

    /// The direction with this index.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < Self::COUNT, "there are sixteen directions");
        #[expect(clippy::cast_possible_truncation, reason = "below 16")]
        Self(index as u8)
    }

    /// The direction with this offset, if it is one.
    #[must_use]
    pub const fn from_offset(dx: i8, dy: i8) -> Option<Self> {
        let mut index = 0;
        while index < Self::COUNT {
            if Self::OFFSETS[index].0 == dx && Self::OFFSETS[index].1 == dy {
                return Some(Self::from_index(index));
            }
            index += 1;
        }
        None
    }

    /// Index below [`Self::COUNT`].
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Offset `(dx, dy)` of one step, as Black sees the board.
    #[inline(always)]
    #[must_use]
    pub const fn offset(self) -> (i8, i8) {
        Self::OFFSETS[self.0 as usize]
    }

    /// Offset `(dx, dy)` of `count` steps, at most three, as Black sees the board.
    #[inline(always)]
    pub(crate) const fn steps(self, count: usize) -> (i8, i8) {
        debug_assert!(count <= 3, "no lion goes farther");
        let (dx, dy) = self.offset();
        #[expect(clippy::cast_possible_truncation, reason = "up to 3")]
        let count = count as i8;
        (dx * count, dy * count)
    }

    /// This direction as `color` sees it: turned round for White.
    #[inline(always)]
    #[must_use]
    pub const fn seen_by(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => Self(self.0 ^ 4),
        }
    }

    /// Whether its steps go towards higher indices.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn ascends(self) -> bool {
        self.0 & 4 == 0
    }
}

impl Geometry {
    /// One more than the highest square index. Some indices below may lie off the board, see
    /// [`Self::contains`].
    #[inline]
    #[must_use]
    pub const fn squares(self) -> usize {
        (self.ranks as usize - 1) * self.row() + self.files as usize
    }

    /// The stride as a difference of indices.
    #[inline(always)]
    pub(crate) const fn row(self) -> usize {
        self.stride as usize
    }

    /// Number of files, in the numbers that coordinates are: files go from 0 to one below it.
    #[inline(always)]
    #[must_use]
    pub const fn width(self) -> i8 {
        self.files.cast_signed()
    }

    /// Number of ranks, in the numbers that coordinates are: ranks go from 0 to one below it.
    #[inline(always)]
    #[must_use]
    pub const fn height(self) -> i8 {
        self.ranks.cast_signed()
    }

    /// Number of squares on the board.
    #[must_use]
    pub const fn area(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// The square at these coordinates, if they are on the board.
    #[inline]
    #[must_use]
    pub const fn square(self, x: i8, y: i8) -> Option<Square> {
        // Below 0 is above 127 without a sign.
        let (x, y) = (x.cast_unsigned(), y.cast_unsigned());
        if x >= self.files || y >= self.ranks {
            return None;
        }
        Some(Square::from_index(y as usize * self.row() + x as usize))
    }

    /// The file of `square`, from Black's left, from 0.
    #[inline(always)]
    #[must_use]
    pub const fn x(self, square: Square) -> i8 {
        (square.byte() % self.stride).cast_signed()
    }

    /// The rank of `square`, from Black's side, from 0.
    #[inline(always)]
    #[must_use]
    pub const fn y(self, square: Square) -> i8 {
        (square.byte() / self.stride).cast_signed()
    }

    /// Whether the index of `square` is a square of this board.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.x(square) < self.width() && self.y(square) < self.height()
    }

    /// The square `(dx, dy)` away, as `color` sees the board, if it is on the board.
    #[inline]
    #[must_use]
    pub const fn step(self, square: Square, color: Color, dx: i8, dy: i8) -> Option<Square> {
        let (x, y) = (self.x(square), self.y(square));
        match color {
            Color::Black => self.square(x + dx, y + dy),
            Color::White => self.square(x - dx, y - dy),
        }
    }

    /// The square on the same place when the board is turned round.
    ///
    /// # Panics
    /// If `square` is beyond the last square of the board.
    #[inline(always)]
    #[must_use]
    pub const fn turned(self, square: Square) -> Square {
        Square::from_index(self.squares() - 1 - square.index())
    }

    /// The square with left and right exchanged.
    ///
    /// # Panics
    /// If `square` is beyond the last square of the board.
    #[must_use]
    pub const fn mirrored(self, square: Square) -> Square {
        assert!(self.contains(square), "a square of the board");
        let x = self.x(square).cast_unsigned() as usize;
        Square::from_index(square.index() + self.files as usize - 1 - 2 * x)
    }

    /// The rank of `square` as `color` counts: 0 is its own first rank.
    #[inline(always)]
    #[must_use]
    pub const fn rank_from(self, square: Square, color: Color) -> i8 {
        match color {
            Color::Black => self.y(square),
            Color::White => self.height() - 1 - self.y(square),
        }
    }

    /// Every square, in the order of SFEN: from rank `a` down, within a rank from the highest file
    /// to file 1.
    pub fn reading_order(self) -> impl Iterator<Item = Square> {
        (0..self.ranks).rev().flat_map(move |y| {
            (0..self.files).map(move |x| {
                Square::from_index(usize::from(y) * usize::from(self.stride) + usize::from(x))
            })
        })
    }

    /// The squares of the board.
    pub(crate) const fn board_mask(self) -> u128 {
        let mut mask = 0;
        let mut y = 0;
        while y < self.ranks {
            mask |= self.rank_mask(y);
            y += 1;
        }
        mask
    }

    /// The squares of rank `y`, counted from Black's side.
    pub(crate) const fn rank_mask(self, y: u8) -> u128 {
        ((1 << self.files) - 1) << (y as u32 * self.stride as u32)
    }

    /// The `depth` farthest ranks as `color` sees the board.
    pub(crate) const fn farthest_ranks(self, color: Color, depth: u8) -> u128 {
        let mut mask = 0;
        let mut i = 0;
        while i < depth {
            mask |= match color {
                Color::Black => self.rank_mask(self.ranks - 1 - i),
                Color::White => self.rank_mask(i),
            };
            i += 1;
        }
        mask
    }

    /// The difference in index of a step `(dx, dy)` of Black.
    pub(crate) const fn stride_of(self, dx: i8, dy: i8) -> i32 {
        dy as i32 * self.stride as i32 + dx as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: Geometry = Geometry { files: 6, ranks: 6, stride: 8 };

    #[test]
    fn directions_turn_round() {
        for index in 0..Direction::COUNT {
            let direction = Direction::from_index(index);
            let (dx, dy) = direction.offset();
            let turned = direction.seen_by(Color::White);
            assert_eq!(turned.offset(), (-dx, -dy));
            assert_eq!(direction.ascends(), BOARD.stride_of(dx, dy) > 0);
            assert_eq!(Direction::from_offset(dx, dy), Some(direction));
        }
    }

    #[test]
    fn turning_the_board_keeps_what_a_side_sees() {
        for square in BOARD.reading_order() {
            let mirrored = BOARD.mirrored(square);
            assert_eq!(BOARD.x(mirrored), BOARD.width() - 1 - BOARD.x(square));
            assert_eq!(BOARD.y(mirrored), BOARD.y(square));
            let turned = BOARD.turned(square);
            assert!(BOARD.contains(turned));
            assert_eq!(
                BOARD.rank_from(square, Color::Black),
                BOARD.rank_from(turned, Color::White)
            );
            assert_eq!(
                BOARD.step(square, Color::Black, 1, 2).map(|s| BOARD.turned(s)),
                BOARD.step(turned, Color::White, 1, 2)
            );
        }
    }

    #[test]
    fn reading_starts_at_the_top_left() {
        let order: Vec<_> = BOARD.reading_order().collect();
        assert_eq!(order.len(), BOARD.area());
        assert_eq!((BOARD.x(order[0]), BOARD.y(order[0])), (0, 5));
        assert_eq!(order[35].index(), 5);
    }
}
