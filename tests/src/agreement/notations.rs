//! What is written is read back the same: positions as SFEN, moves in USI and in Hodges notation.

use kujira_position::{Coordinates, Move, Position, Variant};

/// Writes the position as SFEN and reads it.
///
/// # Panics
/// If another position is read, or none.
pub fn check_position<V: Variant>(position: &Position<V>) {
    let sfen = position.sfen();
    // After the capture of a whale there is nothing to set up.
    if position.whale(position.side()).is_empty() {
        return;
    }
    let back = Position::<V>::from_sfen_under(&sfen, position.rules());
    assert_eq!(back.as_ref(), Ok(position), "{sfen}");
}

/// Writes a legal move in every notation and reads it.
///
/// # Panics
/// If another move is read, or none.
pub fn check_move<V: Variant>(position: &Position<V>, m: Move) {
    let usi = position.usi(m);
    assert_eq!(position.parse_usi(&usi), Ok(m), "{usi} in {}", position.sfen());
    for coordinates in [Coordinates::Japanese, Coordinates::Western] {
        let text = position.hodges(m, coordinates);
        let back = position.parse_hodges(&text, coordinates);
        assert_eq!(back, Ok(m), "{text} ({usi}) in {}", position.sfen());
    }
}

/// Reads a text as a move in every notation; what is read is legal and is written so that it is read again.
///
/// # Panics
/// If it is not.
pub fn check_text<V: Variant>(position: &Position<V>, text: &str) {
    if let Ok(m) = position.parse_usi(text) {
        assert!(position.is_legal(m), "{text} in {}", position.sfen());
        assert_eq!(position.usi(m), text, "{}", position.sfen());
        check_move(position, m);
    }
    for coordinates in [Coordinates::Japanese, Coordinates::Western] {
        if let Ok(m) = position.parse_hodges(text, coordinates) {
            assert!(position.is_legal(m), "{text} in {}", position.sfen());
            check_move(position, m);
        }
    }
}
