//! The numbers of the search that matches tune, a row each: name, value, range and, where another one won
//! the matches in games whose whales are captured, the value there.
//!
//! Each row is a function of its name; one with two values is generic over the game and chooses when it is
//! compiled, so that the call names no game. In a usual build the functions return constants; with the
//! feature `tuning` the numbers can be set while the program runs (`set`), for tuners that play one set of
//! values against another.

use kujira_position::Variant;

use crate::score::Value;

/// A tunable number, as a build for tuning offers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name; `_captured` at its end says that it holds where whales are captured.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Its value.
    pub value: Value,
    /// The smallest value that makes sense.
    pub min: Value,
    /// The greatest value that makes sense.
    pub max: Value,
}

/// Whether whales of this game are captured like any piece: there a whale may be left attacked, moves are
/// many, and some numbers are others.
#[inline(always)]
const fn captures_whales<V: Variant>() -> bool {
    V::SPEC.captures_whales()
}

/// The value of the row with this name: the constant, or what it was set to.
macro_rules! value {
    ($name:expr, $value:literal) => {{
        #[cfg(not(feature = "tuning"))]
        {
            $value
        }
        #[cfg(feature = "tuning")]
        {
            VALUES[const { place($name) }].load(std::sync::atomic::Ordering::Relaxed)
        }
    }};
}

