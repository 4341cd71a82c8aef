//! Journals: JSON Lines, a whole object a line, appended while something long runs.
//!
//! A crash can leave part of a last line, which is no line of the journal; nothing else may be wrong.
//! What editors and transfers do to text does no harm: a byte-order mark, carriage returns, blank
//! lines, a last line without its end.
//!
//! Every line ends with its check sum, `,"crc32":"89abcdef"}`: the CRC-32 of all that stands before it in the line.
//! One that does not fit is an error. Journals of before December 2026 have none.
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
//! assert_eq!(read.length, b"{\"round\":7,\"crc32\":\"xxxxxxxx\"}\n\r\n".len());
//! assert_eq!(read.unsummed, None);
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::io::BufRead;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::error::{Error, Fault};
use crate::text::{Lines, bare};

/// What a journal says.
#[derive(Clone, PartialEq, Debug)]
pub struct Whole<T> {
    /// Its lines, each with its number from 1.
    pub lines: Vec<(usize, T)>,
    /// How many bytes at the beginning are whole lines; what follows was cut off.
    pub length: usize,
    /// Whether the last line lacks only its line feed, which must be written before the next line.
    pub unended: bool,
    /// The number of the first line that has no check sum.
    pub unsummed: Option<usize>,
}

/// A line of a journal.
#[derive(Clone, PartialEq, Debug)]
pub struct Read<T> {
    /// What it says.
    pub value: T,
    /// Whether it has a check sum.
    pub summed: bool,
}

/// A line of a journal that is read line by line.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry<T> {
    /// Its number, from 1.
    pub number: usize,
    /// What it says.
    pub value: T,
    /// Whether it has a check sum.
    pub summed: bool,
    /// Its bytes in the file, its end among them.
    pub place: Range<u64>,
}

/// Reads a journal line by line, with the memory of one.
#[derive(Debug)]
pub struct Reader<R, T> {
    lines: Lines<R>,
    what: &'static str,
    whole: u64,
    unended: bool,
    read: PhantomData<T>,
}

impl<R: BufRead, T: DeserializeOwned> Reader<R, T> {
    /// Reads from the beginning; `what` names the sort of the journal in errors.
    pub fn new(reader: R, what: &'static str) -> Self {
        Self { lines: Lines::new(reader), what, whole: 0, unended: false, read: PhantomData }
    }

    /// How many bytes at the beginning are whole lines, of what was read; what follows in the end was cut off.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.whole
    }

    fn entry(&mut self) -> Result<Option<Entry<T>>, Error> {
        while let Some((number, line)) = self.lines.next()? {
            let (ended, length) = (line.ends_with(b"\n"), line.len() as u64);
            let blank = line.trim_ascii().is_empty();
            let read = if blank { None } else { Some(line_of(number, line, self.what)) };
            let end = self.lines.place();
            match read {
                // Part of a blank line is no loss, but nothing to append to either.
                None if ended => self.whole = end,
                None => {}
                Some(Ok(Read { value, summed })) => {
                    (self.whole, self.unended) = (end, !ended);
                    return Ok(Some(Entry { number, value, summed, place: end - length..end }));
                }
                Some(Err(error)) if error.is_cut_off() => break,
                Some(Err(error)) => return Err(error),
            }
        }
        self.lines.end();
        Ok(None)
    }
}

impl<R: BufRead, T: DeserializeOwned> Iterator for Reader<R, T> {
    type Item = Result<Entry<T>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}

/// Reads a journal; `what` names its sort in errors.
///
/// # Errors
/// What is wrong with which line.
pub fn read<T: DeserializeOwned>(bytes: &[u8], what: &'static str) -> Result<Whole<T>, Error> {
    let mut reader = Reader::new(bytes, what);
    let (mut lines, mut unsummed) = (Vec::new(), None);
    for entry in &mut reader {
        let Entry { number, value, summed, .. } = entry?;
        lines.push((number, value));
        unsummed = unsummed.or((!summed).then_some(number));
    }
    let length = usize::try_from(reader.whole).unwrap_or(bytes.len());
    Ok(Whole { lines, length, unended: reader.unended, unsummed })
}

/// Whether a line ends with a check sum, right or wrong.
#[must_use]
pub fn has_sum(line: &[u8]) -> bool {
    taken_apart(line.trim_ascii()).1.is_some()
}

/// What a line says; `what` names the sort of its journal in errors. One without its end that is part of a line is what
/// a crash left: it was cut off.
///
/// # Errors
/// What is wrong with the line.
pub fn line_of<T: DeserializeOwned>(
    number: usize,
    line: &[u8],
    what: &str,
) -> Result<Read<T>, Error> {
    let text = line.trim_ascii();
    let (body, told) = taken_apart(text);
    let found = told.map(|_| crc32fast::hash(body));
    if told != found {
        let [told, found] = [told, found].map(Option::unwrap_or_default);
        return Err(Fault::CheckSum { what: what.to_owned(), told, found }.in_line(number));
    }
    let read = match told {
        Some(_) => serde_json::from_slice(&[body, b"}"].concat()),
        None => serde_json::from_slice(text),
    };
    read.map(|value| Read { value, summed: told.is_some() }).map_err(|error| {
        let fault = if !line.ends_with(b"\n") && is_part(text) {
            Fault::CutOff
        } else if told.is_none() && text.windows(NAME.len()).any(|part| part == NAME) {
            Fault::Rewritten { what: what.to_owned() }
        } else {
            Fault::Json { what: what.to_owned(), found: error.to_string() }
        };
        fault.in_line(number)
    })
}

