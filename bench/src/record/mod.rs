//! A finished game, and the files it goes into: USI text, JSON Lines, PGN.

mod json;
mod pgn;
mod usi;

use std::collections::BTreeMap;
use std::fmt;

use kujira_position::{Color, DrawReason, Outcome, WinReason};
use serde::{Deserialize, Serialize};

use crate::engine::Score;

pub(crate) use json::may_be_cut_off;
pub use json::{Journal, Line, read_journal};
pub use pgn::{read_pgn, write_pgn};
pub use usi::{read_usi, write_usi};

/// A side, as written in files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Moves up the board.
    Black,
    /// Moves down the board.
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

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// By the rules: mate.
    Checkmate,
    /// By the rules: nothing can move.
    NoMoves,
    /// By the rules: the white whale was captured.
    WhaleCaptured,
    /// By the rules: the position stood on the board four times.
    Repetition,
    /// By the rules: every move of a repetition gave check.
    PerpetualCheck,
    /// By the rules: points after a claim.
    Impasse,
    /// The loser gave up.
    Resignation,
    /// Drawn: longer than agreed.
    PlyLimit,
    /// Both engines' scores agreed that one side wins.
    AdjudicatedWin,
    /// Both engines' scores agreed that nobody wins.
    AdjudicatedDraw,
    /// The loser's time was up.
    Time,
    /// The loser played a move that is not legal.
    IllegalMove,
    /// The loser claimed a win that the rules do not give.
    FalseClaim,
    /// The loser said what makes no sense.
    Nonsense,
    /// The loser printed without end.
    Flood,
    /// The loser did not answer.
    Silent,
    /// The loser's process ended.
    Died,
}

impl Reason {
    /// Whether the rules ended the game, or an agreement on length or scores.
    #[must_use]
    pub fn is_regular(self) -> bool {
        self <= Self::AdjudicatedDraw
    }

    /// Whether the engines (or we) disagree about the rules: too many such games void a match.
    #[must_use]
    pub fn is_dispute(self) -> bool {
        matches!(self, Self::IllegalMove | Self::FalseClaim)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::NoMoves => "no legal move",
            Self::WhaleCaptured => "white whale captured",
            Self::Repetition => "fourfold repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::Impasse => "impasse",
            Self::Resignation => "resignation",
            Self::PlyLimit => "ply limit",
            Self::AdjudicatedWin => "adjudicated win",
            Self::AdjudicatedDraw => "adjudicated draw",
            Self::Time => "time",
            Self::IllegalMove => "illegal move",
            Self::FalseClaim => "false claim of a win",
            Self::Nonsense => "nonsense",
            Self::Flood => "flood of output",
            Self::Silent => "no answer",
            Self::Died => "engine ended",
        })
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The winner; none: a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// What else is to be said: the illegal move and its position, how an engine died.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Ending {
    /// A win of `winner`.
    #[must_use]
    pub fn win(winner: Color, reason: Reason, detail: impl Into<String>) -> Self {
        Self { winner: Some(winner.into()), reason, detail: detail.into() }
    }

    /// A draw.
    #[must_use]
    pub fn draw(reason: Reason) -> Self {
        Self { winner: None, reason, detail: String::new() }
    }

    /// Points of `color` in halves: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self, color: Color) -> usize {
        match self.winner {
            None => 1,
            Some(side) if Color::from(side) == color => 2,
            Some(_) => 0,
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win { winner, reason } => {
                let reason = match reason {
                    WinReason::Checkmate => Reason::Checkmate,
                    WinReason::NoMoves => Reason::NoMoves,
                    WinReason::WhaleCaptured => Reason::WhaleCaptured,
                    WinReason::PerpetualCheck => Reason::PerpetualCheck,
                    WinReason::Impasse => Reason::Impasse,
                };
                Self::win(winner, reason, "")
            }
            Outcome::Draw(DrawReason::Repetition) => Self::draw(Reason::Repetition),
            Outcome::Draw(DrawReason::Impasse) => Self::draw(Reason::Impasse),
        }
    }
}

/// One player of one game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Player {
    /// Its name.
    pub name: String,
    /// What it could use for a move.
    pub limit: String,
    /// The options it was set up with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// A move and what the engine said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as USI text.
    pub usi: String,
    /// Score from the mover's point of view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Greatest depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time taken, in microseconds, as the runner saw it.
    #[serde(default)]
    pub us: u64,
}

/// Which game of a match: the two games of a pair have `leg` 0 and 1.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct GameId {
    /// Number of the opening, from 0.
    pub round: u32,
    /// The two engines by number, from 0.
    pub engines: [usize; 2],
    /// 0: the first of the two is Black; 1: colours swapped.
    pub leg: u8,
}

impl GameId {
    /// The engines' numbers by colour, Black first.
    #[must_use]
    pub fn by_color(&self) -> [usize; 2] {
        let [first, second] = self.engines;
        if self.leg == 0 { [first, second] } else { [second, first] }
    }

    /// The colour of the first of the two engines.
    #[must_use]
    pub fn first_is(&self) -> Color {
        if self.leg == 0 { Color::Black } else { Color::White }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of its match.
    #[serde(flatten)]
    pub id: GameId,
    /// Which kind of whale shogi.
    pub variant: String,
    /// Who played Black.
    pub black: Player,
    /// Who played White.
    pub white: Player,
    /// The position begun from and the moves given, as in a USI `position` line.
    pub opening: String,
    /// The moves played by the engines.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    #[serde(flatten)]
    pub ending: Ending,
}

impl GameRecord {
    /// The whole game as in a USI `position` line.
    #[must_use]
    pub fn usi(&self) -> String {
        let mut text = self.opening.clone();
        for (index, m) in self.moves.iter().enumerate() {
            let first = index == 0 && !text.contains(" moves");
            text.push_str(if first { " moves " } else { " " });
            text.push_str(&m.usi);
        }
        text
    }

    /// Whether Black made the first move of the whole game, those of the opening included.
    #[must_use]
    pub fn black_starts(&self) -> bool {
        let start = self.opening.split_once(" moves").map_or(&self.opening[..], |(start, _)| start);
        start.split_ascii_whitespace().nth(2) != Some("w")
    }

    /// Whether Black made the first of [`Self::moves`].
    #[must_use]
    pub fn black_begins(&self) -> bool {
        let given = self.opening.split_once(" moves").map_or("", |(_, given)| given);
        given.split_ascii_whitespace().count().is_multiple_of(2) == self.black_starts()
    }

    /// The result as chess writes it, Black (who usually moves first) in the place of chess's White.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self.ending.winner {
            Some(Side::Black) => "1-0",
            Some(Side::White) => "0-1",
            None => "1/2-1/2",
        }
    }
}
