//! Why a move that somebody tried is not legal, in words.
use kujira_position::{
    Bitboard, Board, Kind, Piece, Position, SetupFault, Square, SquareText, Variant, WhaleRule,
    with_variant,
};
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
        if let Some(outcome) = position.outcome() {
            return Some(format!("The game is over: {outcome}."));
        }
        let Some(to) = square::<V>(to) else { return Some("There is no such square.".to_owned()) };
        match (from.and_then(square::<V>), drop.and_then(|token| V::SPEC.find_kind(token))) {
            (Some(from), _) => why_not_move::<V>(&position, from, to),
            (None, Some(kind)) => why_not_drop::<V>(&position, kind, to),
            (None, None) => Some("Choose a piece first.".to_owned()),
        }
    })
}

fn square<V: Variant>(text: &str) -> Option<Square> {
    let (square, rest) = SquareText::parse_prefix(V::SPEC.geometry, text)?;
    rest.is_empty().then_some(square)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn why_not_move<V: Variant>(position: &Position<V>, from: Square, to: Square) -> Option<String> {
    let (spec, us) = (V::SPEC, position.side());
    let name = |square| SquareText(spec.geometry, square).to_string();
    let Some(piece) = position.piece_on(from) else {
        return Some(format!("Nothing stands on {}.", name(from)));
    };
    if piece.color() != us {
        return Some(format!("The piece on {} is {}'s, and it is {us}'s turn.", name(from), !us));
    }
    if position.legal_moves().iter().any(|m| !m.is_drop() && m.from() == from && m.to() == to) {
        return None;
    }
    let what = spec.name_of(piece.kind());
    if to == from {
        return Some(format!("The {what} may not pass here."));
    }
    if position.piece_on(to).is_some_and(|own| own.color() == us) {
        return Some(format!("Your own piece stands on {}.", name(to)));
    }
    let reaches = |occupied: Bitboard<V::Bits>| position.attackers(to, us, occupied).has(from);
    if !reaches(position.occupied()) {
        let alone = reaches(Bitboard::of(from));
        return Some(if alone {
            format!("Something stands in the way of the {what} to {}.", name(to))
        } else {
            format!("The {what} does not move from {} to {}.", name(from), name(to))
        });
    }
    if hangs(position, |setup| {
        setup.set(from, None);
        setup.set(to, Some(piece));
    }) {
        return Some(if position.checked() {
            "Your white whale is in check, and this does not save it.".to_owned()
        } else {
            "This would leave your white whale under attack.".to_owned()
        });
    }
    Some(format!(
        "{} may not retreat to {}: two others of its kind stand on that file.",
        sentence(what),
        name(to)
    ))
}

/// Whether a change of the board leaves the whale of the side to move under attack, where that is
/// not allowed.
fn hangs<V: Variant>(
    position: &Position<V>,
    change: impl FnOnce(&mut kujira_position::Setup<V>),
) -> bool {
    let mut setup = position.setup();
    change(&mut setup);
    setup.side = !position.side();
    let left = |fault: &SetupFault| matches!(fault, SetupFault::CheckLeft { .. });
    setup.validate().is_err_and(|error| error.reasons().iter().any(left))
}

fn why_not_drop<V: Variant>(position: &Position<V>, kind: Kind, to: Square) -> Option<String> {
    let (spec, us) = (V::SPEC, position.side());
    let what = spec.name_of(kind);
    let to_name = SquareText(spec.geometry, to).to_string();
    let hand = position.hand(us);
    if kind.index() > spec.hand_kinds || !hand.has(kind) {
        return Some(format!("{us} has no {what} in hand."));
    }
    if position.legal_moves().iter().any(|m| m.is_drop() && m.kind() == kind && m.to() == to) {
        return None;
    }
    if position.piece_on(to).is_some() {
        return Some(format!("Pieces are dropped on empty squares only; {to_name} is not."));
    }
    if spec.is_pawn(kind) {
        let class = spec.class(spec.class_named(spec.pawns.class)).name;
        if spec.geometry.rank_from(to, us) == spec.geometry.ranks as i8 - 1 {
            return Some(format!("The {what} may not be dropped on the farthest rank."));
        }
        if pawns_on_file(position, to) >= usize::from(spec.pawns.file_limit) {
            let others = match spec.pawns.file_limit {
                1 => format!("another {class}"),
                most => format!("{most} {class}s"),
            };
            return Some(format!(
                "The {what} may not be dropped on a file that holds {others} of yours already."
            ));
        }
    }
    if hangs(position, |setup| setup.set(to, Some(Piece::new(us, kind)))) {
        return Some("Your white whale is in check, and this does not save it.".to_owned());
    }
    Some(match spec.whale {
        WhaleRule::Check => format!("The {what} may not be dropped to give checkmate."),
        WhaleRule::Capture => {
            format!("The {what} may not be dropped so that the white whale cannot escape capture.")
        }
    })
}

/// How many pawn-like pieces of the side to move stand on the file of `square`.
fn pawns_on_file<V: Variant>(position: &Position<V>, square: Square) -> usize {
    let (spec, board): (_, &Board<V>) = (V::SPEC, position);
    let file = spec.geometry.x(square);
    let pieces = board.pieces(position.side()).into_iter();
    pieces
        .filter(|&on| spec.geometry.x(on) == file)
        .filter_map(|on| board.piece_on(on))
        .filter(|piece| spec.is_pawn(piece.kind()))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::{Retreat, Rules, VariantId};

    fn check(variant: VariantId, sfen: &str, rules: Rules, cases: &[(&str, &str, Option<&str>)]) {
        let game = Game::new(variant, sfen, rules).unwrap();
        for &(what, to, expected) in cases {
            let drop = what.chars().next().filter(char::is_ascii_uppercase).map(|_| what);
            let from = if drop.is_some() { None } else { Some(what) };
            let found = explain(&game, 0, from, drop, to);
            assert_eq!(found.as_deref(), expected, "{what} to {to} in {sfen}");
        }
    }

    #[test]
    fn every_reason_on_the_small_board() {
        check(
            VariantId::Whale,
            VariantId::Whale.spec().start,
            Rules::DEFAULT,
            &[
                ("2e", "2d", None),
                ("2e", "2c", Some("The dolphin does not move from 2e to 2c.")),
                ("2b", "2c", Some("The piece on 2b is White's, and it is Black's turn.")),
                ("3d", "2c", Some("Nothing stands on 3d.")),
                ("4f", "4e", Some("Your own piece stands on 4e.")),
                ("5f", "5c", Some("Something stands in the way of the grey whale to 5c.")),
                ("2e", "2e", Some("The dolphin may not pass here.")),
                ("D", "2d", Some("Black has no dolphin in hand.")),
                ("2e", "9z", Some("There is no such square.")),
            ],
        );
        // The grey whale on 2b checks down the file of the white whale, which a humpback shields.
        check(
            VariantId::Whale,
            "4w1/4G1/6/1D4/1D2h1/1N2W1 w D 1",
            Rules::DEFAULT,
            &[("2e", "3f", Some("Your white whale is in check, and this does not save it."))],
        );
        check(
            VariantId::Whale,
            "w5/6/6/1D4/1D4/1N2W1 b Dh 1",
            Rules::DEFAULT,
            &[
                (
                    "D",
                    "5c",
                    Some(
                        "The dolphin may not be dropped on a file that holds 2 dolphins of yours already.",
                    ),
                ),
                ("D", "3a", Some("The dolphin may not be dropped on the farthest rank.")),
                ("D", "5d", Some("Pieces are dropped on empty squares only; 5d is not.")),
                ("D", "4c", None),
            ],
        );
        let rules = Rules { retreat_file_limit: true, retreat: Retreat::Slide, ..Rules::DEFAULT };
        check(
            VariantId::Whale,
            "1D3w/6/6/2D3/2D3/1N2W1 b - 1",
            rules,
            &[
                (
                    "5a",
                    "4b",
                    Some(
                        "Dolphin may not retreat to 4b: two others of its kind stand on that file.",
                    ),
                ),
                ("5a", "6b", None),
            ],
        );
    }

    #[test]
    fn mating_drops_are_named() {
        // The killer whale keeps the corner shut, the blue whale protects the dolphin.
        check(
            VariantId::Whale,
            "w5/6/B5/1K4/6/5W b DN 1",
            Rules::DEFAULT,
            &[
                ("D", "6b", Some("The dolphin may not be dropped to give checkmate.")),
                ("D", "5b", None),
                ("N", "6b", None),
            ],
        );
        check(
            VariantId::Great,
            "5,w,5/11/11/11/11/5,FC,5/11/11/11/11/5,W,5 b MC 1",
            Rules::DEFAULT,
            &[
                (
                    "MC",
                    "6h",
                    Some(
                        "The minke whale calf may not be dropped on a file that holds another calf of yours already.",
                    ),
                ),
                ("MC", "5h", None),
            ],
        );
    }
}
