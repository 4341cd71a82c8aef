//! Files as text: bytes, their encoding, lines.

use std::fs;
use std::path::Path;

use crate::error::{Error, Fault, Place};

/// What some editors put before a text in UTF-8.
const MARK: &str = "\u{feff}";

/// The text of a file, without a byte-order mark. Only UTF-8 is read.
///
/// # Errors
/// Which byte, in which line, is no UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, Error> {
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    match str::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(text)),
        Err(_) if wide => Err(Fault::Expected {
            expected: "a text in UTF-8".to_owned(),
            found: "one in UTF-16".to_owned(),
        }
        .nowhere()),
        Err(error) => {
            let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            let text = without_mark(str::from_utf8(before).unwrap_or_default());
            let fault = Fault::Expected {
                expected: "a text in UTF-8".to_owned(),
                found: format!("the byte 0x{byte:02x}"),
            };
            Err(fault.at(place(text, text.len())))
        }
    }
}

/// A text without its byte-order mark, if it has one.
#[must_use]
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Reads a file of text, without a byte-order mark.
///
/// # Errors
/// That the file cannot be read, or is no UTF-8; the error names the file.
pub fn open(path: &Path) -> Result<String, Error> {
    let named = |error: Error| error.in_file(path.display().to_string());
    let bytes = fs::read(path).map_err(|error| named(Fault::Other(error.to_string()).nowhere()))?;
    decode(&bytes).map(str::to_owned).map_err(named)
}

/// Where the byte `offset` of a text stands: line and column, counted from 1, the column in
/// characters.
pub(crate) fn place(text: &str, offset: usize) -> Place {
    let before = text.get(..offset).unwrap_or(text);
    let line = 1 + before.matches('\n').count();
    let begun = before.rsplit('\n').next().unwrap_or_default();
    Place { line: Some(line), column: Some(1 + begun.chars().count()), ..Place::default() }
}

/// A line of a list that says something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What it says, without blanks at both ends.
    pub text: &'a str,
}

/// The lines of a list that say something: not those that are blank, and not comments, which begin
/// with `#` or `;`. Lines end with a line feed, with or without a carriage return; a byte-order mark
/// is left out.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    (1..)
        .zip(without_mark(text).lines())
        .map(|(number, line)| Line { number, text: line.trim() })
        .filter(|line| !line.text.is_empty() && !line.text.starts_with(['#', ';']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_named() {
        assert_eq!(decode("\u{feff}né".as_bytes()), Ok("né"));
        assert_eq!(decode(b""), Ok(""));
        for (bytes, expected) in [
            (
                &b"\xef\xbb\xbf{\n caf\xe9}"[..],
                "line 2, column 5: expected a text in UTF-8, found the byte 0xe9",
            ),
            (b"a\xc3", "line 1, column 2: expected a text in UTF-8, found the byte 0xc3"),
            (b"\xff\xfe1\0", "expected a text in UTF-8, found one in UTF-16"),
        ] {
            assert_eq!(decode(bytes).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn lines_are_numbered_as_editors_do() {
        let text = "\u{feff}a\r\n\r\n# b\n\t; c\n \t d e\t\n\n";
        let found: Vec<_> = lines(text).map(|line| (line.number, line.text)).collect();
        assert_eq!(found, [(1, "a"), (5, "d e")]);
    }
}
