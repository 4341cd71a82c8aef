//! A position that somebody put together: checked, with every reason why it cannot be.
use std::collections::BTreeMap;

use kujira_position::{Color, Piece, Setup, SquareText, Variant, VariantId, with_variant};
use kujira_usi::{Side, Switches};
use serde::{Deserialize, Serialize};

/// The most entries of a list that the page sends: more squares than any board has.
const MOST: usize = 128;

/// A position as the editor of the page holds it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The id of the game.
    pub variant: String,
    /// The token (upper case for Black, lower for White) of what stands on each square.
    pub squares: BTreeMap<String, String>,
    /// How many of each kind each side holds, by token in upper case, Black first.
    pub hands: [BTreeMap<String, u32>; 2],
    /// Who is to move.
    pub side: Side,
    /// The rules in force.
    #[serde(default)]
    pub rules: Switches,
}

/// What the server says of a [`Draft`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// The SFEN, if the position is possible.
    pub sfen: Option<String>,
    /// Every reason why it is not.
    pub reasons: Vec<String>,
}

/// Checks a position.
#[must_use]
pub fn check(draft: &Draft) -> Verdict {
    let Some(variant) = VariantId::named(&draft.variant) else {
        let found = format!("expected a game among {}", VariantId::choices());
        return Verdict { sfen: None, reasons: vec![found] };
    };
    with_variant!(variant, V => match setup::<V>(draft) {
        Err(reason) => Verdict { sfen: None, reasons: vec![reason] },
        Ok(setup) => match setup.validate() {
            Ok(position) => Verdict { sfen: Some(position.sfen()), reasons: Vec::new() },
            Err(error) => Verdict {
                sfen: None,
                reasons: error.reasons().iter().map(ToString::to_string).collect(),
            },
        },
    })
}

fn setup<V: Variant>(draft: &Draft) -> Result<Setup<V>, String> {
    let mut setup = Setup::<V>::empty();
    setup.side = draft.side.into();
    setup.rules = draft.rules.into();
    let entries = draft.squares.len() + draft.hands.iter().map(BTreeMap::len).sum::<usize>();
    if entries > 2 * MOST {
        return Err(format!("expected at most {} entries, found {entries}", 2 * MOST));
    }
    for (name, token) in &draft.squares {
        let square = SquareText::parse_prefix(V::SPEC.geometry, name)
            .filter(|(_, rest)| rest.is_empty())
            .ok_or_else(|| format!("expected a square of {}, found {name:?}", V::SPEC.name))?
            .0;
        let upper = token.to_ascii_uppercase();
        let color = if *token == upper { Color::Black } else { Color::White };
        let kind = V::SPEC
            .find_kind(&upper)
            .ok_or_else(|| format!("expected a piece of {}, found {token:?}", V::SPEC.name))?;
        setup.set(square, Some(Piece::new(color, kind)));
    }
    for (color, hand) in Color::BOTH.into_iter().zip(&draft.hands) {
        for (token, &count) in hand {
            let kind = V::SPEC
                .find_kind(token)
                .ok_or_else(|| format!("expected a piece of {}, found {token:?}", V::SPEC.name))?;
            setup.set_in_hand(color, kind, count);
        }
    }
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(variant: &str, squares: &[(&str, &str)]) -> Draft {
        let text = |&(a, b): &(&str, &str)| (a.to_owned(), b.to_owned());
        Draft {
            variant: variant.to_owned(),
            squares: squares.iter().map(text).collect(),
            hands: Default::default(),
            side: Side::Black,
            rules: Switches::default(),
        }
    }

    #[test]
    fn possible_positions_have_an_sfen() {
        let mut whale = draft("whale", &[("3f", "W"), ("3a", "w"), ("2b", "d")]);
        whale.hands[0].insert("K".to_owned(), 2);
        whale.side = Side::White;
        let verdict = check(&whale);
        assert_eq!(verdict.sfen.as_deref(), Some("3w2/4d1/6/6/6/3W2 w 2K 1"));
        assert_eq!(verdict.reasons, [""; 0]);
    }

    #[test]
    fn every_reason_is_told() {
        let squares =
            [("6k", "W"), ("6a", "w"), ("5a", "w"), ("3a", "BRC"), ("4e", "MC"), ("4f", "FC")];
        let mut great = draft("great", &squares);
        great.hands[1].insert("M".to_owned(), 3);
        great.hands[1].insert("+M".to_owned(), 1);
        assert_eq!(
            check(&great).reasons,
            [
                "expected one white whale of White, found 2",
                "expected at most 2 of M and +M on both sides together, found 4",
                "expected kinds that can be in hand, found +m in the hand of White",
                "expected no unpromoted BRC on its farthest rank, found one on 3a",
                "expected at most 1 calf of Black on file 4, found 2",
            ]
        );
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for (draft, expected) in [
            (draft("chess", &[]), "expected a game among whale, paulowich, great"),
            (draft("whale", &[("7a", "W")]), "expected a square of Whale Shogi, found \"7a\""),
            (draft("whale", &[("1a", "Ww")]), "expected a piece of Whale Shogi, found \"Ww\""),
        ] {
            assert_eq!(check(&draft).reasons, [expected]);
        }
    }
}
