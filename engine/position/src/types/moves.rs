//! A move in 32 bits.

use std::fmt;
use std::num::NonZeroU32;

use super::{Kind, Square};

/// A move, packed. Two packed moves are equal exactly if they are the same move; in one position
/// that is so exactly if their USI texts are equal.
///
/// ```text
/// 31      27 26   24 23  22 21   20      19  14 13   7 6    0
/// ┌─────────┬───────┬──────┬────┬───────┬──────┬──────┬──────┐
/// │ 0       │ way   │ way  │drop│promote│kind+1│ from │  to  │
/// │         │ line  │ mask │    │       │      │      │      │
/// └─────────┴───────┴──────┴────┴───────┴──────┴──────┴──────┘
/// ```
///
/// `kind` is the piece that moves (as it is before it promotes) or is dropped. `way line` and
/// `way mask` hold the squares captured on the way, see [`Way`]. A drop has `from` 0, a move that
/// captures nothing on the way has `way line` 0. Never zero, so `Option<Move>` is 32 bits too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU32);

const _: () = assert!(size_of::<Option<Move>>() == 4);

/// The squares a lion move captures before its last step: they lie on one straight line from the
/// starting square, so a line (a queen direction as the board sees it, see
/// [`Direction`](crate::Direction)) and a mask say which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    line: u8,
    mask: u8,
}

impl Way {
    /// Captures on the squares of `line` that `mask` names: bit 0 the first square from the start,
    /// bit 1 the second.
    ///
    /// # Panics
    /// If `line` is not below 8 or `mask` not in `1..=3`.
    #[inline(always)]
    #[must_use]
    pub const fn new(line: usize, mask: usize) -> Self {
        assert!(line < 8 && mask != 0 && mask < 4, "eight lines, two squares");
        #[expect(clippy::cast_possible_truncation, reason = "below 8")]
        Self { line: line as u8, mask: mask as u8 }
    }

    /// The index of the queen direction travelled.
    #[inline(always)]
    #[must_use]
    pub const fn line(self) -> usize {
        self.line as usize
    }

    /// Whether the `step`-th square (1 or 2) of the line is captured.
    #[inline(always)]
    #[must_use]
    pub const fn captures_step(self, step: usize) -> bool {
        step >= 1 && self.mask >> (step - 1) & 1 != 0
    }
}

const FROM: u32 = 7;
const KIND: u32 = 14;
const PROMOTE: u32 = 20;
const DROP: u32 = 21;
const WAY_MASK: u32 = 22;
const WAY_LINE: u32 = 24;
const UNUSED: u32 = 27;

