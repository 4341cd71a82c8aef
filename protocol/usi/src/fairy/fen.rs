//! Positions as FEN: what XBoard and Fairy-Stockfish make of one of the small games.
//!
//! `BOARD[HANDS] SIDE … FULLMOVES`. White is the side that moves first and up the board: our Black. A piece that is
//! another one in the captor's hand is written as the promoted form of that one (`+K`, the porpoise), for so a program
//! that does not know our rules turns it round when it is captured. To Fairy-Stockfish a dolphin on the farthest rank
//! is a promoted one, too (`+D`), and it also knows the porpoise as a piece that is a killer whale once captured
//! (`P~`, as crazyhouse has it); both are read, whoever wrote them.

use kujira_position::{Hook, KindSpec, Spec};

use crate::words::quoted;

/// For whom a FEN is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// XBoard, to which a dolphin is one piece wherever it stands.
    XBoard,
    /// Fairy-Stockfish, to which a dolphin on the farthest rank is a promoted one.
    Fairy,
}

/// Why a text is no FEN of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {}", quoted(found))]
pub struct FenError {
    expected: String,
    found: String,
}

fn wrong(expected: impl Into<String>, found: &str) -> FenError {
    FenError { expected: expected.into(), found: found.to_owned() }
}

/// A kind as FEN writes it for the side that moves first: `K`, `+K`.
#[must_use]
pub fn letter(kind: &KindSpec) -> String {
    if kind.in_hand == kind.token { kind.token.to_owned() } else { format!("+{}", kind.in_hand) }
}

/// Whether a piece with this token is another one on the farthest rank.
fn changes(spec: &Spec, token: &str) -> bool {
    let class = spec.find_kind(token).map(|kind| spec.class(spec.class_of(kind)));
    class.is_some_and(|class| matches!(class.hook, Hook::Retreat { .. }))
}

/// A token in upper case for the side that moves up the board.
fn cased(token: &str, upper: bool) -> String {
    if upper { token.to_owned() } else { token.to_ascii_lowercase() }
}

/// The SFEN that says what a FEN says: `BOARD[HANDS] SIDE … [HALFMOVES] FULLMOVES`, whatever
/// stands between (castling, en passant) without meaning. Whether the position is possible is for the
/// SFEN's reader to say.
///
/// # Errors
/// What was expected and what was found.
pub fn to_sfen(spec: &Spec, fen: &str) -> Result<String, FenError> {
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
    let pair = number_of_move(words)?;
    let ply = (pair - 1).saturating_mul(2).saturating_add(1 + past);
    Ok(format!("{board} {side} {hands} {ply}"))
}

/// What the fields behind the side to move say: castling and en passant, which mean nothing here, the number of quiet
/// plies, and that of the move, counted in pairs. Each may be missing; where one of the numbers is, the other is that
/// of the move. Moves are none of them, for then the word before them was forgotten, and the position would be another
/// one.
fn number_of_move<'a>(words: impl Iterator<Item = &'a str>) -> Result<u32, FenError> {
    const RIGHTS: &str = "KQABCDEFGHkqabcdefgh";
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let is_square = |word: &&str| matches!(word.as_bytes(), [file, rank] if file.is_ascii_lowercase() && rank.is_ascii_digit());
    let mut words = words.peekable();
    words.next_if(|word| {
        *word == "-" || word.len() <= 4 && word.chars().all(|c| RIGHTS.contains(c))
    });
    words.next_if(|word| *word == "-" || is_square(word));
    let mut pair = 1;
    for _ in 0..2 {
        if let Some(word) = words.next_if(is_number) {
            pair = word.parse().map_err(|_| wrong("the number of a move", word))?;
        }
    }
    match words.next() {
        None => Ok(pair.max(1)),
        Some(found) => Err(wrong("nothing behind the number of the move", found)),
    }
}

/// A piece as a FEN has it.
#[derive(Clone, Copy)]
struct Written {
    /// Whether a plus stands before it.
    promoted: bool,
    letter: char,
    /// Whether it stands on the rank farthest from its side.
    far: bool,
    /// Whether a tilde stands behind it.
    marked: bool,
}

