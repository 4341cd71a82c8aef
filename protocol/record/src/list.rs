//! Lists: files of one position or opening a line.
//!
//! A line says where a game stands and, behind that, what else is known of it:
//!
//! ```text
//! # a comment, as is a line that begins with ;
//! startpos moves 2e2d 5b5c
//! position sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 6b6c
//! bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - bm 2e2d; id "the start";
//! bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1 ;D1 7 ;D2 49
//! 2w3/6/2D3/6/6/3W2 b K 1 ;M 3
//! ```
//!
//! [`entries`] reads all of these. Counts of perft and mates are operations of an [`Entry`]. Words are separated by
//! blanks or tabs.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use kujira_position::{Position, Rules, Variant};

use crate::error::{Error, Fault, Place};
use crate::text::{self, Line, lines};

/// Where a game begins: a position and the first moves from it, not checked yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Opening {
    /// The SFEN begun from; `None`: the starting position of the game.
    pub sfen: Option<String>,
    /// Moves from there, as USI texts.
    pub moves: Vec<String>,
}

impl fmt::Display for Opening {
    /// As in a USI `position` line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sfen {
            None => f.write_str("startpos")?,
            Some(sfen) => write!(f, "sfen {sfen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
            for m in &self.moves {
                write!(f, " {m}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Opening {
    type Err = Error;

    /// Reads a line of a list; operations are left aside.
    fn from_str(line: &str) -> Result<Self, Error> {
        Ok(parse(line)?.0)
    }
}

impl Opening {
    /// The position the opening leads to, with its past.
    ///
    /// # Errors
    /// If the SFEN or a move is refused: the error names the move.
    pub fn position<V: Variant>(&self, rules: Rules) -> Result<Position<V>, Error> {
        let sfen = self.sfen.as_deref().unwrap_or(V::SPEC.start);
        let mut position = Position::<V>::from_sfen_under(sfen, rules)?;
        for (index, text) in self.moves.iter().enumerate() {
            let m = position.parse_usi(text).map_err(|error| {
                Fault::from(error).at(Place { ply: Some(index + 1), ..Place::default() })
            })?;
            position.make(m);
        }
        Ok(position)
    }

    /// The position the opening leads to, with its past, if there is something left to play.
    ///
    /// # Errors
    /// If the SFEN or a move is refused, or the game is over by then.
    pub fn playable<V: Variant>(&self, rules: Rules) -> Result<Position<V>, Error> {
        let position = self.position::<V>(rules)?;
        match position.outcome() {
            None => Ok(position),
            Some(outcome) => {
                let expected = "an opening that leaves something to play";
                Err(Fault::instead(expected, outcome.to_string()).into())
            }
        }
    }
}

/// An operation of an EPD line: `bm 2e2d`, `id "the start"`, `D3 398`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What it is.
    pub opcode: String,
    /// Its value as it is written, without blanks at both ends; a single value in quotes without them.
    pub operand: String,
}

/// The operation that says that there is no mate by checks alone.
pub const NO_MATE: &str = "nomate";

/// A line of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number in the file, from 1.
    pub line: usize,
    /// Where a game stands.
    pub opening: Opening,
    /// What else is known of it, in the order written.
    pub operations: Vec<Operation>,
}

/// The entries of a list, not checked yet.
///
/// # Errors
/// What is no entry in which line.
pub fn entries(text: &str) -> impl Iterator<Item = Result<Entry, Error>> {
    lines(text).map(entry)
}

pub(crate) fn entry(line: Line<'_>) -> Result<Entry, Error> {
    let (opening, operations) = parse(line.text).map_err(|fault| fault.in_line(line.number))?;
    Ok(Entry { line: line.number, opening, operations })
}

impl Entry {
    /// The position it leads to, with its past.
    ///
    /// # Errors
    /// If the SFEN or a move is refused: with the line.
    pub fn position<V: Variant>(&self, rules: Rules) -> Result<Position<V>, Error> {
        self.opening.position::<V>(rules).map_err(|error| error.in_line(self.line))
    }

