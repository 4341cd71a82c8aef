//! Moves in whatever notation a record has them: USI, or Hodges in Japanese or Western squares.

use kujira_position::{Coordinates, HodgesError, Move, MoveError, Position, Variant};

use crate::error::Fault;

/// What programs write where nobody moves.
const NULL_MOVES: [&str; 5] = ["--", "Z0", "null", "0000", "@@@@"];

/// The move of a position with this text, in USI or in Hodges notation in either squares.
///
/// ```
/// use kujira_position::{Position, Whale};
///
/// let position = Position::<Whale>::start();
/// for text in ["2e2d", "D-2d", "D-e3"] {
///     assert_eq!(position.usi(kujira_record::read_move(&position, text)?), "2e2d");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is a legal move in none of the notations.
pub fn read_move<V: Variant>(position: &Position<V>, text: &str) -> Result<Move, Fault> {
    Convention::default().read(position, text)
}

/// The square convention of one record, which is not known before a move tells it: all moves in
/// Hodges notation have the same.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Convention(Option<Coordinates>);

/// The other convention.
fn other(squares: Coordinates) -> Coordinates {
    match squares {
        Coordinates::Japanese => Coordinates::Western,
        Coordinates::Western => Coordinates::Japanese,
    }
}

impl Convention {
    /// The move with this text.
    ///
    /// A file of a Western square is a letter and of a Japanese one a number, so that a text with a
    /// square is a move in one of the two at most.
    ///
    /// # Errors
    /// If the text is a legal move in none of the notations, or in squares other than those of
    /// earlier moves.
    pub(crate) fn read<V: Variant>(
        &mut self,
        position: &Position<V>,
        text: &str,
    ) -> Result<Move, Fault> {
        if NULL_MOVES.contains(&text) {
            let found = format!("the null move {text}, which these games do not have");
            return Err(Fault::instead("a move", found));
        }
        let usi = match position.parse_usi(text) {
            Ok(m) => return Ok(m),
            Err(error @ MoveError::Illegal { .. }) => return Err(error.into()),
            Err(error) => error,
        };
        let first = self.0.unwrap_or_default();
        let [expected, others] =
            [first, other(first)].map(|squares| position.parse_hodges(text, squares));
        match (expected, others, self.0) {
            (Ok(m), Ok(_), _) => Ok(m),
            (Ok(m), Err(_), _) => {
                self.0 = Some(first);
                Ok(m)
            }
            (Err(_), Ok(m), None) => {
                self.0 = Some(other(first));
                Ok(m)
            }
            (Err(_), Ok(_), Some(squares)) => {
                let expected = format!("a move in {squares:?} squares, as before");
                Err(Fault::expected(expected, text))
            }
            // What is a move in one of them, though not a legal one, says more.
            (Err(error), Err(HodgesError::Syntax { .. }), _)
            | (Err(HodgesError::Syntax { .. }), Err(error), _)
                if !matches!(error, HodgesError::Syntax { .. }) =>
            {
                Err(error.into())
            }
            (Err(error), Err(_), _) if text.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Err(error.into())
            }
            _ => Err(usi.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Whale};

    use super::*;

    #[test]
    fn each_notation_is_read() {
        let position = Position::<Whale>::start();
        for text in ["2e2d", "D-2d", "D-e3", "D2e-2d", "De2-e3"] {
            let m = Convention::default().read(&position, text).unwrap();
            assert_eq!(position.usi(m), "2e2d", "{text}");
        }
    }

    #[test]
    fn squares_are_of_one_convention() {
        let mut position = Position::<Whale>::start();
        let mut convention = Convention::default();
        for (text, usi) in [("2e2d", "2e2d"), ("D-c4", "4b4c"), ("2d2c", "2d2c")] {
            let m = convention.read(&position, text).unwrap();
            assert_eq!(position.usi(m), usi);
            position.make(m);
        }
        let error = convention.read(&position, "D-5c").unwrap_err().to_string();
        assert_eq!(error, "expected a move in Western squares, as before, found \"D-5c\"");
        assert!(convention.read(&position, "D-b4").is_ok());
    }

    /// A pass has no square: it decides nothing.
    #[test]
    fn a_pass_is_the_same_in_both() {
        let sfen = "5,w,5/11/11/4,p,6/11/4,+BR,6/11/11/11/11/5,W,5 b - 1";
        let position = Position::<Great>::from_sfen(sfen).unwrap();
        let mut convention = Convention::default();
        let m = convention.read(&position, "FK-pass").unwrap();
        assert_eq!(position.usi(m), "7f7f");
        assert!(convention.read(&position, "FK-e7").is_ok());
        assert!(convention.read(&position, "FK-7e").is_err());
    }

    #[test]
    fn what_is_no_move_is_told_in_its_own_notation() {
        let position = Position::<Whale>::start();
        for (text, expected) in [
            ("2e2c", "expected a legal move, found 2e2c in "),
            ("D-2c", "expected a legal move, found \"D-2c\" in "),
            ("D-e4", "expected a legal move, found \"D-e4\" in "),
            ("D*3c", "expected a legal move, found D*3c in "),
            ("D*d4", "expected a legal move, found \"D*d4\" in "),
            ("Q-2c", "expected the name of a piece of Whale Shogi"),
            ("e4", "expected a USI move for the 6x6 board"),
            ("--", "expected a move, found the null move --"),
            ("Z0", "expected a move, found the null move Z0"),
        ] {
            let error = Convention::default().read(&position, text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