impl Move {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "no field reaches beyond bit 26")]
    const fn pack(bits: usize) -> Self {
        match NonZeroU32::new(bits as u32) {
            Some(bits) => Self(bits),
            None => panic!("kind + 1 is not zero"),
        }
    }

    /// A piece on the board goes from one square to another (the same square for a pass).
    #[inline(always)]
    #[must_use]
    pub const fn board(kind: Kind, from: Square, to: Square, promote: bool) -> Self {
        Self::pack(
            to.index()
                | from.index() << FROM
                | (kind.index() + 1) << KIND
                | (promote as usize) << PROMOTE,
        )
    }

    /// A lion move that captures on the way; it never promotes, because every lion is a promoted
    /// piece or one that cannot promote.
    #[inline(always)]
    #[must_use]
    pub const fn lion(kind: Kind, from: Square, to: Square, way: Way) -> Self {
        Self::pack(
            to.index()
                | from.index() << FROM
                | (kind.index() + 1) << KIND
                | (way.mask as usize) << WAY_MASK
                | (way.line as usize) << WAY_LINE,
        )
    }

    /// A piece in hand is put on an empty square.
    #[inline(always)]
    #[must_use]
    pub const fn drop(kind: Kind, to: Square) -> Self {
        Self::pack(to.index() | (kind.index() + 1) << KIND | 1 << DROP)
    }

    /// The move with these bits, or `None` if no move has them (whatever the game). Bits that pass
    /// here can still be no legal move of a position: ask [`Board::is_legal`](crate::Board::is_legal).
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let Some(bits) = NonZeroU32::new(bits) else {
            return None;
        };
        let candidate = Self(bits);
        let raw = bits.get();
        if raw >> UNUSED != 0 || raw >> KIND & 63 == 0 {
            return None;
        }
        let has_way = raw >> WAY_MASK & 3 != 0;
        if !has_way && raw >> WAY_LINE & 7 != 0 {
            return None;
        }
        if has_way && (candidate.is_drop() || candidate.promotes()) {
            return None;
        }
        if candidate.is_drop() && (candidate.promotes() || raw >> FROM & 127 != 0) {
            return None;
        }
        Some(candidate)
    }

    /// The packed bits, for tables and files.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// The square where the move ends.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() & 127) as usize)
    }

    /// The square where the move starts; square 0 for a drop.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index((self.0.get() >> FROM & 127) as usize)
    }

    /// The piece that moves, as it is before it promotes, or the piece that is dropped.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> Kind {
        #[expect(clippy::cast_possible_truncation, reason = "six bits")]
        Kind::from_packed(((self.0.get() >> KIND & 63) - 1) as u8)
    }

    /// Whether the piece promotes.
    #[inline(always)]
    #[must_use]
    pub const fn promotes(self) -> bool {
        self.0.get() >> PROMOTE & 1 != 0
    }

    /// Whether the piece comes from the hand.
    #[inline(always)]
    #[must_use]
    pub const fn is_drop(self) -> bool {
        self.0.get() >> DROP & 1 != 0
    }

    /// Whether the two moves differ in nothing but, at most, the square where they end.
    #[inline(always)]
    #[must_use]
    pub const fn differs_in_end_alone(self, other: Self) -> bool {
        (self.0.get() ^ other.0.get()) >> FROM == 0
    }

    /// The squares captured on the way, if any.
    #[inline(always)]
    #[must_use]
    pub const fn way(self) -> Option<Way> {
        let mask = self.0.get() >> WAY_MASK & 3;
        if mask == 0 {
            None
        } else {
            Some(Way::new((self.0.get() >> WAY_LINE & 7) as usize, mask as usize))
        }
    }
}

impl fmt::Debug for Move {
    /// The raw fields: only a game's geometry can write the USI text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Move")
            .field("kind", &self.kind().index())
            .field("from", &(!self.is_drop()).then(|| self.from().index()))
            .field("to", &self.to().index())
            .field("promotes", &self.promotes())
            .field("way", &self.way())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_survives_packing() {
        let (from, to) = (Square::from_index(120), Square::from_index(97));
        let kind = Kind::from_index(51);
        let plain = Move::board(kind, from, to, true);
        assert_eq!((plain.kind(), plain.from(), plain.to()), (kind, from, to));
        assert!(plain.promotes() && !plain.is_drop() && plain.way().is_none());

        let way = Way::new(7, 3);
        let lion = Move::lion(kind, from, to, way);
        assert_eq!(lion.way(), Some(way));
        assert!(way.captures_step(1) && way.captures_step(2) && !way.captures_step(3));

        let drop = Move::drop(Kind::from_index(1), to);
        assert!(drop.is_drop());
        assert_eq!(drop.to(), to);
        assert!(plain.differs_in_end_alone(Move::board(kind, from, from, true)));
        assert!(!plain.differs_in_end_alone(Move::board(kind, from, to, false)));
        assert!(!plain.differs_in_end_alone(lion) && !plain.differs_in_end_alone(drop));
        for m in [plain, lion, drop] {
            assert_eq!(Move::from_bits(m.bits()), Some(m));
        }
    }

    #[test]
    fn bits_that_no_move_has_are_refused() {
        let plain = Move::board(Kind::WHALE, Square::from_index(3), Square::from_index(4), false);
        let drop = Move::drop(Kind::from_index(1), Square::from_index(4));
        for bits in [
            0,
            plain.bits() & !(63 << KIND),
            plain.bits() | 1 << WAY_LINE,
            plain.bits() | 1 << UNUSED,
            drop.bits() | 1 << PROMOTE,
            drop.bits() | 1 << FROM,
            drop.bits() | 1 << WAY_MASK,
            plain.bits() | 1 << WAY_MASK | 1 << PROMOTE,
        ] {
            assert_eq!(Move::from_bits(bits), None, "{bits:#x}");
        }
    }
}
