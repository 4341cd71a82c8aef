//! The board turned round with colors swapped: the same game from the other side.

use kujira_position::{Move, Position, Variant, Way};

/// Compares the moves of a position and of the turned one, and what they lead to.
///
/// # Panics
/// With the position as SFEN, if they do not agree.
pub fn check<V: Variant>(position: &Position<V>) {
    let turned = position.turned();
    assert_eq!(turned.count_moves(), position.count_moves(), "{}", position.sfen());
    let mut expected: Vec<Move> =
        position.legal_moves().iter().map(|&m| turned_move::<V>(m)).collect();
    expected.sort_unstable();
    let mut found = turned.legal_moves().to_vec();
    found.sort_unstable();
    assert_eq!(found, expected, "{}", position.sfen());
    // And they lead to positions that are each other's turned ones.
    let (mut here, mut there) = (position.clone(), turned);
    for &m in position.legal_moves().iter() {
        here.make(m);
        there.make(turned_move::<V>(m));
        assert_eq!(here.turned(), there, "{} {}", position.sfen(), position.usi(m));
        assert_eq!(here.checked(), there.checked(), "{}", position.sfen());
        here.undo();
        there.undo();
    }
}

/// The same move seen from the other side.
fn turned_move<V: Variant>(m: Move) -> Move {
    let turned = |square| V::SPEC.geometry.turned(square);
    if m.is_drop() {
        return Move::drop(m.kind(), turned(m.to()));
    }
    let (from, to) = (turned(m.from()), turned(m.to()));
    match m.way() {
        None => Move::board(m.kind(), from, to, m.promotes()),
        Some(way) => {
            let mask = (1..=2).filter(|&step| way.captures_step(step)).sum();
            // Opposite queen directions are four apart.
            Move::lion(m.kind(), from, to, Way::new((way.line() + 4) % 8, mask))
        }
    }
}
