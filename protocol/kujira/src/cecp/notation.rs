//! Squares, moves and positions as XBoard writes them.
//!
//! XBoard's White is the side that moves first and up the board: our Black. A square is its file letter
//! from that side's left and its rank number from that side's end: `a1` is the bottom left corner. A
//! piece that is another one in the captor's hand is written as the promoted form of that one (`+K`, the
//! porpoise), for so XBoard turns it round when it is captured.

use std::fmt;

use kujira_position::{KindSpec, Spec, Tokens, VariantId};

use crate::output::quoted;

/// Whether the game can be written in this notation and played with it: every piece is a letter.
/// Where pieces have names, moves have several legs and more kinds are in hand than XBoard has room for.
#[must_use]
pub fn is_offered(game: VariantId) -> bool {
    game.spec().tokens == Tokens::Letters
}

/// The games XBoard can play.
pub fn offered() -> impl Iterator<Item = VariantId> {
    VariantId::ALL.iter().copied().filter(|&game| is_offered(game))
}

/// A kind as XBoard writes it for the side that moves first: `K`, `+K`.
#[must_use]
pub fn letter(kind: &KindSpec) -> String {
    if kind.in_hand == kind.token { kind.token.to_owned() } else { format!("+{}", kind.in_hand) }
}

/// A square as file and rank, both from 0: the file from the left, the rank from the end of the side
/// that moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) file: u8,
    pub(crate) rank: u8,
}

impl Place {
    /// Reads a square of XBoard's at the start of `text`; returns it with the rest.
    fn parse(spec: &Spec, text: &str) -> Option<(Self, String)> {
        let mut rest = text.chars();
        let file = letter_index(rest.next()?)?;
        let rank = rest.next()?.to_digit(10)?.checked_sub(1).and_then(|r| u8::try_from(r).ok())?;
        let there = file < spec.geometry.files && rank < spec.geometry.ranks;
        there.then(|| (Self { file, rank }, rest.collect()))
    }

    /// Reads a square of USI's at the start of `text`; returns it with the rest.
    fn parse_usi(spec: &Spec, text: &str) -> Option<(Self, String)> {
        let mut rest = text.chars();
        let file = u8::try_from(rest.next()?.to_digit(10)?).ok()?;
        let rank = letter_index(rest.next()?)?;
        let place = Self {
            file: spec.geometry.files.checked_sub(file)?,
            rank: spec.geometry.ranks.checked_sub(rank + 1)?,
        };
        (place.file < spec.geometry.files).then(|| (place, rest.collect()))
    }

