//! Scores of positions.

use std::fmt;

use kujira_position::Color;

/// What a position is worth to a side. Serde writes it `{"cp":35}` or `{"mate":-4}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Plies to the mate; 0 or below for the side that is mated.
    Mate(i32),
}

impl Score {
    /// The score as the other side sees it.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Mate(plies) => Self::Mate(plies.saturating_neg()),
        }
    }

    /// The score as Black sees it, if `color` sees it like this.
    #[must_use]
    pub fn for_black(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => self.turned(),
        }
    }

    /// The score in centipawns, to compare scores by: mates lie beyond all evaluations, short ones
    /// farthest.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Self::Cp(value) => value.clamp(-MATE / 2, MATE / 2),
            Self::Mate(plies) if plies > 0 => MATE - plies.min(MATE / 4),
            Self::Mate(plies) => -MATE - plies.max(-MATE / 4),
        }
    }
}

#[cfg(feature = "search")]
impl From<kujira_search::Score> for Score {
    fn from(found: kujira_search::Score) -> Self {
        match found {
            kujira_search::Score::Centipawns(value) => Self::Cp(value),
            kujira_search::Score::Mate(plies) => Self::Mate(plies),
        }
    }
}

#[cfg(feature = "search")]
impl From<Score> for kujira_search::Score {
    fn from(told: Score) -> Self {
        match told {
            Score::Cp(value) => Self::Centipawns(value),
            Score::Mate(plies) => Self::Mate(plies),
        }
    }
}

impl fmt::Display for Score {
    /// The score as people read it: in pawns, `+0.35`, or in plies to the mate, `-M4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Self::Mate(plies) => {
                write!(f, "{}M{}", if *plies > 0 { '+' } else { '-' }, plies.unsigned_abs())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered() {
        let scores = [
            Score::Mate(-1),
            Score::Mate(-8),
            Score::Cp(i32::MIN),
            Score::Cp(-2000),
            Score::Cp(0),
            Score::Cp(35),
            Score::Cp(i32::MAX),
            Score::Mate(9),
            Score::Mate(1),
        ];
        assert!(scores.windows(2).all(|pair| pair[0].centipawns() < pair[1].centipawns()));
    }

    #[test]
    fn scores_are_turned_and_shown() {
        assert_eq!(Score::Cp(35).for_black(Color::White), Score::Cp(-35));
        assert_eq!(Score::Mate(-3).for_black(Color::White).to_string(), "+M3");
        assert_eq!(Score::Cp(-7).for_black(Color::Black).to_string(), "-0.07");
        assert_eq!(Score::Mate(0).to_string(), "-M0");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serde_writes_the_unit() {
        assert_eq!(serde_json::to_string(&Score::Mate(-3)).unwrap(), r#"{"mate":-3}"#);
        assert_eq!(serde_json::from_str::<Score>(r#"{"cp":7}"#).unwrap(), Score::Cp(7));
    }
}
