//! The lists of moves agree with each other, with the count, and with what the moves do.

use std::collections::HashSet;

use kujira_position::{Move, MoveList, Position, Threats, Variant, Wanted};

/// Compares the whole list, captures, quiet moves and the count.
///
/// # Panics
/// With the position as SFEN, if they do not agree.
pub fn check<V: Variant>(position: &Position<V>) {
    let sfen = position.sfen();
    let all = list(position, Wanted::All);
    let captures = list(position, Wanted::Captures);
    let quiets = list(position, Wanted::Quiets);
    assert_eq!(position.count_moves(), all.len(), "{sfen}");
    let set: HashSet<Move> = all.iter().copied().collect();
    assert_eq!(set.len(), all.len(), "a move twice in {sfen}");
    let texts: HashSet<String> = all.iter().map(|&m| position.usi(m)).collect();
    assert_eq!(texts.len(), all.len(), "a text twice in {sfen}");
    let parts: HashSet<Move> = captures.iter().chain(&quiets).copied().collect();
    assert_eq!(parts, set, "{sfen}");
    assert_eq!(captures.len() + quiets.len(), all.len(), "{sfen}");

    // A capture is a move after which the enemy has fewer pieces on the board.
    let mut after = position.clone();
    let enemy = !position.side();
    let before = position.pieces(enemy).count();
    for (moves, captured) in [(&captures, true), (&quiets, false)] {
        for &m in moves {
            after.make(m);
            let fewer = after.pieces(enemy).count() < before;
            assert_eq!(fewer, captured, "{} in {sfen}", position.usi(m));
            assert_eq!(after.last_move(), Some((m, captured)), "{sfen}");
            after.undo();
        }
    }
    // Adding to a list keeps what is in it.
    let mut both = V::MoveList::default();
    position.generate(Wanted::Captures, &Threats::default(), &mut both);
    position.generate(Wanted::Quiets, &Threats::default(), &mut both);
    assert_eq!(both.len(), all.len(), "{sfen}");
}

fn list<V: Variant>(position: &Position<V>, wanted: Wanted) -> Vec<Move> {
    let mut list = V::MoveList::default();
    position.generate(wanted, &Threats::default(), &mut list);
    assert!(list.len() <= V::MoveList::CAPACITY);
    list.to_vec()
}
