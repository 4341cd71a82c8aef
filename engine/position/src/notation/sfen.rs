//! SFEN: a position in one line.
//!
//! `BOARD SIDE HANDS PLY`, as in shogi. Where a game's pieces have names of several letters, items
//! of the board and of the hands are separated by commas: `br,dp,…/2,h,2,nb,2,s,2/…/11 b 2BRC,DPC 3`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Board;
use crate::position::Position;
use crate::rules::Rules;
use crate::setup::{Setup, SetupError};
use crate::spec::Tokens;
use crate::types::{Color, Piece};
use crate::variant::Variant;

/// Why a text is no position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SfenError {
    /// The text is no SFEN: what was expected, and what was found where.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What should have been there.
        expected: String,
        /// What was there.
        found: String,
    },
    /// The text is an SFEN, of an impossible position.
    #[error(transparent)]
    Impossible(#[from] SetupError),
}

fn syntax(expected: impl Into<String>, found: &str) -> SfenError {
    SfenError::Syntax { expected: expected.into(), found: quoted(found) }
}

/// The error of a count that is wrong in `text`.
fn miscounted(expected: String, found: impl fmt::Display, text: &str) -> SfenError {
    SfenError::Syntax { expected, found: format!("{found} in {}", quoted(text)) }
}

/// Outside text for an error message: printable, not too long, in quotes.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_default).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    // Protocol lines are ASCII.
    format!("\"{}\"", shown.replace('…', "..."))
}

/// Reads an SFEN of the game; a missing move number is 1. The setup may be impossible.
///
/// # Errors
/// What was expected and what was found.
pub fn parse<V: Variant>(text: &str) -> Result<Setup<V>, SfenError> {
    let mut fields = text.split_ascii_whitespace();
    let mut setup = Setup::empty();
    parse_board(fields.next().unwrap_or(""), &mut setup)?;
    setup.side = match fields.next().unwrap_or("") {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(syntax("the side to move, b or w", other)),
    };
    parse_hands(fields.next().unwrap_or(""), &mut setup)?;
    if let Some(ply) = fields.next() {
        setup.ply = match ply.parse() {
            Ok(number @ 1..) if ply.bytes().all(|b| b.is_ascii_digit()) => number,
            _ => return Err(syntax(format!("a move number from 1 to {}", u32::MAX), ply)),
        };
    }
    match fields.next() {
        None => Ok(setup),
        Some(extra) => Err(syntax("the end of the SFEN after the move number", extra)),
    }
}

/// Splits a rank or a hand, which `place` names, into items: runs of digits and tokens, each with its
/// color.
fn items<V: Variant>(text: &str, place: &str) -> Result<Vec<Item>, SfenError> {
    match V::SPEC.tokens {
        Tokens::Letters => {
            let mut items = Vec::new();
            let mut rest = text;
            while let Some(first) = rest.chars().next() {
                let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let length = if digits > 0 { digits } else { first.len_utf8() };
                let (item, tail) = rest.split_at(length);
                items.push(parse_item::<V>(item, place)?);
                rest = tail;
            }
            Ok(items)
        }
        Tokens::Names => text.split(',').map(|item| parse_item::<V>(item, place)).collect(),
    }
}

/// A part of a rank or a hand.
enum Item {
    /// A number: empty squares, or a count of the next item.
    Number(u32),
    /// A piece, with a count if one is written in the same item.
    Piece(Option<u32>, Piece),
}

fn number(text: &str, place: &str) -> Result<u32, SfenError> {
    match text.parse() {
        Ok(number @ 1..=999) if !text.starts_with('0') => Ok(number),
        _ => Err(syntax(format!("a number from 1 to 999 in {place}"), text)),
    }
}

fn parse_item<V: Variant>(item: &str, place: &str) -> Result<Item, SfenError> {
    let digits = item.find(|c: char| !c.is_ascii_digit()).unwrap_or(item.len());
    let (count, token) = item.split_at(digits);
    let count = if count.is_empty() { None } else { Some(number(count, place)?) };
    if token.is_empty() {
        let missing = || syntax(format!("a piece or a number in {place}"), item);
        return count.map(Item::Number).ok_or_else(missing);
    }
    parse_token::<V>(token, place).map(|piece| Item::Piece(count, piece))
}

/// Reads a piece: all upper case for Black, all lower case for White.
fn parse_token<V: Variant>(token: &str, place: &str) -> Result<Piece, SfenError> {
    let upper = token.to_ascii_uppercase();
    let color = if token == upper { Color::Black } else { Color::White };
    let kind = V::SPEC.find_kind(&upper).filter(|_| token == cased(&upper, color));
    kind.map(|kind| Piece::new(color, kind)).ok_or_else(|| {
        let name = V::SPEC.name;
        syntax(format!("a piece of {name} (all upper or all lower case) in {place}"), token)
    })
}

fn cased(token: &str, color: Color) -> String {
    match color {
        Color::Black => token.to_ascii_uppercase(),
        Color::White => token.to_ascii_lowercase(),
    }
}

