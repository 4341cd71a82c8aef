//! Scores inside the search: centipawns, and wins counted by the ply they come with.

use kujira_position::{Recurrence, Repetition};

use crate::report::Score;

/// A score from the point of view of the side to move.
pub(crate) type Value = i32;

/// Deepest ply below the root that is searched.
pub(crate) const MAX_PLY: usize = 128;

/// More than any score; the transposition table keeps scores in 16 bits.
pub(crate) const INFINITE: Value = 32_500;

/// Having won at the root.
pub(crate) const MATE: Value = 32_000;

/// Scores beyond this are wins by force within the depth of a search.
pub(crate) const MATE_BOUND: Value = MATE - 2 * plies(MAX_PLY);

/// A win that comes with no certain ply: the enemy must go on giving perpetual check, or impasse
/// can be claimed.
pub(crate) const CLAIM: Value = 20_000;

/// The same board as earlier in the line, but more in hand for the side to move and nothing less. It
/// counts as won, for whoever gained can do so again (YaneuraOu, "superior" positions).
pub(crate) const SUPERIOR: Value = 19_000;

/// Scores beyond this say how the game ends; no sum of evaluation and margins reaches it.
pub(crate) const DECIDED: Value = SUPERIOR - plies(MAX_PLY);

/// Evaluations stay within this.
pub(crate) const EVAL_LIMIT: Value = 15_000;

/// A ply, or a number of plies, moves or the like, as a part of a score or a depth.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "all that is counted stays below 2^31"
)]
pub(crate) const fn plies(ply: usize) -> Value {
    ply as Value
}

/// A number that is not negative, as a count.
#[inline(always)]
pub(crate) const fn count(value: Value) -> usize {
    value.unsigned_abs() as usize
}

/// The side to move has lost with ply `ply`.
#[inline(always)]
pub(crate) const fn mated_in(ply: usize) -> Value {
    -MATE + plies(ply)
}

/// The side to move wins with ply `ply`.
#[inline(always)]
pub(crate) const fn mate_in(ply: usize) -> Value {
    MATE - plies(ply)
}

/// The score for the side to move at `ply` where the board repeats an earlier one.
#[inline]
pub(crate) const fn repetition_score(repetition: Repetition, ply: usize) -> Value {
    match repetition {
        Repetition::Repeated(Recurrence::Draw) => 0,
        Repetition::Repeated(Recurrence::Win) => CLAIM - plies(ply),
        Repetition::Repeated(Recurrence::Loss) => plies(ply) - CLAIM,
        Repetition::Superior => SUPERIOR - plies(ply),
        Repetition::Inferior => plies(ply) - SUPERIOR,
    }
}

/// Whether a score may be kept in the table. Perpetual checks and gains in hand are facts of the way
/// that led to a position, not of the position. So are draws by repetition, but their score cannot be told from
/// that of an even position.
#[inline(always)]
pub(crate) const fn lasts(value: Value) -> bool {
    value.abs() < DECIDED || value.abs() >= MATE_BOUND
}

/// A score as the transposition table keeps it: wins counted from the node, not from the root.
#[inline(always)]
pub(crate) const fn to_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value + plies(ply)
    } else if value <= -MATE_BOUND {
        value - plies(ply)
    } else {
        value
    }
}

/// Undoes [`to_table`] at a node at `ply`.
#[inline(always)]
pub(crate) const fn from_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value - plies(ply)
    } else if value <= -MATE_BOUND {
        value + plies(ply)
    } else {
        value
    }
}

/// What a dolphin or calf in hand counts in the scores that people see.
pub const PAWN: Value = 100;

/// `value` in the centipawns of people, where the evaluation counts `pawn` for a dolphin or calf in hand.
#[inline]
pub(crate) fn in_pawns(value: Value, pawn: Value) -> Value {
    let limit = f64::from(EVAL_LIMIT);
    let scaled = f64::from(value) * f64::from(PAWN) / f64::from(pawn);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within the limit")]
    let rounded = scaled.round().clamp(-limit, limit) as Value;
    rounded
}

/// A score for people and protocols, where the evaluation counts `pawn` for a dolphin or calf in hand.
pub(crate) fn reported(value: Value, pawn: Value) -> Score {
    if value >= MATE_BOUND {
        Score::Mate(MATE - value)
    } else if value <= -MATE_BOUND {
        Score::Mate(-(MATE + value))
    } else if value.abs() >= DECIDED {
        Score::Centipawns(value)
    } else {
        Score::Centipawns(in_pawns(value, pawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_plies() {
        for pawn in [100, 120] {
            assert_eq!(reported(mate_in(3), pawn), Score::Mate(3));
            assert_eq!(reported(mated_in(4), pawn), Score::Mate(-4));
            assert_eq!(reported(mated_in(0), pawn), Score::Mate(0));
            assert_eq!(reported(CLAIM, pawn), Score::Centipawns(CLAIM));
        }
        assert_eq!(reported(-120, 100), Score::Centipawns(-120));
    }

    #[test]
    fn a_hundred_is_a_pawn_in_hand() {
        for (value, pawn, expected) in
            [(120, 120, 100), (-77, 77, -100), (1, 200, 1), (15_000, 50, 15_000)]
        {
            assert_eq!(reported(value, pawn), Score::Centipawns(expected));
        }
    }

    #[test]
    fn the_table_counts_mates_from_its_own_node() {
        for value in [mate_in(7), mated_in(8), 55, CLAIM - 3, MATE - MAX_PLY as Value] {
            for ply in [0, 1, 5] {
                assert_eq!(from_table(to_table(value, ply), ply), value);
            }
        }
        assert_eq!(to_table(mate_in(7), 3), mate_in(4));
        assert_eq!(from_table(mated_in(2), 6), mated_in(8));
    }

    #[test]
    fn everything_fits_sixteen_bits() {
        const { assert!(INFINITE < i16::MAX as Value && MATE < INFINITE) };
        const {
            assert!(CLAIM < MATE_BOUND && SUPERIOR < CLAIM - 2 * MAX_PLY as Value);
            assert!(EVAL_LIMIT < DECIDED)
        };
    }
}