    /// The value of an operation, if it is there.
    #[must_use]
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        let found = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&found.operand)
    }

    /// The numbers of leaves by depth that a suite for perft tells, `;D1 7 ;D2 49`: at least one.
    ///
    /// # Errors
    /// If there is none, or an operation whose name begins with `D` is no count of a depth up to
    /// `deepest`.
    pub fn counts(&self, deepest: u32) -> Result<Vec<(u32, u64)>, Error> {
        let mut counts = Vec::new();
        for Operation { opcode, operand } in &self.operations {
            let Some(depth) = opcode.strip_prefix('D') else { continue };
            let depth = number(depth).filter(|&depth| depth <= deepest);
            let (Some(depth), Some(count)) = (depth, number(operand)) else {
                let expected = format!("a count such as D3 1137, up to D{deepest}");
                let found = format!("{opcode} {operand}");
                return Err(Fault::expected(expected, &found).in_line(self.line));
            };
            counts.push((depth, count));
        }
        if counts.is_empty() {
            return Err(Fault::expected("counts after the position", "").in_line(self.line));
        }
        Ok(counts)
    }

    /// The mating ply at the latest that a set of mates tells, `;M 3` or `;M3`: from 1, odd.
    ///
    /// # Errors
    /// If there is none, or more than one, or it is said that there is [none](NO_MATE).
    pub fn mate(&self) -> Result<i32, Error> {
        let mut mates = self.operations.iter().filter_map(|Operation { opcode, operand }| {
            if opcode == NO_MATE {
                return Some("");
            }
            match (opcode.strip_prefix('M')?, &operand[..]) {
                ("", plies) | (plies, "") => Some(plies),
                _ => None,
            }
        });
        let plies = mates.next().and_then(number).filter(|plies: &i32| plies % 2 == 1);
        match (plies, mates.next()) {
            (Some(plies), None) => Ok(plies),
            _ => {
                let found = quoted_operations(&self.opening, &self.operations);
                Err(Fault::instead("SFEN ;M n with n odd", found).in_line(self.line))
            }
        }
    }
}

/// A number without a sign.
fn number<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn quoted_operations(opening: &Opening, operations: &[Operation]) -> String {
    let mut text = opening.sfen.clone().unwrap_or_else(|| "startpos".to_owned());
    for Operation { opcode, operand } in operations {
        text += &format!(" ;{opcode} {operand}");
    }
    format!("`{}`", text.trim_end())
}

/// The entries of a file, not checked yet: at least one.
///
/// # Errors
/// If the file cannot be read or has none, or what is no entry in which line.
pub fn open(path: &Path) -> Result<Vec<Entry>, Error> {
    let named = |error: Error| error.in_file(path.display().to_string());
    let text = text::open(path)?;
    let entries = entries(&text).collect::<Result<Vec<_>, _>>().map_err(named)?;
    if entries.is_empty() {
        return Err(named(Fault::expected("a position a line", "").into()));
    }
    Ok(entries)
}

/// Reads the openings of a list; those that lead to the same position are kept once.
///
/// # Errors
/// What is wrong with which line; an opening that leaves nothing to play is wrong.
pub fn openings<V: Variant>(text: &str, rules: Rules) -> Result<Vec<Opening>, Error> {
    let mut keys = HashSet::new();
    let mut openings = Vec::new();
    for entry in entries(text) {
        let Entry { line, opening, .. } = entry?;
        let position = opening.playable::<V>(rules).map_err(|error| error.in_line(line))?;
        if keys.insert(position.key()) {
            openings.push(opening);
        }
    }
    Ok(openings)
}

