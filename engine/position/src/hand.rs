//! Pieces in hand, as one machine word of counters.

use crate::bitboard::Bits;

use crate::types::Kind;

/// The pieces one side holds in hand: a counter a kind, side by side in one word.
///
/// The kind with index `k` (from 1; the white whale is never held) has its counter in bits
/// `(k - 1) * LANE ..`, [`Bits::LANE`] bits wide. The highest bit of a counter is never set, so
/// that two hands are compared counter by counter with one subtraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hand<B>(B);

/// The lowest bit of the counter of `kind` in a hand whose counters are `lane` bits wide.
#[inline(always)]
pub(crate) const fn counter_shift(kind: Kind, lane: u32) -> u32 {
    debug_assert!(kind.index() > 0, "the white whale is never in hand");
    #[expect(clippy::cast_possible_truncation, reason = "a kind's index is below 63")]
    let slot = (kind.index() - 1) as u32;
    slot * lane
}

impl<B: Bits> Hand<B> {
    /// Nothing in hand.
    pub const EMPTY: Self = Self(B::ZERO);

    #[inline(always)]
    const fn shift(kind: Kind) -> u32 {
        counter_shift(kind, B::LANE)
    }

    /// How many of `kind` are held; 0 for a kind that has no counter.
    #[inline(always)]
    #[must_use]
    pub fn count(self, kind: Kind) -> usize {
        usize::from(self.counter(kind))
    }

    /// The counter of `kind`; 0 for a kind that has none.
    #[inline(always)]
    pub(crate) fn counter(self, kind: Kind) -> u8 {
        if kind == Kind::WHALE || kind.index() > B::LANES {
            return 0;
        }
        self.0.down(Self::shift(kind)).low_byte() & (u8::MAX >> (u8::BITS - B::LANE))
    }

    /// Whether at least one of `kind` is held.
    #[inline(always)]
    #[must_use]
    pub fn has(self, kind: Kind) -> bool {
        self.count(kind) != 0
    }

    /// Whether nothing is held.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == B::ZERO
    }

    /// This hand with one more of `kind`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn with(self, kind: Kind) -> Self {
        Self(self.0.wrapping_add(B::ONE.up(Self::shift(kind))))
    }

    /// This hand with one less of `kind`, which it holds.
    #[inline(always)]
    #[must_use]
    pub(crate) fn without(self, kind: Kind) -> Self {
        debug_assert!(self.has(kind), "only a piece in hand can leave it");
        Self(self.0.wrapping_sub(B::ONE.up(Self::shift(kind))))
    }

    /// The lowest bit of each counter that is not zero, so that counting them counts kinds.
    #[inline(always)]
    pub(crate) fn held(self) -> B {
        // Adding 0111… to a counter carries into its top bit exactly if the counter is not zero.
        ((self.0.wrapping_add(B::LANES_BELOW_TOP)) & B::LANES_TOP) >> (B::LANE - 1)
    }

    /// How many different kinds are held.
    #[inline(always)]
    #[must_use]
    pub fn kinds(self) -> usize {
        self.held().count() as usize
    }

    /// How many of the kinds with bits in `counters` are held: bits as in [`Self::held`].
    #[inline(always)]
    pub(crate) fn kinds_among(self, counters: B) -> usize {
        (self.held() & counters).count() as usize
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline(always)]
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        // With the top bits set beforehand no counter borrows from its neighbour; a counter that
        // was too small has lost its top bit.
        ((self.0 | B::LANES_TOP).wrapping_sub(other.0)) & B::LANES_TOP == B::LANES_TOP
    }

    /// The kinds held, in table order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        let mut held = self.held();
        std::iter::from_fn(move || {
            (held != B::ZERO).then(|| {
                let bit = held.lowest();
                held = held.without_lowest();
                Kind::from_index((bit / B::LANE) as usize + 1)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<B: Bits + std::fmt::Debug>(kinds: usize, most: usize) {
        let mut hand = Hand::<B>::EMPTY;
        assert!(hand.is_empty());
        for index in 1..=kinds {
            for n in 0..most {
                assert_eq!(hand.count(Kind::from_index(index)), n);
                let more = hand.with(Kind::from_index(index));
                assert!(more.covers(hand) && !hand.covers(more) && more.covers(more));
                assert_eq!(more.without(Kind::from_index(index)), hand);
                hand = more;
            }
            assert_eq!(hand.kinds(), index);
        }
        assert_eq!(
            hand.iter().map(Kind::index).collect::<Vec<_>>(),
            (1..=kinds).collect::<Vec<_>>()
        );
        let first = Hand::<B>::EMPTY.with(Kind::from_index(1));
        let last = Hand::<B>::EMPTY.with(Kind::from_index(kinds));
        assert!(!first.covers(last) && !last.covers(first));
    }

    #[test]
    fn kinds_without_a_counter_are_not_held() {
        let mut hand = Hand::<u128>::EMPTY;
        for index in 1..=26 {
            hand = hand.with(Kind::from_index(index)).with(Kind::from_index(index));
        }
        for index in (0..63).map(Kind::from_index) {
            let held = (1..=26).contains(&index.index());
            assert_eq!((hand.count(index), hand.has(index)), (if held { 2 } else { 0 }, held));
        }
        assert_eq!(Hand::<u64>::EMPTY.with(Kind::from_index(1)).count(Kind::WHALE), 0);
        assert_eq!(Hand::<u64>::EMPTY.with(Kind::from_index(1)).count(Kind::from_index(9)), 0);
    }

    #[test]
    fn counters_do_not_disturb_each_other() {
        check::<u64>(7, 14);
        check::<u128>(26, 4);
    }
}