fn parse_board<V: Variant>(text: &str, setup: &mut Setup<V>) -> Result<(), SfenError> {
    let geometry = V::SPEC.geometry;
    let (files, ranks) = (u32::from(geometry.files), usize::from(geometry.ranks));
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ranks {
        let expected = format!("{ranks} ranks separated by / ({})", V::SPEC.name);
        return Err(miscounted(expected, rows.len(), text));
    }
    for ((row, rank), y) in rows.iter().zip('a'..).zip((0..geometry.height()).rev()) {
        let place = format!("rank {rank}");
        let mut filled = 0;
        for item in items::<V>(row, &place)? {
            match item {
                Item::Number(empty) => filled += empty,
                Item::Piece(Some(_), _) => {
                    let expected = format!("single pieces and numbers of empty squares in {place}");
                    return Err(syntax(expected, row));
                }
                Item::Piece(None, piece) => {
                    // What goes beyond the edge is only counted, and refused below.
                    let square = i8::try_from(filled).ok().and_then(|x| geometry.square(x, y));
                    if let Some(square) = square {
                        setup.set(square, Some(piece));
                    }
                    filled += 1;
                }
            }
        }
        if filled != files {
            return Err(miscounted(format!("{files} squares in {place}"), filled, row));
        }
    }
    Ok(())
}

fn parse_hands<V: Variant>(text: &str, setup: &mut Setup<V>) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    if text.is_empty() {
        return Err(syntax("the hands, or - for none", text));
    }
    let mut pending = None;
    for item in items::<V>(text, "the hands")? {
        let (count, piece) = match (pending.take(), item) {
            (None, Item::Number(count)) if V::SPEC.tokens == Tokens::Letters => {
                pending = Some(count);
                continue;
            }
            (None, Item::Piece(count, piece)) => (count.unwrap_or(1), piece),
            (Some(count), Item::Piece(None, piece)) => (count, piece),
            _ => return Err(syntax("a piece after each number in the hands", text)),
        };
        if setup.in_hand(piece.color(), piece.kind()) > 0 {
            let token = V::SPEC.token(piece.color(), piece.kind());
            return Err(SfenError::Syntax {
                expected: "each kind once in a hand".to_owned(),
                found: format!("{} twice", quoted(&token)),
            });
        }
        setup.set_in_hand(piece.color(), piece.kind(), count);
    }
    match pending {
        None => Ok(()),
        Some(_) => Err(syntax("a piece after each number in the hands", text)),
    }
}

/// Board, side to move and hands, as SFEN writes them.
struct BoardSfen<'a, V: Variant>(&'a Board<V>);

impl<V: Variant> fmt::Display for BoardSfen<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let geometry = V::SPEC.geometry;
        let separator = match V::SPEC.tokens {
            Tokens::Letters => "",
            Tokens::Names => ",",
        };
        let mut empty = 0;
        let mut first = true;
        for square in geometry.reading_order() {
            let x = geometry.x(square);
            if x == 0 && geometry.y(square) + 1 != geometry.height() {
                f.write_str("/")?;
                first = true;
            }
            let piece = self.0.piece_on(square);
            let last = x + 1 == geometry.width();
            if piece.is_none() {
                empty += 1;
            }
            if empty > 0 && (piece.is_some() || last) {
                write!(f, "{}{empty}", if first { "" } else { separator })?;
                (empty, first) = (0, false);
            }
            if let Some(piece) = piece {
                let token = V::SPEC.token(piece.color(), piece.kind());
                write!(f, "{}{token}", if first { "" } else { separator })?;
                first = false;
            }
        }
        write!(f, " {} ", self.0.side().letter())?;
        let mut any = false;
        for color in Color::BOTH {
            let hand = self.0.hand(color);
            for kind in hand.iter() {
                let token = V::SPEC.token(color, kind);
                let count = hand.count(kind);
                let number = if count > 1 { count.to_string() } else { String::new() };
                write!(f, "{}{number}{token}", if any { separator } else { "" })?;
                any = true;
            }
        }
        if any { Ok(()) } else { f.write_str("-") }
    }
}

impl<V: Variant> fmt::Debug for Board<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&BoardSfen(self), f)
    }
}

impl<V: Variant> Position<V> {
    /// The starting position under the usual rules.
    ///
    /// # Panics
    /// Never: the starting positions of all games are valid, which a test holds.
    #[must_use]
    pub fn start() -> Self {
        Self::from_sfen(V::SPEC.start).expect("the starting position is valid")
    }

    /// The position of an SFEN under the usual rules.
    ///
    /// # Errors
    /// If the text is no SFEN of this game, or the position impossible: then with every reason.
    pub fn from_sfen(sfen: &str) -> Result<Self, SfenError> {
        Self::from_sfen_under(sfen, Rules::DEFAULT)
    }

    /// The position of an SFEN under `rules`, which have a say in what gives check.
    ///
    /// # Errors
    /// If the text is no SFEN of this game, or the position impossible: then with every reason.
    pub fn from_sfen_under(sfen: &str, rules: Rules) -> Result<Self, SfenError> {
        let mut setup = parse::<V>(sfen)?;
        setup.rules = rules;
        setup.validate().map_err(Into::into)
    }

    /// The position as SFEN, as it is always written: hands in table order, Black's first.
    #[must_use]
    pub fn sfen(&self) -> String {
        format!("{} {}", BoardSfen(self.board()), self.ply())
    }
}

impl<V: Variant> FromStr for Position<V> {
    type Err = SfenError;

    /// Reads an SFEN, as [`Position::from_sfen`].
    fn from_str(sfen: &str) -> Result<Self, SfenError> {
        Self::from_sfen(sfen)
    }
}

impl<V: Variant> Default for Position<V> {
    fn default() -> Self {
        Self::start()
    }
}
