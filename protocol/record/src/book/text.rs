//! A book as text.
//!
//! ```text
//! # book whale
//! bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - depth 12; nodes 100000; score cp 35 pv 2e2d 4b4c; score cp 28 pv 1e1d 5b5c;
//! ```
//!
//! Behind its first line it is a list of positions as all others are ([`list`]), with operations in the words of USI:
//! how deep the position was searched, with how many nodes, and what was found, from the best move on. A position may
//! have several lines: another search of it, or one of the moves that the first did not tell of.

use std::collections::HashSet;
use std::fmt;

use kujira_position::{Move, Position, Rules, UsiMove, Variant, VariantId};
use kujira_usi::Score;

use crate::error::{Error, Fault, Place};
use crate::list::{self, Entry, Operation};
use crate::text::{self, Line};

/// How the first line of every book begins.
const HEAD: &str = "# book ";

/// The first line of a book.
#[must_use]
pub fn head(game: VariantId) -> String {
    format!("{HEAD}{game}")
}

/// What a search of a position found.
#[derive(Clone, Debug)]
pub struct Searched<V: Variant> {
    /// The position, without its past.
    pub position: Position<V>,
    /// Plies.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Scores as the side to move sees them, each with the line of play expected, which has at least one move; from
    /// the best to the worst.
    pub lines: Vec<(Score, Vec<Move>)>,
}

