//! What the squares of a board are called, in USI and by people.

use std::fmt;

use crate::geometry::Geometry;
use crate::types::Square;

/// A square of a board as USI writes it: the file from Black's right, then the rank letter from the
/// top. A square that the board does not have is written `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareText(pub Geometry, pub Square);

impl fmt::Display for SquareText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(geometry, square) = *self;
        if !geometry.contains(square) {
            return f.write_str("?");
        }
        let file = geometry.width() - geometry.x(square);
        let rank = geometry.height() - 1 - geometry.y(square);
        write!(f, "{file}{}", char::from(b'a' + rank.cast_unsigned()))
    }
}

impl SquareText {
    /// Reads a square at the start of `text`; returns it with the rest of the text.
    #[must_use]
    pub fn parse_prefix(geometry: Geometry, text: &str) -> Option<(Square, &str)> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (file, rest) = text.split_at(digits);
        let rank = rest.bytes().next().filter(u8::is_ascii_lowercase)?;
        if file.is_empty() || file.len() > 2 || file.starts_with('0') {
            return None;
        }
        let file: i8 = file.parse().ok()?;
        let x = geometry.width() - file;
        let y = geometry.height() - 1 - (rank - b'a').cast_signed();
        Some((geometry.square(x, y)?, rest.get(1..)?))
    }
}

/// How squares are called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Coordinates {
    /// File number from Black's right, rank letter from the top: `1a` at the top right. What USI
    /// writes.
    #[default]
    Japanese,
    /// File letter from Black's left, rank number from Black's side: `a1` at the bottom left.
    Western,
}

impl Coordinates {
    /// What a square of the board is called.
    ///
    /// ```
    /// use kujira_position::{Coordinates, Variant, Whale};
    ///
    /// let corner = Whale::SPEC.geometry.square(0, 0).unwrap();
    /// assert_eq!(Coordinates::Western.name(Whale::SPEC.geometry, corner), "a1");
    /// assert_eq!(Coordinates::Japanese.name(Whale::SPEC.geometry, corner), "6f");
    /// ```
    #[must_use]
    pub fn name(self, geometry: Geometry, square: Square) -> String {
        match self {
            Self::Japanese => SquareText(geometry, square).to_string(),
            Self::Western => {
                let file = char::from(b'a' + geometry.x(square).cast_unsigned());
                format!("{file}{}", geometry.y(square) + 1)
            }
        }
    }

    /// Reads a square at the start of `text`; returns it with the rest of the text.
    #[must_use]
    pub fn parse_prefix(self, geometry: Geometry, text: &str) -> Option<(Square, &str)> {
        match self {
            Self::Japanese => SquareText::parse_prefix(geometry, text),
            Self::Western => {
                let file = text.bytes().next().filter(u8::is_ascii_lowercase)?;
                let rest = text.get(1..)?;
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (rank, rest) = rest.split_at(digits);
                if rank.is_empty() || rank.len() > 2 || rank.starts_with('0') {
                    return None;
                }
                let rank: i8 = rank.parse().ok()?;
                Some((geometry.square((file - b'a').cast_signed(), rank - 1)?, rest))
            }
        }
    }

    /// A square of this board, as an example for messages.
    pub(crate) fn example(self, geometry: Geometry) -> String {
        let square = geometry.square(1, 2).unwrap_or(Square::from_index(0));
        self.name(geometry, square)
    }
}
