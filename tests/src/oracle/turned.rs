//! The board turned round, with colours swapped: a game is the same game from
//! either side, so whatever holds of a position holds of the turned one.

use super::Oracle;
use super::board::{Board, Color, Hands, Piece, Square};
use super::game::Game;

pub(super) fn position(of: &Oracle) -> Oracle {
    let mut board = Board::empty();
    for from in of.squares() {
        let piece =
            of.board.get(from).map(|piece| Piece { color: piece.color.opponent(), ..piece });
        board.set(square(of.game, from), piece);
    }
    let mut hands = Hands::empty();
    for color in [Color::Black, Color::White] {
        for species in 0..of.game.species().len() {
            *hands.count_mut(color.opponent(), species) = of.hands.count(color, species);
        }
    }
    Oracle { board, hands, side: of.side.opponent(), ..of.clone() }
}

pub(super) fn square(game: Game, of: Square) -> Square {
    let beyond = game.size() + 1;
    Square { file: beyond - of.file, rank: beyond - of.rank }
}
