//! What a move captures.

use kujira_position::{Board, Color, Direction, Move, Piece, Square, Variant};

/// A capture: the squares emptied of enemy pieces, the end square first.
pub struct Capture {
    squares: [Option<Square>; 3],
}

impl Capture {
    /// The pieces captured and where.
    #[inline(always)]
    pub fn pieces<V: Variant>(&self, board: &Board<V>) -> impl Iterator<Item = (Square, Piece)> {
        let captures = if const { V::SPEC.has_lions() } { 3 } else { 1 };
        self.squares[..captures]
            .iter()
            .flatten()
            .filter_map(move |&square| Some((square, board.piece_on(square)?)))
    }
}

/// What `m`, legal on `board`, captures; `None` if nothing.
#[inline]
pub fn captured<V: Variant>(board: &Board<V>, m: Move) -> Option<Capture> {
    if m.is_drop() {
        return None;
    }
    let mut squares = [None; 3];
    let (from, to) = (m.from(), m.to());
    // A pass ends where it starts, igui too: what stands there is the piece itself.
    if from != to && board.piece_on(to).is_some() {
        squares[0] = Some(to);
    }
    if const { V::SPEC.has_lions() }
        && let Some(way) = m.way()
    {
        let (dx, dy) = Direction::from_index(way.line()).offset();
        let on_the_way = |step: i8| {
            let square = V::SPEC.geometry.step(from, Color::Black, dx * step, dy * step);
            square.filter(|_| way.captures_step(usize::from(step.unsigned_abs())))
        };
        squares[1] = on_the_way(1);
        squares[2] = on_the_way(2);
    }
    (squares != [None; 3]).then_some(Capture { squares })
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Position};

    use super::*;

    #[test]
    fn captures_on_the_way_are_seen() {
        let position = Position::<Great>::from_sfen(
            "5,w,5/11/11/5,kc,5/5,p,5/5,+BR,5/11/11/11/11/5,W,5 b - 1",
        )
        .unwrap();
        let count = |text: &str| {
            let m = position.parse_usi(text).unwrap();
            captured(position.board(), m).map_or(0, |c| c.pieces(position.board()).count())
        };
        assert_eq!(count("6f6e6f"), 1);
        assert_eq!(count("6f6e6d6c"), 2);
        assert_eq!(count("6f6e6d"), 2);
        assert_eq!(count("6f6e"), 1);
        assert_eq!(count("6f6c"), 0);
        assert_eq!(count("6f5f"), 0);
    }
}
