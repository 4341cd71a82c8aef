//! The weights of the linear evaluation: what training writes and the engine is built with.
//!
//! A text file of one line a row of [`Features`], so that a change of weights can be read:
//!
//! ```text
//! kujira-weights 1
//! game whale
//! features 7c3f…            which features there are, in which order
//! checksum 9e07…            of everything below
//! worth K 912 1034          in exchanges: on the board and in hand, for every kind
//! square W 12 -3 …
//! …
//! ```
//!
//! Numbers are sixteenths of a centipawn. Exchange values are averages over the positions trained on.

use std::fmt;

use kujira_position::{Kind, Variant, VariantId};

use super::identity::identity as checksum;
use super::linear::{Features, MOST_WEIGHT as MOST, REACH, Row, UNIT, VERSION};

/// The first line of a file: name and version of the format.
const MAGIC: &str = "kujira-weights 1";

/// The files built in.
static BUILT_IN: [(VariantId, &str); 3] = [
    (VariantId::Whale, include_str!("../../weights/whale.weights")),
    (VariantId::Paulowich, include_str!("../../weights/paulowich.weights")),
    (VariantId::Great, include_str!("../../weights/great.weights")),
];

/// The weights of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Sixteenths of a centipawn, by index of the feature; indices of no row have none.
    pub features: Vec<i32>,
    /// What a kind is worth on the board, as the sum of all its features but threats, by kind, on
    /// average; nothing for the white whale, which both sides have. Sixteenths of a centipawn.
    pub on_board: Vec<i32>,
    /// What the first piece of a kind is worth in hand, by kind. Sixteenths of a centipawn.
    pub in_hand: Vec<i32>,
}

