//! How engines spell moves: ours as USI has them, Fairy-Stockfish's with the suffixes its piece
//! definitions force on the dolphin.

use std::str::FromStr;

use kujira_position::{
    Color, Geometry, Hook, Kind, Move, MoveError, Position, Square, SquareText, Variant,
};

/// A way to spell moves.
///
/// Fairy-Stockfish knows the dolphin as two pieces that promote into each other on the farthest
/// rank, so that an arrival there ends in `+` and a departure in `-`; a move without its suffix is
/// no move to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Canonical USI.
    #[default]
    Usi,
    /// Fairy-Stockfish after `usi`: squares and drops of USI, `6b6a+`, `6a1f-`, `D*3c`.
    FairyUsi,
    /// Fairy-Stockfish after `uci`: `a1` is the square at Black's bottom left; `a5a6+`, `a6f1-`,
    /// `D@d4`.
    FairyUci,
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "usi" => Ok(Self::Usi),
            "fairy-usi" => Ok(Self::FairyUsi),
            "fairy-uci" => Ok(Self::FairyUci),
            _ => Err(format!("expected usi, fairy-usi or fairy-uci, found \"{text}\"")),
        }
    }
}

impl Dialect {
    /// Adds the text of `m`, a legal move of `position`, to `out`.
    pub fn write<V: Variant>(self, position: &Position<V>, m: Move, out: &mut String) {
        if self == Self::Usi {
            out.push_str(&position.usi(m));
            return;
        }
        if m.is_drop() {
            out.push_str(V::SPEC.kind(m.kind()).token);
            out.push(if self == Self::FairyUci { '@' } else { '*' });
            self.square(V::SPEC.geometry, m.to(), out);
            return;
        }
        self.square(V::SPEC.geometry, m.from(), out);
        self.square(V::SPEC.geometry, m.to(), out);
        let last = |square| farthest::<V>(square, position.side());
        if m.promotes() {
            out.push('+');
        } else if retreats::<V>(m.kind()) {
            match (last(m.from()), last(m.to())) {
                (false, true) => out.push('+'),
                (true, false) => out.push('-'),
                _ => {}
            }
        }
    }

    /// The text of `m`, a legal move of `position`.
    #[must_use]
    pub fn text<V: Variant>(self, position: &Position<V>, m: Move) -> String {
        let mut text = String::new();
        self.write(position, m, &mut text);
        text
    }

    /// The legal move of `position` that is spelt `text`.
    ///
    /// # Errors
    /// If no legal move is.
    pub fn read<V: Variant>(self, position: &Position<V>, text: &str) -> Result<Move, MoveError> {
        if self == Self::Usi {
            return position.parse_usi(text);
        }
        let mut written = String::new();
        position
            .legal_moves()
            .iter()
            .copied()
            .find(|&m| {
                written.clear();
                self.write(position, m, &mut written);
                written == text
            })
            .ok_or_else(|| MoveError::Illegal { text: text.to_owned(), sfen: position.sfen() })
    }

    fn square(self, geometry: Geometry, square: Square, out: &mut String) {
        if self == Self::FairyUci {
            out.push(char::from(b'a' + geometry.x(square) as u8));
            out.push_str(&(geometry.y(square) + 1).to_string());
        } else {
            out.push_str(&SquareText(geometry, square).to_string());
        }
    }
}

/// Whether `kind` moves otherwise on the farthest rank.
fn retreats<V: Variant>(kind: Kind) -> bool {
    matches!(V::SPEC.class(V::SPEC.class_of(kind)).hook, Hook::Retreat { .. })
}

