//! The board as a picture in text.

use std::fmt;

use crate::position::Position;
use crate::types::Color;
use crate::variant::Variant;

impl<V: Variant> fmt::Display for Position<V> {
    /// The board with coordinates, the hands, the side to move and the SFEN. Black's pieces are in
    /// upper case, White's in lower case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (spec, geometry) = (V::SPEC, V::SPEC.geometry);
        let width = spec.kinds.iter().map(|kind| kind.token.len()).max().unwrap_or(1) + 1;
        let hand = |color: Color| {
            let hand = self.hand(color);
            let pieces: Vec<_> = hand
                .iter()
                .map(|kind| match hand.count(kind) {
                    1 => spec.token(color, kind),
                    count => format!("{count}{}", spec.token(color, kind)),
                })
                .collect();
            if pieces.is_empty() { "-".to_owned() } else { pieces.join(" ") }
        };
        writeln!(f, "White in hand: {}", hand(Color::White))?;
        writeln!(f)?;
        for file in (1..=geometry.files).rev() {
            write!(f, "{file:>width$}")?;
        }
        writeln!(f)?;
        for square in geometry.reading_order() {
            let token = self
                .piece_on(square)
                .map_or_else(|| ".".to_owned(), |p| spec.token(p.color(), p.kind()));
            write!(f, "{token:>width$}")?;
            if geometry.x(square) + 1 == geometry.width() {
                let rank = geometry.height() - 1 - geometry.y(square);
                writeln!(f, "  {}", char::from(b'a' + rank.cast_unsigned()))?;
            }
        }
        writeln!(f)?;
        writeln!(f, "Black in hand: {}", hand(Color::Black))?;
        let check = if self.checked() { ", in check" } else { "" };
        writeln!(f, "{} to move{check}", self.side())?;
        write!(f, "sfen {}", self.sfen())
    }
}