/// Why a text is no file of weights of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {}", self.line, self.expected, self.found)
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// No weight at all.
    #[must_use]
    pub fn zero<V: Variant>() -> Self {
        let kinds = V::SPEC.kinds.len();
        Self {
            features: vec![0; Features::<V>::LAYOUT.len()],
            on_board: vec![0; kinds],
            in_hand: vec![0; kinds],
        }
    }

    /// The weights the program was built with.
    ///
    /// # Panics
    /// Never: a test reads the weights of every game.
    #[must_use]
    pub fn built_in<V: Variant>() -> Self {
        let text = BUILT_IN.iter().find(|(game, _)| *game == V::ID).map_or("", |(_, text)| text);
        match Self::parse::<V>(text) {
            Ok(weights) => weights,
            Err(error) => panic!("the weights of {} built in: {error}", V::ID),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the text is cut off, changed, of another game or of other features: with the first line
    /// that is not as it should be.
    pub fn parse<V: Variant>(text: &str) -> Result<Self, WeightsError> {
        let mut lines = Lines { rest: text, number: 0 };
        lines.expect(MAGIC)?;
        lines.expect(&format!("game {}", V::ID))?;
        lines.expect(&format!("features {:016x}", identity::<V>()))?;
        let sum = checksum(lines.rest.split_once('\n').map_or("", |(_, body)| body));
        lines.expect(&format!("checksum {sum:016x}"))?;
        let mut weights = Self::zero::<V>();
        for kind in kinds::<V>() {
            let numbers = lines.numbers(&worth_name::<V>(kind), 2)?;
            weights.on_board[kind.index()] = numbers[0];
            weights.in_hand[kind.index()] = numbers[1];
        }
        for Row { name, first, width, .. } in Features::<V>::rows() {
            let numbers = lines.numbers(&name, width)?;
            weights.features[first..first + width].copy_from_slice(&numbers);
        }
        match lines.next() {
            None => Ok(weights),
            Some(line) => Err(lines.error("the end of the file", line)),
        }
    }

    /// The file that [`Self::parse`] reads.
    #[must_use]
    pub fn to_text<V: Variant>(&self) -> String {
        let mut body = String::new();
        let mut line = |name: &str, numbers: &[i32]| {
            body.push_str(name);
            for number in numbers {
                body.push(' ');
                body.push_str(&number.to_string());
            }
            body.push('\n');
        };
        for kind in kinds::<V>() {
            let values = [self.on_board[kind.index()], self.in_hand[kind.index()]];
            line(&worth_name::<V>(kind), &values);
        }
        for Row { name, first, width, .. } in Features::<V>::rows() {
            line(&name, &self.features[first..first + width]);
        }
        let (game, identity, sum) = (V::ID, identity::<V>(), checksum(&body));
        format!("{MAGIC}\ngame {game}\nfeatures {identity:016x}\nchecksum {sum:016x}\n{body}")
    }
}

fn kinds<V: Variant>() -> impl Iterator<Item = Kind> {
    V::SPEC.all_kinds().skip(1)
}

fn worth_name<V: Variant>(kind: Kind) -> String {
    format!("worth {}", V::SPEC.kind(kind).token)
}

/// A number for the features there are: of other features a file says nothing.
fn identity<V: Variant>() -> u64 {
    let rows: String =
        Features::<V>::rows().iter().map(|row| format!("{} {}\n", row.name, row.width)).collect();
    checksum(&format!("{VERSION} {REACH} {UNIT}\n{rows}"))
}

/// The lines of a file, one after the other.
struct Lines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (line, rest) = self.rest.split_once('\n')?;
        (self.rest, self.number) = (rest, self.number + 1);
        Some(line)
    }

    fn error(&self, expected: &str, found: &str) -> WeightsError {
        let mut found = format!("\"{found}\"");
        if let Some((end, _)) = found.char_indices().nth(60) {
            found.truncate(end);
            found.push('…');
        }
        WeightsError { line: self.number, expected: expected.to_owned(), found }
    }

    fn end(&self, expected: &str) -> WeightsError {
        WeightsError {
            line: self.number + 1,
            expected: expected.to_owned(),
            found: "the end of the text".to_owned(),
        }
    }

    /// The next line, which must be this one.
    fn expect(&mut self, wanted: &str) -> Result<(), WeightsError> {
        match self.next() {
            Some(line) if line == wanted => Ok(()),
            Some(line) => Err(self.error(&format!("\"{wanted}\""), line)),
            None => Err(self.end(&format!("\"{wanted}\""))),
        }
    }

    /// The numbers of the next line, which must begin with `name` and have `count` of them.
    fn numbers(&mut self, name: &str, count: usize) -> Result<Vec<i32>, WeightsError> {
        let wanted = format!("\"{name}\" and {count} numbers within ±{MOST}");
        let Some(line) = self.next() else { return Err(self.end(&wanted)) };
        let numbers = line.strip_prefix(name).and_then(|rest| {
            rest.strip_prefix(' ')?
                .split(' ')
                .map(|word| word.parse().ok().filter(|number| (-MOST..=MOST).contains(number)))
                .collect::<Option<Vec<i32>>>()
        });
        numbers.filter(|numbers| numbers.len() == count).ok_or_else(|| self.error(&wanted, line))
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Great, Paulowich, Whale};

    use super::*;

    fn counted<V: Variant>() -> Weights {
        let mut weights = Weights::zero::<V>();
        for (number, row) in Features::<V>::rows().iter().enumerate() {
            for i in 0..row.width {
                weights.features[row.first + i] = number as i32 * 7 - i as i32;
            }
        }
        for kind in kinds::<V>() {
            weights.on_board[kind.index()] = 100 * kind.index() as i32;
            weights.in_hand[kind.index()] = 90 * kind.index() as i32;
        }
        weights
    }

    fn check<V: Variant>() {
        let built_in = Weights::built_in::<V>();
        assert_eq!(Weights::parse::<V>(&built_in.to_text::<V>()), Ok(built_in));
        let weights = counted::<V>();
        let text = weights.to_text::<V>();
        assert_eq!(Weights::parse::<V>(&text), Ok(weights));
        // Cut off anywhere, or with one more line.
        for end in (0..text.len()).step_by(97).chain([text.len() - 1]) {
            assert!(Weights::parse::<V>(&text[..end]).is_err(), "{end}");
        }
        let error = Weights::parse::<V>(&format!("{text}more\n")).unwrap_err();
        assert_eq!(error.line, 4, "{error}");
    }

    #[test]
    fn files_round_trip() {
        check::<Whale>();
        check::<Paulowich>();
        check::<Great>();
    }

    fn refused(text: &str, expected: &str) {
        let error = Weights::parse::<Whale>(text).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    /// The text with a checksum that is right again.
    fn signed(text: &str) -> String {
        let (head, body) = text.split_once("checksum ").unwrap();
        let body = body.split_once('\n').unwrap().1;
        format!("{head}checksum {:016x}\n{body}", checksum(body))
    }

    #[test]
    fn what_is_wrong_is_said() {
        let text = counted::<Whale>().to_text::<Whale>();
        let paulowich = Weights::zero::<Paulowich>().to_text::<Paulowich>();
        refused("", "line 1: expected \"kujira-weights 1\", found the end of the text");
        refused("x\n", "line 1: expected \"kujira-weights 1\", found \"x\"");
        refused(&paulowich, "line 2: expected \"game whale\", found \"game paulowich\"");
        let other = text.replace("\nfeatures ", "\nfeatures 0");
        assert_eq!(Weights::parse::<Whale>(&other).unwrap_err().line, 3);
        let changed = text.replace("worth K 100 90", "worth K 101 90");
        assert_eq!(Weights::parse::<Whale>(&changed).unwrap_err().line, 4);
        for (line, found) in [
            ("worth K 100", "\"worth K 100\""),
            ("worth K 100 90 3", "\"worth K 100 90 3\""),
            ("worth K 100 x", "\"worth K 100 x\""),
            ("worth K 100  90", "\"worth K 100  90\""),
            ("worth K 100 64001", "\"worth K 100 64001\""),
            ("worth H 100 90", "\"worth H 100 90\""),
            ("worth K100 90", "\"worth K100 90\""),
        ] {
            let expected =
                format!("line 5: expected \"worth K\" and 2 numbers within ±64000, found {found}");
            refused(&signed(&text.replace("worth K 100 90", line)), &expected);
        }
        refused(
            &signed(&format!("{text}more\n")),
            &format!(
                "line {}: expected the end of the file, found \"more\"",
                text.lines().count() + 1
            ),
        );
    }
}
