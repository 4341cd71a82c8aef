//! What pieces are worth in exchanges, for the order of moves and for judging captures.

use kujira_position::{Kind, Variant};

use super::linear::UNIT;
use super::weights::Weights;
use crate::score::Value;

/// More kinds than any game has.
const KINDS: usize = 64;

/// The worth of a white whale in exchanges: more than everything else.
const WHALE: Value = 30_000;

/// The worth of every kind, on the board and in hand, in centipawns: averages of what the
/// evaluation makes of it, see [`Weights::on_board`].
#[derive(Clone)]
pub(crate) struct PieceValues {
    /// What capturing the kind changes: the enemy loses it, the captor gains it in hand.
    swing: [Value; KINDS],
    /// What promotion gains, by kind.
    promotion: [Value; KINDS],
    /// What each kind promotes to; itself if it does not.
    promoted: [Kind; KINDS],
}

impl PieceValues {
    /// The worth of the pieces of a game, by the weights built in.
    #[cfg(test)]
    pub(crate) fn new<V: Variant>() -> Self {
        Self::of::<V>(&Weights::built_in::<V>())
    }

    /// The worth that `weights` give the pieces.
    pub(crate) fn of<V: Variant>(weights: &Weights) -> Self {
        let spec = V::SPEC;
        let on_board = |kind: Kind| weights.on_board[kind.index()] / UNIT;
        let in_hand = |kind: Kind| weights.in_hand[kind.index()] / UNIT;
        let mut worth =
            Self { swing: [0; KINDS], promotion: [0; KINDS], promoted: [Kind::WHALE; KINDS] };
        worth.swing[Kind::WHALE.index()] = WHALE;
        for kind in spec.all_kinds().skip(1) {
            let index = kind.index();
            let to = spec.kind(kind).promotes_to.map_or(kind, |token| spec.kind_named(token));
            let captured = spec.kind_named(spec.kind(kind).in_hand);
            worth.swing[index] = on_board(kind) + in_hand(captured);
            worth.promoted[index] = to;
            worth.promotion[index] = on_board(to) - on_board(kind);
        }
        worth
    }

    /// What capturing `kind` changes: the enemy loses it, the captor gains it in hand.
    #[inline(always)]
    pub(crate) fn see_value(&self, kind: Kind) -> Value {
        self.swing[kind.index()]
    }

    /// What the promotion of `kind` gains.
    #[inline(always)]
    pub(crate) fn promotion_gain(&self, kind: Kind) -> Value {
        self.promotion[kind.index()]
    }

    /// What `kind` promotes to; itself if it does not.
    #[inline(always)]
    pub(crate) fn promoted(&self, kind: Kind) -> Kind {
        self.promoted[kind.index()]
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn check<V: Variant>() {
        let weights = Weights::built_in::<V>();
        let worth = PieceValues::new::<V>();
        for kind in V::SPEC.all_kinds().skip(1) {
            let after = V::SPEC.kind_named(V::SPEC.kind(kind).in_hand);
            let value =
                weights.on_board[kind.index()] / UNIT + weights.in_hand[after.index()] / UNIT;
            assert_eq!(worth.see_value(kind), value);
            assert!(value > 0, "{}", V::SPEC.kind(kind).token);
        }
    }

    #[test]
    fn every_capture_gains() {
        check::<Whale>();
        check::<Paulowich>();
        check::<Great>();
    }

    #[test]
    fn losing_a_porpoise_gives_the_enemy_a_killer_whale() {
        let mut weights = Weights::zero::<Whale>();
        let kind = |token| Whale::SPEC.kind_named(token);
        weights.on_board[kind("P").index()] = 80 * UNIT;
        weights.in_hand[kind("K").index()] = 300 * UNIT;
        assert_eq!(PieceValues::of::<Whale>(&weights).see_value(kind("P")), 380);
    }

    #[test]
    fn promotion_leads_to_another_kind() {
        let worth = PieceValues::new::<Great>();
        let kind = |token| Great::SPEC.kind_named(token);
        assert_eq!(worth.promoted(kind("BRC")), kind("+BRC"));
        assert_eq!(worth.promoted(kind("K")), kind("K"));
        assert_eq!(worth.promotion_gain(kind("K")), 0);
        let rises = worth.see_value(kind("+BRC")) - worth.see_value(kind("BRC"));
        assert_eq!(worth.promotion_gain(kind("BRC")), rises);
    }
}