/// Reads a line without its end: where a game stands, and the operations.
fn parse(line: &str) -> Result<(Opening, Vec<Operation>), Fault> {
    let (head, rest) = split(line.trim());
    let mut words = head.split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let mut opening = Opening::default();
    let mut begun = String::new();
    match words.next() {
        None => return Err(Fault::expected("a position", "")),
        Some("startpos") => {}
        Some(first) => {
            let board = if first == "sfen" { words.next() } else { Some(first) };
            let mut sfen = board.ok_or_else(|| Fault::expected("an SFEN", ""))?.to_owned();
            // Side and hands; then the move number, which may be missing.
            for _ in 0..2 {
                if let Some(word) = words.next_if(|word| *word != "moves") {
                    sfen.extend([" ", word]);
                }
            }
            if let Some(ply) = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit())) {
                sfen.extend([" ", ply]);
            }
            opening.sfen = Some(sfen);
        }
    }
    match words.next() {
        None => {}
        Some("moves") => opening.moves = words.map(str::to_owned).collect(),
        // The first operation of an EPD line follows the position without a semicolon, and ends with one.
        Some(opcode) if opening.sfen.is_some() && rest.is_some() => {
            opcode.clone_into(&mut begun);
            for word in words {
                begun.extend([" ", word]);
            }
        }
        Some(word) if opening.sfen.is_some() => {
            let expected = "moves or an operation that ends with a semicolon behind the position";
            return Err(Fault::expected(expected, word));
        }
        Some(word) => return Err(Fault::expected("moves", word)),
    }
    // One in quotes ends no position; but only operations have quotes.
    if let Some(word) = opening.sfen.iter().chain(&opening.moves).find(|word| word.contains(';')) {
        return Err(Fault::expected("a position without quotes", word));
    }
    let mut operations: Vec<_> = operation(&begun).into_iter().collect();
    let mut rest = rest;
    while let Some(text) = rest {
        let (field, tail) = split(text);
        operations.extend(operation(field));
        rest = tail;
    }
    Ok((opening, operations))
}

/// Splits a text at the first semicolon outside of quotes; quotes without an end are letters like others.
fn split(text: &str) -> (&str, Option<&str>) {
    let mut within = false;
    for (index, letter) in text.char_indices() {
        let (before, after) = text.split_at(index);
        match letter {
            '"' => within = !within && after.matches('"').nth(1).is_some(),
            ';' if !within => return (before, after.get(1..)),
            _ => {}
        }
    }
    (text, None)
}

fn operation(text: &str) -> Option<Operation> {
    let text = text.trim();
    let (opcode, operand) =
        text.split_once(|letter: char| letter.is_ascii_whitespace()).unwrap_or((text, ""));
    let operand = operand.trim();
    let bare = operand.strip_prefix('"').and_then(|operand| operand.strip_suffix('"'));
    let operand = bare.filter(|bare| !bare.contains('"')).unwrap_or(operand).to_owned();
    (!opcode.is_empty()).then(|| Operation { opcode: opcode.to_owned(), operand })
}

#[cfg(test)]
mod tests {
    use kujira_position::{Paulowich, Whale};

    use super::*;

    const START: &str = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -";

    fn only(text: &str) -> Entry {
        let mut all = entries(text);
        let first = all.next().unwrap().unwrap();
        assert!(all.next().is_none(), "{text}");
        first
    }

    fn told(text: &str) -> Vec<(String, String)> {
        let operations = only(text).operations.into_iter();
        operations.map(|Operation { opcode, operand }| (opcode, operand)).collect()
    }

