//! The tokens of PGN text.
//!
//! Nothing depends on lines but three things, as the standard has it: a comment that `;` begins ends
//! with its line, a line that begins with `%` (here also with `#`) is left out, and a tag's value does
//! not go beyond its line.
//!
//! Lines `Name: value`, as Hodges text has them, are tags of other names ([`HEADERS`]).

use std::io::BufRead;

use crate::ended::result;
use crate::error::{Error, Fault, Spot, quoted};
use crate::text::Lines;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `[Name "value"]`.
    Tag(String, String),
    /// What stands between braces, or behind a semicolon.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$7`, or `?!` behind a move.
    Nag(u8),
    /// The number of a move with its full stops, or full stops alone.
    Number,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, in this spelling.
    Result(&'static str),
    /// Anything else: a move, one hopes.
    Move(String),
}

/// The signs that have numbers, each as the record has it and as the number is.
const SIGNS: [(&str, u8); 6] = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// What lines before the moves of Hodges text are called, and the tags that say the same: others have one name.
/// Black is Black there, whatever the tags of PGN call him.
pub(crate) const HEADERS: [(&str, &str); 9] = [
    ("Game", "Variant"),
    ("Black", "Sente"),
    ("White", "Gote"),
    ("BlackLimit", "WhiteLimit"),
    ("WhiteLimit", "BlackLimit"),
    ("BlackAccuracy", "WhiteAccuracy"),
    ("WhiteAccuracy", "BlackAccuracy"),
    ("Start", "SFEN"),
    ("End", "Termination"),
];

