//! Material on the board and in hand, where it stands, and the safety of the whales.

use std::sync::Arc;

use kujira_position::{Bitboard, Board, Color, Move, Piece, Square, Variant};

use super::{Evaluator, Worth, captured};
use crate::params::{hand_danger, pressure, shelter, tempo};
use crate::score::{EVAL_LIMIT, MAX_PLY, Value};

/// Adds up [`Worth`], kept up to date move by move, and looks at the squares round the whales.
pub(crate) struct Material<V: Variant> {
    worth: Arc<Worth>,
    /// Sums from Black's point of view, one for each move made since the reset.
    sums: Vec<Value>,
    /// The squares within one and within two king steps, by square.
    around: Box<[[Bitboard<V::Bits>; 2]]>,
}

impl<V: Variant> Material<V> {
    pub(crate) fn new(worth: Arc<Worth>) -> Self {
        let geometry = V::SPEC.geometry;
        let within = |square: Square, steps: i8| -> Bitboard<V::Bits> {
            geometry
                .reading_order()
                .filter(|&other| {
                    let (dx, dy) = (
                        geometry.x(other) - geometry.x(square),
                        geometry.y(other) - geometry.y(square),
                    );
                    other != square && dx.abs().max(dy.abs()) <= steps
                })
                .collect()
        };
        let around = (0..geometry.squares())
            .map(Square::from_index)
            .map(|square| [within(square, 1), within(square, 2)])
            .collect();
        let mut sums = Vec::with_capacity(MAX_PLY + 4);
        sums.push(0);
        Self { worth, sums, around }
    }

    fn sum(&self) -> Value {
        self.sums.last().copied().unwrap_or(0)
    }

    /// Danger to the whale of `color`, centipawns.
    #[inline]
    fn danger(&self, board: &Board<V>, color: Color) -> Value {
        let Some(whale) = board.whale(color).first() else { return 0 };
        let [beside, near] = self.around[whale.index()];
        let guards = (board.pieces(color) & beside).count() as Value;
        let attackers = (board.pieces(!color) & near).count() as Value;
        let open = beside.count() as Value - guards;
        let droppable = board.hand(!color).kinds().min(8) as Value;
        pressure() * attackers + hand_danger() * droppable * open - shelter() * guards
    }

    /// The whole sum computed from nothing.
    fn sum_anew(&self, board: &Board<V>) -> Value {
        let placed: Value = board
            .occupied()
            .into_iter()
            .filter_map(|square| Some(self.worth.placed::<V>(board.piece_on(square)?, square)))
            .sum();
        let hand = |color: Color| -> Value {
            let hand = board.hand(color);
            hand.iter().map(|kind| self.worth.in_hand(kind) * hand.count(kind) as Value).sum()
        };
        placed + hand(Color::Black) - hand(Color::White)
    }
}

impl<V: Variant> Evaluator<V> for Material<V> {
    fn reset(&mut self, board: &Board<V>) {
        let sum = self.sum_anew(board);
        self.sums.clear();
        self.sums.push(sum);
    }

    #[inline]
    fn make(&mut self, board: &Board<V>, m: Move) {
        let us = board.side();
        let signed = |value: Value| if us == Color::Black { value } else { -value };
        let (kind, to) = (m.kind(), m.to());
        let mut sum = self.sum();
        if m.is_drop() {
            sum -= signed(self.worth.in_hand(kind));
            sum += self.worth.placed::<V>(Piece::new(us, kind), to);
        } else {
            sum -= self.worth.placed::<V>(Piece::new(us, kind), m.from());
            if let Some(capture) = captured(board, m) {
                for (square, piece) in capture.pieces(board) {
                    sum -= self.worth.placed::<V>(piece, square);
                    sum += signed(self.worth.gained(piece.kind()));
                }
            }
            let arriving = if m.promotes() { self.worth.promoted(kind) } else { kind };
            sum += self.worth.placed::<V>(Piece::new(us, arriving), to);
        }
        self.sums.push(sum);
    }

    #[inline]
    fn pass(&mut self) {
        self.sums.push(self.sum());
    }

    #[inline]
    fn undo(&mut self) {
        self.sums.pop();
    }

    #[inline]
    fn evaluate(&self, board: &Board<V>) -> Value {
        let safety = self.danger(board, Color::White) - self.danger(board, Color::Black);
        let black = self.sum() + safety;
        let ours = if board.side() == Color::Black { black } else { -black };
        (ours + tempo()).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Position, Whale};

    use super::*;

    /// Random games: the sum kept up to date is the sum computed from nothing, and the board turned
    /// round has the same score.
    fn check<V: Variant>() {
        let mut material = Material::<V>::new(Arc::new(Worth::new::<V>()));
        let mut random = 1_u64;
        for _ in 0..20 {
            let mut position = Position::<V>::start();
            material.reset(position.board());
            for _ in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = moves[(random >> 33) as usize % moves.len()];
                let before = material.sum();
                material.make(position.board(), m);
                position.make(m);
                assert_eq!(material.sum(), material.sum_anew(position.board()), "{m:?}");
                let mut turned = Material::<V>::new(material.worth.clone());
                turned.reset(position.turned().board());
                assert_eq!(
                    turned.evaluate(position.turned().board()),
                    material.evaluate(position.board())
                );
                let after = material.sum();
                material.undo();
                assert_eq!(material.sum(), before);
                material.sums.push(after);
            }
        }
    }

    #[test]
    fn sums_follow_the_moves() {
        check::<Whale>();
        check::<Paulowich>();
        check::<Great>();
    }

    #[test]
    fn the_start_is_even() {
        let mut material = Material::<Great>::new(Arc::new(Worth::new::<Great>()));
        let start = Position::<Great>::start();
        material.reset(start.board());
        assert_eq!(material.sum(), 0);
        assert_eq!(material.evaluate(start.board()), tempo());
    }
}
