//! Static exchange evaluation: the balance of a capture when both sides go on capturing on its end
//! square.

use kujira_position::{Bitboard, Board, Kind, Move, Threats, Variant, WhaleRule};

use crate::eval::{PieceValues, captured};
use crate::score::Value;

/// Whether making `m`, a legal move, and exchanging on its end square gains at least `threshold`
/// centipawns. Each capture counts twice: the piece leaves one side and reaches the other's hand.
/// Pins and captures on the way of later moves are not looked at.
pub(crate) fn gains<V: Variant>(
    board: &Board<V>,
    threats: &Threats<V>,
    values: &PieceValues,
    m: Move,
    threshold: Value,
) -> bool {
    let (us, to) = (board.side(), m.to());
    let mut occupied = board.occupied();
    let mut balance = -threshold;
    let mut standing = m.kind();
    if let Some(capture) = captured(board, m) {
        for (square, piece) in capture.pieces(board) {
            balance += values.see_value(piece.kind());
            occupied &= !Bitboard::of(square);
        }
    }
    if m.promotes() {
        balance += values.promotion_gain(m.kind());
        standing = values.promoted(m.kind());
    }
    if balance < 0 {
        return false;
    }
    if balance >= values.see_value(standing) && standing != Kind::WHALE {
        return true;
    }
    if !m.is_drop() {
        occupied &= !Bitboard::of(m.from());
    }
    occupied |= Bitboard::of(to);
    // Most moves end where nothing attacks, nor does once their squares are left.
    let enemy = threats.of(board, !us);
    let left = board.occupied() & !occupied;
    let whale = board.whale(!us).first().map_or(Bitboard::EMPTY, Board::<V>::ring);
    if !(enemy.all() | whale).has(to) && (enemy.slides() & left).is_empty() {
        return true;
    }
    let mut side = !us;
    // The side that is to capture loses the argument if it cannot; `balance` is what `us` has beyond the
    // threshold.
    loop {
        let attackers = board.attackers(to, side, occupied) & occupied & board.pieces(side);
        let attackers = attackers & !Bitboard::of(to);
        let least = attackers
            .into_iter()
            .filter_map(|square| Some((square, board.piece_on(square)?.kind())))
            .min_by_key(|&(_, kind)| values.see_value(kind));
        let Some((square, kind)) = least else { return side != us };
        if kind == Kind::WHALE {
            // Where whales are saved, one cannot take what is defended.
            let defended = (board.attackers(to, !side, occupied & !Bitboard::of(square))
                & occupied
                & board.pieces(!side)
                & !Bitboard::of(to))
            .any();
            if defended && matches!(V::SPEC.whale, WhaleRule::Check) {
                return side != us;
            }
        }
        let gain = values.see_value(standing);
        balance += if side == us { gain } else { -gain };
        standing = kind;
        occupied &= !Bitboard::of(square);
        // The side that captured stops when it is ahead even if its piece is lost next.
        let next = values.see_value(kind);
        if side == us {
            if balance - next >= 0 {
                return true;
            }
        } else if balance + next < 0 {
            return false;
        }
        side = !side;
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Position, Whale};

    use super::*;

    fn check<V: Variant>(sfen: &str, m: &str, good: bool) {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let values = PieceValues::built_in::<V>();
        let m = position.parse_usi(m).unwrap();
        let found = gains(position.board(), &Threats::default(), &values, m, 0);
        assert_eq!(found, good, "{sfen} {m:?}");
    }

    #[test]
    fn exchanges() {
        // A dolphin takes a dolphin that nobody defends, or that another one defends.
        check::<Whale>("w5/6/2d3/2D3/6/5W b - 1", "4d4c", true);
        check::<Whale>("w5/2d3/2d3/2D3/6/5W b - 1", "4d4c", true);
        // A killer whale does not take a defended dolphin, but an undefended one.
        check::<Whale>("w5/2d3/2d3/6/2K3/5W b - 1", "4e4c", false);
        check::<Whale>("w5/6/2d3/6/2K3/5W b - 1", "4e4c", true);
        // Two attackers against one defender.
        check::<Whale>("w5/2k3/2h3/2D3/2K3/5W b - 1", "4d4c", true);
        // Quiet moves onto attacked squares lose the piece.
        check::<Whale>("w5/2d3/6/6/2K3/5W b - 1", "4e4c", false);
        check::<Whale>("w5/2d3/6/6/2K3/5W b - 1", "4e4d", true);
        // Drops.
        check::<Whale>("w5/2d3/6/6/6/5W b H 1", "H*4c", false);
        check::<Whale>("w5/2d3/6/6/6/5W b H 1", "H*4d", true);
        // The whale takes what nobody defends and cannot take the defended.
        check::<Whale>("6/2w3/6/2D3/6/5W b - 1", "4d4c", false);
        check::<Whale>("6/2w3/6/2D3/2K3/5W b - 1", "4d4c", true);
    }

    #[test]
    fn a_lion_takes_two_and_may_be_taken() {
        let sfen = "5,w,5/11/5,p,5/5,kc,5/5,bd,5/5,+BR,5/11/11/11/11/5,W,5 b - 1";
        check::<Great>(sfen, "6f6e6f", true);
        check::<Great>(sfen, "6f6e", false);
    }
}