/// The tokens of a text, with where each begins. After an error there are no more.
#[derive(Debug)]
pub(super) struct Tokens<R> {
    lines: Lines<R>,
    /// The line that is read.
    line: String,
    /// How many bytes of it are read.
    offset: usize,
    /// Where that is.
    spot: Spot,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { lines: Lines::new(reader), line: String::new(), offset: 0, spot: (1, 1) }
    }

    /// The line in which the last token ended.
    pub(super) fn line(&self) -> usize {
        self.spot.0
    }

    /// Goes to the next line; `false` if there is none.
    fn advance(&mut self) -> Result<bool, Error> {
        self.line.clear();
        self.offset = 0;
        let Some((number, text)) = self.lines.next_text()? else { return Ok(false) };
        self.spot = (number, 1);
        self.line.push_str(text);
        Ok(true)
    }

    /// What is left of the line.
    fn rest(&self) -> &str {
        self.line.get(self.offset..).unwrap_or_default()
    }

    /// Takes the first `length` bytes of the rest.
    fn take(&mut self, length: usize) -> String {
        let rest = self.rest();
        let taken = rest.get(..length).unwrap_or(rest).to_owned();
        self.offset += taken.len();
        self.spot.1 += taken.chars().count();
        taken
    }

    /// Takes the text before the first letter of the line that satisfies a condition.
    fn until(&mut self, end: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        self.take(rest.find(end).unwrap_or(rest.len()))
    }

    /// Takes what is left of the line but its end.
    fn tail(&mut self) -> String {
        self.until(|letter| letter == '\n')
    }

    /// Takes blanks in the line.
    fn blanks(&mut self) {
        self.until(|letter| !letter.is_whitespace() || letter == '\n');
    }

    fn wrong<T>(&mut self, spot: Spot, fault: Fault) -> Result<T, Error> {
        self.lines.end();
        self.line.clear();
        Err(fault.at(spot))
    }

    /// Whether nothing but blanks stands before this place in its line.
    fn begins_line(&self) -> bool {
        // Looked at backwards and no farther than needed: a line may be megabytes long.
        self.line.get(..self.offset).is_some_and(|before| before.trim_end().is_empty())
    }

    /// The next token and where it begins; `None` at the end.
    fn token(&mut self) -> Result<Option<(Spot, Token)>, Error> {
        loop {
            self.blanks();
            let begin = self.spot;
            let token = match self.rest().chars().next() {
                None | Some('\n') => match self.advance()? {
                    true => continue,
                    false => return Ok(None),
                },
                Some('%' | '#') if self.begins_line() => {
                    self.tail();
                    continue;
                }
                Some('[') => self.tag()?,
                Some('{') => self.comment()?,
                Some(';') => Token::Comment(self.tail().split_off(1)),
                Some(first @ ('(' | ')')) => {
                    self.take(1);
                    if first == '(' { Token::Open } else { Token::Close }
                }
                Some('$') => self.nag()?,
                Some('!' | '?') => self.sign()?,
                Some('*') => {
                    self.take(1);
                    Token::Result("*")
                }
                Some('.' | '…') => {
                    self.until(|letter| !matches!(letter, '.' | '…'));
                    Token::Number
                }
                Some(first @ (']' | '}' | '"')) => {
                    let expected = "a tag, a move, a comment or a result";
                    return self.wrong(begin, Fault::expected(expected, &first.to_string()));
                }
                Some(_) => self.header().unwrap_or_else(|| self.word()),
            };
            return Ok(Some((begin, token)));
        }
    }

    /// A line `Name: value`, if there is one.
    fn header(&mut self) -> Option<Token> {
        let rest = self.rest();
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
        let (name, after) = rest.split_at_checked(end)?;
        let value =
            after.strip_prefix(':').filter(|value| value.starts_with(char::is_whitespace))?;
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) || !self.begins_line() {
            return None;
        }
        let tag = HEADERS.iter().find(|(header, _)| header.eq_ignore_ascii_case(name));
        let tag = tag.map_or(name, |(_, tag)| tag).to_owned();
        let token = Token::Tag(tag, value.trim().to_owned());
        self.tail();
        Some(token)
    }

    fn tag(&mut self) -> Result<Token, Error> {
        let (begin, from) = (self.spot, self.offset);
        self.take(1);
        self.blanks();
        let name =
            self.until(|c| c.is_whitespace() || matches!(c, '"' | '[' | ']' | '{' | '}' | '%'));
        self.blanks();
        let place = self.spot;
        if name.is_empty() || !self.rest().starts_with('"') {
            let line = self.tail();
            // Without a value it is no tag at all.
            if name.is_empty() || line.trim().is_empty() || line.starts_with(']') {
                let found = self.line.get(from..).unwrap_or_default();
                return self.wrong(begin, Fault::expected("[Name \"value\"]", found));
            }
            return self.wrong(place, Fault::expected("a value in quotes", &line));
        }
        self.take(1);
        let mut value = String::new();
        let mut letters = self.rest().char_indices().peekable();
        while let Some((index, letter)) = letters.next() {
            match letter {
                '\n' => break,
                '\\' => match letters.next_if(|(_, next)| matches!(next, '\\' | '"')) {
                    Some((_, escaped)) => value.push(escaped),
                    None => value.push('\\'),
                },
                // Quotes in the middle, as careless programs write them, belong to the value.
                '"' => {
                    let after = self.rest().get(index + 1..).unwrap_or_default();
                    let tail = after.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
                    if let Some(tail) = tail.strip_prefix(']') {
                        self.take(index + 1 + after.len() - tail.len());
                        return Ok(Token::Tag(name, value));
                    }
                    value.push('"');
                }
                _ => value.push(letter),
            }
        }
        let found = quoted(self.line.get(from..).unwrap_or_default());
        self.wrong(begin, Fault::instead("\"] at the end of a tag", found))
    }

    /// What stands between braces: the one token that may have several lines.
    fn comment(&mut self) -> Result<Token, Error> {
        let begin = self.spot;
        self.take(1);
        let mut words = String::new();
        loop {
            words += &self.until(|letter| letter == '}');
            if !self.rest().is_empty() {
                self.take(1);
                return Ok(Token::Comment(words));
            }
            if !self.advance()? {
                return self.wrong(begin, Fault::expected("} at the end of a comment", ""));
            }
        }
    }

    fn nag(&mut self) -> Result<Token, Error> {
        let begin = self.spot;
        self.take(1);
        let digits = self.until(|letter| !letter.is_ascii_digit());
        let number = digits.parse().map(Token::Nag);
        number.or_else(|_| {
            let fault = Fault::expected("a sign from $0 to $255", &format!("${digits}"));
            self.wrong(begin, fault)
        })
    }

    fn sign(&mut self) -> Result<Token, Error> {
        let begin = self.spot;
        let text = self.until(|letter| !matches!(letter, '!' | '?'));
        if let Some(&(_, number)) = SIGNS.iter().find(|(sign, _)| *sign == text) {
            return Ok(Token::Nag(number));
        }
        let signs = SIGNS.map(|(sign, _)| sign).join(" ");
        self.wrong(begin, Fault::expected(format!("one of {signs}"), &text))
    }

    /// A result, a number of a move, or a move. No further is looked than it goes: a line may be megabytes long.
    fn word(&mut self) -> Token {
        const ENDS: &str = "{}()[];$\"";
        let rest = self.rest();
        // A number may stand without a blank before its move, `1.2e2d`; moves begin with digits, too.
        let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let stops = after.trim_start_matches(['.', '…']);
        if after.len() < rest.len() && stops.len() < after.len() {
            self.take(rest.len() - stops.len());
            return Token::Number;
        }
        // A sign or a result may follow without a blank, but a move may have both within, `FKx!6e`, `D*3c`.
        let mut before = ' ';
        let end = rest.char_indices().find(|&(_, letter)| {
            let sign = letter == '?' || (letter == '!' && before != 'x');
            before = letter;
            sign || letter.is_whitespace() || ENDS.contains(letter)
        });
        let length = end.map_or(rest.len(), |(at, _)| at);
        let word = rest.get(..length).unwrap_or_default();
        let token = match result(word) {
            _ if matches!(end, Some((_, '!' | '?'))) => None,
            Some(result) => Some(Token::Result(result)),
            None => word.bytes().all(|letter| letter.is_ascii_digit()).then_some(Token::Number),
        };
        match token {
            Some(token) => {
                self.take(length);
                token
            }
            None => Token::Move(self.take(word.trim_end_matches('*').len().max(1))),
        }
    }
}

