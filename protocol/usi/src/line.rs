//! A line of an engine.

use std::fmt;

use crate::fault::fault;
use crate::words::Words;
use crate::{BestMove, Checkmate, DeclaredOption, Info, Protocol};

/// A line of an engine. Every text is one, and what is written is read back the same, if texts within it
/// are single lines without blanks at their ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Nothing but blanks.
    Blank,
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option …`
    Option(DeclaredOption),
    /// `usiok` or `uciok`: the introduction is over.
    Introduced(Protocol),
    /// `readyok`
    ReadyOk,
    /// `info …`
    Info(Info),
    /// `bestmove …`
    BestMove(BestMove),
    /// `checkmate …`
    Checkmate(Checkmate),
    /// A complaint, in any spelling that engines use; written `info string error …`.
    Error(String),
    /// A line that the protocol knows and nobody here needs, such as `copyprotection ok`.
    Formality(String),
    /// A word of the protocol without what belongs behind it, such as `bestmove` and nothing more.
    Incomplete(&'static str),
    /// A line of no known kind.
    Other(String),
}

impl Line {
    /// Reads a line.
    ///
    /// ```
    /// use kujira_usi::{BestMove, Line, Protocol};
    ///
    /// let line = Line::parse("bestmove 2e2d\r\n", Protocol::Usi);
    /// assert_eq!(line, Line::BestMove(BestMove::of("2e2d")));
    /// ```
    #[must_use]
    pub fn parse(text: &str, protocol: Protocol) -> Self {
        let text = text.trim_ascii();
        let mut words = Words::new(text);
        let read = match words.next() {
            None => return Self::Blank,
            Some("id") => ("id", id(words, text)),
            Some("option") => ("option", DeclaredOption::read(words).map(Self::Option)),
            Some("usiok") => return Self::Introduced(Protocol::Usi),
            Some("uciok") => return Self::Introduced(Protocol::Uci),
            Some("readyok") => return Self::ReadyOk,
            Some("info") => return info(Info::read(words, protocol)),
            Some("bestmove") => ("bestmove", BestMove::read(words).map(Self::BestMove)),
            Some("checkmate") => ("checkmate", Checkmate::read(words).map(Self::Checkmate)),
            Some("copyprotection" | "registration") => return Self::Formality(text.to_owned()),
            Some(_) => {
                return match fault(text, false) {
                    Some(error) => Self::Error(error.to_owned()),
                    None => Self::Other(text.to_owned()),
                };
            }
        };
        match read {
            (_, Some(line)) => line,
            (word, None) => Self::Incomplete(word),
        }
    }

    /// The line as this protocol has it.
    #[must_use]
    pub fn display(&self, protocol: Protocol) -> impl fmt::Display + '_ {
        struct In<'a>(&'a Line, Protocol);
        impl fmt::Display for In<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, self.1)
            }
        }
        In(self, protocol)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, protocol: Protocol) -> fmt::Result {
        match self {
            Self::Blank => Ok(()),
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(option) => write!(f, "{option}"),
            Self::Introduced(protocol) => f.write_str(protocol.hello_ok()),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.write(f, protocol),
            Self::BestMove(answer) => write!(f, "{answer}"),
            Self::Checkmate(answer) => write!(f, "{answer}"),
            Self::Error(text) if text.is_empty() => f.write_str("info string error"),
            Self::Error(text) => write!(f, "info string error {text}"),
            Self::Formality(text) | Self::Other(text) => f.write_str(text),
            Self::Incomplete(word) => f.write_str(word),
        }
    }
}

impl fmt::Display for Line {
    /// The line as USI has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Protocol::Usi)
    }
}

/// An `info` line, which may tell of nothing but an error.
fn info(info: Info) -> Line {
    if let Some(string) = &info.string
        && let Some(error) = fault(string, true)
        && info == (Info { string: Some(string.clone()), ..Info::default() })
    {
        return Line::Error(error.to_owned());
    }
    Line::Info(info)
}

/// Reads what follows `id`; `None` if nothing is told.
fn id(mut words: Words<'_>, text: &str) -> Option<Line> {
    let key = words.next()?;
    let rest = words.rest();
    if rest.is_empty() {
        return None;
    }
    Some(match key {
        "name" => Line::Name(rest.to_owned()),
        "author" => Line::Author(rest.to_owned()),
        _ => Line::Formality(text.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OptionKind, Score};

    fn parse(text: &str) -> Line {
        Line::parse(text, Protocol::Usi)
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let text = str::to_owned;
        for (line, expected) in [
            ("", Line::Blank),
            (" \t\r\n", Line::Blank),
            ("id name Kujira 0.1.0\r", Line::Name(text("Kujira 0.1.0"))),
            (" id  author The  Kujira developers", Line::Author(text("The  Kujira developers"))),
            ("id version 3", Line::Formality(text("id version 3"))),
            ("usiok", Line::Introduced(Protocol::Usi)),
            ("uciok now", Line::Introduced(Protocol::Uci)),
            ("\treadyok \t", Line::ReadyOk),
            ("info", Line::Info(Info::default())),
            ("bestmove resign", Line::BestMove(BestMove::Resign)),
            ("checkmate nomate", Line::Checkmate(Checkmate::NoMate)),
            ("info string error go: no such depth", Line::Error(text("go: no such depth"))),
            ("info string ERROR: no network", Line::Error(text("no network"))),
            ("copyprotection ok", Line::Formality(text("copyprotection ok"))),
            ("bestmove", Line::Incomplete("bestmove")),
            ("checkmate ", Line::Incomplete("checkmate")),
            ("id", Line::Incomplete("id")),
            ("id name ", Line::Incomplete("id")),
            ("option", Line::Incomplete("option")),
            ("option name type check", Line::Incomplete("option")),
            ("readyokay", Line::Other(text("readyokay"))),
            ("not readyok", Line::Other(text("not readyok"))),
            ("hello, world", Line::Other(text("hello, world"))),
            ("\u{0}", Line::Other(text("\u{0}"))),
        ] {
            assert_eq!(parse(line), expected, "{line:?}");
        }
        let Line::Option(option) = parse("option name Clear Hash type button") else { panic!() };
        assert_eq!((option.name.as_str(), option.kind), ("Clear Hash", OptionKind::Button));
    }

    #[test]
    fn the_protocol_says_how_mates_are_counted() {
        let line = parse("info depth 3 score mate -4");
        assert_eq!(line.display(Protocol::Uci).to_string(), "info depth 3 score mate -2");
        let Line::Info(info) = Line::parse("info score mate 2", Protocol::Uci) else { panic!() };
        assert_eq!(info.score(), Some(Score::Mate(3)));
    }
}
