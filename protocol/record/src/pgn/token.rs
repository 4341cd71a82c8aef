//! The tokens of PGN text.
//!
//! Nothing depends on lines but three things, as the standard has it: a comment that `;` begins ends
//! with its line, a line that begins with `%` (here also with `#`) is left out, and a tag's value does
//! not go beyond its line.
//!
//! Lines `Name: value`, as Hodges text has them, are tags of other names ([`HEADERS`]).

use crate::error::{Error, Fault, quoted};
use crate::text::place;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// What stands between braces, or behind a semicolon.
    Comment(&'a str),
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
    Move(&'a str),
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

/// The result that a text is, in whatever spelling; `None` if it is none.
pub(super) fn result(text: &str) -> Option<&'static str> {
    RESULTS.iter().find(|(spelt, _)| *spelt == text.trim()).map(|row| row.1)
}

/// The results, and other spellings of them.
const RESULTS: [(&str, &str); 7] = [
    ("1-0", "1-0"),
    ("0-1", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
    ("½", "1/2-1/2"),
    ("*", "*"),
];

/// The tokens of a text, with where each begins. After an error there are no more.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    /// The text from `from` up to where the last token ended.
    pub(super) fn since(&self, from: usize) -> &'a str {
        self.text.get(from..self.offset).unwrap_or_default()
    }

    /// Where the last token ended.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// Takes the first `length` bytes of the rest.
    fn take(&mut self, length: usize) -> &'a str {
        let rest = self.rest();
        let taken = rest.get(..length).unwrap_or(rest);
        self.offset += taken.len();
        taken
    }

    /// Takes the text before the first letter that satisfies a condition.
    fn until(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(end).unwrap_or(rest.len()))
    }

    /// Takes blanks.
    fn blanks(&mut self) {
        self.until(|letter| !letter.is_whitespace());
    }

    fn wrong(&mut self, offset: usize, fault: Fault) -> Error {
        self.offset = self.text.len();
        fault.at(place(self.text, offset))
    }

    /// Whether nothing but blanks stands before this place in its line.
    fn begins_line(&self, offset: usize) -> bool {
        let before = self.text.get(..offset).unwrap_or_default();
        // Looked at backwards and no farther than needed: a line may be megabytes long.
        let last = before.chars().rev().find(|&letter| letter == '\n' || !letter.is_whitespace());
        last.is_none_or(|letter| letter == '\n')
    }

    /// The next token and where it begins; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, Error> {
        loop {
            self.blanks();
            let begin = self.offset;
            let Some(first) = self.rest().chars().next() else { return Ok(None) };
            let token = match first {
                '%' | '#' if self.begins_line(begin) => {
                    self.until(|letter| letter == '\n');
                    continue;
                }
                '[' => self.tag()?,
                '{' => self.comment()?,
                ';' => {
                    let line = self.until(|letter| letter == '\n');
                    Token::Comment(line.get(1..).unwrap_or_default())
                }
                '(' | ')' => {
                    self.take(1);
                    if first == '(' { Token::Open } else { Token::Close }
                }
                '$' => self.nag()?,
                '!' | '?' => self.sign()?,
                '*' => {
                    self.take(1);
                    Token::Result("*")
                }
                '.' | '…' => {
                    self.until(|letter| !matches!(letter, '.' | '…'));
                    Token::Number
                }
                ']' | '}' | '"' => {
                    let expected = "a tag, a move, a comment or a result";
                    return Err(self.wrong(begin, Fault::expected(expected, &first.to_string())));
                }
                _ => self.header().unwrap_or_else(|| self.word()),
            };
            return Ok(Some((begin, token)));
        }
    }

    /// A line `Name: value`, if there is one.
    fn header(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
        let (name, after) = rest.split_at_checked(end)?;
        let value =
            after.strip_prefix(':').filter(|value| value.starts_with(char::is_whitespace))?;
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            || !self.begins_line(self.offset)
        {
            return None;
        }
        let line = value.split('\n').next().unwrap_or_default();
        self.take(name.len() + 1 + line.len());
        let tag = HEADERS.iter().find(|(header, _)| header.eq_ignore_ascii_case(name));
        Some(Token::Tag(tag.map_or(name, |(_, tag)| tag), line.trim().to_owned()))
    }

    fn tag(&mut self) -> Result<Token<'a>, Error> {
        let begin = self.offset;
        self.take(1);
        self.until(|letter| !letter.is_whitespace() || letter == '\n');
        let name =
            self.until(|c| c.is_whitespace() || matches!(c, '"' | '[' | ']' | '{' | '}' | '%'));
        self.until(|letter| !letter.is_whitespace() || letter == '\n');
        let place = self.offset;
        if name.is_empty() || !self.rest().starts_with('"') {
            let line = self.until(|letter| letter == '\n');
            // Without a value it is no tag at all.
            let bare = name.is_empty() || line.trim().is_empty() || line.starts_with(']');
            let (place, expected) =
                if bare { (begin, "[Name \"value\"]") } else { (place, "a value in quotes") };
            let found = self.since(place);
            return Err(self.wrong(place, Fault::expected(expected, found)));
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
        self.until(|letter| letter == '\n');
        let found = quoted(self.since(begin));
        let fault = Fault::Expected { expected: "\"] at the end of a tag".to_owned(), found };
        Err(self.wrong(begin, fault))
    }

    fn comment(&mut self) -> Result<Token<'a>, Error> {
        let begin = self.offset;
        self.take(1);
        let inner = self.until(|letter| letter == '}');
        if self.rest().is_empty() {
            let fault = Fault::expected("} at the end of a comment", "");
            return Err(self.wrong(begin, fault));
        }
        self.take(1);
        Ok(Token::Comment(inner))
    }

    fn nag(&mut self) -> Result<Token<'a>, Error> {
        let begin = self.offset;
        self.take(1);
        let digits = self.until(|letter| !letter.is_ascii_digit());
        match digits.parse() {
            Ok(number) => Ok(Token::Nag(number)),
            Err(_) => {
                let found = format!("${digits}");
                Err(self.wrong(begin, Fault::expected("a sign from $0 to $255", &found)))
            }
        }
    }

    fn sign(&mut self) -> Result<Token<'a>, Error> {
        let begin = self.offset;
        let text = self.until(|letter| !matches!(letter, '!' | '?'));
        match SIGNS.iter().find(|(sign, _)| *sign == text) {
            Some(&(_, number)) => Ok(Token::Nag(number)),
            None => {
                let signs = SIGNS.map(|(sign, _)| sign).join(" ");
                Err(self.wrong(begin, Fault::expected(format!("one of {signs}"), text)))
            }
        }
    }

    /// A result, a number of a move, or a move. No further is looked than it goes: a line may be megabytes long.
    fn word(&mut self) -> Token<'a> {
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
        let word = rest.get(..end.map_or(rest.len(), |(at, _)| at)).unwrap_or_default();
        if !matches!(end, Some((_, '!' | '?'))) {
            if let Some(result) = result(word) {
                self.take(word.len());
                return Token::Result(result);
            }
            if word.bytes().all(|letter| letter.is_ascii_digit()) {
                self.take(word.len());
                return Token::Number;
            }
        }
        Token::Move(self.take(word.trim_end_matches('*').len().max(1)))
    }
}

