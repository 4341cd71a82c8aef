//! How a game of self-play ended.

use std::fmt;

use kujira_position::{Color, DrawReason, Outcome, WinReason};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The rules ended it with a win.
    Win(WinReason),
    /// The rules ended it with a draw.
    Draw(DrawReason),
    /// One side was far ahead for many plies.
    Score,
    /// Both sides saw a win by force.
    Mate,
    /// It became too long: a draw.
    PlyLimit,
}

impl Reason {
    /// Every reason; its place here is its number in files, so that new ones go to the end.
    pub const ALL: &'static [Self] = &[
        Self::Win(WinReason::Checkmate),
        Self::Win(WinReason::NoMoves),
        Self::Win(WinReason::WhaleCaptured),
        Self::Win(WinReason::PerpetualCheck),
        Self::Win(WinReason::Impasse),
        Self::Draw(DrawReason::Repetition),
        Self::Draw(DrawReason::Impasse),
        Self::Score,
        Self::Mate,
        Self::PlyLimit,
    ];

    /// Whether a game that ended so was won by somebody.
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        matches!(self, Self::Win(_) | Self::Score | Self::Mate)
    }

    /// Whether the rules ended the game, not an adjudication.
    #[must_use]
    pub const fn is_by_rules(self) -> bool {
        matches!(self, Self::Win(_) | Self::Draw(_))
    }

    /// Its number in files.
    pub(crate) fn number(self) -> u8 {
        Self::ALL.iter().position(|&reason| reason == self).unwrap_or(usize::MAX) as u8
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(reason) => reason.fmt(f),
            Self::Draw(reason) => reason.fmt(f),
            Self::Score => f.write_str("adjudicated by score"),
            Self::Mate => f.write_str("adjudicated by mate score"),
            Self::PlyLimit => f.write_str("ply limit"),
        }
    }
}

/// Who won a game, and why it ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    winner: Option<Color>,
    reason: Reason,
}

impl Ending {
    /// The ending; `None` if the reason makes a winner and there is none, or the other way round.
    #[must_use]
    pub const fn new(winner: Option<Color>, reason: Reason) -> Option<Self> {
        if winner.is_some() == reason.is_decisive() { Some(Self { winner, reason }) } else { None }
    }

    /// A win by score (`mate` false) or by mate score (`mate` true).
    #[must_use]
    pub const fn adjudicated(winner: Color, mate: bool) -> Self {
        let reason = if mate { Reason::Mate } else { Reason::Score };
        Self { winner: Some(winner), reason }
    }

    /// A draw, because the game became too long.
    pub const PLY_LIMIT: Self = Self { winner: None, reason: Reason::PlyLimit };

    /// The winner; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        self.winner
    }

    /// Why the game ended.
    #[must_use]
    pub const fn reason(self) -> Reason {
        self.reason
    }

    /// What the game brought `color`: 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    pub fn result(self, color: Color) -> i8 {
        match self.winner {
            None => 0,
            Some(winner) if winner == color => 1,
            Some(_) => -1,
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win { winner, reason } => {
                Self { winner: Some(winner), reason: Reason::Win(reason) }
            }
            Outcome::Draw(reason) => Self { winner: None, reason: Reason::Draw(reason) },
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins: {}", self.reason),
            None => write!(f, "draw: {}", self.reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_keep_their_numbers() {
        for (number, &reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(usize::from(reason.number()), number);
        }
        assert_eq!(Reason::PlyLimit.number(), 9, "files that exist depend on it");
        assert_eq!(Reason::Draw(DrawReason::Repetition).number(), 5);
    }

    #[test]
    fn winners_go_with_reasons_that_make_one() {
        for &reason in Reason::ALL {
            for winner in [None, Some(Color::Black), Some(Color::White)] {
                let ending = Ending::new(winner, reason);
                assert_eq!(ending.is_some(), winner.is_some() == reason.is_decisive());
            }
        }
        let won = Ending::adjudicated(Color::White, true);
        assert_eq!((won.result(Color::Black), won.result(Color::White)), (-1, 1));
        assert_eq!(Ending::PLY_LIMIT.result(Color::Black), 0);
        assert_eq!(won.to_string(), "White wins: adjudicated by mate score");
    }
}
