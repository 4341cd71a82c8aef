//! Files as text: bytes, their encoding, lines.

use std::fs;
use std::io::{BufRead, Read as _};
use std::path::Path;

use crate::error::{Error, Fault, Spot};

/// What some editors put before a text in UTF-8.
const MARK: &str = "\u{feff}";

/// The text of a file, without a byte-order mark. Only UTF-8 is read.
///
/// # Errors
/// Which byte, in which line, is no UTF-8; where a line ends as lines of old computers do, by a carriage return alone.
pub fn decode(bytes: &[u8]) -> Result<&str, Error> {
    if is_utf16(bytes) {
        return Err(Fault::Utf16.into());
    }
    utf8(bare(bytes))
}

/// Whether a file begins with the mark of a text in UTF-16.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let (before, rest) = bytes.split_at(error.valid_up_to());
        let before = str::from_utf8(before).unwrap_or_default();
        Fault::Byte(rest.first().copied().unwrap_or_default()).at(behind(before))
    })?;
    // The games of a file of such lines would be one, or none.
    let alone = |pair: &[u8]| matches!(pair, [b'\r', next] if !b"\r\n".contains(next));
    match bytes.windows(2).position(alone) {
        Some(at) => Err(Fault::LineEnd.at(behind(&text[..at]))),
        None => Ok(text),
    }
}

/// The line and the character behind a text.
fn behind(text: &str) -> Spot {
    let begun = text.rsplit('\n').next().unwrap_or_default();
    (1 + text.matches('\n').count(), 1 + begun.chars().count())
}

/// A file without its byte-order mark, if it has one.
pub(crate) fn bare(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes)
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
    let bytes = fs::read(path).map_err(|error| named(error.into()))?;
    decode(&bytes).map(str::to_owned).map_err(named)
}

/// The longest line, in bytes. What has a longer one is no record: no game with all its comments needs so much.
const LONGEST_LINE: u64 = 1 << 26;

/// The lines of a reader, of which one at a time is held. After an error there are no more.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    bytes: Vec<u8>,
    /// The number of the line held.
    number: usize,
    /// Where the next line begins, in bytes.
    next: u64,
    /// Whether no more are read.
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), number: 0, next: 0, ended: false }
    }

    /// Where the line held ends, in bytes from the beginning of the file.
    pub(crate) fn place(&self) -> u64 {
        self.next
    }

    /// Reads no more.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    /// Reads a line; `false` if there is none.
    fn fill(&mut self) -> Result<bool, Error> {
        self.bytes.clear();
        if !self.ended {
            let read = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut self.bytes);
            self.ended = !matches!(read, Ok(1..));
            self.next += read? as u64;
            self.number += 1;
            if self.bytes.len() as u64 == LONGEST_LINE && self.bytes.last() != Some(&b'\n') {
                self.ended = true;
                return Err(Fault::LongLine(LONGEST_LINE).at((self.number, 1)));
            }
        }
        if self.number == 1 && is_utf16(&self.bytes) {
            self.ended = true;
            return Err(Fault::Utf16.into());
        }
        if self.number == 1 {
            self.bytes.drain(..self.bytes.len() - bare(&self.bytes).len());
        }
        Ok(!self.ended)
    }

    /// The next line with its number from 1 and its end, without a byte-order mark; `None` where there is none.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, &[u8])>, Error> {
        Ok(self.fill()?.then_some((self.number, &self.bytes)))
    }

    /// The same as text.
    pub(crate) fn next_text(&mut self) -> Result<Option<(usize, &str)>, Error> {
        if !self.fill()? {
            return Ok(None);
        }
        let text = utf8(&self.bytes).map_err(|error| match error.place.line {
            Some(_) => error.in_line(self.number),
            None => error,
        });
        self.ended = text.is_err();
        Ok(Some((self.number, text?)))
    }
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

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::new(std::io::BufReader::new(std::io::repeat(b'a')));
        let error = lines.next_text().unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 1: expected a line of at most 67108864 bytes, found a longer one"
        );
        assert_eq!(lines.next_text(), Ok(None));
    }

    #[test]
    fn only_the_first_line_tells_utf_16() {
        let read = |bytes: &'static [u8]| {
            let mut lines = Lines::new(bytes);
            let all = std::iter::from_fn(|| match lines.next_text() {
                Ok(None) => None,
                Ok(Some((number, _))) => Some(format!("{number}")),
                Err(error) => Some(error.to_string()),
            });
            all.collect::<Vec<_>>()
        };
        assert_eq!(read(b"\xff\xfe1\0"), ["expected a text in UTF-8, found one in UTF-16"]);
        let byte = "line 2, column 1: expected a text in UTF-8, found the byte 0xff";
        assert_eq!(read(b"1\n\xff\xfe"), ["1", byte]);
    }
}
