//! Why a move that somebody tried is not legal, in words.
use kujira_position::{Origin, Square, SquareText, Variant, with_variant};
use kujira_record::{Game, NodeId};

/// Why nothing on `from` (a square) or of `token` (in hand) can go to `to`; `None` if something can.
#[must_use]
pub fn explain(
    game: &Game,
    node: NodeId,
    from: Option<&str>,
    drop: Option<&str>,
    to: &str,
) -> Option<String> {
    with_variant!(game.variant(), V => {
        let position = game.position::<V>(node);
        let Some(to) = square::<V>(to) else { return Some("There is no such square.".to_owned()) };
        let origin = from.and_then(square::<V>).map(Origin::Square);
        let in_hand = || drop.and_then(|token| V::SPEC.find_kind(token)).map(Origin::Hand);
        let Some(origin) = origin.or_else(in_hand) else {
            return Some("Choose a piece first.".to_owned());
        };
        position.why_not(origin, to).map(|why| why.to_string())
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
            assert_eq!(found.as_deref(), expected, "{from:?} {drop:?} {to}");
        }
    }
}