impl<R: BufRead> Iterator for Tokens<R> {
    type Item = Result<(Spot, Token), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.token().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Token>, String> {
        let tokens = Tokens::new(text.as_bytes());
        tokens.map(|found| found.map(|found| found.1).map_err(|error| error.to_string())).collect()
    }

    fn played(text: &str) -> Token {
        Token::Move(text.to_owned())
    }

    fn said(text: &str) -> Token {
        Token::Comment(text.to_owned())
    }

    #[test]
    fn moves_numbers_signs_and_results_come_apart() {
        use Token::{Close, Nag, Number, Open, Result};
        for (text, expected) in [
            ("1.2e2d", vec![Number, played("2e2d")]),
            ("12. 2e2d 13 D-2d", vec![Number, played("2e2d"), Number, played("D-2d")]),
            (
                "1... 2e2d 1…2e2d 1 . … N-b4",
                vec![
                    Number,
                    played("2e2d"),
                    Number,
                    played("2e2d"),
                    Number,
                    Number,
                    Number,
                    played("N-b4"),
                ],
            ),
            (
                "2e2d!? 2e2d ?? 2e2d$14$3",
                vec![
                    played("2e2d"),
                    Nag(5),
                    played("2e2d"),
                    Nag(4),
                    played("2e2d"),
                    Nag(14),
                    Nag(3),
                ],
            ),
            (
                "FKx!6e! D*3c 11h11g+! 2e2d* 1-0",
                vec![
                    played("FKx!6e"),
                    Nag(1),
                    played("D*3c"),
                    played("11h11g+"),
                    Nag(1),
                    played("2e2d"),
                    Result("*"),
                    Result("1-0"),
                ],
            ),
            (
                "2e2d(5e5d)3b3c{x}1/2-1/2",
                vec![
                    played("2e2d"),
                    Open,
                    played("5e5d"),
                    Close,
                    played("3b3c"),
                    said("x"),
                    Result("1/2-1/2"),
                ],
            ),
            (
                "2e2d!!5b5c?FKx!6e?!",
                vec![played("2e2d"), Nag(3), played("5b5c"), Nag(2), played("FKx!6e"), Nag(6)],
            ),
            (
                "½-½ 2e2d;a {b\n3b3c ; c",
                vec![Result("1/2-1/2"), played("2e2d"), said("a {b"), played("3b3c"), said(" c")],
            ),
            ("% x\n2e2d\n  # y\r\n%\n3b3c", vec![played("2e2d"), played("3b3c")]),
            ("{a\n[Event \"b\"]\n% c ; d ( e}", vec![said("a\n[Event \"b\"]\n% c ; d ( e")]),
            (" \n\t", vec![]),
        ] {
            assert_eq!(all(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn tags_are_read_however_they_stand() {
        let tag = |name: &str, value: &str| Token::Tag(name.to_owned(), value.to_owned());
        for (text, expected) in [
            ("[Event \"x\"] [Variant \"whale\"]", vec![tag("Event", "x"), tag("Variant", "whale")]),
            ("[Event \"x\"][Site\t\"{y ; (\"]", vec![tag("Event", "x"), tag("Site", "{y ; (")]),
            (" [ Event  \"\" ] ", vec![tag("Event", "")]),
            (r#"[A "a \"b\" \\ c:\d"]"#, vec![tag("A", r#"a "b" \ c:\d"#)]),
            (r#"[A "the "big" one"]"#, vec![tag("A", "the \"big\" one")]),
            ("[A \"é漢\"]\r\n", vec![tag("A", "é漢")]),
        ] {
            assert_eq!(all(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            ("\n [Event]", "line 2, column 2: expected [Name \"value\"], found \"[Event]\""),
            (
                "[Variant \"whale\"",
                "expected \"] at the end of a tag, found \"[Variant \\\"whale\\\"\"",
            ),
            ("[A \"b\nc\"]", "line 1, column 1: expected \"] at the end of a tag"),
            ("[]", "expected [Name \"value\"], found \"[]\""),
            ("[%clk 0:01]", "expected [Name \"value\"]"),
            ("[A b]", "line 1, column 4: expected a value in quotes, found \"b]\""),
            ("2e2d {x", "line 1, column 6: expected } at the end of a comment, found nothing"),
            ("2e2d }", "expected a tag, a move, a comment or a result, found \"}\""),
            ("2e2d $", "expected a sign from $0 to $255, found \"$\""),
            ("2e2d $256", "found \"$256\""),
            ("2e2d !!!", "expected one of ! ? !! ?? !? ?!, found \"!!!\""),
        ] {
            let error = all(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
