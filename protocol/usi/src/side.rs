//! The two sides of a game.

use kujira_position::Color;

/// A side of a game. Serde writes it `"b"` or `"w"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The side that moves up the board, and usually first.
    #[cfg_attr(feature = "serde", serde(rename = "b"))]
    Black,
    /// The side that moves down the board.
    #[cfg_attr(feature = "serde", serde(rename = "w"))]
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_colours() {
        for color in Color::BOTH {
            assert_eq!(Color::from(Side::from(color)), color);
        }
        assert_eq!(Side::from(Color::White), Side::White);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn serde_writes_a_letter() {
        assert_eq!(serde_json::to_string(&[Side::Black, Side::White]).unwrap(), r#"["b","w"]"#);
        assert_eq!(serde_json::from_str::<Side>("\"w\"").unwrap(), Side::White);
        assert!(serde_json::from_str::<Side>("\"black\"").is_err());
    }
}
