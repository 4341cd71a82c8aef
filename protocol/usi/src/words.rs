//! A line as words between blanks, read and written.

use std::fmt;
use std::ops::RangeInclusive;

/// The words of a text that are still to come. Blanks are those of ASCII.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// The words of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self(text.trim_ascii())
    }

    /// What is left, without blanks round it.
    pub(crate) fn rest(&self) -> &'a str {
        self.0
    }

    /// The next word, not taken.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Takes the next word if it is a wanted one.
    pub(crate) fn next_if(&mut self, wanted: impl FnOnce(&str) -> bool) -> Option<&'a str> {
        self.peek().filter(|word| wanted(word))?;
        self.next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let blank = |c: char| c.is_ascii_whitespace();
        let (word, rest) = self.0.split_once(blank).unwrap_or((self.0, ""));
        self.0 = rest.trim_ascii_start();
        Some(word)
    }
}

/// Writes a word and its value behind a blank, or nothing where there is no value.
pub(crate) fn say<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    value: &Option<T>,
) -> fmt::Result {
    value.as_ref().map_or(Ok(()), |value| write!(f, " {word} {value}"))
}

/// Words joined by single blanks.
pub(crate) fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// What stands before and behind each place where `word` stands as a word, without blanks round it.
pub(crate) fn around<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.match_indices(word).filter_map(move |(at, _)| {
        let (before, from) = text.split_at_checked(at)?;
        let after = from.strip_prefix(word)?;
        let blank = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
        let stands = blank(before.chars().next_back()) && blank(after.chars().next());
        stands.then(|| (before.trim_ascii(), after.trim_ascii()))
    })
}

/// Reads a number within a range: digits, nothing else.
#[must_use]
pub fn number_in<T: TryFrom<u64>>(range: &RangeInclusive<u64>, text: &str) -> Option<T> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let value = text.parse().ok().filter(|value| digits && range.contains(value))?;
    T::try_from(value).ok()
}

/// Outside text for a message: ASCII, not too long, in quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let shown: String = text.chars().take(LONGEST).flat_map(char::escape_default).collect();
    let more = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    format!("\"{shown}{more}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_blanks() {
        let mut words = Words::new(" \t one\r two  three \n");
        assert_eq!((words.next(), words.rest()), (Some("one"), "two  three"));
        assert_eq!(words.next_if(|word| word == "three"), None);
        assert_eq!((words.next(), words.peek()), (Some("two"), Some("three")));
        assert_eq!(joined(Words::new(" a \t b ")), "a b");
        assert_eq!(Words::new(" \t").next(), None);
    }
}