    /// The square as USI writes it.
    pub(crate) fn usi(self, spec: &Spec) -> String {
        let rank = spec.geometry.ranks - 1 - self.rank;
        format!("{}{}", spec.geometry.files - self.file, char::from(b'a' + rank))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

/// 0 for `a`.
fn letter_index(letter: char) -> Option<u8> {
    u8::try_from(letter).ok().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a')
}

/// A square of XBoard's; nothing else may follow.
pub(crate) fn parse_square(spec: &Spec, text: &str) -> Option<Place> {
    Place::parse(spec, text).filter(|(_, rest)| rest.is_empty()).map(|(place, _)| place)
}

/// The USI text of a move of XBoard's (`e2e3`, `D@c4`, the piece in any case); `None` if it has not the
/// form of a move on this board.
#[must_use]
pub fn usi_of_move(spec: &Spec, text: &str) -> Option<String> {
    if let Some((piece, square)) = text.split_once('@') {
        let token = piece.to_ascii_uppercase();
        spec.find_kind(&token)?;
        return Some(format!("{token}*{}", parse_square(spec, square)?.usi(spec)));
    }
    let (from, rest) = Place::parse(spec, text)?;
    let to = parse_square(spec, &rest)?;
    Some(format!("{}{}", from.usi(spec), to.usi(spec)))
}

/// A USI move of a game that is offered as XBoard reads it. A text that is no such move stays as it is.
#[must_use]
pub fn move_of_usi(spec: &Spec, usi: &str) -> String {
    let read = || {
        if let Some((token, square)) = usi.split_once('*') {
            return Some(format!("{token}@{}", Place::parse_usi(spec, square)?.0));
        }
        let (from, rest) = Place::parse_usi(spec, usi)?;
        Some(format!("{from}{}", Place::parse_usi(spec, &rest)?.0))
    };
    read().unwrap_or_else(|| usi.to_owned())
}

/// Where a USI move ends, and from where or with what it begins.
pub(crate) fn ends_of_usi(spec: &Spec, usi: &str) -> Option<(Origin, Place)> {
    if let Some((token, square)) = usi.split_once('*') {
        return Some((Origin::Hand(token.to_owned()), Place::parse_usi(spec, square)?.0));
    }
    let (from, rest) = Place::parse_usi(spec, usi)?;
    Some((Origin::Board(from), Place::parse_usi(spec, &rest)?.0))
}

/// Where the piece that moves comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A square.
    Board(Place),
    /// The hand, with the token of its kind.
    Hand(String),
}

/// Why a text is no position. The message says what was expected and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {}", quoted(found))]
pub struct FenError {
    expected: String,
    found: String,
}

fn wrong(expected: impl Into<String>, found: &str) -> FenError {
    FenError { expected: expected.into(), found: found.to_owned() }
}

/// The SFEN that says what a FEN of XBoard's says: `BOARD[HANDS] SIDE … [HALFMOVES] FULLMOVES`, whatever
/// stands between (castling, en passant) without meaning. Whether the position is possible is for the
/// SFEN's reader to say.
///
/// # Errors
/// What was expected and what was found.
pub fn sfen_of_fen(spec: &Spec, fen: &str) -> Result<String, FenError> {
    let (placement, rest) = match fen.split_once(']') {
        Some((placement, rest)) => (placement.trim_ascii(), rest),
        None => fen.trim_ascii().split_once([' ', '\t']).unwrap_or((fen.trim_ascii(), "")),
    };
    let (board, hands) = placement.split_once('[').unwrap_or((placement, "-"));
    let board = sfen_board(spec, board.trim_ascii())?;
    let hands = sfen_hands(spec, hands.trim_ascii())?;
    let mut words = rest.split_ascii_whitespace();
    let (side, past) = match words.next() {
        Some("w") => ("b", 0),
        Some("b") => ("w", 1),
        found => return Err(wrong("w or b, the side to move", found.unwrap_or(""))),
    };
    // The last number is that of the move, counted in pairs; the one before it counts quiet plies.
    let pair = words.filter_map(|word| word.parse::<u32>().ok()).next_back().unwrap_or(1).max(1);
    let ply = (pair - 1).saturating_mul(2).saturating_add(1 + past);
    Ok(format!("{board} {side} {hands} {ply}"))
}

/// A letter as SFEN writes its piece, given what XBoard says of it.
fn sfen_piece(spec: &Spec, promoted: bool, found: char) -> Result<String, FenError> {
    let upper = found.to_ascii_uppercase();
    let written = if promoted { format!("+{upper}") } else { upper.to_string() };
    let kind = spec.kinds.iter().find(|kind| letter(kind) == written);
    let token = kind.ok_or_else(|| {
        let all: Vec<String> = spec.kinds.iter().map(letter).collect();
        let sign = if promoted { "+" } else { "" };
        wrong(format!("one of the pieces {}", all.join(" ")), &format!("{sign}{found}"))
    })?;
    Ok(if found.is_ascii_uppercase() {
        token.token.to_owned()
    } else {
        token.token.to_ascii_lowercase()
    })
}

fn sfen_board(spec: &Spec, text: &str) -> Result<String, FenError> {
    let mut board = String::new();
    let mut promoted = false;
    for c in text.chars() {
        match c {
            '+' if !promoted => promoted = true,
            '/' | '0'..='9' if !promoted => board.push(c),
            _ => {
                board.push_str(&sfen_piece(spec, promoted, c)?);
                promoted = false;
            }
        }
    }
    if promoted || board.is_empty() {
        return Err(wrong("a board", text));
    }
    Ok(board)
}

fn sfen_hands(spec: &Spec, text: &str) -> Result<String, FenError> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for c in text.chars().filter(|c| !matches!(c, '-' | ' ')) {
        let token = sfen_piece(spec, false, c)?;
        match counts.iter_mut().find(|(known, _)| *known == token) {
            Some((_, count)) => *count += 1,
            None => counts.push((token, 1)),
        }
    }
    if counts.is_empty() {
        return Ok("-".to_owned());
    }
    let item = |(token, count): &(String, usize)| {
        if *count > 1 { format!("{count}{token}") } else { token.clone() }
    };
    Ok(counts.iter().map(item).collect())
}

