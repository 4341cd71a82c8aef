//! Why a move that somebody tried is not legal, in words.
use kujira_position::{Origin, Square, SquareText, Variant, WhyNot, WhyNotReason, with_variant};
use kujira_record::{Game, NodeId};
use serde::Serialize;

/// Why a move is not legal: in English, and as what a page in another language can say.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Explanation {
    /// A sentence.
    pub text: String,
    /// The reason of the rules, if it is one of theirs.
    pub why: Option<Why>,
}

/// A reason of the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Why {
    /// Which.
    pub reason: &'static str,
    /// The token of the piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The square that is spoken of: where the piece stands, or where it was to go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
}

impl Why {
    fn of(why: &WhyNot) -> Option<Self> {
        let (reason, kind, square) = match why.reason {
            WhyNotReason::Over(_) => ("over", None, None),
            WhyNotReason::Empty(from) => ("empty", None, Some(from)),
            WhyNotReason::NotYours { from, .. } => ("not-yours", None, Some(from)),
            WhyNotReason::NoPass(kind) => ("no-pass", Some(kind), None),
            WhyNotReason::OwnPiece(to) => ("own-piece", None, Some(to)),
            WhyNotReason::Blocked { kind, to } => ("blocked", Some(kind), Some(to)),
            WhyNotReason::Unreachable { kind, to, .. } => ("unreachable", Some(kind), Some(to)),
            WhyNotReason::StaysInCheck => ("stays-in-check", None, None),
            WhyNotReason::LeavesWhale => ("leaves-whale", None, None),
            WhyNotReason::RetreatFull { kind, to } => ("retreat-full", Some(kind), Some(to)),
            WhyNotReason::NotInHand { kind, .. } => ("not-in-hand", Some(kind), None),
            WhyNotReason::Occupied(to) => ("occupied", None, Some(to)),
            WhyNotReason::FarthestRank(kind) => ("farthest-rank", Some(kind), None),
            WhyNotReason::FileFull(kind) => ("file-full", Some(kind), None),
            WhyNotReason::MatingDrop(kind) => ("mating-drop", Some(kind), None),
            _ => return None,
        };
        let spec = why.game.spec();
        let square = square.map(|square| SquareText(spec.geometry, square).to_string());
        Some(Self { reason, kind: kind.map(|kind| spec.kind(kind).token), square })
    }
}

impl From<&str> for Explanation {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), why: None }
    }
}

/// Why nothing on `from` (a square) or of `token` (in hand) can go to `to`; `None` if something can.
#[must_use]
pub fn explain(
    game: &Game,
    node: NodeId,
    from: Option<&str>,
    drop: Option<&str>,
    to: &str,
) -> Option<Explanation> {
    with_variant!(game.variant(), V => {
        let position = game.position::<V>(node);
        let Some(to) = square::<V>(to) else { return Some("There is no such square.".into()) };
        let origin = from.and_then(square::<V>).map(Origin::Square);
        let in_hand = || drop.and_then(|token| V::SPEC.find_kind(token)).map(Origin::Hand);
        let Some(origin) = origin.or_else(in_hand) else {
            return Some("Choose a piece first.".into());
        };
        let why = position.why_not(origin, to)?;
        Some(Explanation { text: why.to_string(), why: Why::of(&why) })
    })
}

fn square<V: Variant>(text: &str) -> Option<Square> {
    let (square, rest) = SquareText::parse_prefix(V::SPEC.geometry, text)?;
    rest.is_empty().then_some(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::{Rules, VariantId};

    #[test]
    fn what_a_page_says_is_explained() {
        let game = Game::new(VariantId::Whale, VariantId::Whale.spec().start, Rules::DEFAULT);
        let game = game.unwrap();
        for (from, drop, to, expected) in [
            (Some("2e"), None, "2d", None),
            (Some("2e"), None, "9z", Some("There is no such square.")),
            (Some("2e"), None, "2c", Some("The dolphin does not move from 2e to 2c.")),
            (None, Some("D"), "2d", Some("Black has no dolphin in hand.")),
            (None, None, "2d", Some("Choose a piece first.")),
            (Some("x"), Some("Q"), "2d", Some("Choose a piece first.")),
        ] {
            let found = explain(&game, 0, from, drop, to);
            let text = found.as_ref().map(|found| &found.text[..]);
            assert_eq!(text, expected, "{from:?} {drop:?} {to}");
        }
    }
}
