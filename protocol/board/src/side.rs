//! Sides, scores and endings as the page and the saved games write them.

use std::fmt;

use kujira_position::{Color, DrawReason, Outcome, WinReason};
use serde::{Deserialize, Serialize};

/// A side as JSON writes it, `"b"` or `"w"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Side {
    /// Moves up the board, and first.
    #[serde(rename = "b")]
    Black,
    /// Moves down the board.
    #[serde(rename = "w")]
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// What an engine thinks of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Plies to the mate; below 0 for the side that is mated.
    Mate(i32),
}

impl Score {
    /// The score as Black sees it, if `color` sees it like this.
    #[must_use]
    pub fn for_black(self, color: Color) -> Self {
        match (color, self) {
            (Color::Black, score) => score,
            (Color::White, Self::Cp(value)) => Self::Cp(value.saturating_neg()),
            (Color::White, Self::Mate(plies)) => Self::Mate(plies.saturating_neg()),
        }
    }

    /// One number to compare scores by: mates lie beyond all centipawns, short ones farthest.
    #[must_use]
    pub fn value(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Self::Cp(value) => value.clamp(-MATE / 2, MATE / 2),
            Self::Mate(plies) if plies > 0 => MATE - plies.min(MATE / 4),
            Self::Mate(plies) => -MATE - plies.max(-MATE / 4),
        }
    }
}

impl fmt::Display for Score {
    /// `+0.35`, `-M4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Self::Mate(plies) => {
                write!(f, "{}M{}", if *plies > 0 { '+' } else { '-' }, plies.unsigned_abs())
            }
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// Who won; nobody if it is a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The loser is in check and has no legal move.
    Checkmate,
    /// The loser has no legal move.
    NoMoves,
    /// The loser's white whale was captured.
    WhaleCaptured,
    /// The loser gave check all the way to a fourfold repetition.
    PerpetualCheck,
    /// Points after a claimed impasse.
    Impasse,
    /// The position occurred for the fourth time.
    Repetition,
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The players agreed on a draw.
    Agreement,
    /// A record of the game says so, and nothing else does.
    Recorded,
}

impl Reason {
    /// The reason in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::NoMoves => "no legal move left",
            Self::WhaleCaptured => "the white whale was captured",
            Self::PerpetualCheck => {
                "the other side gave check all the way to a fourfold repetition"
            }
            Self::Impasse => "impasse, decided by points",
            Self::Repetition => "fourfold repetition",
            Self::Resignation => "resignation",
            Self::Time => "time ran out",
            Self::Agreement => "agreement",
            Self::Recorded => "the record says so",
        }
    }
}

impl Ending {
    /// Whether the rules end the game here, so that nobody can move on.
    #[must_use]
    pub const fn by_rule(self) -> bool {
        !matches!(
            self.reason,
            Reason::Resignation | Reason::Time | Reason::Agreement | Reason::Recorded
        )
    }

    /// The result as PGN writes it; `White` is there the side that moves up the board.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self.winner {
            Some(Side::Black) => "1-0",
            Some(Side::White) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Ending {
    /// `White wins: checkmate`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{} wins: {}", Color::from(side), self.reason.text()),
            None => write!(f, "Draw: {}", self.reason.text()),
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win { winner, reason } => Self {
                winner: Some(winner.into()),
                reason: match reason {
                    WinReason::Checkmate => Reason::Checkmate,
                    WinReason::NoMoves => Reason::NoMoves,
                    WinReason::WhaleCaptured => Reason::WhaleCaptured,
                    WinReason::PerpetualCheck => Reason::PerpetualCheck,
                    WinReason::Impasse => Reason::Impasse,
                },
            },
            Outcome::Draw(DrawReason::Repetition) => {
                Self { winner: None, reason: Reason::Repetition }
            }
            Outcome::Draw(DrawReason::Impasse) => Self { winner: None, reason: Reason::Impasse },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_and_turned() {
        let scores = [
            Score::Mate(-1),
            Score::Mate(-8),
            Score::Cp(-2000),
            Score::Cp(0),
            Score::Cp(35),
            Score::Mate(9),
            Score::Mate(1),
        ];
        assert!(scores.windows(2).all(|pair| pair[0].value() < pair[1].value()));
        assert_eq!(Score::Cp(35).for_black(Color::White), Score::Cp(-35));
        assert_eq!(Score::Mate(-3).for_black(Color::White).to_string(), "+M3");
        assert_eq!(Score::Cp(-7).for_black(Color::Black).to_string(), "-0.07");
        assert_eq!(serde_json::to_string(&Score::Mate(-3)).unwrap(), r#"{"mate":-3}"#);
    }
}
