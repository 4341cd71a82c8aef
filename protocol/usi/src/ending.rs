//! How games end, and why.
//!
//! Serde has two spellings: messages and saved games write `{"winner":"b","reason":"no_moves"}`, the
//! journals of matches `{"winner":"black","reason":"no-moves"}` (`ending::journal`).

use std::fmt;
use std::str::FromStr;

use kujira_position::{Color, DrawReason, Outcome, WinReason};

use crate::Side;

/// Why a game ended. Serde writes the name with underscores, `"no_moves"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The loser is in check and has no legal move.
    Checkmate,
    /// The loser has no legal move.
    NoMoves,
    /// The loser's white whale was captured.
    WhaleCaptured,
    /// The position occurred for the fourth time.
    Repetition,
    /// The loser gave check all the way to a fourfold repetition.
    PerpetualCheck,
    /// Points after a claimed impasse.
    Impasse,
    /// The loser gave up.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// Drawn: the game was longer than allowed.
    PlyLimit,
    /// Both engines' scores agreed that one side wins.
    AdjudicatedWin,
    /// Both engines' scores agreed that nobody wins.
    AdjudicatedDraw,
    /// The loser's time ran out.
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
    /// A record of the game says so, and nothing else does.
    Recorded,
}

/// Every reason with its name, short term and phrase, in the order of the declaration.
const TEXTS: [(Reason, &str, &str, &str); 19] = {
    use Reason as R;
    [
        (R::Checkmate, "checkmate", "checkmate", "checkmate"),
        (R::NoMoves, "no-moves", "no legal move", "no legal move left"),
        (
            R::WhaleCaptured,
            "whale-captured",
            "white whale captured",
            "the white whale was captured",
        ),
        (R::Repetition, "repetition", "fourfold repetition", "fourfold repetition"),
        (
            R::PerpetualCheck,
            "perpetual-check",
            "perpetual check",
            "the other side gave check all the way to a fourfold repetition",
        ),
        (R::Impasse, "impasse", "impasse", "impasse, decided by points"),
        (R::Resignation, "resignation", "resignation", "resignation"),
        (R::Agreement, "agreement", "agreement", "agreement"),
        (R::PlyLimit, "ply-limit", "ply limit", "the game was longer than allowed"),
        (R::AdjudicatedWin, "adjudicated-win", "adjudicated win", "adjudicated by scores"),
        (R::AdjudicatedDraw, "adjudicated-draw", "adjudicated draw", "adjudicated by scores"),
        (R::Time, "time", "time", "time ran out"),
        (R::IllegalMove, "illegal-move", "illegal move", "the other side made an illegal move"),
        (
            R::FalseClaim,
            "false-claim",
            "false claim of a win",
            "the other side claimed a win falsely",
        ),
        (R::Nonsense, "nonsense", "nonsense", "the other engine talked nonsense"),
        (R::Flood, "flood", "flood of output", "the other engine printed without end"),
        (R::Silent, "silent", "no answer", "the other engine did not answer"),
        (R::Died, "died", "engine ended", "the other engine ended"),
        (R::Recorded, "recorded", "recorded", "the record says so"),
    ]
};

impl Reason {
    /// Every reason: first those of the rules.
    #[expect(clippy::indexing_slicing, reason = "evaluated when the crate is compiled")]
    pub const ALL: [Self; TEXTS.len()] = {
        let mut all = [Self::Checkmate; TEXTS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = TEXTS[index].0;
            index += 1;
        }
        all
    };

    fn texts(self) -> (&'static str, &'static str, &'static str) {
        let row = TEXTS.iter().find(|row| row.0 == self);
        row.map_or(("", "", ""), |&(_, name, term, text)| (name, term, text))
    }