/// The FEN that says what an SFEN of a game that is offered says. A text that is no SFEN of that game
/// gives one that XBoard refuses.
#[must_use]
pub fn fen_of_sfen(spec: &Spec, sfen: &str) -> String {
    let mut words = sfen.split_ascii_whitespace();
    let mut word = || words.next().unwrap_or("-");
    let (board, side, hands, ply) = (word(), word(), word(), word());
    let written = |c: char| {
        let token = c.to_ascii_uppercase().to_string();
        let kind = spec.kinds.iter().find(|kind| kind.token == token);
        let text = kind.map_or(token, letter);
        if c.is_ascii_lowercase() { text.to_ascii_lowercase() } else { text }
    };
    let board: String = board.chars().map(written).collect();
    let mut held = String::new();
    let mut count = 0;
    for c in hands.chars() {
        match c.to_digit(10) {
            Some(digit) => count = (10 * count + digit).min(99),
            None => {
                (0..count.max(1)).for_each(|_| held.push(c));
                count = 0;
            }
        }
    }
    let ply = ply.parse::<u32>().unwrap_or(1).max(1);
    let side = if side == "b" { "w" } else { "b" };
    format!("{board}[{held}] {side} 0 {}", (ply - 1) / 2 + 1)
}

/// The pieces on the squares of an SFEN's board, from the top left corner line by line.
pub(crate) fn squares_of_sfen(spec: &Spec, sfen: &str) -> Vec<Option<char>> {
    let board = sfen.split(' ').next().unwrap_or("");
    let mut squares = Vec::with_capacity(64);
    for c in board.chars().filter(|&c| c != '/') {
        match c.to_digit(10) {
            Some(empty) => squares.extend((0..empty).map(|_| None)),
            None => squares.push(Some(c)),
        }
    }
    squares.resize(usize::from(spec.geometry.files) * usize::from(spec.geometry.ranks), None);
    squares
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Variant, VariantId, with_variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn corners_and_middles_of_both_boards() {
        for (game, pairs) in [
            (
                VariantId::Whale,
                [("a1", "6f"), ("f1", "1f"), ("a6", "6a"), ("f6", "1a"), ("c4", "4c")],
            ),
            (
                VariantId::Paulowich,
                [("a1", "7g"), ("g1", "1g"), ("a7", "7a"), ("g7", "1a"), ("c5", "5c")],
            ),
        ] {
            let spec = game.spec();
            for (xboard, usi) in pairs {
                let place = parse_square(spec, xboard).unwrap();
                assert_eq!((place.usi(spec).as_str(), place.to_string().as_str()), (usi, xboard));
                assert_eq!(usi_of_move(spec, &format!("a2{xboard}")).unwrap()[2..], *usi);
                assert_eq!(usi_of_move(spec, &format!("D@{xboard}")), Some(format!("D*{usi}")));
                assert_eq!(move_of_usi(spec, &format!("D*{usi}")), format!("D@{xboard}"));
                assert_eq!(move_of_usi(spec, &format!("{usi}{usi}")), format!("{xboard}{xboard}"));
            }
        }
    }

    #[test]
    fn texts_that_are_no_moves() {
        let spec = VariantId::Whale.spec();
        for text in [
            "",
            "e2",
            "e2e",
            "e2e0",
            "e2e7",
            "g2e2",
            "e2e4q",
            "e2e33",
            "E2E3",
            "@@@@",
            "D@",
            "D@e9",
            "Q@e4",
            "DD@e4",
            "D*e4",
            "e2-e3",
            "O-O",
            "é2e3",
            "e2\u{0662}e3",
        ] {
            assert_eq!(usi_of_move(spec, text), None, "{text}");
        }
        assert_eq!(usi_of_move(spec, "d@c4").as_deref(), Some("D*4c"));
    }

    #[test]
    fn every_move_of_random_games_goes_there_and_back() {
        for game in offered() {
            with_variant!(game, V => moves_there_and_back::<V>());
        }
    }

    fn moves_there_and_back<V: Variant>() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(20_261_121);
        let mut drops = 0;
        for _ in 0..40 {
            let mut position = Position::<V>::start();
            while position.outcome().is_none() && position.moves_made() < 120 {
                let sfen = position.sfen();
                let fen = fen_of_sfen(V::SPEC, &sfen);
                let read = sfen_of_fen(V::SPEC, &fen).unwrap();
                assert_eq!(Position::<V>::from_sfen(&read).unwrap().sfen(), sfen, "{fen}");
                let squares = squares_of_sfen(V::SPEC, &sfen);
                let pieces = squares.iter().flatten().count();
                assert_eq!(pieces as u32, position.board().occupied().count());
                let moves = position.legal_moves();
                for &m in moves.iter() {
                    let usi = position.usi(m);
                    let xboard = move_of_usi(V::SPEC, &usi);
                    assert_eq!(usi_of_move(V::SPEC, &xboard), Some(usi));
                    drops += usize::from(xboard.contains('@'));
                }
                position.make(moves[random.random_range(0..moves.len())]);
            }
        }
        assert!(drops > 1000, "{drops}");
    }

    #[test]
    fn positions_as_xboard_writes_them() {
        let spec = VariantId::Whale.spec();
        for (fen, sfen) in [
            ("bn+kwgh/dddddd/6/6/DDDDDD/HGW+KNB[-] w 0 1", "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1"),
            (
                "bn+kwgh/dddddd/6/6/DDDDDD/HGW+KNB[] b - - 3 7",
                "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB w - 14",
            ),
            ("5w/6/6/6/6/W5[DKDd] w - 0 9", "5w/6/6/6/6/W5 b 2DKd 17"),
            ("5w/6/6/6/6/W5 [D] w", "5w/6/6/6/6/W5 b D 1"),
            ("5w/6/6/6/6/W5 b", "5w/6/6/6/6/W5 w - 2"),
            ("5w/6/6/6/6/W5[-] w 0 4294967295", "5w/6/6/6/6/W5 b - 4294967295"),
        ] {
            assert_eq!(sfen_of_fen(spec, fen).as_deref(), Ok(sfen), "{fen}");
        }
        for (fen, error) in [
            ("", "expected a board, found nothing"),
            ("5w/6/6/6/6/W5", "expected w or b, the side to move, found nothing"),
            ("5w/6/6/6/6/W5[-] x", "expected w or b, the side to move, found \"x\""),
            ("5w/6/6/6/6/W5[+K] w", "expected one of the pieces W K H G N B D +K, found \"+\""),
            ("5p/6/6/6/6/W5[-] w", "expected one of the pieces W K H G N B D +K, found \"p\""),
            ("5w/6/6/6/6/+W5[-] w", "expected one of the pieces W K H G N B D +K, found \"+W\""),
            ("5+/6[] w", "expected one of the pieces W K H G N B D +K, found \"+/\""),
            ("5w+[] w", "expected a board, found \"5w+\""),
            ("6[Q] w", "expected one of the pieces W K H G N B D +K, found \"Q\""),
        ] {
            let refused = sfen_of_fen(spec, fen).unwrap_err();
            assert_eq!(refused.to_string(), error, "{fen}");
        }
    }
}
