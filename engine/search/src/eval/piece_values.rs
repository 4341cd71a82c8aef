//! What pieces are worth in exchanges, for the order of moves and for judging captures.

use kujira_position::{Kind, Variant};

use super::network_file::NetworkFile;
use crate::score::Value;

/// More kinds than any game has.
const KINDS: usize = 64;

/// The worth of a white whale in exchanges, in centipawns: more than everything else.
const WHALE: Value = 30_000;

/// What the pieces of a game are worth in exchanges, in centipawns, by kind. The values on the board and
/// in hand come from the network file, see [`NetworkFile::on_board`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PieceValues {
    /// What capturing the kind changes: the enemy loses it, the captor gains it in hand.
    see: [Value; KINDS],
    /// What promotion gains.
    promotion_gain: [Value; KINDS],
    /// The kind that each kind promotes to; itself if it does not promote.
    promoted: [Kind; KINDS],
}

impl PieceValues {
    /// The piece values of the network that the program was built with.
    #[cfg(test)]
    pub(crate) fn built_in<V: Variant>() -> Self {
        Self::of::<V>(&NetworkFile::built_in::<V>())
    }

    /// The piece values in a network file that [`NetworkFile::check`] accepts.
    pub(super) fn of<V: Variant>(file: &NetworkFile) -> Self {
        let spec = V::SPEC;
        let on_board = |kind: Kind| file.on_board[kind.index()];
        let in_hand = |kind: Kind| file.in_hand[kind.index()];
        let mut values =
            Self { see: [0; KINDS], promotion_gain: [0; KINDS], promoted: [Kind::WHALE; KINDS] };
        values.see[Kind::WHALE.index()] = WHALE;
        for kind in spec.all_kinds().skip(1) {
            let index = kind.index();
            let to = spec.kind(kind).promotes_to.map_or(kind, |token| spec.kind_named(token));
            let captured = spec.kind_named(spec.kind(kind).in_hand);
            values.see[index] = on_board(kind) + in_hand(captured);
            values.promoted[index] = to;
            values.promotion_gain[index] = on_board(to) - on_board(kind);
        }
        values
    }

    /// What capturing `kind` changes, in centipawns: the enemy loses it, the captor gains it in hand.
    #[inline(always)]
    pub(crate) fn see_value(&self, kind: Kind) -> Value {
        self.see[kind.index()]
    }

    /// What the promotion of `kind` gains, in centipawns.
    #[inline(always)]
    pub(crate) fn promotion_gain(&self, kind: Kind) -> Value {
        self.promotion_gain[kind.index()]
    }

    /// The kind that `kind` promotes to; itself if it does not promote.
    #[inline(always)]
    pub(crate) fn promoted(&self, kind: Kind) -> Kind {
        self.promoted[kind.index()]
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn check<V: Variant>(expected: &[(&str, Value)]) {
        let file = NetworkFile::built_in::<V>();
        let values = PieceValues::built_in::<V>();
        for kind in V::SPEC.all_kinds().skip(1) {
            let after = V::SPEC.kind_named(V::SPEC.kind(kind).in_hand);
            let value = file.on_board[kind.index()] + file.in_hand[after.index()];
            assert_eq!(values.see_value(kind), value);
            assert!(value > 0, "{}", V::SPEC.kind(kind).token);
        }
        for &(token, value) in expected {
            assert_eq!(values.see_value(V::SPEC.kind_named(token)), value, "{token}");
        }
    }

    #[test]
    fn every_capture_gains() {
        check::<Whale>(&[("K", 431 + 572), ("P", 572), ("D", 83 + 100)]);
        check::<Paulowich>(&[("K", 576 + 706), ("P", 706 - 1)]);
        check::<Great>(&[("BW", 132 + 256), ("+BW", 410 + 256)]);
    }

    #[test]
    fn losing_a_porpoise_gives_the_enemy_a_killer_whale() {
        let mut file = NetworkFile::zero::<Whale>(16, 1, 400);
        let kind = |token| Whale::SPEC.kind_named(token);
        file.on_board[kind("P").index()] = 80;
        file.in_hand[kind("K").index()] = 300;
        assert_eq!(PieceValues::of::<Whale>(&file).see_value(kind("P")), 380);
    }

    #[test]
    fn promotion_leads_to_another_kind() {
        let values = PieceValues::built_in::<Great>();
        let kind = |token| Great::SPEC.kind_named(token);
        assert_eq!(values.promoted(kind("BRC")), kind("+BRC"));
        assert_eq!(values.promoted(kind("K")), kind("K"));
        assert_eq!(values.promotion_gain(kind("K")), 0);
        let rises = values.see_value(kind("+BRC")) - values.see_value(kind("BRC"));
        assert_eq!(values.promotion_gain(kind("BRC")), rises);
    }
}