fn farthest<V: Variant>(square: Square, color: Color) -> bool {
    V::SPEC.geometry.rank_from(square, color) == V::SPEC.geometry.ranks as i8 - 1
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;
    use crate::openings::Stream;

    /// The form of a Fairy-Stockfish move, taken apart without knowing how it was made:
    /// `(drop, from, to, suffix)` in coordinates from Black's left and bottom.
    type Parts = (Option<char>, Option<(i8, i8)>, (i8, i8), Option<char>);

    fn take_apart(text: &str, uci: bool, size: i8) -> Parts {
        let square = |text: &str| {
            let mut letters = text.chars();
            let (a, b) = (letters.next().unwrap(), letters.next().unwrap());
            if uci {
                (a as i8 - b'a' as i8, b as i8 - b'1' as i8)
            } else {
                (size - (a as i8 - b'0' as i8), size - 1 - (b as i8 - b'a' as i8))
            }
        };
        let separator = if uci { '@' } else { '*' };
        if let Some((piece, to)) = text.split_once(separator) {
            assert_eq!((piece.len(), to.len()), (1, 2), "{text}");
            return (piece.chars().next(), None, square(to), None);
        }
        assert!(text.len() == 4 || text.len() == 5, "{text}");
        (None, Some(square(&text[..2])), square(&text[2..4]), text.chars().nth(4))
    }

    fn random_games<V: Variant>(games: u64) {
        let size = V::SPEC.geometry.files as i8;
        let (mut arrivals, mut departures, mut drops) = (0, 0, 0);
        for seed in 0..games {
            let mut random = Stream::new(seed);
            let mut position = Position::<V>::start();
            for _ in 0..200 {
                if position.outcome().is_some() {
                    break;
                }
                let moves = position.legal_moves();
                for &m in moves.iter() {
                    for dialect in [Dialect::FairyUsi, Dialect::FairyUci] {
                        let text = dialect.text(&position, m);
                        assert_eq!(dialect.read(&position, &text), Ok(m), "{text}");
                        let (drop, from, to, suffix) =
                            take_apart(&text, dialect == Dialect::FairyUci, size);
                        let at = |s: Square| (V::SPEC.geometry.x(s), V::SPEC.geometry.y(s));
                        assert_eq!(to, at(m.to()), "{text}");
                        assert_eq!(drop.is_some(), m.is_drop());
                        if let Some(letter) = drop {
                            assert_eq!(V::SPEC.kind(m.kind()).token, letter.to_string());
                            drops += 1;
                            continue;
                        }
                        assert_eq!(from, Some(at(m.from())), "{text}");
                        let black = position.side() == Color::Black;
                        let goal = if black { size - 1 } else { 0 };
                        let dolphin = V::SPEC.kind(m.kind()).token == "D";
                        let expected = match (from.unwrap().1 == goal, to.1 == goal) {
                            (false, true) if dolphin => Some('+'),
                            (true, false) if dolphin => Some('-'),
                            _ => None,
                        };
                        assert_eq!(suffix, expected, "{text} in {}", position.sfen());
                        arrivals += usize::from(suffix == Some('+'));
                        departures += usize::from(suffix == Some('-'));
                    }
                }
                position.make(moves[random.below(moves.len())]);
            }
        }
        assert!(arrivals > 100 && departures > 100 && drops > 1000, "{arrivals} {departures}");
    }

    #[test]
    fn fairy_spelling_over_random_games() {
        random_games::<Whale>(25);
        random_games::<Paulowich>(25);
    }

    #[test]
    fn spellings_side_by_side() {
        let position = Position::<Whale>::from_sfen("D4w/6/2D3/6/6/W5 b GD 1").unwrap();
        for (usi, fairy_usi, fairy_uci) in [
            ("6a5b", "6a5b-", "a6b5-"),
            ("4c4b", "4c4b", "c4c5"),
            ("D*3c", "D*3c", "D@d4"),
            ("G*1f", "G*1f", "G@f1"),
            ("6f5e", "6f5e", "a1b2"),
        ] {
            let m = position.parse_usi(usi).unwrap();
            assert_eq!(Dialect::Usi.text(&position, m), usi);
            assert_eq!(Dialect::FairyUsi.text(&position, m), fairy_usi);
            assert_eq!(Dialect::FairyUci.text(&position, m), fairy_uci);
        }
        for wrong in ["6a5b", "6a5b+", "4c4b+", "d*3c", "D@d4", "", "resign", "6a5b- "] {
            assert!(Dialect::FairyUsi.read(&position, wrong).is_err(), "{wrong}");
        }
        // White arrives on the last rank of its own side of the board.
        let white = Position::<Whale>::from_sfen("5w/6/6/6/3d2/W5 w - 1").unwrap();
        let m = white.parse_usi("3e3f").unwrap();
        assert_eq!(Dialect::FairyUsi.text(&white, m), "3e3f+");
        assert_eq!(Dialect::FairyUci.text(&white, m), "d2d1+");
    }

    #[test]
    fn our_own_spelling_knows_every_game() {
        let mut position = Position::<Great>::start();
        let mut random = Stream::new(7);
        for _ in 0..60 {
            let moves = position.legal_moves();
            for &m in moves.iter() {
                let text = Dialect::Usi.text(&position, m);
                assert_eq!(Dialect::Usi.read(&position, &text), Ok(m));
            }
            position.make(moves[random.below(moves.len())]);
            if position.outcome().is_some() {
                break;
            }
        }
    }
}
