//! Mirrored positions, for tests.

use kujira_position::{Position, Setup, Variant};

/// `position` with left and right exchanged.
pub(super) fn mirrored<V: Variant>(position: &Position<V>) -> Position<V> {
    let (setup, geometry) = (position.setup(), V::SPEC.geometry);
    let mut mirrored = position.setup();
    for square in geometry.reading_order() {
        let x = geometry.files as i8 - 1 - geometry.x(square);
        let there = geometry.square(x, geometry.y(square)).unwrap();
        mirrored.set(there, setup.get(square));
    }
    Setup::validate(&mirrored).unwrap()
}
