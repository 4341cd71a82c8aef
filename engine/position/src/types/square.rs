//! A square as an index; what it is called depends on the board it lies on.

/// A square, as its index in the bit sets of its game: `y * stride + x`, with `x` the file counted
/// from Black's left and `y` the rank counted from Black's side, both from 0.
///
/// The [`Geometry`](crate::Geometry) of a game converts it to coordinates and to text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// One more than the highest index that any board has.
    pub(crate) const LIMIT: usize = 128;

    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is 128 or more: no board has that many squares.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < Self::LIMIT, "a square index fits seven bits");
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        Self(index as u8)
    }

    /// The index of this square, below 128.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index of this square as the byte that holds it.
    #[inline(always)]
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }
}
