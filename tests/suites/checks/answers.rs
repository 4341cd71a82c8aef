//! Answers to check, where it must be answered.

use kujira_position::{Kind, Move, Piece, Position, Setup, SetupFault, Threats, Variant, Wanted};

use super::seen::Seen;
use super::tried::assert_same;

/// Compares the lists of a position in check with the moves after which the board, set up anew, leaves no whale
/// hanging.
pub fn compare<V: Variant>(position: &Position<V>, seen: &mut Seen) {
    let list = |wanted: Wanted| {
        let mut list = V::MoveList::default();
        position.generate(wanted, &Threats::default(), &mut list);
        list.to_vec()
    };
    let before = position.setup();
    let enemy = position.pieces(!position.side());
    let mut answers = Vec::new();
    for m in candidates(position) {
        match after(&before, m) {
            Some(after) if mates_by_pawn(&after, m) => seen.note("mating drops refused", 1),
            Some(_) => answers.push(m),
            None => seen.note("moves that leave the whale hanging", 1),
        }
    }
    let (captures, quiets): (Vec<Move>, Vec<Move>) =
        answers.iter().copied().partition(|m| enemy.has(m.to()));
    seen.note("answers by a capture", captures.len());
    seen.note("answers by a drop", answers.iter().filter(|m| m.is_drop()).count());
    seen.note("answers of the whale", answers.iter().filter(|m| m.kind() == Kind::WHALE).count());
    seen.note("positions without an answer", usize::from(answers.is_empty()));
    seen.note("positions in check", 1);
    assert_eq!(position.count_moves(), answers.len(), "{position:?}");
    assert_same(position, "capturing answers", list(Wanted::Captures), captures);
    assert_same(position, "quiet answers", list(Wanted::Quiets), quiets);
    assert_same(position, "answers", list(Wanted::All), answers);
}

/// Every move of a piece as if there were no check, and every drop that the rank and the files allow.
fn candidates<V: Variant>(position: &Position<V>) -> Vec<Move> {
    let (spec, geometry, us) = (V::SPEC, V::SPEC.geometry, position.side());
    let own = position.pieces(us);
    let mut moves = Vec::new();
    let pawns_on_file = |to| {
        let is_pawn = |piece: Piece| piece.color() == us && spec.is_pawn(piece.kind());
        let on_file = geometry.reading_order().filter(|&at| geometry.x(at) == geometry.x(to));
        on_file.filter_map(|at| position.piece_on(at)).filter(|&piece| is_pawn(piece)).count()
    };
    for to in geometry.reading_order().filter(|&to| !own.has(to)) {
        for from in position.attackers(to, us, position.occupied()) {
            let Some(piece) = position.piece_on(from) else { continue };
            moves.push(Move::board(piece.kind(), from, to, false));
        }
        if position.piece_on(to).is_some() {
            continue;
        }
        for kind in position.hand(us).iter() {
            let last = geometry.rank_from(to, us) + 1 == geometry.height();
            let full = || pawns_on_file(to) >= usize::from(spec.pawns.file_limit);
            if !(spec.is_pawn(kind) && (last || full())) {
                moves.push(Move::drop(kind, to));
            }
        }
    }
    moves
}

/// The position after a move of the side to move, with the other to move; `None` if the whale of the side that moved
/// hangs in it.
fn after<V: Variant>(before: &Setup<V>, m: Move) -> Option<Position<V>> {
    let us = before.side;
    let mut after = before.clone();
    after.side = !us;
    let change_hand = |after: &mut Setup<V>, kind: Kind, more: i32| {
        let held = after.in_hand(us, kind).checked_add_signed(more).expect("it is in hand");
        after.set_in_hand(us, kind, held);
    };
    if m.is_drop() {
        change_hand(&mut after, m.kind(), -1);
    } else {
        after.set(m.from(), None);
        if let Some(captured) = after.get(m.to()) {
            let held = V::SPEC.kind_named(V::SPEC.kind(captured.kind()).in_hand);
            change_hand(&mut after, held, 1);
        }
    }
    after.set(m.to(), Some(Piece::new(us, m.kind())));
    match after.validate() {
        Ok(position) => Some(position),
        Err(error) => {
            let hangs = |reason: &SetupFault| matches!(reason, SetupFault::CheckLeft { .. });
            assert!(error.reasons().iter().all(hangs), "{error} after {m:?} in {before:?}");
            None
        }
    }
}

/// Whether `m`, which led to the position, dropped a dolphin to mate.
fn mates_by_pawn<V: Variant>(after: &Position<V>, m: Move) -> bool {
    m.is_drop() && V::SPEC.is_pawn(m.kind()) && after.checked() && after.count_moves() == 0
}