impl<V: Variant> fmt::Display for Searched<V> {
    /// Writes the line of a book.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sfen = self.position.sfen();
        let key = sfen.rsplit_once(' ').map_or(&sfen[..], |(key, _ply)| key);
        write!(f, "{key} depth {}; nodes {};", self.depth, self.nodes)?;
        for (score, pv) in &self.lines {
            match score {
                Score::Cp(value) => write!(f, " score cp {value} pv")?,
                Score::Mate(plies) => write!(f, " score mate {plies} pv")?,
            }
            for &m in pv {
                write!(f, " {}", UsiMove::<V>::new(m))?;
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// What a book holds.
#[derive(Clone, Debug)]
pub struct Found<V: Variant> {
    /// Its lines, each with its number from 1.
    pub searched: Vec<(usize, Searched<V>)>,
    /// The number of a last line that was cut off, as a killed run leaves it.
    pub cut: Option<usize>,
}

/// Reads a book of this game.
///
/// # Errors
/// What is wrong with which line.
pub fn read<V: Variant>(text: &str) -> Result<Found<V>, Error> {
    let text = text::without_mark(text);
    let game = game_of(text)?;
    if game != V::ID {
        let fault = Fault::instead(format!("a book for {}", V::ID), format!("one for {game}"));
        return Err(fault.in_line(1));
    }
    let last = text.lines().count();
    let mut found = Found { searched: Vec::new(), cut: None };
    for line in text::lines(text) {
        if line.number == last && !text.ends_with('\n') && !line.text.ends_with(';') {
            found.cut = Some(last);
            break;
        }
        found.searched.push((line.number, read_line(line)?));
    }
    Ok(found)
}

/// The game that a book is for, by its first line.
///
/// # Errors
/// What was expected and what was found.
pub fn game_of(text: &str) -> Result<VariantId, Error> {
    let first = text::without_mark(text).lines().next().unwrap_or_default();
    let id = first.strip_prefix(HEAD).map(str::trim_end);
    id.and_then(VariantId::named).ok_or_else(|| {
        let expected = format!("a book, which begins with `{HEAD}` and {}", VariantId::choices());
        Fault::expected(expected, first).in_line(1)
    })
}

/// Reads a line of a book.
///
/// # Errors
/// What is wrong with it.
pub fn read_line<V: Variant>(line: Line<'_>) -> Result<Searched<V>, Error> {
    if !line.text.ends_with(';') {
        let end = line.text.rsplit(' ').next().unwrap_or_default();
        return Err(Fault::expected("a line that ends with ;", end).in_line(line.number));
    }
    let entry = list::entry(line)?;
    searched(&entry).map_err(|error| error.in_line(line.number))
}

fn searched<V: Variant>(entry: &Entry) -> Result<Searched<V>, Error> {
    let position = entry.opening.playable::<V>(Rules::DEFAULT)?;
    let position = position.setup().validate();
    let position = position.map_err(|error| Fault::instead("a position", error.to_string()))?;
    let (mut depth, mut nodes) = (None, None);
    let mut lines: Vec<(Score, Vec<Move>)> = Vec::new();
    let mut moves = HashSet::new();
    for Operation { opcode, operand } in &entry.operations {
        match &opcode[..] {
            "depth" if depth.is_none() => depth = Some(positive(opcode, operand)?),
            "nodes" if nodes.is_none() => nodes = Some(positive(opcode, operand)?),
            "score" => {
                let (score, pv) = line_of_play(&position, operand)?;
                if lines.last().is_some_and(|(last, _)| last.centipawns() < score.centipawns()) {
                    let expected = "scores from the best to the worst";
                    return Err(Fault::expected(expected, operand).into());
                }
                if !pv.first().is_some_and(|&m| moves.insert(m)) {
                    return Err(Fault::expected("each move once", operand).into());
                }
                lines.push((score, pv));
            }
            _ => {
                let expected = "depth and nodes once each, then scores";
                return Err(Fault::expected(expected, &format!("{opcode} {operand}")).into());
            }
        }
    }
    let missing = |what: &str| Fault::expected(what, "");
    if lines.is_empty() {
        return Err(missing("a score behind the position").into());
    }
    Ok(Searched {
        position,
        depth: depth.ok_or_else(|| missing("depth behind the position"))?,
        nodes: nodes.ok_or_else(|| missing("nodes behind the position"))?,
        lines,
    })
}

/// A number from 1.
fn positive<T: std::str::FromStr + PartialOrd + From<u8>>(
    opcode: &str,
    operand: &str,
) -> Result<T, Error> {
    let digits = operand.bytes().all(|byte| byte.is_ascii_digit());
    let number = operand.parse().ok().filter(|number| digits && *number >= T::from(1));
    Ok(number.ok_or_else(|| Fault::expected(format!("a number after {opcode}"), operand))?)
}

/// The farthest a score in centipawns goes.
const MOST: i32 = 30_000;

/// Reads `cp 35 pv 2e2d 4b4c` or `mate -4 pv …`.
fn line_of_play<V: Variant>(
    position: &Position<V>,
    text: &str,
) -> Result<(Score, Vec<Move>), Error> {
    let mut words = text.split_ascii_whitespace();
    let unit = words.next().unwrap_or_default();
    let value: Option<i32> = words.next().and_then(|word| word.parse().ok());
    let score = match (unit, value) {
        ("cp", Some(value)) if (-MOST..=MOST).contains(&value) => Score::Cp(value),
        // Whoever mates does so with a ply of their own.
        ("mate", Some(plies)) if (1..=999).contains(&plies) && plies % 2 == 1 => Score::Mate(plies),
        ("mate", Some(plies)) if (-999..0).contains(&plies) && plies % 2 == 0 => Score::Mate(plies),
        _ => {
            let expected = "cp N, mate N with N odd, or mate -N with N even, after score";
            return Err(Fault::expected(expected, text).into());
        }
    };
    if words.next() != Some("pv") {
        return Err(Fault::expected("pv after the score", text).into());
    }
    let (mut after, mut pv) = (position.clone(), Vec::new());
    for word in words {
        let place = Place { ply: Some(pv.len() + 1), ..Place::default() };
        let m = after.parse_usi(word).map_err(|error| Fault::from(error).at(place))?;
        after.make(m);
        pv.push(m);
        if pv.len() == 1 && after.outcome().is_some() != (score == Score::Mate(1)) {
            let expected = "mate 1 for a move that ends the game, and for no other";
            return Err(Fault::expected(expected, text).into());
        }
    }
    match pv.is_empty() {
        true => Err(Fault::expected("moves after pv", "").into()),
        false => Ok((score, pv)),
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Whale};

    use super::*;

    const START: &str = "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b -";

    fn one(operations: &str) -> Result<String, String> {
        let text = format!("# book whale\n\n{START} {operations}\n");
        let found = read::<Whale>(&text).map_err(|error| error.to_string())?;
        let [(3, searched)] = &found.searched[..] else { panic!("{text}") };
        Ok(searched.to_string())
    }

    #[test]
    fn lines_come_back() {
        let line = "depth 12; nodes 100000; score mate 3 pv 2e2d 4b4c; score cp -28 pv 1e1d; \
                    score mate -2 pv 3e3d;";
        assert_eq!(one(line), Ok(format!("{START} {line}")));
        // As people write.
        let text = "\u{feff}# book whale\r\n; mine\r\nstartpos moves 2e2d ;nodes 7 ; depth 1; score cp 0 pv 4b4c ;";
        let found = read::<Whale>(text).unwrap();
        assert_eq!((found.searched.len(), found.cut), (1, None));
        assert_eq!(
            found.searched[0].1.to_string(),
            "bnpwgh/dddddd/6/4D1/DDDD1D/HGWPNB w - depth 1; nodes 7; score cp 0 pv 4b4c;"
        );
        let great = format!(
            "# book great\n{} depth 3; nodes 9; score cp 1 pv 6h6g;\n",
            VariantId::Great.spec().start
        );
        assert_eq!(read::<Great>(&great).unwrap().searched.len(), 1);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (operations, expected) in [
            ("depth 1; nodes 7; score cp 0 pv 2e2c;", "move 1: expected a legal move, found 2e2c"),
            ("depth 1; nodes 7; score cp 0 pv 2e2d 2e2d;", "move 2: "),
            ("depth 1; nodes 7; score cp 0 pv;", "expected moves after pv, found nothing"),
            ("depth 1; nodes 7; score cp 0;", "expected pv after the score, found \"cp 0\""),
            ("depth 1; nodes 7; score mate 2 pv 2e2d;", "expected cp N, mate N with N odd"),
            ("depth 1; nodes 7; score mate 1 pv 2e2d;", "expected mate 1 for a move that ends"),
            ("depth 1; nodes 7; score cp 1e3 pv 2e2d;", "expected cp N, "),
            (
                "depth 1; nodes 7; score cp 1 pv 2e2d; score cp 2 pv 1e1d;",
                "expected scores from the best to the worst, found \"cp 2 pv 1e1d\"",
            ),
            (
                "depth 1; nodes 7; score cp 1 pv 2e2d; score cp 0 pv 2e2d;",
                "expected each move once, found \"cp 0 pv 2e2d\"",
            ),
            ("depth 0; nodes 7; score cp 1 pv 2e2d;", "expected a number after depth, found \"0\""),
            ("nodes 7; score cp 1 pv 2e2d;", "expected depth behind the position, found nothing"),
            ("depth 1; nodes 7;", "expected a score behind the position, found nothing"),
            ("bm 2e2d;", "expected depth and nodes once each, then scores, found \"bm 2e2d\""),
            ("depth 1; nodes 7; score cp 1 pv 2e2d", "expected a line that ends with ;, found"),
        ] {
            let error = one(operations).unwrap_err();
            assert!(error.starts_with(&format!("line 3: {expected}")), "{operations}: {error}");
        }
        for (first, expected) in [
            ("", "begins with `# book ` and whale, paulowich, great, found nothing"),
            ("# book chess", "found \"# book chess\""),
            ("startpos", "found \"startpos\""),
            ("# book great", "line 1: expected a book for whale, found one for great"),
        ] {
            let error = read::<Whale>(&format!("{first}\n")).unwrap_err().to_string();
            assert!(error.starts_with("line 1: ") && error.ends_with(expected), "{error}");
        }
        // A drop that mates.
        let mate = "# book whale\n2w3/6/2D3/6/6/3W2 b K depth 1; nodes 7; score mate 1 pv K*4b;\n";
        assert!(read::<Whale>(mate).is_ok());
        assert!(read::<Whale>(&mate.replace("mate 1", "cp 900")).is_err());
    }

    #[test]
    fn a_line_that_a_killed_run_left_is_no_line() {
        let whole = format!("# book whale\n{START} depth 1; nodes 7; score cp 35 pv 2e2d;\n");
        let half = format!("{whole}{START} depth 1; nodes 7; score cp 3");
        let found = read::<Whale>(&half).unwrap();
        assert_eq!((found.searched.len(), found.cut), (1, Some(3)));
        // One in the middle is.
        let error = read::<Whale>(&format!("{half}\n{START}")).unwrap_err().to_string();
        assert!(error.starts_with("line 3: expected a line that ends with ;"), "{error}");
    }
}
