//! What is attacked, for whoever wants to see it on the board.
use kujira_position::{Board, Color, Coordinates, Square, Variant, with_variant};
use kujira_record::{Game, NodeId};
use serde::Serialize;

/// What each side attacks in a position.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Attacks {
    /// The position.
    pub at: NodeId,
    /// The squares that Black attacks, and those that White attacks, their own pieces' too.
    pub attacked: [Vec<String>; 2],
    /// The squares of pieces that the other side attacks and their own does not protect.
    pub hanging: Vec<String>,
}

/// What is attacked at a node.
#[must_use]
pub fn attacks(game: &Game, at: NodeId) -> Attacks {
    with_variant!(game.variant(), V => {
        let position = game.position::<V>(at);
        let board = position.board();
        let attacked = [Color::Black, Color::White].map(|color| {
            of::<V>(|square| board.attackers(square, color, board.occupied()).any())
        });
        Attacks { at, attacked, hanging: of::<V>(|square| hangs(board, square)) }
    })
}

/// The names of the squares that satisfy a condition.
fn of<V: Variant>(is_wanted: impl Fn(Square) -> bool) -> Vec<String> {
    let geometry = V::SPEC.geometry;
    let wanted = geometry.reading_order().filter(|&square| is_wanted(square));
    wanted.map(|square| Coordinates::Japanese.name(geometry, square)).collect()
}

/// Whether the piece on a square, if there is one, is attacked and not protected.
fn hangs<V: Variant>(board: &Board<V>, square: Square) -> bool {
    board.piece_on(square).is_some_and(|piece| {
        let by = |color| board.attackers(square, color, board.occupied()).any();
        by(!piece.color()) && !by(piece.color())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kujira_position::{Rules, VariantId};

    #[test]
    fn what_is_attacked_and_what_hangs_is_told() {
        let game = |sfen| Game::new(VariantId::Whale, sfen, Rules::DEFAULT).unwrap();
        // A dolphin steps straight ahead, a white whale to all sides.
        let found = attacks(&game("w5/6/6/3d2/3D2/5W b - 1"), 0);
        assert_eq!(found.attacked[0], ["3d", "2e", "1e", "2f"]);
        assert_eq!(found.attacked[1], ["5a", "6b", "5b", "3e"]);
        assert_eq!(found.hanging, ["3d", "3e"]);
        // A piece that is protected does not hang.
        let found = attacks(&game("w5/6/6/3d2/3D2/3W2 b - 1"), 0);
        assert_eq!(found.hanging, ["3d"]);
    }
}
