//! Where Fairy-Stockfish's rules differ from ours.
//!
//! Its lists of moves hold all of our legal moves and a few more: drops of dolphins that mate, and drops onto a file
//! that is full only because one of the dolphins there stands on the farthest rank, where it is another piece to it.
//! A mate by such a drop is a defeat, and a mate by a dolphin's retreat it takes for one.

use kujira_position::{Move, Piece, Position, Square, Variant};

use super::spelling::{is_last, retreats};

/// The drops that Fairy-Stockfish lists and we do not.
#[must_use]
pub fn extra_drops<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let (us, spec) = (position.side(), V::SPEC);
    let crowd = |square: Square| {
        let on_file = |other: &Square| spec.geometry.x(*other) == spec.geometry.x(square);
        spec.geometry
            .reading_order()
            .filter(on_file)
            .filter(|&other| !is_last::<V>(other, us))
            .filter_map(|other| position.piece_on(other))
            .filter(|piece| piece.color() == us && spec.is_pawn(piece.kind()))
            .count()
    };
    let mut extra = Vec::new();
    for kind in position.hand(us).iter().filter(|&kind| spec.is_pawn(kind)) {
        for to in spec.geometry.reading_order() {
            let m = Move::drop(kind, to);
            if is_last::<V>(to, us)
                || position.piece_on(to).is_some()
                || crowd(to) >= usize::from(spec.pawns.file_limit)
                || position.is_legal(m)
            {
                continue;
            }
            if dropped(position, m).is_some() {
                extra.push(m);
            }
        }
    }
    extra
}

/// The position after a drop of a piece in hand onto an empty square, whatever the rules of drops say, without the
/// moves before; `None` if it would leave the own whale in check.
#[must_use]
pub fn dropped<V: Variant>(position: &Position<V>, m: Move) -> Option<Position<V>> {
    let (us, kind, to) = (position.side(), m.kind(), m.to());
    let mut setup = position.setup();
    setup.set(to, Some(Piece::new(us, kind)));
    setup.set_in_hand(us, kind, setup.in_hand(us, kind).checked_sub(1)?);
    setup.side = !us;
    setup.ply = setup.ply.saturating_add(1);
    setup.validate().ok()
}

/// Whether the side to move is mated by our rules.
#[must_use]
pub fn is_mated<V: Variant>(position: &Position<V>) -> bool {
    position.checked() && position.count_moves() == 0
}

/// Whether a legal move mates by a dolphin's retreat alone, capturing nothing: Fairy-Stockfish, which knows a drop by
/// the pieces that are on the board after it and were not before, takes it for a mating drop, and the game for lost.
#[must_use]
pub fn is_mating_retreat<V: Variant>(position: &Position<V>, m: Move) -> bool {
    let us = position.side();
    let steps_off = !m.is_drop()
        && retreats::<V>(m.kind())
        && is_last::<V>(m.from(), us)
        && !is_last::<V>(m.to(), us)
        && position.piece_on(m.to()).is_none();
    if !steps_off {
        return false;
    }
    let mut after = position.clone();
    after.make(m);
    let Some(whale) = after.whale(!us).first() else { return false };
    let by_pawn = |square: Square| {
        let kind = after.piece_on(square).map(Piece::kind);
        kind.is_some_and(|kind| V::SPEC.is_pawn(kind)) && !is_last::<V>(square, us)
    };
    is_mated(&after) && after.attackers(whale, us, after.occupied()).into_iter().all(by_pawn)
}

#[cfg(test)]
mod tests {
    use kujira_position::{Variant, Whale};

    use super::*;

    fn extra<V: Variant>(sfen: &str) -> Vec<String> {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut moves: Vec<_> =
            extra_drops(&position).into_iter().map(|m| position.usi(m)).collect();
        moves.sort();
        moves
    }

    #[test]
    fn mating_drops_are_listed() {
        assert_eq!(extra::<Whale>("5w/3K2/5W/6/6/6 b D 1"), ["D*1b"]);
        // At the last ply that can be counted, too.
        assert_eq!(extra::<Whale>("5w/3K2/5W/6/6/6 b D 4294967295"), ["D*1b"]);
        // Not mate: the whale can take the dolphin.
        assert_eq!(extra::<Whale>("5w/6/5W/6/6/6 b D 1"), [] as [&str; 0]);
    }

    #[test]
    fn the_farthest_rank_does_not_count() {
        // Two dolphins on file 6, one of them on the farthest rank.
        assert_eq!(extra::<Whale>("D4w/6/6/D5/6/5W b D 1"), ["D*6b", "D*6c", "D*6e", "D*6f"]);
        // Two others: the file is full either way.
        assert_eq!(extra::<Whale>("5w/6/D5/D5/6/5W b D 1"), [] as [&str; 0]);
        // White's farthest rank is the other one.
        assert_eq!(extra::<Whale>("w5/6/5d/6/6/W4d w d 1"), ["D*1a", "D*1b", "D*1d", "D*1e"]);
    }

    #[test]
    fn a_drop_that_leaves_the_whale_in_check_is_no_move() {
        // The killer whale on 1a checks along the first file; 1b to 1e would block, and the file
        // rule alone forbids our dolphins there.
        let sfen = "w4k/6/6/6/5D/5W b D 1";
        assert_eq!(extra::<Whale>(sfen), [] as [&str; 0]);
        let sfen = "w3Dk/6/4D1/6/6/5W b D 1";
        // In check: of the drops on file 2 none blocks.
        assert_eq!(extra::<Whale>(sfen), [] as [&str; 0]);
    }

    #[test]
    fn a_retreat_that_mates_is_known() {
        for (sfen, mates) in [
            // After the other retreats the whale has no move either, but is not in check.
            ("wD4/6/1K4/6/6/5W b - 1", &["5a6b"][..]),
            // With a capture it is no drop.
            ("wD4/d5/1K4/6/6/5W b - 1", &[]),
            // The whale can step away.
            ("wD4/6/2K3/6/6/5W b - 1", &[]),
            // White's, turned round.
            ("w5/6/6/4k1/6/4dW w - 1", &["2f1e"]),
        ] {
            let position = Position::<Whale>::from_sfen(sfen).unwrap();
            let legal = position.legal_moves();
            let found: Vec<String> = legal
                .iter()
                .filter(|&&m| is_mating_retreat(&position, m))
                .map(|&m| position.usi(m))
                .collect();
            assert_eq!(found, mates, "{sfen}");
        }
    }
}