    /// The name of the reason in files, words joined by hyphens: `no-moves`. [`FromStr`] reads it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    /// The reason as a phrase for a sentence: `the white whale was captured`.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.texts().2
    }

    /// Whether the rules of the game alone give the reason.
    #[must_use]
    pub const fn by_rule(self) -> bool {
        matches!(
            self,
            Self::Checkmate
                | Self::NoMoves
                | Self::WhaleCaptured
                | Self::Repetition
                | Self::PerpetualCheck
                | Self::Impasse
        )
    }

    /// Whether the game was played to its end: the rules, a resignation, or an agreement on result,
    /// length or scores ended it.
    #[must_use]
    pub const fn is_regular(self) -> bool {
        self.by_rule()
            || matches!(
                self,
                Self::Resignation
                    | Self::Agreement
                    | Self::PlyLimit
                    | Self::AdjudicatedWin
                    | Self::AdjudicatedDraw
            )
    }

    /// Whether the players (or the referee) disagree about the rules.
    #[must_use]
    pub const fn is_dispute(self) -> bool {
        matches!(self, Self::IllegalMove | Self::FalseClaim)
    }
}

impl fmt::Display for Reason {
    /// The reason as a short term: `white whale captured`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.texts().1)
    }
}

/// A text that names no reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected the reason of an end such as checkmate or time, found {found:?}")]
pub struct UnknownReason {
    /// The text.
    pub found: String,
}

impl FromStr for Reason {
    type Err = UnknownReason;

    /// Reads [`Reason::name`].
    fn from_str(text: &str) -> Result<Self, UnknownReason> {
        let row = TEXTS.iter().find(|row| row.1 == text);
        row.map(|row| row.0).ok_or_else(|| UnknownReason { found: text.to_owned() })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ending {
    /// The winner; nobody if it is a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
}

impl Ending {
    /// A win of `winner`.
    #[must_use]
    pub fn win(winner: Color, reason: Reason) -> Self {
        Self { winner: Some(winner.into()), reason }
    }

    /// A draw.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self { winner: None, reason }
    }

    /// Whether the rules end the game here, so that nobody can move on.
    #[must_use]
    pub const fn by_rule(self) -> bool {
        self.reason.by_rule()
    }

    /// Points of `color` in halves: 0, 1 or 2.
    #[must_use]
    pub fn half_points(self, color: Color) -> usize {
        match self.winner {
            None => 1,
            Some(side) if Color::from(side) == color => 2,
            Some(_) => 0,
        }
    }

    /// The result as PGN writes it, with Black, who moves up the board and usually first, in the place
    /// of the White of chess: `1-0` if Black wins.
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
    /// The ending as a sentence: `White wins: checkmate`.
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
            Outcome::Win { winner, reason } => {
                let reason = match reason {
                    WinReason::Checkmate => Reason::Checkmate,
                    WinReason::NoMoves => Reason::NoMoves,
                    WinReason::WhaleCaptured => Reason::WhaleCaptured,
                    WinReason::PerpetualCheck => Reason::PerpetualCheck,
                    WinReason::Impasse => Reason::Impasse,
                };
                Self::win(winner, reason)
            }
            Outcome::Draw(DrawReason::Repetition) => Self::draw(Reason::Repetition),
            Outcome::Draw(DrawReason::Impasse) => Self::draw(Reason::Impasse),
        }
    }
}

#[cfg(feature = "serde")]
mod spelling {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Reason;

    impl Serialize for Reason {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&self.name().replace('-', "_"))
        }
    }

    impl<'de> Deserialize<'de> for Reason {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            let found =
                Self::ALL.into_iter().find(|reason| reason.name().replace('-', "_") == text);
            found.ok_or_else(|| D::Error::custom(super::UnknownReason { found: text }))
        }
    }
}

/// Endings as the journals of matches spell them: `{"winner":"black","reason":"no-moves"}`. For
/// `#[serde(flatten, with = "kujira_usi::ending::journal")]`.
#[cfg(feature = "serde")]
pub mod journal {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Ending;
    use crate::Side;