/// How a numeric annotation glyph is written.
pub(super) fn nag_text(nag: u8) -> String {
    format!("${nag}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Token<'_>>, String> {
        let mut tokens = Tokens::new(text);
        let mut found = Vec::new();
        while let Some((_, token)) = tokens.next().map_err(|error| error.to_string())? {
            found.push(token);
        }
        Ok(found)
    }

    #[test]
    fn moves_numbers_signs_and_results_come_apart() {
        use Token::{Close, Comment, Move, Nag, Number, Open, Result};
        for (text, expected) in [
            ("1.2e2d", vec![Number, Move("2e2d")]),
            ("12. 2e2d 13 D-2d", vec![Number, Move("2e2d"), Number, Move("D-2d")]),
            (
                "1... 2e2d 1…2e2d 1 . … N-b4",
                vec![
                    Number,
                    Move("2e2d"),
                    Number,
                    Move("2e2d"),
                    Number,
                    Number,
                    Number,
                    Move("N-b4"),
                ],
            ),
            (
                "2e2d!? 2e2d ?? 2e2d$14$3",
                vec![Move("2e2d"), Nag(5), Move("2e2d"), Nag(4), Move("2e2d"), Nag(14), Nag(3)],
            ),
            (
                "FKx!6e! D*3c 11h11g+! 2e2d* 1-0",
                vec![
                    Move("FKx!6e"),
                    Nag(1),
                    Move("D*3c"),
                    Move("11h11g+"),
                    Nag(1),
                    Move("2e2d"),
                    Result("*"),
                    Result("1-0"),
                ],
            ),
            (
                "2e2d(5e5d)3b3c{x}1/2-1/2",
                vec![
                    Move("2e2d"),
                    Open,
                    Move("5e5d"),
                    Close,
                    Move("3b3c"),
                    Comment("x"),
                    Result("1/2-1/2"),
                ],
            ),
            (
                "2e2d!!5b5c?FKx!6e?!",
                vec![Move("2e2d"), Nag(3), Move("5b5c"), Nag(2), Move("FKx!6e"), Nag(6)],
            ),
            (
                "½-½ 2e2d;a {b\n3b3c ; c",
                vec![Result("1/2-1/2"), Move("2e2d"), Comment("a {b"), Move("3b3c"), Comment(" c")],
            ),
            ("% x\n2e2d\n  # y\r\n%\n3b3c", vec![Move("2e2d"), Move("3b3c")]),
            ("{a\n[Event \"b\"]\n% c ; d ( e}", vec![Comment("a\n[Event \"b\"]\n% c ; d ( e")]),
            (" \n\t", vec![]),
        ] {
            assert_eq!(all(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn tags_are_read_however_they_stand() {
        let tag = |name, value: &str| Token::Tag(name, value.to_owned());
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
