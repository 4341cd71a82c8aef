//! The rule switches: points on which the sources of a game differ.

/// How far a dolphin on the farthest rank slides back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Retreat {
    /// Until something stands in the way.
    #[default]
    Slide,
    /// At most two squares.
    Two,
}

/// The rules in force in a position, for the points its game leaves open. They are no part of the
/// position's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub struct Rules {
    /// How far a dolphin on the farthest rank slides back.
    pub retreat: Retreat,
    /// Whether a dolphin may not retreat from the farthest rank onto a file that holds two others
    /// of its own. This restricts moves only: such a dolphin still attacks the squares on that file
    /// (as a pinned piece of chess still gives check).
    pub retreat_file_limit: bool,
    /// Whether the impasse rule may be claimed.
    pub impasse: bool,
    /// Whether the fourth occurrence of a position ends the game.
    pub repetition: bool,
}

impl Rules {
    /// The rules in force where no others are chosen.
    pub const DEFAULT: Self = Self {
        retreat: Retreat::Slide,
        retreat_file_limit: false,
        impasse: false,
        repetition: true,
    };

    /// Whether retreats are slides like any other.
    #[inline(always)]
    pub(crate) fn plain_retreats(self) -> bool {
        self.retreat == Retreat::Slide && !self.retreat_file_limit
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::DEFAULT
    }
}
