//! What a piece is (its kind) and how it moves (its move class).

/// What a piece is: an index into [`Spec::kinds`](crate::Spec::kinds). Two kinds can move alike and
/// still be different things: a black right whale calf that promoted returns to the hand as a calf.
///
/// Kind 0 is the white whale in every game; kinds `1..=hand_kinds` can be held in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Kind(u8);

impl Kind {
    /// The white whale, royal in every game.
    pub const WHALE: Self = Self(0);

    /// The kind with this index in [`Spec::kinds`](crate::Spec::kinds).
    ///
    /// # Panics
    /// If `index` is 63 or more: a packed [`Move`](crate::Move) could not hold it.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < 63, "a kind index fits six bits of a packed move");
        #[expect(clippy::cast_possible_truncation, reason = "below 63")]
        Self(index as u8)
    }

    /// The kind stored in a packed piece or move, whose bits came from a kind.
    #[inline(always)]
    pub(super) const fn from_packed(index: u8) -> Self {
        debug_assert!(index < 63, "packed from a kind");
        Self(index)
    }

    /// The index in [`Spec::kinds`](crate::Spec::kinds).
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a piece moves: an index into [`Spec::classes`](crate::Spec::classes).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Class(u8);

impl Class {
    /// One more than the highest index that any game has.
    pub(crate) const LIMIT: usize = 32;

    /// The class of the white whale, in every game.
    pub const WHALE: Self = Self(0);

    /// The class with this index in [`Spec::classes`](crate::Spec::classes).
    ///
    /// # Panics
    /// If `index` is 32 or more.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < Self::LIMIT, "there are at most 32 move classes");
        #[expect(clippy::cast_possible_truncation, reason = "below 32")]
        Self(index as u8)
    }

    /// The class with the index of `kind`, where a game's kinds and classes are in the same order.
    #[inline(always)]
    pub(crate) const fn from_kind(kind: Kind) -> Self {
        Self(kind.0)
    }

    /// The index in [`Spec::classes`](crate::Spec::classes).
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
