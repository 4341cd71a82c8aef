//! Scores in 16 bits.

use std::fmt;

use kujira_search::Score;

/// A score as games keep it, from the point of view of the side to move: centipawns, or a win in so
/// many plies as 32,000 less the plies (a loss as the negative of that).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PackedScore(i16);

/// The score of a win at once.
const MATE: i16 = 32_000;

/// Scores beyond this are wins or losses by force.
const MATE_BOUND: i16 = 31_000;

/// The greatest score that is no forced win.
const MOST: i32 = 30_000;

impl PackedScore {
    /// The score with these bits; `None` beyond ±32,000.
    #[must_use]
    pub const fn from_bits(bits: i16) -> Option<Self> {
        if bits >= -MATE && bits <= MATE { Some(Self(bits)) } else { None }
    }

    /// The bits, for files.
    #[must_use]
    pub const fn bits(self) -> i16 {
        self.0
    }

    /// Centipawns, with wins and losses by force as scores near ±32,000.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0 as i32
    }

    /// Whether it is a win or a loss by force.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0 > MATE_BOUND || self.0 < -MATE_BOUND
    }
}

impl From<Score> for PackedScore {
    /// Centipawns beyond ±30,000 and mates beyond 1,000 plies are cut off there; a search tells
    /// neither.
    fn from(score: Score) -> Self {
        let plies = |count: i32| i16::try_from(count.clamp(0, 999)).unwrap_or(0);
        Self(match score {
            Score::Centipawns(value) => i16::try_from(value.clamp(-MOST, MOST)).unwrap_or(0),
            Score::Mate(count) if count > 0 => MATE - plies(count),
            Score::Mate(count) => plies(count.saturating_neg()) - MATE,
        })
    }
}

impl From<PackedScore> for Score {
    fn from(score: PackedScore) -> Self {
        match score.0 {
            bits if bits > MATE_BOUND => Self::Mate((MATE - bits).into()),
            bits if bits < -MATE_BOUND => Self::Mate((-MATE - bits).into()),
            bits => Self::Centipawns(bits.into()),
        }
    }
}

impl fmt::Display for PackedScore {
    /// Writes the score as USI does: `cp 30`, `mate -4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Score::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_says_comes_back() {
        for (score, bits) in [
            (Score::Centipawns(0), 0),
            (Score::Centipawns(-120), -120),
            (Score::Centipawns(20_000), 20_000),
            (Score::Centipawns(-19_999), -19_999),
            (Score::Mate(1), 31_999),
            (Score::Mate(127), 31_873),
            (Score::Mate(0), -32_000),
            (Score::Mate(-4), -31_996),
        ] {
            let packed = PackedScore::from(score);
            assert_eq!(packed.bits(), bits, "{score}");
            assert_eq!(Score::from(packed), score);
            assert_eq!(PackedScore::from_bits(bits), Some(packed));
            assert_eq!(packed.is_mate(), matches!(score, Score::Mate(_)), "{score}");
            assert_eq!(packed.to_string(), score.to_string());
        }
    }

    #[test]
    fn what_no_search_says_is_cut_off_or_refused() {
        assert_eq!(PackedScore::from(Score::Centipawns(i32::MAX)).bits(), 30_000);
        assert_eq!(PackedScore::from(Score::Centipawns(i32::MIN)).bits(), -30_000);
        assert_eq!(PackedScore::from(Score::Mate(i32::MIN)).bits(), -31_001);
        for bits in [32_001, -32_001, i16::MAX, i16::MIN] {
            assert_eq!(PackedScore::from_bits(bits), None);
        }
    }
}
