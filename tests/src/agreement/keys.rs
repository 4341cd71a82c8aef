//! Incremental keys are those computed from nothing, check is what a fresh look says, and taking a move back
//! restores everything.

use kujira_position::{Move, Position, Variant};

/// Compares what a position has kept up to date with the position set up anew.
///
/// # Panics
/// With the position as SFEN, if they do not agree.
pub fn check_node<V: Variant>(position: &Position<V>) {
    let sfen = position.sfen();
    assert_eq!((position.board_key(), position.hand_key()), position.keys_from_scratch(), "{sfen}");
    assert_eq!(position.key(), position.board_key() ^ position.hand_key());
    assert_eq!(position.checked(), position.board().in_check(), "{sfen}");
    let fresh = position.setup().validate();
    // Only a captured whale makes a position that cannot be set up.
    if let Ok(fresh) = &fresh {
        assert_eq!(fresh, position, "{sfen} set up again");
        assert_eq!(fresh.key(), position.key(), "{sfen} set up again");
        assert_eq!(fresh.checked(), position.checked(), "{sfen} set up again");
    } else {
        assert!(position.whale(position.side()).is_empty(), "{sfen}: {fresh:?}");
    }
}

/// Plays a legal move, lets `there` look, and takes the move back, which restores everything.
///
/// # Panics
/// With the position as SFEN, if it does not.
pub fn there_and_back<V: Variant, T>(
    position: &mut Position<V>,
    m: Move,
    there: impl FnOnce(&mut Position<V>) -> T,
) -> T {
    let before = position.clone();
    position.make(m);
    assert_ne!(position.key(), before.key(), "{} {}", before.sfen(), before.usi(m));
    let seen = there(position);
    position.undo();
    let told = || format!("{} after {} and back", before.sfen(), before.usi(m));
    assert_eq!(*position, before, "{}", told());
    assert_eq!(position.key(), before.key(), "{}", told());
    assert_eq!(position.hand_key(), before.hand_key(), "{}", told());
    assert_eq!(position.checked(), before.checked(), "{}", told());
    seen
}
