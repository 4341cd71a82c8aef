//! A square as an index; what it is called depends on the board it lies on.

/// A square, as its index in the bit sets of its game: `y * stride + x`, with `x` the file counted
/// from Black's left and `y` the rank counted from Black's side, both from 0.
///
/// The [`Geometry`](crate::Geometry) of a game converts it to coordinates and to text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is 128 or more: no board has that many squares.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < 128, "a square index fits seven bits");
        Self(index as u8)
    }

    /// The index of this square, below 128.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
