//! Lines of input: how they are cut out of the bytes, and what makes them text.

use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes: room for a game of several hundred thousand moves.
pub const LONGEST_LINE: usize = 4 << 20;

/// Why a line is no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// The line is longer than [`LONGEST_LINE`].
    #[error("expected a line of at most {} bytes, found a longer one", LONGEST_LINE)]
    TooLong,
    /// The line is not UTF-8.
    #[error("expected UTF-8, found another byte at offset {at} of the line")]
    Encoding {
        /// Offset of the first wrong byte.
        at: usize,
    },
    /// The line holds a control character.
    #[error(
        "expected text, found the control character {} at offset {at} of the line",
        found.escape_default()
    )]
    Control {
        /// Control character.
        found: char,
        /// Offset of the character in bytes.
        at: usize,
    },
}

/// The line as text, without blanks around it.
pub(crate) fn text(line: &[u8]) -> Result<&str, LineError> {
    let text = std::str::from_utf8(line)
        .map_err(|error| LineError::Encoding { at: error.valid_up_to() })?
        .trim_ascii();
    match text.char_indices().find(|(_, c)| c.is_control() && *c != '\t') {
        Some((at, found)) => Err(LineError::Control { found, at }),
        None => Ok(text),
    }
}

/// The first word and the rest, without blanks around them.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii();
    match text.split_once([' ', '\t']) {
        Some((word, rest)) => (word, rest.trim_ascii()),
        None => (text, ""),
    }
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A line is in the buffer, without its line feed.
    Whole,
    /// A line was too long: its beginning is in the buffer, the rest was skipped.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads the next line, of which it holds at most [`LONGEST_LINE`] bytes.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    const KEPT: usize = 1 << 16;
    line.clear();
    line.shrink_to(KEPT);
    let most = LONGEST_LINE as u64 + 1;
    input.by_ref().take(most).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Line::Whole);
    }
    if line.len() <= LONGEST_LINE {
        // The input ended; what it held of a line is one.
        return Ok(if line.is_empty() { Line::End } else { Line::Whole });
    }
    input.skip_until(b'\n')?;
    Ok(Line::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<(Line, usize)> {
        let mut buffer = Vec::new();
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input, &mut buffer).unwrap() {
                Line::End => return lines,
                line => lines.push((line, buffer.len())),
            }
        }
    }

    #[test]
    fn lines_end_at_line_feeds_and_at_the_end() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\n\nbc"), [(Line::Whole, 1), (Line::Whole, 0), (Line::Whole, 2)]);
    }

    #[test]
    fn the_longest_line_is_read_and_a_longer_one_skipped() {
        let longest = [vec![b'x'; LONGEST_LINE], b"\nusi\n".to_vec()].concat();
        assert_eq!(lines(&longest), [(Line::Whole, LONGEST_LINE), (Line::Whole, 3)]);
        let longer = [vec![b'x'; LONGEST_LINE + 1], b"\nusi\n".to_vec()].concat();
        let read = lines(&longer);
        assert_eq!(read.len(), 2);
        assert_eq!(read[0], (Line::TooLong, LONGEST_LINE + 1));
        assert_eq!(read[1], (Line::Whole, 3));
        let endless = vec![b'x'; 3 * LONGEST_LINE];
        assert_eq!(lines(&endless).len(), 1);
    }
}
