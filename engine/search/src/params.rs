//! Every tunable number of search and evaluation, once: name, value, range.

use crate::score::Value;

/// A tunable number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
    /// The smallest value that makes sense.
    pub min: Value,
    /// The greatest value that makes sense.
    pub max: Value,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal..=$max:literal;)+) => {
        $($(#[$doc])* pub(crate) const $name: Value = $value;)+

        /// Every tunable number of search and evaluation.
        pub const PARAMS: &[Param] = &[
            $(Param { name: stringify!($name), value: $value, min: $min, max: $max }),+
        ];
    };
}

params! {
    /// Worth of a forward step in the mobility that piece values are made of, percent.
    FORWARD_STEP = 110, 50..=200;
    /// Worth of a sideways step, percent.
    SIDE_STEP = 100, 50..=200;
    /// Worth of a backward step, percent.
    BACKWARD_STEP = 85, 30..=200;
    /// Worth of each further square of a slide compared with the one before, percent: something may
    /// stand in the way.
    SLIDE_DECAY = 70, 30..=95;
    /// Worth of the second phase of a two-phase move, percent of the slides.
    SECOND_PHASE = 25, 5..=80;
    /// Worth of each square a lion can capture on, on its way, in hundredths of a step.
    LION_CAPTURE = 70, 0..=300;
    /// Share of the gain by promotion that a piece far from promotion is already worth, percent.
    PROMOTION_HOPE = 15, 0..=60;
    /// Share that it is worth beyond that when it stands one rank before the zone, percent.
    PROMOTION_NEAR = 25, 0..=60;
    /// Worth of a piece in hand, percent of the piece on the board.
    IN_HAND = 112, 80..=150;
    /// Weight of mobility on the very square against the average square, percent.
    SQUARE_MOBILITY = 25, 0..=100;
    /// Centipawns a rank of advancement, for pieces other than the whale.
    ADVANCEMENT = 4, 0..=30;
    /// Centipawns a square nearer to the middle file.
    CENTRE = 3, 0..=20;
    /// Centipawns a rank that the whale has left its first rank.
    WHALE_ADVANCE = 14, 0..=60;
    /// Centipawns for each own piece beside the whale.
    SHELTER = 9, 0..=40;
    /// Centipawns for each enemy piece within two steps of the whale.
    PRESSURE = 16, 0..=60;
    /// Centipawns for each kind in the enemy's hand and each unguarded square beside the whale.
    HAND_DANGER = 4, 0..=20;
    /// Centipawns for having the move.
    TEMPO = 12, 0..=50;

    /// Half width of the first window of an iteration, centipawns.
    ASPIRATION = 30, 8..=150;
    /// Plies from the root in which nothing is cut on the word of the evaluation, so that short
    /// mates are seen whatever else is on offer.
    UNPRUNED = 3, 1..=8;
    /// Deepest plies left at which a node far above beta is cut without a search.
    REVERSE_FUTILITY_DEPTH = 6, 1..=12;
    /// Margin of that cut a ply, centipawns.
    REVERSE_FUTILITY = 110, 40..=300;
    /// Fewest plies left for a null move.
    NULL_MOVE_DEPTH = 3, 1..=6;
    /// Plies that a null move takes away from the depth.
    NULL_MOVE_REDUCTION = 3, 1..=5;
    /// Plies left that take away one ply more.
    NULL_MOVE_DIVISOR = 4, 2..=10;
    /// Fewest plies left at which a node without a table move is searched a ply less deep.
    INTERNAL_REDUCTION_DEPTH = 4, 2..=10;
    /// Deepest plies left at which late quiet moves are left out.
    LATE_MOVE_DEPTH = 4, 1..=8;
    /// Quiet moves tried at no depth before the rest is left out.
    LATE_MOVE_COUNT = 6, 2..=30;
    /// Deepest plies left at which quiet moves that cannot reach alpha are left out.
    FUTILITY_DEPTH = 5, 1..=8;
    /// Margin of that, centipawns, at no depth.
    FUTILITY_BASE = 120, 0..=400;
    /// And for each ply left.
    FUTILITY = 110, 30..=300;
    /// Deepest plies left at which moves that lose material are left out.
    EXCHANGE_DEPTH = 5, 1..=10;
    /// Material that such a move may lose a ply left, centipawns.
    EXCHANGE_MARGIN = 90, 20..=300;
    /// Fewest plies left for late move reductions.
    REDUCTION_DEPTH = 3, 2..=6;
    /// Late move reduction of the second move, in 1/1024 plies.
    REDUCTION_BASE = 500, 0..=1500;
    /// Growth with the logarithms of depth and move number, in 1/1024 plies.
    REDUCTION_GROWTH = 230, 50..=600;
    /// History score that makes one ply of reduction.
    REDUCTION_HISTORY = 6000, 1000..=20000;
    /// Material that a quiescence capture must bring within reach of alpha, centipawns.
    QUIESCENCE_MARGIN = 150, 0..=500;
    /// Plies of quiescence search.
    QUIESCENCE_DEPTH = 12, 2..=40;
    /// First plies of quiescence search in which every answer to a check is tried where whales are
    /// captured.
    QUIESCENCE_EVASIONS = 1, 0..=8;
    /// How many plies back repetitions are looked for.
    REPETITION_WINDOW = 40, 4..=1000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_range_and_has_its_own_name() {
        for (i, param) in PARAMS.iter().enumerate() {
            assert!(param.min <= param.value && param.value <= param.max, "{param:?}");
            assert!(PARAMS[..i].iter().all(|other| other.name != param.name), "{param:?}");
        }
    }
}
