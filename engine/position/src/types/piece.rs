//! A kind with its owner.

use std::num::NonZeroU8;

use super::{Color, Kind};

/// A piece on the board: whose it is and what it is.
///
/// One byte, never zero, so that an empty square (`None`) is the byte 0:
/// `1 + (kind << 1 | color)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece(NonZeroU8);

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// The piece of this kind that belongs to `color`.
    #[inline(always)]
    #[must_use]
    pub const fn new(color: Color, kind: Kind) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a kind's index is below 63")]
        let code = 1 + ((kind.index() << 1) | color.index()) as u8;
        match NonZeroU8::new(code) {
            Some(code) => Self(code),
            None => panic!("1 + x is not zero"),
        }
    }

    /// The byte itself.
    #[inline(always)]
    pub(crate) const fn byte(self) -> u8 {
        self.0.get()
    }

    /// The byte, for tables indexed by piece: below 128.
    #[inline(always)]
    pub(crate) const fn code(self) -> usize {
        self.byte() as usize
    }

    /// The side that the piece belongs to.
    #[inline(always)]
    #[must_use]
    pub const fn color(self) -> Color {
        if (self.0.get() - 1) & 1 == 0 { Color::Black } else { Color::White }
    }

    /// The kind of the piece.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind::from_packed((self.0.get() - 1) >> 1)
    }
}
