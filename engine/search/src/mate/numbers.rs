//! Proof numbers, lengths of mates, and disproofs that hold on one path alone.

/// A proof or disproof number that stands for "never".
pub(super) const INFINITE: u32 = u32::MAX >> 1;

/// The greatest number that still can change.
const MOST: u32 = INFINITE - 1;

/// Plies to a mate.
pub(super) type Length = u16;

/// Length of a mate that is not known.
pub(super) const UNKNOWN: Length = Length::MAX;

/// The fewest plies of a mate that does not exist.
pub(super) const FOREVER: Length = Length::MAX;

/// The limit of a search for a mate of any length: below [`UNKNOWN`], above what is known of any other.
pub(super) const ANY: Length = Length::MAX - 1;

/// The limit that is left after a move.
#[inline]
pub(super) fn after_move(left: Length) -> Length {
    if left == ANY { ANY } else { left.saturating_sub(1) }
}

/// The sum of a number and how many others there are beside it: what is left to show where the hardest of several
/// has this number ("weak proof numbers"; a sum over all would count again what several of them share). See Ueda,
/// Hashimoto, Hashimoto, Iida: Weak Proof-Number Search (CG 2008).
#[inline]
pub(super) fn weak_sum(most: u32, open: u32) -> u32 {
    if most >= INFINITE { INFINITE } else { (most + open.saturating_sub(1)).min(MOST) }
}

/// The earlier positions on the path that a disproof depends on: it assumes that a return to them is no mate. They are
/// given by their plies from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Loops {
    /// The nearest to the root; `u16::MAX` if there is none.
    pub(super) first: u16,
    /// The farthest from the root, or one farther away: on every path that is the same up to here the disproof
    /// holds.
    pub(super) last: u16,
}

impl Loops {
    /// The disproof holds on every path.
    pub(super) const NONE: Self = Self { first: u16::MAX, last: 0 };

    /// It rests on the position of one ply.
    #[inline]
    pub(super) fn to(ply: u16) -> Self {
        Self { first: ply, last: ply }
    }

    /// Whether it rests on any.
    #[inline]
    pub(super) fn any(self) -> bool {
        self.first != u16::MAX
    }

    /// What two disproofs rest on.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// What the disproof of the position of ply `ply` rests on, if that of all below it rests on this: whoever
    /// comes back to a position that was disproved otherwise gains nothing.
    #[inline]
    pub(super) fn seen_from(self, ply: u16) -> Self {
        if self.first >= ply {
            return Self::NONE;
        }
        Self { first: self.first, last: self.last.min(ply - 1) }
    }
}

/// What is known of a position: numbers, and lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// Proof number: how much is to be shown for a mate.
    pub(super) proof: u32,
    /// Disproof number: how much is to be shown that there is none.
    pub(super) disproof: u32,
    /// The shortest mate known, plies.
    pub(super) proved: Length,
    /// A mate takes at least so many plies, on whatever path; [`FOREVER`] where there is none.
    pub(super) fewest: Length,
    /// What a disproof beyond that rests on; [`Loops::NONE`] where there is none, or it needs nothing.
    pub(super) loops: Loops,
    /// The length up to which that disproof holds; [`ANY`] where it does at any.
    pub(super) looped: Length,
}

impl Value {
    /// A mate of this length.
    #[inline]
    pub(super) fn mate(length: Length) -> Self {
        Self { proof: 0, disproof: INFINITE, proved: length, fewest: 0, ..Self::NONE }
    }

    /// No mate, of any length.
    pub(super) const NONE: Self = Self {
        proof: INFINITE,
        disproof: 0,
        proved: UNKNOWN,
        fewest: FOREVER,
        loops: Loops::NONE,
        looped: 0,
    };

    /// No mate within `left` plies where going back to these positions gives none.
    #[inline]
    pub(super) fn looped(loops: Loops, left: Length) -> Self {
        Self { fewest: 0, loops, looped: left, ..Self::NONE }
    }

    /// Nothing but these numbers, and that a mate takes at least so many plies.
    #[inline]
    pub(super) fn open(proof: u32, disproof: u32, fewest: Length) -> Self {
        let (proof, disproof) = (proof.clamp(1, MOST), disproof.clamp(1, MOST));
        Self { proof, disproof, fewest, ..Self::NONE }
    }

    /// Whether there is a mate within `left` plies.
    #[inline]
    pub(super) fn is_mate(&self, left: Length) -> bool {
        self.proved <= left
    }

    /// Whether there is none within `left` plies.
    #[inline]
    pub(super) fn is_refuted(&self, left: Length) -> bool {
        self.fewest > left || left <= self.looped && self.loops.any()
    }

    /// Both numbers as they are for a search of `left` plies.
    #[inline]
    pub(super) fn within(self, left: Length) -> Self {
        let (proof, disproof) = if self.is_mate(left) {
            (0, INFINITE)
        } else if self.is_refuted(left) {
            (INFINITE, 0)
        } else {
            (self.proof.clamp(1, MOST), self.disproof.clamp(1, MOST))
        };
        Self { proof, disproof, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_decide() {
        let five = Value::mate(5);
        assert!(five.is_mate(5) && five.is_mate(ANY) && !five.is_mate(4));
        assert!(!five.is_refuted(4), "that is not known");
        assert!(Value::NONE.is_refuted(ANY) && !Value::NONE.is_mate(ANY));
        let open = Value::open(0, u32::MAX, 3);
        assert_eq!((open.proof, open.disproof), (1, MOST));
        assert!(open.is_refuted(2) && !open.is_refuted(3) && !open.is_refuted(ANY));
        assert_eq!((open.within(2).proof, open.within(3).proof), (INFINITE, 1));
        assert!(!Value::open(1, 1, 0).is_refuted(0), "nothing is known of it");
        assert_eq!((after_move(ANY), after_move(3), after_move(0)), (ANY, 2, 0));
    }

    #[test]
    fn loops_are_settled_where_they_lead_to() {
        let loops = Loops::to(4).and(Loops::to(7));
        assert_eq!((loops.first, loops.last), (4, 7));
        assert_eq!(loops.seen_from(6), Loops { first: 4, last: 5 });
        assert!(!loops.seen_from(4).any() && !Loops::NONE.any());
        assert_eq!(Loops::NONE.and(Loops::to(3)), Loops::to(3));
        let value = Value::looped(loops, 7);
        assert!(value.is_refuted(7) && !value.is_refuted(8), "it says nothing of longer mates");
    }

    #[test]
    fn the_hardest_of_several_counts() {
        assert_eq!((weak_sum(5, 1), weak_sum(5, 4), weak_sum(0, 0)), (5, 8, 0));
        assert_eq!((weak_sum(INFINITE, 3), weak_sum(MOST, 9)), (INFINITE, MOST));
    }
}
