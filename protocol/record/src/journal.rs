//! Journals: JSON Lines, a whole object a line, appended while something long runs.
//!
//! A crash can leave part of a last line, which is no line of the journal; nothing else may be wrong.
//! What editors and transfers do to text does no harm: a byte-order mark, carriage returns, blank
//! lines, a last line without its end.
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
//! #[serde(rename_all = "lowercase")]
//! enum Line {
//!     Round(u32),
//! }
//!
//! let mut text = Vec::new();
//! kujira_record::journal::write(&mut text, &Line::Round(7))?;
//! text.extend(b"\r\n{\"rou");
//! let read = kujira_record::journal::read::<Line>(&text, "a journal").unwrap();
//! assert_eq!(read.lines, [(1, Line::Round(7))]);
//! assert_eq!(read.length, b"{\"round\":7}\n\r\n".len());
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Fault};

/// A byte-order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What a journal says.
#[derive(Clone, PartialEq, Debug)]
pub struct Whole<T> {
    /// Its lines, each with its number from 1.
    pub lines: Vec<(usize, T)>,
    /// How many bytes at the beginning are whole lines; what follows was cut off.
    pub length: usize,
    /// Whether the last line is whole but for its end: a line feed must come before the next line.
    pub unended: bool,
}

/// Reads a journal; `what` names its sort in errors.
///
/// # Errors
/// What is wrong with which line.
pub fn read<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<Whole<T>, Error> {
    let mut whole = Whole { lines: Vec::new(), length: 0, unended: false };
    let mut length = bytes.len() - without_mark(bytes).len();
    for (number, line) in lines(bytes) {
        length += line.len();
        let ended = line.ends_with(b"\n");
        if line.trim_ascii().is_empty() {
            // Part of a blank line is no loss, but nothing to append to either.
            whole.length = if ended { length } else { whole.length };
            continue;
        }
        match line_of(number, line, what) {
            Ok(value) => whole.lines.push((number, value)),
            Err(error) if error.is_cut_off() => break,
            Err(error) => return Err(error),
        }
        whole.length = length;
        whole.unended = !ended;
    }
    Ok(whole)
}

/// The lines of a journal, each with its number from 1 and its end.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    (1..).zip(without_mark(bytes).split_inclusive(|&byte| byte == b'\n'))
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// What a line says. One without its end that says nothing is what a crash left: it was cut off.
pub(crate) fn line_of<T: DeserializeOwned>(
    number: usize,
    line: &[u8],
    what: &str,
) -> Result<T, Error> {
    serde_json::from_slice(line).map_err(|error| {
        let fault = match line.ends_with(b"\n") {
            true => Fault::Other(format!("expected a line of {what}: {error}")),
            false => Fault::CutOff,
        };
        fault.in_line(number)
    })
}

/// Adds a line.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn write(out: &mut Vec<u8>, line: &impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.push(b'\n');
    Ok(())
}

/// Whether `text`, which holds no whole line, may be what a crash left of a first line of a journal: of a
/// JSON object whose only name is `name`. Nothing at all may be it, too.
#[must_use]
pub fn may_be_cut_off(text: &[u8], name: &str) -> bool {
    let text = without_mark(text).trim_ascii_start();
    let begins = format!("{{\"{name}\":");
    text.starts_with(begins.as_bytes()) || begins.as_bytes().starts_with(text)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Line {
        Head(String),
        Round(u32),
    }

    fn numbers(text: &str) -> Result<(Vec<usize>, usize, bool), String> {
        let whole =
            read::<Line>(text.as_bytes(), "a journal").map_err(|error| error.to_string())?;
        Ok((whole.lines.iter().map(|line| line.0).collect(), whole.length, whole.unended))
    }

    #[test]
    fn what_editors_do_to_a_journal_does_no_harm() {
        const TEXT: &str = "{\"head\":\"é\"}\n{\"round\":1}\n{\"round\":2}\n";
        let length = TEXT.len();
        for (text, lines, length) in [
            (TEXT.to_owned(), vec![1, 2, 3], length),
            (format!("\u{feff}{TEXT}"), vec![1, 2, 3], length + 3),
            (TEXT.replace('\n', "\r\n"), vec![1, 2, 3], length + 3),
            (format!("{TEXT}\n\r\n \n"), vec![1, 2, 3], length + 5),
            (format!("\n{}\n", TEXT.replace('\n', "\n\n")), vec![2, 4, 6], length + 5),
            (format!("{TEXT}  "), vec![1, 2, 3], length),
            (format!("{TEXT}{{\"rou"), vec![1, 2, 3], length),
            (format!("{TEXT}\n\u{feff}"), vec![1, 2, 3], length + 1),
            (String::new(), vec![], 0),
            ("{".to_owned(), vec![], 0),
        ] {
            assert_eq!(numbers(&text), Ok((lines, length, false)), "{text}");
        }
        assert_eq!(numbers(TEXT.trim_end()), Ok((vec![1, 2, 3], length - 1, true)));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, expected) in [
            (
                "{\"head\":\"x\"}\n{\"ruond\":1}\n",
                "line 2: expected a line of a journal: unknown variant `ruond`",
            ),
            ("\n\nnonsense\n{\"round\":1}\n", "line 3: expected a line of a journal: "),
            (
                "{\"round\":1}{\"round\":2}\n",
                "line 1: expected a line of a journal: trailing characters",
            ),
            ("{\"head\":\"\u{0}\"}\n", "line 1: expected a line of a journal: "),
        ] {
            let error = numbers(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(read::<Line>(b"{\"head\":\"caf\xe9\"}\n", "a journal").is_err());
    }

    #[test]
    fn what_a_crash_leaves_of_a_first_line_is_known() {
        for text in
            ["", "{", "{\"match\"", "{\"match\":", "{\"match\":{\"game\":\"wha", "\u{feff}{\"m"]
        {
            assert!(may_be_cut_off(text.as_bytes(), "match"), "{text}");
        }
        for text in ["startpos moves 2e2d", "{\"game\":{", "{}", "\0\0"] {
            assert!(!may_be_cut_off(text.as_bytes(), "match"), "{text}");
        }
    }
}
