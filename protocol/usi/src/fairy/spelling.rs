//! How engines spell moves: ours as USI has them, Fairy-Stockfish's with the suffixes its piece
//! definitions force on the dolphin.

use std::str::FromStr;

use kujira_position::{
    AnyPosition, Color, Coordinates, Geometry, Hook, Kind, Move, MoveError, Position, Square,
    Variant, with_position,
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

/// A move taken apart.
struct Parts<'a> {
    /// What is dropped, or where the move begins.
    origin: Origin<'a>,
    to: Square,
    /// What stands behind the squares.
    suffix: &'a str,
}

enum Origin<'a> {
    /// The hand, with the token of the piece.
    Hand(&'a str),
    Board(Square),
}

impl Dialect {
    /// Adds the text of `m`, a legal move of `position`, to `out`.
    pub fn write<V: Variant>(self, position: &Position<V>, m: Move, out: &mut String) {
        if self == Self::Usi {
            out.push_str(&position.usi(m));
            return;
        }
        let square = |square| self.coordinates().name(V::SPEC.geometry, square);
        if m.is_drop() {
            out.push_str(V::SPEC.kind(m.kind()).token);
            out.push(self.drop_sign());
            out.push_str(&square(m.to()));
            return;
        }
        out.push_str(&square(m.from()));
        out.push_str(&square(m.to()));
        out.push_str(suffix::<V>(m, position.side()));
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
        let m = self.read_leniently(position, text)?;
        if self == Self::Usi || self.text(position, m) == text {
            return Ok(m);
        }
        Err(MoveError::Illegal { text: text.to_owned(), sfen: position.sfen() })
    }

    /// The legal move of `position` that is spelt `text`, perhaps without the suffix of a dolphin's move, or with a
    /// small letter for what is dropped.
    ///
    /// # Errors
    /// If no legal move is.
    pub fn read_leniently<V: Variant>(
        self,
        position: &Position<V>,
        text: &str,
    ) -> Result<Move, MoveError> {
        if self == Self::Usi {
            return position.parse_usi(text);
        }
        self.find(position, &position.legal_moves(), text)
            .ok_or_else(|| MoveError::Illegal { text: text.to_owned(), sfen: position.sfen() })
    }

    /// The one of `moves` that is spelt `text`, read as leniently as by [`Dialect::read_leniently`]. `moves` are the legal
    /// moves of `position`: a caller that reads many texts lists them once.
    #[must_use]
    pub fn find<V: Variant>(
        self,
        position: &Position<V>,
        moves: &[Move],
        text: &str,
    ) -> Option<Move> {
        if self == Self::Usi {
            return position.parse_usi(text).ok();
        }
        let parts = self.take_apart(V::SPEC.geometry, text)?;
        moves.iter().copied().find(|&m| parts.name::<V>(m, position.side()))
    }

    /// The drop that `text` spells, whatever the rules say of it.
    pub(super) fn read_drop<V: Variant>(self, text: &str) -> Option<Move> {
        let Parts { origin: Origin::Hand(token), to, suffix: "" } =
            self.take_apart(V::SPEC.geometry, text)?
        else {
            return None;
        };
        V::SPEC.find_kind(&token.to_ascii_uppercase()).map(|kind| Move::drop(kind, to))
    }

    fn take_apart(self, geometry: Geometry, text: &str) -> Option<Parts<'_>> {
        let square = |text| self.coordinates().parse_prefix(geometry, text);
        if let Some((token, place)) = text.split_once(self.drop_sign()) {
            let (to, suffix) = square(place)?;
            return Some(Parts { origin: Origin::Hand(token), to, suffix });
        }
        let (from, rest) = square(text)?;
        let (to, suffix) = square(rest)?;
        Some(Parts { origin: Origin::Board(from), to, suffix })
    }

    const fn coordinates(self) -> Coordinates {
        match self {
            Self::Usi | Self::FairyUsi => Coordinates::Japanese,
            Self::FairyUci => Coordinates::Western,
        }
    }

    const fn drop_sign(self) -> char {
        match self {
            Self::Usi | Self::FairyUsi => '*',
            Self::FairyUci => '@',
        }
    }
}

