//! The numbers of the search that matches tune, once: name, value, range.
//!
//! Each is a function of its name. In a usual build it returns a constant; with the feature `tuning`
//! the numbers can be set while the program runs ([`set`]), for tuners that play one set of values
//! against another.

use kujira_position::{Variant, WhaleRule};

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
        /// Every tunable number of the search.
        pub const PARAMS: &[Param] = &[
            $(Param { name: stringify!($name), value: $value, min: $min, max: $max }),+
        ];

        /// Places in [`PARAMS`].
        #[cfg(feature = "tuning")]
        #[allow(non_camel_case_types)]
        enum Place { $($name),+ }

        #[cfg(feature = "tuning")]
        static VALUES: [std::sync::atomic::AtomicI32; PARAMS.len()] =
            [$(std::sync::atomic::AtomicI32::new($value)),+];

        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub(crate) const fn $name() -> Value { $value }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline(always)]
            pub(crate) fn $name() -> Value {
                VALUES[Place::$name as usize].load(std::sync::atomic::Ordering::Relaxed)
            }
        )+
    };
}

/// Sets a tunable number, for all engines of this process from their next search on.
///
/// # Errors
/// If there is no number of this name or the value is out of its range: what was expected.
#[cfg(feature = "tuning")]
pub fn set(name: &str, value: Value) -> Result<(), String> {
    let place = PARAMS.iter().position(|param| param.name == name);
    let place =
        place.ok_or_else(|| format!("expected the name of a tunable number, found \"{name}\""))?;
    let Param { min, max, .. } = PARAMS[place];
    if !(min..=max).contains(&value) {
        return Err(format!("{name}: expected {min} to {max}, found {value}"));
    }
    VALUES[place].store(value, std::sync::atomic::Ordering::Relaxed);
    Ok(())
}

/// `usual`, or in its place `hunt` where whales are captured: there a whale may be left attacked, moves are many,
/// and other numbers won the matches.
#[inline(always)]
pub(crate) fn by_whale_rule<V: Variant>(usual: Value, hunt: Value) -> Value {
    if matches!(V::SPEC.whale, WhaleRule::Capture) { hunt } else { usual }
}

params! {
    /// Half width of the first window of an iteration, centipawns.
    aspiration = 30, 8..=150;
    /// Plies from the root in which nothing is cut on the word of the evaluation, so that short
    /// mates are seen whatever else is on offer.
    unpruned = 1, 1..=8;
    /// Deepest plies left at which a node far above beta is cut without a search.
    reverse_futility_depth = 6, 1..=12;
    /// Margin of that cut a ply, centipawns.
    reverse_futility = 110, 40..=300;
    /// Deepest plies left at which a node far below alpha is left to quiescence.
    razor_depth = 3, 0..=8;
    /// Margin of that, centipawns, at no depth.
    razor_base = 150, 0..=1000;
    /// And for each ply left.
    razor = 200, 50..=600;
    /// Fewest plies left for a null move.
    null_move_depth = 3, 1..=6;
    /// Plies that a null move takes away from the depth.
    null_move_reduction = 3, 1..=5;
    /// Plies left that take away one ply more.
    null_move_divisor = 4, 2..=10;
    /// Fewest plies left at which a search without null moves confirms one.
    verification_depth = 13, 6..=30;
    /// Fewest plies left at which a node without a table move is searched a ply less deep, on the expected
    /// line and where some move is expected to be good enough.
    internal_reduction_depth = 4, 2..=10;
    /// Quiet moves tried at no depth before the rest is left out, where the evaluation rises; else half.
    late_move_count = 5, 2..=30;
    /// Deepest plies left, after reduction, at which quiet moves that cannot reach alpha are left out.
    futility_depth = 5, 1..=8;
    /// Margin of that, centipawns, at no depth.
    futility_base = 120, 0..=400;
    /// And for each ply left, after reduction.
    futility = 110, 30..=300;
    /// Deepest plies left, after reduction, at which quiet moves with a bad history are left out.
    history_pruning_depth = 4, 0..=10;
    /// How bad, for each ply left and one more.
    history_pruning = 4800, 500..=12000;
    /// Deepest plies left at which moves that lose material are left out.
    exchange_depth = 5, 1..=10;
    /// Material that such a move may lose a ply left, centipawns.
    exchange_margin = 90, 20..=300;
    /// The same where whales are captured.
    hunt_exchange_margin = 130, 20..=400;
    /// Fewest plies left for late move reductions.
    reduction_depth = 3, 2..=6;
    /// The same where whales are captured.
    hunt_reduction_depth = 4, 2..=6;
    /// Late move reduction before depth and move number add to it, in 1/1024 plies.
    reduction_base = 500, 0..=1500;
    /// Growth with the logarithms of depth and move number, in 1/1024 plies.
    reduction_growth = 300, 50..=600;
    /// The same where whales are captured.
    hunt_reduction_growth = 260, 50..=600;
    /// History score that makes one ply of reduction.
    reduction_history = 9000, 1000..=40000;
    /// Weight of the butterfly history, in quarters of that of each continuation history.
    butterfly_weight = 4, 1..=16;
    /// The same where whales are captured.
    hunt_butterfly_weight = 6, 1..=16;
    /// History score of a quiet move for each centipawn by which the evaluation rises.
    evaluation_bonus = 6, 0..=64;
    /// At most so much.
    evaluation_bonus_limit = 1500, 0..=8000;
    /// More reduction where some move is expected to be good enough, in 1/1024 plies.
    cut_reduction = 1024, 0..=3072;
    /// Less reduction at the root, in 1/1024 plies.
    root_reduction = 512, 0..=3072;
    /// Fewest plies left at which a capture that beats beta by far ends a node.
    probable_cut_depth = 5, 3..=10;
    /// How far, centipawns.
    probable_cut_margin = 170, 50..=600;
    /// Plies that such a capture is searched less deep.
    probable_cut_reduction = 4, 2..=6;
    /// Fewest plies left at which the table move is compared with all others.
    singular_depth = 6, 4..=12;
    /// By how much it must be better, in 1/16 centipawns a ply left.
    singular_margin = 32, 4..=160;
    /// The same where whales are captured.
    hunt_singular_margin = 24, 4..=160;
    /// By how much more to be searched two plies deeper, centipawns.
    singular_double = 30, 0..=200;
    /// Material that a quiescence capture must bring within reach of alpha, centipawns.
    quiescence_margin = 150, 0..=500;
    /// Plies of quiescence search.
    quiescence_depth = 12, 2..=40;
    /// Weight of the errors made with the same hands, in 1/64.
    correction_hands = 40, 0..=128;
    /// Weight of the errors made with the whales on the same squares, in 1/64.
    correction_whales = 32, 0..=128;
    /// Weight of the errors made after the same move, in 1/64.
    correction_move = 40, 0..=128;
    /// History score that a quiet move which gives check is worth more, in move ordering.
    check_bonus = 8000, 0..=40000;
    /// First plies of quiescence search in which promotions and moves that give check are tried.
    quiescence_checks = 1, 0..=4;
    /// First plies of quiescence search in which every answer to a check is tried where whales are
    /// captured.
    quiescence_evasions = 3, 0..=8;
    /// How many plies back repetitions are looked for.
    repetition_window = 40, 4..=1000;
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