    #[derive(Clone, Copy, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Winner {
        Black,
        White,
    }

    #[derive(Serialize)]
    struct Written {
        winner: Option<Winner>,
        reason: &'static str,
    }

    #[derive(Deserialize)]
    struct Read {
        winner: Option<Winner>,
        reason: String,
    }

    /// Writes an ending.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(ending: &Ending, serializer: S) -> Result<S::Ok, S::Error> {
        let winner = ending.winner.map(|side| match side {
            Side::Black => Winner::Black,
            Side::White => Winner::White,
        });
        Written { winner, reason: ending.reason.name() }.serialize(serializer)
    }

    /// Reads an ending.
    ///
    /// # Errors
    /// Those of the deserializer, and at a reason that is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Ending, D::Error> {
        let Read { winner, reason } = Read::deserialize(deserializer)?;
        let winner = winner.map(|winner| match winner {
            Winner::Black => Side::Black,
            Winner::White => Side::White,
        });
        Ok(Ending { winner, reason: reason.parse().map_err(D::Error::custom)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_texts() {
        assert_eq!(Reason::ALL.len(), Reason::Recorded as usize + 1);
        for reason in Reason::ALL {
            assert_eq!(reason.name().parse(), Ok(reason));
            assert!(!reason.text().is_empty() && !reason.to_string().is_empty());
        }
        assert!(Reason::ALL.is_sorted());
        for text in ["", "mate", "Checkmate", "no_moves", "no moves"] {
            assert!(text.parse::<Reason>().is_err(), "{text}");
        }
        let error = "x\"".parse::<Reason>().unwrap_err().to_string();
        assert!(error.ends_with(r#"found "x\"""#), "{error}");
    }

    #[test]
    fn reasons_fall_into_classes() {
        let mut regular = Reason::ALL.into_iter().filter(|reason| reason.is_regular());
        assert_eq!(regular.next_back(), Some(Reason::AdjudicatedDraw));
        assert_eq!(Reason::ALL.into_iter().filter(|reason| reason.by_rule()).count(), 6);
        let disputes: Vec<_> = Reason::ALL.into_iter().filter(|r| r.is_dispute()).collect();
        assert_eq!(disputes, [Reason::IllegalMove, Reason::FalseClaim]);
    }

    #[test]
    fn endings_are_told() {
        let won = Ending::win(Color::White, Reason::WhaleCaptured);
        assert_eq!(won.to_string(), "White wins: the white whale was captured");
        assert_eq!((won.result(), won.half_points(Color::White)), ("0-1", 2));
        assert_eq!(won.half_points(Color::Black), 0);
        let drawn = Ending::from(Outcome::Draw(DrawReason::Repetition));
        assert_eq!(
            (drawn.to_string().as_str(), drawn.result()),
            ("Draw: fourfold repetition", "1/2-1/2")
        );
        assert_eq!(drawn.half_points(Color::Black), 1);
        assert!(drawn.by_rule() && !Ending::draw(Reason::Agreement).by_rule());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn both_spellings_are_written_and_read() {
        #[derive(serde::Serialize, serde::Deserialize)]
        struct Line {
            #[serde(flatten, with = "journal")]
            ending: Ending,
        }
        for reason in Reason::ALL {
            for winner in [None, Some(Side::Black), Some(Side::White)] {
                let ending = Ending { winner, reason };
                let text = serde_json::to_string(&ending).unwrap();
                assert_eq!(serde_json::from_str::<Ending>(&text).unwrap(), ending);
                assert!(!text.contains('-'), "{text}");
                let text = serde_json::to_string(&Line { ending }).unwrap();
                assert_eq!(serde_json::from_str::<Line>(&text).unwrap().ending, ending);
                assert!(!text.contains('_'), "{text}");
            }
        }
        let ending = Ending { winner: Some(Side::Black), reason: Reason::NoMoves };
        let text = serde_json::to_string(&ending).unwrap();
        assert_eq!(text, r#"{"winner":"b","reason":"no_moves"}"#);
        let text = serde_json::to_string(&Line { ending }).unwrap();
        assert_eq!(text, r#"{"winner":"black","reason":"no-moves"}"#);
        for text in [r#"{"winner":"b","reason":"x"}"#, r#"{"winner":"b","reason":"no-moves"}"#] {
            assert!(serde_json::from_str::<Ending>(text).is_err(), "{text}");
            assert!(serde_json::from_str::<Line>(text).is_err(), "{text}");
        }
    }
}