impl Parts<'_> {
    /// Whether this is the text of `m`, a legal move of `side`, but for a suffix left out.
    fn name<V: Variant>(&self, m: Move, side: Color) -> bool {
        let begins = match self.origin {
            Origin::Hand(token) => {
                m.is_drop() && V::SPEC.kind(m.kind()).token.eq_ignore_ascii_case(token)
            }
            Origin::Board(from) => !m.is_drop() && m.from() == from,
        };
        let suffix = suffix::<V>(m, side);
        // Only where it must be there does it say nothing.
        let left_out = self.suffix.is_empty() && !m.promotes();
        begins && m.to() == self.to && (self.suffix == suffix || left_out)
    }
}

/// What stands behind the squares of a move of `side`.
fn suffix<V: Variant>(m: Move, side: Color) -> &'static str {
    if m.is_drop() {
        return "";
    }
    if m.promotes() {
        return "+";
    }
    match (retreats::<V>(m.kind()), is_last::<V>(m.from(), side), is_last::<V>(m.to(), side)) {
        (true, false, true) => "+",
        (true, true, false) => "-",
        _ => "",
    }
}

/// A line of legal moves from a position, as clients of UCI read it.
#[must_use]
pub fn spell(position: &AnyPosition, moves: &[Move]) -> Vec<String> {
    fn spelt<V: Variant>(mut position: Position<V>, moves: &[Move]) -> Vec<String> {
        let next = |&m: &Move| {
            let spelt = position.is_legal(m).then(|| Dialect::FairyUci.text(&position, m))?;
            position.make(m);
            Some(spelt)
        };
        moves.iter().map_while(next).collect()
    }
    with_position!(position.clone(), position => spelt(position, moves))
}

/// Whether `kind` moves otherwise on the farthest rank.
pub(super) fn retreats<V: Variant>(kind: Kind) -> bool {
    matches!(V::SPEC.class(V::SPEC.class_of(kind)).hook, Hook::Retreat { .. })
}

/// Whether `square` is on the rank farthest from `color`.
pub(super) fn is_last<V: Variant>(square: Square, color: Color) -> bool {
    V::SPEC.geometry.rank_from(square, color) + 1 == V::SPEC.geometry.height()
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

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
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
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
                        let bare = text.trim_end_matches(['+', '-']).to_ascii_lowercase();
                        assert_eq!(dialect.read_leniently(&position, &bare), Ok(m), "{bare}");
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
                position.make(moves[random.random_range(0..moves.len())]);
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
            let lenient = Dialect::FairyUsi.read_leniently(&position, wrong).is_ok();
            assert_eq!(lenient, ["6a5b", "d*3c"].contains(&wrong), "{wrong}");
        }
        let mut after = position.clone();
        let mut line = ["6a5b", "1a1b", "5b5a"].map(|text| {
            let m = after.parse_usi(text).unwrap();
            after.make(m);
            m
        });
        let any = position.clone().into();
        assert_eq!(spell(&any, &line), ["a6b5-", "f6f5", "b5b6+"]);
        // A line ends with the first move that is not legal.
        line[1] = line[0];
        assert_eq!(spell(&any, &line), ["a6b5-"]);
        // White arrives on the last rank of its own side of the board.
        let white = Position::<Whale>::from_sfen("5w/6/6/6/3d2/W5 w - 1").unwrap();
        let m = white.parse_usi("3e3f").unwrap();
        assert_eq!(Dialect::FairyUsi.text(&white, m), "3e3f+");
        assert_eq!(Dialect::FairyUci.text(&white, m), "d2d1+");
    }

    #[test]
    fn our_own_spelling_knows_every_game() {
        let mut position = Position::<Great>::start();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..60 {
            let moves = position.legal_moves();
            for &m in moves.iter() {
                let text = Dialect::Usi.text(&position, m);
                assert_eq!(Dialect::Usi.read(&position, &text), Ok(m));
            }
            position.make(moves[random.random_range(0..moves.len())]);
            if position.outcome().is_some() {
                break;
            }
        }
    }
}