/// The function of a row.
macro_rules! row {
    ($(#[$doc:meta])+ $name:ident = $value:literal) => {
        $(#[$doc])+
        #[inline(always)]
        pub(crate) fn $name() -> Value {
            value!(stringify!($name), $value)
        }
    };
    ($(#[$doc:meta])+ $name:ident = $value:literal, captured $captured:literal) => {
        $(#[$doc])+
        #[inline(always)]
        pub(crate) fn $name<V: Variant>() -> Value {
            if const { captures_whales::<V>() } {
                value!(concat!(stringify!($name), "_captured"), $captured)
            } else {
                value!(stringify!($name), $value)
            }
        }
    };
}

macro_rules! params {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $value:literal, $min:literal..=$max:literal $(, captured $captured:literal)?;
    )+) => {
        /// Every tunable number of the search.
        pub const PARAMS: &[Param] = &[$(
            Param {
                name: stringify!($name),
                about: concat!($($doc),+).trim_ascii(),
                value: $value,
                min: $min,
                max: $max,
            },
            $(Param {
                name: concat!(stringify!($name), "_captured"),
                about: concat!("The value of ", stringify!($name), " where whales are captured."),
                value: $captured,
                min: $min,
                max: $max,
            },)?
        )+];

        $(row! { $(#[doc = $doc])+ $name = $value $(, captured $captured)? })+
    };
}

/// The values in force, in the order of [`PARAMS`].
#[cfg(feature = "tuning")]
static VALUES: [std::sync::atomic::AtomicI32; PARAMS.len()] = {
    let mut values = [const { std::sync::atomic::AtomicI32::new(0) }; PARAMS.len()];
    let mut index = 0;
    while index < PARAMS.len() {
        values[index] = std::sync::atomic::AtomicI32::new(PARAMS[index].value);
        index += 1;
    }
    values
};

/// The place of the row of this name in [`PARAMS`].
#[cfg(feature = "tuning")]
const fn place(name: &str) -> usize {
    let mut index = 0;
    while index < PARAMS.len() {
        let (one, other) = (PARAMS[index].name.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < one.len() && same < other.len() && one[same] == other[same] {
            same += 1;
        }
        if same == one.len() && same == other.len() {
            return index;
        }
        index += 1;
    }
    panic!("every function has its row")
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

params! {
    /// Half width of the first window of an iteration, centipawns.
    aspiration = 30, 8..=150;
    /// Fewest plies of an iteration that begins with a narrow window.
    aspiration_depth = 4, 2..=10;
    /// Growth of the half width with each search that fails, in quarters of the width.
    aspiration_growth = 12, 5..=32;
    /// Half width beyond which a side that failed is opened altogether, centipawns.
    aspiration_limit = 1000, 200..=4000;
    /// Plies from the root in which nothing is cut on the word of the evaluation, so that short
    /// mates are seen whatever else is on offer.
    unpruned = 1, 1..=8;
    /// Deepest plies left at which a node far above beta is cut without a search.
    reverse_futility_depth = 6, 1..=12;
    /// Margin of reverse futility for each ply left, centipawns.
    reverse_futility = 110, 40..=300;
    /// Centipawns that the margin of reverse futility is smaller where the evaluation rises.
    reverse_futility_rising = 110, 0..=300;
    /// Deepest plies left at which a node far below alpha is left to quiescence.
    razor_depth = 3, 0..=8;
    /// Margin of razoring at no depth, centipawns.
    razor_base = 150, 0..=1000;
    /// Margin of razoring for each ply left, centipawns.
    razor = 200, 50..=600;
    /// Fewest plies left for a null move.
    null_move_depth = 3, 1..=6;
    /// Plies that a null move takes away from the depth.
    null_move_reduction = 3, 1..=5;
    /// Plies left for which a null move takes away one ply more.
    null_move_divisor = 4, 2..=10;
    /// Centipawns above beta for which a null move takes away one ply more.
    null_move_eval_divisor = 200, 50..=800;
    /// Most plies that a null move takes away for standing above beta.
    null_move_eval_limit = 3, 0..=8;
    /// Fewest plies left at which a search without null moves confirms one.
    verification_depth = 13, 6..=30;
    /// Quarters of the depth left in which a confirming search tries no null move.
    verification_quarters = 3, 1..=4;
    /// Fewest plies left at which a node without a table move is searched less deep, on the expected
    /// line and where some move is expected to be good enough.
    internal_reduction_depth = 4, 2..=10;
    /// Plies that a node without a table move is searched less deep.
    internal_reduction = 1, 0..=3;
    /// Quiet moves tried at no depth before the rest is left out, where the evaluation rises.
    late_move_count = 5, 2..=30;
    /// Quiet moves more that are tried for the square of the plies left, in sixteenths.
    late_move_growth = 16, 4..=64;
    /// Quarters of the quiet moves of a rising evaluation that are tried where it does not rise.
    late_move_falling = 2, 1..=4;
    /// Deepest plies left, after reduction, at which quiet moves that cannot reach alpha are left out.
    futility_depth = 5, 1..=8;
    /// Margin of futility at no depth, centipawns.
    futility_base = 120, 0..=400;
    /// Margin of futility for each ply left after reduction, centipawns.
    futility = 110, 30..=300;
    /// History score that counts as a centipawn in the margin of futility.
    futility_history = 128, 16..=4096;
    /// Quiet moves that are tried before futility leaves any out.
    futility_count = 3, 0..=12;
    /// Deepest plies left, after reduction, at which quiet moves with a bad history are left out.
    history_pruning_depth = 4, 0..=10;
    /// History score below zero at which a quiet move is left out, for each ply left and one more.
    history_pruning = 4800, 500..=12000;
    /// Deepest plies left at which moves that lose material are left out.
    exchange_depth = 5, 1..=10;
    /// Material that a move may lose for each ply left before it is left out, centipawns.
    exchange_margin = 90, 20..=400, captured 130;
    /// Fewest plies left for late move reductions.
    reduction_depth = 3, 2..=6, captured 4;
    /// Moves of a node that are tried before later ones are reduced.
    reduction_count = 1, 1..=6;
    /// Moves more that are tried unreduced on the expected line.
    pv_reduction_count = 2, 0..=8;
    /// Late move reduction before depth and move number add to it, in 1/1024 plies.
    reduction_base = 500, 0..=1500;
    /// Growth of late move reductions with the logarithms of depth and move number, in 1/1024 plies.
    reduction_growth = 300, 50..=600, captured 260;
    /// History score that makes one ply of reduction.
    reduction_history = 9000, 1000..=40000;
    /// Weight of the butterfly history, in quarters of that of each continuation history.
    butterfly_weight = 4, 1..=16, captured 6;
    /// History score of a quiet move for each centipawn by which the evaluation rises.
    evaluation_bonus = 6, 0..=64;
    /// Most history score that a quiet move gains or loses for what it does to the evaluation.
    evaluation_bonus_limit = 1500, 0..=8000;
    /// History score of a refutation for the square of its plies.
    refutation_bonus_square = 16, 0..=64;
    /// History score of a refutation for each of its plies.
    refutation_bonus = 120, 0..=1000;
    /// Most history score of a refutation.
    refutation_bonus_limit = 2048, 500..=8000;
    /// More reduction where some move is expected to be good enough, in 1/1024 plies.
    cut_reduction = 1024, 0..=3072;
    /// Less reduction at the root, in 1/1024 plies.
    root_reduction = 512, 0..=3072;
    /// Less reduction on the expected line, in 1/1024 plies.
    pv_reduction = 1024, 0..=3072;
    /// Less reduction of moves that give check, in 1/1024 plies.
    check_reduction = 1024, 0..=3072;
    /// Less reduction in nodes that were once on an expected line, in 1/1024 plies.
    was_pv_reduction = 1024, 0..=3072;
    /// More reduction where the evaluation does not rise, in 1/1024 plies.
    falling_reduction = 512, 0..=3072;
    /// More reduction where the table move captures, in 1/1024 plies.
    capture_reduction = 512, 0..=3072;
    /// Fewest plies left at which a capture that beats beta by far ends a node.
    probable_cut_depth = 5, 3..=10;
    /// Margin above beta of ProbCut, centipawns.
    probable_cut_margin = 170, 50..=600;
    /// Plies that a capture of ProbCut is searched less deep.
    probable_cut_reduction = 4, 2..=6;
    /// Fewest plies left at which the table move is compared with all others.
    singular_depth = 5, 4..=12;
    /// Centipawns by which the evaluation of a shallower node is below alpha where the table move is searched deeper.
    shallow_singular = 20, -200..=200;
    /// Plies that the table entry may be less deep than the node whose table move is compared.
    singular_entry_depth = 3, 0..=6;
    /// Quarters of the depth, less one ply, to which all moves but the table move are searched to compare them.
    singular_quarters = 2, 1..=3;
    /// Margin by which a singular move beats all others, in 1/16 centipawns a ply left.
    singular_margin = 32, 4..=160, captured 24;
    /// Plies that a singular move is searched deeper.
    singular_extension = 1, 0..=2;
    /// Margin more by which a move is singular twice over, centipawns.
    singular_double = 30, 0..=200;
    /// Plies that a move which is singular twice over is searched deeper, outside the expected line.
    singular_double_extension = 2, 1..=3;
    /// Plies that a table move which is good enough, and not the only one, is searched less deep.
    negative_extension = 2, 0..=4;
    /// Plies that a table move which is good enough, and not the only one, is searched less deep on the expected
    /// line.
    pv_negative_extension = 1, 0..=3;
    /// Plies that a table move which is not singular is searched less deep where some move is expected to be good
    /// enough.
    cut_negative_extension = 1, 0..=3;
    /// Plies that a move which gives check and loses nothing is searched deeper.
    check_extension = 1, 0..=2;
    /// Depth beyond which no move is extended, in depths of the iteration.
    extension_limit = 2, 1..=4;
    /// Material that a quiescence capture must bring within reach of alpha, centipawns.
    quiescence_margin = 150, 0..=500;
    /// Plies of quiescence search.
    quiescence_depth = 12, 2..=40;
    /// First plies of quiescence search in which promotions and moves that give check are tried.
    quiescence_checks = 1, 0..=4;
    /// First plies of quiescence search in which every answer to a check is tried where whales are
    /// captured.
    quiescence_evasions = 3, 0..=8;
    /// Weight of the errors made with the same hands, in 1/64.
    correction_hands = 40, 0..=128;
    /// Weight of the errors made with the whales on the same squares, in 1/64.
    correction_whales = 32, 0..=128;
    /// Weight of the errors made with the same pieces near the whales, in 1/64.
    correction_near = 40, 0..=128;
    /// Weight of the errors made after the same move, in 1/64.
    correction_move = 40, 0..=128;
    /// Plies of a search for which an error is taken over as a whole.
    correction_divisor = 32, 4..=128;
    /// Most of an error that is taken over at once, in 1/16 centipawns.
    correction_bonus_limit = 512, 64..=2048;
    /// History score that a quiet move which gives check is worth more, in move ordering.
    check_bonus = 8000, 0..=40000;
    /// Points of a capture's score for each centipawn of material that it wins, in move ordering.
    material_weight = 8, 1..=64;
    /// Capture history that counts as one point of a capture's score, in move ordering.
    capture_history_divisor = 8, 1..=64;
    /// Most that the value of the capturing piece counts against a capture, in move ordering.
    attacker_limit = 4000, 0..=16000;
    /// How many plies back repetitions are looked for.
    repetition_window = 40, 4..=1000;
    /// Plies for which an entry of the table counts less with each search since it was made.
    table_age = 8, 0..=32;
    /// Plies that a bound may be less deep than the entry of the same position that it replaces.
    table_shallower = 3, 0..=16;
    /// Centipawns that the vote of the thread with the lowest score counts for each ply of its depth.
    vote_weight = 14, 1..=100;
    /// Plies by which a line may be less deep than the deepest to have a vote.
    vote_shallower = 3, 0..=20;
    /// Moves that the time left is shared among.
    time_horizon = 28, 10..=100;
    /// Moves that the time left is shared among in sudden death.
    time_sudden_death_horizon = 56, 10..=200;
    /// Part of the time left that a single move may take at most, as a divisor.
    time_largest_part = 5, 2..=20;
    /// Share of the increment that is spent at once, in percent.
    time_increment = 75, 0..=100;
    /// Share of the byoyomi that a move aims at while there is other time left, in percent.
    time_byoyomi = 75, 0..=100;
    /// Time left below which all of it is used, in percent of the byoyomi.
    time_last_byoyomi = 120, 0..=400;
    /// Soft limit after the first iteration with a new best move, in percent.
    time_stability_0 = 170, 50..=300;
    /// Soft limit where the best move has stood for one more iteration, in percent.
    time_stability_1 = 130, 50..=300;
    /// Soft limit where the best move has stood for two more iterations, in percent.
    time_stability_2 = 110, 50..=300;
    /// Soft limit where the best move has stood for three more iterations, in percent.
    time_stability_3 = 100, 50..=300;
    /// Soft limit where the best move has stood for four more iterations, in percent.
    time_stability_4 = 90, 30..=300;
    /// Soft limit where the best move has stood for five more iterations or longer, in percent.
    time_stability_5 = 80, 30..=300;
    /// Growth of the soft limit with each centipawn that the score has fallen, in 1/100 percent.
    time_fall = 100, 0..=500;
    /// Least factor of the soft limit for what the score did, in percent.
    time_fall_least = 85, 20..=100;
    /// Greatest factor of the soft limit for what the score did, in percent.
    time_fall_most = 180, 100..=400;
    /// Factor of the soft limit if the best move took none of the nodes, in percent.
    time_effort_none = 190, 100..=400;
    /// Loss of the factor for effort if the best move took all of the nodes, in percent.
    time_effort_all = 130, 0..=300;
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    #[test]
    fn every_value_lies_in_its_range_and_has_its_own_name() {
        for (i, param) in PARAMS.iter().enumerate() {
            assert!(param.min <= param.value && param.value <= param.max, "{param:?}");
            assert!(PARAMS.iter().take(i).all(|other| other.name != param.name), "{param:?}");
            assert!(param.about.ends_with('.'), "{param:?}");
        }
    }

    #[test]
    fn a_row_has_a_value_of_its_own_where_whales_are_captured() {
        assert_eq!((exchange_margin::<Whale>(), exchange_margin::<Paulowich>()), (90, 90));
        assert_eq!(exchange_margin::<Great>(), 130);
        let value = |name| PARAMS.iter().find(|param| param.name == name).map(|param| param.value);
        assert_eq!(value("exchange_margin"), Some(90));
        assert_eq!(value("exchange_margin_captured"), Some(130));
    }
}