impl Written {
    /// The piece as SFEN writes it.
    fn sfen(self, spec: &Spec) -> Result<String, FenError> {
        let Self { promoted, letter: found, far, marked } = self;
        let upper = found.to_ascii_uppercase().to_string();
        let written = if promoted { format!("+{upper}") } else { upper.clone() };
        let kind = spec.kinds.iter().find(|kind| match (promoted, marked) {
            (_, false) if letter(kind) == written => true,
            (true, false) => far && kind.token == upper && changes(spec, kind.token),
            (false, true) => kind.token == upper && kind.in_hand != kind.token,
            _ => false,
        });
        let kind = kind.ok_or_else(|| {
            let all: Vec<String> = spec.kinds.iter().map(letter).collect();
            let (before, behind) = (if promoted { "+" } else { "" }, if marked { "~" } else { "" });
            wrong(
                format!("one of the pieces {}", all.join(" ")),
                &format!("{before}{found}{behind}"),
            )
        })?;
        Ok(cased(kind.token, found.is_ascii_uppercase()))
    }
}

fn sfen_board(spec: &Spec, text: &str) -> Result<String, FenError> {
    let mut board = String::new();
    let mut promoted = false;
    let (mut rank, last) = (0, text.matches('/').count());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '+' if !promoted => promoted = true,
            '/' | '0'..='9' if !promoted => {
                rank += usize::from(c == '/');
                board.push(c);
            }
            _ => {
                let far = rank == if c.is_ascii_uppercase() { 0 } else { last };
                let marked = letters.next_if_eq(&'~').is_some();
                board.push_str(&Written { promoted, letter: c, far, marked }.sfen(spec)?);
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
    for letter in text.chars().filter(|c| !matches!(c, '-' | ' ')) {
        let held = Written { promoted: false, letter, far: false, marked: false };
        let token = held.sfen(spec)?;
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

/// The FEN that says what an SFEN of one of the small games says. A text that is no SFEN of that game
/// gives one that nobody takes.
#[must_use]
pub fn of_sfen(spec: &Spec, sfen: &str, style: Style) -> String {
    let mut words = sfen.split_ascii_whitespace();
    let mut word = || words.next().unwrap_or("-");
    let (board, side, hands, ply) = (word(), word(), word(), word());
    let (mut rank, last) = (0, board.matches('/').count());
    let mut written = |c: char| {
        rank += usize::from(c == '/');
        let token = c.to_ascii_uppercase().to_string();
        let far = rank == if c.is_ascii_uppercase() { 0 } else { last };
        let kind = spec.kinds.iter().find(|kind| kind.token == token);
        let text = match kind {
            Some(kind) if style == Style::Fairy && far && changes(spec, kind.token) => {
                format!("+{}", kind.token)
            }
            Some(kind) => letter(kind),
            None => token,
        };
        cased(&text, !c.is_ascii_lowercase())
    };
    let board: String = board.chars().map(&mut written).collect();
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

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Variant, VariantId, with_variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn every_position_of_random_games_goes_there_and_back() {
        for game in VariantId::ALL.iter().filter(|game| game.spec().fairy.is_some()) {
            with_variant!(*game, V => positions_there_and_back::<V>());
        }
    }

    fn positions_there_and_back<V: Variant>() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(20_261_127);
        let mut promoted = 0;
        for _ in 0..60 {
            let mut position = Position::<V>::start();
            while position.outcome().is_none() && position.moves_made() < 150 {
                let sfen = position.sfen();
                for style in [Style::XBoard, Style::Fairy] {
                    let fen = of_sfen(V::SPEC, &sfen, style);
                    let read = to_sfen(V::SPEC, &fen).unwrap();
                    assert_eq!(Position::<V>::from_sfen(&read).unwrap().sfen(), sfen, "{fen}");
                    let far = fen.to_ascii_uppercase().contains("+D");
                    assert!(!far || style == Style::Fairy, "{fen}");
                    promoted += u32::from(far);
                }
                let moves = position.legal_moves();
                position.make(moves[random.random_range(0..moves.len())]);
            }
        }
        assert!(promoted > 100, "{promoted}");
    }

    #[test]
    fn positions_are_read_and_written() {
        let spec = VariantId::Whale.spec();
        for (fen, sfen) in [
            ("bn+kwgh/dddddd/6/6/DDDDDD/HGW+KNB[-] w 0 1", "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1"),
            ("bnp~wgh/dddddd/6/6/DDDDDD/HGWP~NB[-] w 0 1", "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1"),
            (
                "bn+kwgh/dddddd/6/6/DDDDDD/HGW+KNB[] b - - 3 7",
                "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB w - 14",
            ),
            ("5w/6/6/6/6/W5[DKDd] w - 0 9", "5w/6/6/6/6/W5 b 2DKd 17"),
            ("5w/6/6/6/6/W5 [D] w", "5w/6/6/6/6/W5 b D 1"),
            ("5w/6/6/6/6/W5 b", "5w/6/6/6/6/W5 w - 2"),
            ("5w/6/6/6/6/W5[] w - 4", "5w/6/6/6/6/W5 b - 7"),
            ("5w/6/6/6/6/W5[] w KQkq e3 0 0", "5w/6/6/6/6/W5 b - 1"),
            ("5w/6/6/6/6/W5[] w e3 3", "5w/6/6/6/6/W5 b - 5"),
            ("5w/6/6/6/6/W5[-] w 0 4294967295", "5w/6/6/6/6/W5 b - 4294967295"),
            ("+D4w/6/d5/6/6/W4+d[] w - - 0 1", "D4w/6/d5/6/6/W4d b - 1"),
            // As XBoard has it.
            ("D4w/6/d5/6/6/W4d[] w - - 0 1", "D4w/6/d5/6/6/W4d b - 1"),
        ] {
            assert_eq!(to_sfen(spec, fen).as_deref(), Ok(sfen), "{fen}");
        }
        let sfen = "D4w/5D/d5/6/6/W2P1d w 2GDk 12";
        for (style, fen) in [
            (Style::XBoard, "D4w/5D/d5/6/6/W2+K1d[GGDk] b 0 6"),
            (Style::Fairy, "+D4w/5D/d5/6/6/W2+K1+d[GGDk] b 0 6"),
        ] {
            assert_eq!(of_sfen(spec, sfen, style), fen);
        }
    }

    #[test]
    fn texts_that_are_no_positions() {
        let spec = VariantId::Whale.spec();
        let pieces = "expected one of the pieces W K H G N B D +K, found ";
        for (fen, error) in [
            ("", "expected a board, found nothing"),
            ("5w/6/6/6/6/W5", "expected w or b, the side to move, found nothing"),
            ("5w/6/6/6/6/W5[-] x", "expected w or b, the side to move, found \"x\""),
            (
                "5w/6/6/6/6/W5[] w - - 0 4294967296",
                "expected the number of a move, found \"4294967296\"",
            ),
            (
                "5w/6/6/6/6/W5[] w 0 1 a1a2 f6f5",
                "expected nothing behind the number of the move, found \"a1a2\"",
            ),
            (
                "5w/6/6/6/6/W5[] w a1a2 f6f5",
                "expected nothing behind the number of the move, found \"a1a2\"",
            ),
            (
                "5w/6/6/6/6/W5[] w - moved",
                "expected nothing behind the number of the move, found \"moved\"",
            ),
            (
                "5w/6/6/6/6/W5[] w - - 0 1 2",
                "expected nothing behind the number of the move, found \"2\"",
            ),
            ("5w/6/6/6/6/W5[+K] w", &format!("{pieces}\"+\"")),
            ("5w/6/6/6/6/W5[P~] w", &format!("{pieces}\"P\"")),
            ("5p/6/6/6/6/W5[-] w", &format!("{pieces}\"p\"")),
            ("5w/6/6/6/6/+W5[-] w", &format!("{pieces}\"+W\"")),
            ("5w/+D5/6/6/6/W5[-] w", &format!("{pieces}\"+D\"")),
            ("4+dw/6/6/6/6/W5[-] w", &format!("{pieces}\"+d\"")),
            ("5w/6/6/6/6/W4D~[-] w", &format!("{pieces}\"D~\"")),
            ("5w/6/6/6/6/W4+K~[-] w", &format!("{pieces}\"+K~\"")),
            ("5+/6[] w", &format!("{pieces}\"+/\"")),
            ("5w+[] w", "expected a board, found \"5w+\""),
            ("6[Q] w", &format!("{pieces}\"Q\"")),
        ] {
            assert_eq!(to_sfen(spec, fen).unwrap_err().to_string(), error, "{fen}");
        }
    }
}
