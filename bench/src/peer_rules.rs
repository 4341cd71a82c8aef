//! Perft with Fairy-Stockfish's list of moves, to compare counts with it.
//!
//! It differs from ours in two points: mating drops are listed (its search takes them for lost), and
//! a dolphin on the farthest rank, which is another piece to it, does not count in the file rule.

use kujira_position::{Hook, Leaves, Move, Piece, Position, Square, Variant, perft};
use kujira_search::perft::MoveTree;

/// Whether Fairy-Stockfish plays this game: those in which pawns are two pieces to it.
#[must_use]
pub fn are_known<V: Variant>() -> bool {
    V::SPEC.classes.iter().any(|class| matches!(class.hook, Hook::Retreat { .. }))
}

/// The drops that Fairy-Stockfish lists and we do not.
fn extra_drops<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let (us, spec) = (position.side(), V::SPEC);
    let last = spec.geometry.ranks as i8 - 1;
    let is_last = |square: Square| spec.geometry.rank_from(square, us) == last;
    let crowd = |square: Square| {
        let on_file = |other: &Square| spec.geometry.x(*other) == spec.geometry.x(square);
        spec.geometry
            .reading_order()
            .filter(on_file)
            .filter(|&other| !is_last(other))
            .filter_map(|other| position.piece_on(other))
            .filter(|piece| piece.color() == us && spec.is_pawn(piece.kind()))
            .count()
    };
    let mut extra = Vec::new();
    for kind in position.hand(us).iter().filter(|&kind| spec.is_pawn(kind)) {
        for to in spec.geometry.reading_order() {
            let m = Move::drop(kind, to);
            if is_last(to)
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

/// The position after a drop, whatever the rules of drops say; `None` if it would leave the own
/// whale in check.
fn dropped<V: Variant>(position: &Position<V>, m: Move) -> Option<Position<V>> {
    let (us, kind, to) = (position.side(), m.kind(), m.to());
    let mut setup = position.setup();
    setup.set(to, Some(Piece::new(us, kind)));
    setup.set_in_hand(us, kind, setup.in_hand(us, kind).checked_sub(1)?);
    setup.side = !us;
    setup.ply = setup.ply.saturating_add(1);
    setup.validate().ok()
}

/// The number of sequences of `depth` moves of Fairy-Stockfish's list.
#[must_use]
pub fn count<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => perft(position, 1, Leaves::Bulk) + extra_drops(position).len() as u64,
        _ => moves(position).into_iter().map(|m| count(&after(position, m), depth - 1)).sum(),
    }
}

/// The moves of Fairy-Stockfish's list.
#[must_use]
pub fn moves<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.extend(extra_drops(position));
    moves
}

/// The position after `m`.
///
/// # Panics
/// If `m` is none of [`moves`].
#[must_use]
pub fn after<V: Variant>(position: &Position<V>, m: Move) -> Position<V> {
    if position.is_legal(m) {
        return Leaves::Bulk.after(position, m);
    }
    dropped(position, m).expect("a move of the list")
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn extra<V: Variant>(sfen: &str) -> Vec<String> {
        let position = Position::<V>::from_sfen(sfen).unwrap();
        let mut moves: Vec<_> =
            extra_drops(&position).into_iter().map(|m| position.usi(m)).collect();
        moves.sort();
        let listed = super::moves(&position).len() as u64;
        assert_eq!(count(&position, 1), listed);
        assert_eq!(listed, position.legal_moves().len() as u64 + moves.len() as u64);
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
    fn counts_agree_where_the_lists_do() {
        let whale = Position::<Whale>::start();
        for (depth, leaves) in [(1, 7), (2, 49), (3, 398), (4, 3230)] {
            assert_eq!(count(&whale, depth), leaves);
        }
        // The first mating drops come at the fifth ply, such as this one.
        let mut mated = whale;
        for text in ["3e3d", "3b3c", "3d3c", "1b1c"] {
            let m = mated.parse_usi(text).unwrap();
            mated.make(m);
        }
        assert_eq!(extra::<Whale>(&mated.sfen()), ["D*3b"]);
        let paulowich = Position::<Paulowich>::start();
        assert_eq!(count(&paulowich, 4), 5329);
        assert!(are_known::<Whale>() && are_known::<Paulowich>() && !are_known::<Great>());
    }
}