    #[test]
    fn lines_of_every_sort_are_read() {
        let text = "\u{feff}# a comment\r\n\r\n; another\r\nstartpos moves 2e2d 5b5c\r\n\
                    position startpos moves 2e2d 5b5c\n\tposition\tstartpos  moves 2e2d\t5b5c\n\
                    bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1 ;D1 7 ;D2 49\n\
                    bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - bm 2e2d; id \"x\";\n\
                    sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1\n\
                    sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB\tw - 1 moves 6b6c ; good\n\n \n\n";
        let openings = openings::<Whale>(text, Rules::DEFAULT).unwrap();
        let texts: Vec<_> = openings.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "startpos moves 2e2d 5b5c",
                "sfen bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1",
                "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1",
                "sfen bnpw1h/dddddd/6/6/DDDDDD/HGWPNB w - 1 moves 6b6c",
            ]
        );
        let after = openings[0].playable::<Whale>(Rules::DEFAULT).unwrap().sfen();
        assert_eq!(after, "bnpwgh/d1dddd/1d4/4D1/DDDD1D/HGWPNB b - 3");
        let lines: Vec<_> = entries(text).map(|entry| entry.unwrap().line).collect();
        assert_eq!(lines, [4, 5, 6, 7, 8, 9, 10]);
    }

    #[test]
    fn operations_are_read_in_both_spellings() {
        let pair = |opcode: &str, operand: &str| (opcode.to_owned(), operand.to_owned());
        let both = [pair("bm", "2e2d"), pair("id", "x; y")];
        for text in [
            format!("{START} bm 2e2d; id \"x; y\";"),
            format!("{START} 1 bm 2e2d; id \"x; y\";"),
            format!("{START} 1 ;bm 2e2d ;id \"x; y\""),
            format!("sfen\t{START}\t1;\tbm\t2e2d;;id \"x; y\" ; "),
            format!("{START} 1 moves 2e2d ;bm 2e2d ;id \"x; y\""),
        ] {
            assert_eq!(told(&text), both, "{text}");
            let expected = only(&text).opening.sfen.unwrap();
            assert!(expected == START || expected == format!("{START} 1"), "{expected}");
        }
        assert_eq!(told(&format!("{START} 1")), []);
        assert_eq!(told(&format!("{START} 1 ; half a \"quote ;D1 7"))[1], pair("D1", "7"));
        assert_eq!(told(&format!("{START} am 2e2d 3e3d; acn 5;"))[0], pair("am", "2e2d 3e3d"));
        assert_eq!(only(&format!("{START} c0 \"a\" \"b\";")).operand("c0"), Some("\"a\" \"b\""));
    }

    #[test]
    fn counts_are_read() {
        let counts = |text: &str| only(text).counts(64).map_err(|error| error.to_string());
        for text in [
            "5w/6/6/6/6/W5 b - 1 ;D1 3 ;D2 9",
            "5w/6/6/6/6/W5 b - D1 3; D2 9; id \"two whales\";",
            "5w/6/6/6/6/W5 b - 1\t;D1\t3\t; id \"x\" ;D2 9;",
        ] {
            assert_eq!(counts(text), Ok(vec![(1, 3), (2, 9)]), "{text}");
        }
        for (text, expected) in [
            ("5w/6 b -", "line 1: expected counts after the position, found nothing"),
            ("5w/6 b - ;id 3", "line 1: expected counts after the position, found nothing"),
            ("\n5w/6 b - ;D1", "line 2: expected a count such as D3 1137, up to D64, found \"D1\""),
            ("5w/6 b - ;D64 3 ;D65 3", "found \"D65 3\""),
            ("5w/6 b - ;Dx 3", "found \"Dx 3\""),
            ("5w/6 b - ;D1 -3", "found \"D1 -3\""),
            ("5w/6 b - ;D1 +3", "found \"D1 +3\""),
        ] {
            let error = counts(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn mates_are_read() {
        let mate = |operations: &str| only(&format!("2w3/6/2D3/6/6/3W2 b K 1{operations}")).mate();
        for operations in [" ;M 3", ";M3", " ; M\t3 ; id \"x\"", " M 3; id \"x\";", " M3;"] {
            assert_eq!(mate(operations), Ok(3), "{operations}");
        }
        for operations in ["", " ;M", " ;M 2", " ;M 0", " ;M -3", " ;D1 3", " ;M three", " ;M3 ;M5"]
            .into_iter()
            .chain([" ;M 3 ;nomate"])
        {
            let error = mate(operations).unwrap_err().to_string();
            let found = format!("found `2w3/6/2D3/6/6/3W2 b K 1{operations}");
            let found = found.replace(";M3 ;M5", ";M3  ;M5");
            let expected = "line 1: expected SFEN ;M n with n odd, ";
            assert!(error.starts_with(expected) && error.contains(&found), "{error}");
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, expected) in [
            ("startpos\nstartpos moves 1a1b", "line 2: move 1: expected a legal move"),
            ("\nsfen 6/6 b - 1", "line 2: expected 6 ranks"),
            ("startpos moves 2e2d zz", "line 1: move 2: expected a USI move"),
            ("startpos moves 2e2d resign", "line 1: move 2: expected a USI move"),
            ("5w/4GG/5W/6/6/6 w - 1", "found Black wins"),
            ("startpos 2e2d", "line 1: expected moves, found \"2e2d\""),
            ("\n\nsfen", "line 3: expected an SFEN, found nothing"),
            ("5w/\"a;b\" b - 1", "line 1: expected a position without quotes, found"),
            ("startpos moves \"a;b\"", "line 1: expected a position without quotes, found"),
            ("position", "line 1: expected a position, found nothing"),
            ("bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1 junk", "that ends with a semicolon"),
            ("bnpwgh/dddddd/6/6/DDDDDD/HGWPNB", "expected the side to move, b or w"),
            ("hello", "line 1: expected 6 ranks"),
        ] {
            let error = openings::<Whale>(text, Rules::DEFAULT).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(openings::<Paulowich>(START, Rules::DEFAULT).is_err());
    }
}
