//! Every legal move of a position, made once: what all the lists are compared with.

use kujira_position::{Move, Position, Variant, WhaleRule};

/// A legal move and what it turned out to do.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    pub m: Move,
    /// The enemy has fewer pieces on the board after it.
    pub captures: bool,
    /// What moved is another kind of piece after it.
    pub promotes: bool,
    /// The enemy whale is attacked after it.
    pub checks: bool,
    /// It checks, and the piece that moved does not attack the whale.
    pub opens: bool,
    /// It checks where checks must be answered, and there is no answer.
    pub mates: bool,
    /// The own whale is attacked after it, where that is allowed.
    pub hangs: bool,
}

/// All legal moves, in the order of moves.
pub fn tried<V: Variant>(position: &Position<V>) -> Vec<Tried> {
    let (us, enemy) = (position.side(), !position.side());
    let answered = matches!(V::SPEC.whale, WhaleRule::Check);
    let before = position.pieces(enemy).count();
    let mut after = position.clone();
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable();
    let try_it = |m: Move| {
        after.make(m);
        let captures = after.pieces(enemy).count() < before;
        let promotes = after.piece_on(m.to()).is_some_and(|piece| piece.kind() != m.kind());
        let checks = after.checked();
        let whale = after.whale(enemy).first().filter(|_| checks);
        let opens = whale.is_some_and(|at| !after.attackers(at, us, after.occupied()).has(m.to()));
        let mates = checks && answered && after.count_moves() == 0;
        let hangs = !answered && after.whale_attacked(us);
        after.undo();
        Tried { m, captures, promotes, checks, opens, mates, hangs }
    };
    moves.into_iter().map(try_it).collect()
}

/// Fails where the lists differ, whatever their order.
pub fn assert_same<V: Variant>(
    position: &Position<V>,
    what: &str,
    mut found: Vec<Move>,
    mut expected: Vec<Move>,
) {
    found.sort_unstable();
    expected.sort_unstable();
    if found != expected {
        let texts = |moves: &[Move]| moves.iter().map(|&m| position.usi(m)).collect::<Vec<_>>();
        let (found, expected) = (texts(&found), texts(&expected));
        panic!("{what} in {position:?}: found {found:?}, expected {expected:?}");
    }
}