/// Whether a text that is no line may be part of one: it does not begin with a whole object, or its end was never
/// written, as where a file system had made room for it.
fn is_part(text: &[u8]) -> bool {
    if text.ends_with(b"\0") {
        return true;
    }
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    !matches!(values.next(), Some(Ok(_)))
}

/// What a check sum is called.
const NAME: &[u8] = b"\"crc32\"";

/// What stands before the digits of a check sum and behind them.
const SUM: [&[u8]; 2] = [b",\"crc32\":\"", b"\"}"];

/// A line without its end, and the check sum that it tells.
fn taken_apart(line: &[u8]) -> (&[u8], Option<u32>) {
    let parts = || {
        let rest = line.strip_suffix(SUM[1])?;
        let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(8)?)?;
        let digits = std::str::from_utf8(digits).ok()?;
        let told = u32::from_str_radix(digits, 16).ok()?;
        // Only one spelling is accepted, so that no change in it goes unnoticed.
        (format!("{told:08x}") == digits).then_some((rest.strip_suffix(SUM[0])?, told))
    };
    parts().map_or((line, None), |(body, told)| (body, Some(told)))
}

/// Adds a line; an object has a check sum at its end.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn write(out: &mut Vec<u8>, line: &impl Serialize) -> serde_json::Result<()> {
    let begin = out.len();
    serde_json::to_writer(&mut *out, line)?;
    let body = out.get(begin..).unwrap_or_default();
    if let Some(body) = body.strip_suffix(b"}").filter(|body| body.len() > 1) {
        let (sum, end) = (crc32fast::hash(body), begin + body.len());
        out.truncate(end);
        out.extend_from_slice(SUM[0]);
        out.extend(format!("{sum:08x}").into_bytes());
        out.extend_from_slice(SUM[1]);
    }
    out.push(b'\n');
    Ok(())
}

/// Whether `text`, which holds no whole line, may be what a crash left of a first line of a journal: of a
/// JSON object whose only name is `name`. Nothing at all may be it, too.
#[must_use]
pub fn may_be_cut_off(text: &[u8], name: &str) -> bool {
    let text = bare(text).trim_ascii_start();
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
            (format!("{TEXT}{{\"round\":3\0\0\0"), vec![1, 2, 3], length),
            (format!("{TEXT}{{\"round\":3}}\0\0\0"), vec![1, 2, 3], length),
            (format!("{TEXT}\0\0\0"), vec![1, 2, 3], length),
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
            // A line that is whole was not cut off, though its end is gone.
            ("{\"round\":1}J", "line 1: expected a line of a journal: trailing characters"),
            ("{\"ruond\":1}", "line 1: expected a line of a journal: unknown variant `ruond`"),
        ] {
            let error = numbers(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(read::<Line>(b"{\"head\":\"caf\xe9\"}\n", "a journal").is_err());
    }

    #[test]
    fn a_line_that_was_changed_is_told() {
        let mut text = Vec::new();
        write(&mut text, &Line::Head("é".to_owned())).unwrap();
        write(&mut text, &Line::Round(7)).unwrap();
        let text = String::from_utf8(text).unwrap();
        // CRC-32 of `{"round":7`, as zlib has it.
        assert_eq!(text.lines().nth(1), Some("{\"round\":7,\"crc32\":\"bddbca2f\"}"));
        assert_eq!(numbers(&text), Ok((vec![1, 2], text.len(), false)));
        let saved = format!("\u{feff}{}\r\n", text.trim_end().replace('\n', " \r\n\r\n"));
        assert_eq!(numbers(&saved).map(|found| found.0), Ok(vec![1, 3]));
        let unsummed = |text: &str| read::<Line>(text.as_bytes(), "a journal").unwrap().unsummed;
        assert_eq!(unsummed(&text), None);
        assert!(text.lines().all(|line| has_sum(line.as_bytes())) && !has_sum(b"{\"round\":7}"));
        assert_eq!(unsummed(&format!("{text}{{\"round\":8}}\n{text}")), Some(3));
        for (from, to, expected) in [
            ("7", "6", "as it was written, with the check sum bddbca2f, found one with "),
            ("bddbca2f", "Bddbca2f", "with its check sum at the end as it was written, found"),
            (",\"crc32\":", ", \"crc32\": ", "with its check sum at the end as it was written"),
        ] {
            let error = numbers(&text.replace(from, to)).unwrap_err();
            assert!(error.contains(expected) && error.starts_with("line "), "{error}");
        }
        // Every bit: what is read is what was written, or an error.
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let Ok(whole) = read::<Line>(&bytes, "a journal") else { continue };
                let lines = [(1, Line::Head("é".to_owned())), (2, Line::Round(7))];
                assert!(whole.lines == lines || whole.unsummed.is_some(), "{at} {bit}: {whole:?}");
            }
        }
        // What is no object, as a journal of moves has it, has no check sum.
        let mut text = Vec::new();
        write(&mut text, &"2e2d").unwrap();
        assert_eq!(text, b"\"2e2d\"\n");
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
