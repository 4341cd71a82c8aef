//! What the page is shown of a position: where pieces stand and every legal move, as data.
use kujira_position::{
    Color, Geometry, Position, Square, SquareText, UsiMove, Variant, with_variant,
};
use kujira_record::{Game, NodeId, squares_of};
use kujira_usi::{Ending, Side};
use serde::Serialize;

/// A position as the page needs it to be drawn and played on.
#[derive(Serialize, Clone, Debug)]
pub struct PositionView {
    /// The SFEN.
    pub sfen: String,
    /// Pieces, hands, and who is to move.
    #[serde(flatten)]
    pub placement: Placement,
    /// Number of the next move, from 1.
    pub ply: u32,
    /// Where the white whale stands that is in check.
    pub checked: Option<String>,
    /// Every legal move.
    pub legal: Vec<LegalMove>,
    /// How the game would end if the side to move claimed impasse, if it may.
    pub impasse: Option<Ending>,
}

/// Where the pieces of a position are, and who is to move.
#[derive(Serialize, Clone, Debug)]
pub struct Placement {
    /// Square and token of every piece, upper case for Black.
    pub squares: Vec<(String, String)>,
    /// Token (upper case) and count of what each side holds, Black first.
    pub hands: [Vec<(String, usize)>; 2],
    /// Who is to move.
    pub side: Side,
}

/// A legal move, as squares to click.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LegalMove {
    /// The USI text.
    pub usi: String,
    /// Where it starts; none for a drop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The token of what is dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop: Option<String>,
    /// The squares captured on the way, in the order travelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<String>,
    /// Where it ends.
    pub to: String,
    /// Whether the piece promotes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub promotes: bool,
    /// Whether it captures on the square where it ends.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub captures: bool,
}

fn name(geometry: Geometry, square: Square) -> String {
    SquareText(geometry, square).to_string()
}

/// The position at a node of a game.
#[must_use]
pub fn view(game: &Game, node: NodeId) -> PositionView {
    with_variant!(game.variant(), V => of::<V>(&game.position::<V>(node)))
}

/// Where the pieces of a position are.
#[must_use]
pub fn placement<V: Variant>(position: &Position<V>) -> Placement {
    let spec = V::SPEC;
    let squares = spec.geometry.reading_order().filter_map(|square| {
        let piece = position.piece_on(square)?;
        Some((name(spec.geometry, square), spec.token(piece.color(), piece.kind())))
    });
    let (squares, hands) = (squares.collect(), hands(position));
    Placement { squares, hands, side: position.side().into() }
}

/// What both sides hold, Black first.
#[must_use]
pub fn hands<V: Variant>(position: &Position<V>) -> [Vec<(String, usize)>; 2] {
    Color::BOTH.map(|color| {
        let hand = position.hand(color);
        let kinds = hand.iter();
        kinds.map(|kind| (V::SPEC.kind(kind).token.to_owned(), hand.count(kind))).collect()
    })
}

fn of<V: Variant>(position: &Position<V>) -> PositionView {
    let spec = V::SPEC;
    let over = position.outcome().is_some();
    PositionView {
        sfen: position.sfen(),
        placement: placement(position),
        ply: position.ply(),
        checked: position
            .checked()
            .then(|| position.whale(position.side()).first())
            .flatten()
            .map(|whale| name(spec.geometry, whale)),
        legal: if over { Vec::new() } else { legal(position) },
        impasse: position.impasse().map(Ending::from),
    }
}

fn legal<V: Variant>(position: &Position<V>) -> Vec<LegalMove> {
    let spec = V::SPEC;
    let moves = position.legal_moves();
    let describe = |&m: &kujira_position::Move| {
        let squares = squares_of::<V>(m);
        let way = squares.get(1..squares.len().saturating_sub(1)).unwrap_or_default();
        LegalMove {
            usi: UsiMove::<V>::new(m).to_string(),
            from: (!m.is_drop()).then(|| name(spec.geometry, m.from())),
            drop: m.is_drop().then(|| spec.kind(m.kind()).token.to_owned()),
            way: way.iter().map(|&square| name(spec.geometry, square)).collect(),
            to: name(spec.geometry, m.to()),
            promotes: m.promotes(),
            captures: !m.is_drop()
                && position.piece_on(m.to()).is_some_and(|piece| piece.color() != position.side()),
        }
    };
    moves.iter().map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::{Rules, VariantId};

    #[test]
    fn legal_moves_are_squares_to_click() {
        let start = "5,w,5/11/11/4,p,6/4,f,6/4,+BR,6/11/11/11/11/5,W,5 b M 1";
        let game = Game::new(VariantId::Great, start, Rules::DEFAULT).unwrap();
        let view = view(&game, 0);
        let find = |usi: &str| view.legal.iter().find(|m| m.usi == usi).cloned();
        let both = find("7f7e7d7c").unwrap();
        assert_eq!((both.way, &both.to[..]), (vec!["7e".to_owned(), "7d".to_owned()], "7c"));
        let stop = find("7f7e7d").unwrap();
        assert_eq!((stop.way, stop.captures), (vec!["7e".to_owned()], true));
        let igui = find("7f7e7f").unwrap();
        assert_eq!((igui.from.as_deref(), &igui.to[..]), (Some("7f"), "7f"));
        assert_eq!(find("M*5e").unwrap().drop.as_deref(), Some("M"));
        assert_eq!(find("7f7f"), None, "7e is not empty");
        assert_eq!(view.placement.hands, [vec![("M".to_owned(), 1)], Vec::new()]);
        assert_eq!(view.checked, None);
        let json = serde_json::to_value(find("7f6e").unwrap()).unwrap();
        assert_eq!(json, serde_json::json!({"usi": "7f6e", "from": "7f", "to": "6e"}));
    }
}
