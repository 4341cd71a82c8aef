//! What is said to an engine: its lines, `setoption` and `position`, written and read.

use std::fmt;

use crate::option::EMPTY;
use crate::words::{Words, around, quoted};
use crate::{Go, PonderHit, Protocol};

/// What was expected in a line of a GUI, and what was found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{command}: expected {expected}, found {}", quoted(found))]
pub struct ArgumentError {
    /// First word of the line.
    pub command: &'static str,
    /// Argument expected.
    pub expected: String,
    /// Text found in its place.
    pub found: String,
}

impl ArgumentError {
    /// The error of an argument that is missing or wrong.
    #[must_use]
    pub fn new(command: &'static str, expected: impl Into<String>, found: &str) -> Self {
        Self { command, expected: expected.into(), found: found.to_owned() }
    }
}

/// A `setoption` line. An empty value is written `<empty>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetOption<'a> {
    /// Name of the option.
    pub name: &'a str,
    /// Value of the option; `None` presses a button.
    pub value: Option<&'a str>,
}

impl<'a> SetOption<'a> {
    /// Sets the option of this name to a value.
    #[must_use]
    pub const fn new(name: &'a str, value: &'a str) -> Self {
        Self { name, value: Some(value) }
    }

    /// Reads what follows `setoption`. In UCI names hold blanks: they end at the word `value`.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn read(text: &'a str, protocol: Protocol) -> Result<Self, ArgumentError> {
        let wrong = |expected, found| Err(ArgumentError::new("setoption", expected, found));
        let mut words = Words::new(text);
        if words.peek() != Some("name") {
            return wrong("name NAME [value VALUE]", words.next().unwrap_or(""));
        }
        words.next();
        let named = words.rest();
        let name = words.next().unwrap_or("");
        let (name, value) = match (protocol, words.next()) {
            _ if name.is_empty() => return wrong("the name of an option", ""),
            (Protocol::Uci, _) => around(named, "value")
                .find(|(name, _)| !name.is_empty())
                .map_or((named, None), |(name, value)| (name, Some(value))),
            (Protocol::Usi, None) => (name, None),
            (Protocol::Usi, Some("value")) => (name, Some(words.rest())),
            (Protocol::Usi, Some(found)) => {
                return wrong("value after the name of the option", found);
            }
        };
        Ok(Self { name, value: value.map(|value| if value == EMPTY { "" } else { value }) })
    }
}

impl fmt::Display for SetOption<'_> {
    /// The line: `setoption name Threads value 2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", self.name)?;
        match self.value {
            None => Ok(()),
            Some("") => write!(f, " value {EMPTY}"),
            Some(value) => write!(f, " value {value}"),
        }
    }
}

/// A `position` line: a game as text, in the engine's own spelling of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetPosition<'a>(
    /// The start and the moves: `startpos moves 2e2d`, or `sfen … b - 1`.
    pub &'a str,
);

impl<'a> SetPosition<'a> {
    /// The start, `None` if it is the usual one, and the moves from there, separated by blanks. Any other start stands
    /// behind `sfen`, in UCI `fen`.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn parts(self, protocol: Protocol) -> Result<(Option<&'a str>, &'a str), ArgumentError> {
        let (keyword, start_name) = match protocol {
            Protocol::Usi => ("sfen", "an SFEN"),
            Protocol::Uci => ("fen", "a FEN"),
        };
        let wrong = |expected: String, found| Err(ArgumentError::new("position", expected, found));
        let mut words = Words::new(self.0);
        match words.next() {
            Some("startpos") => match words.next() {
                None => Ok((None, "")),
                Some("moves") => Ok((None, words.rest())),
                Some(found) => wrong("moves after startpos".to_owned(), found),
            },
            Some(found) if found == keyword => {
                // No part of a position is the word "moves": a rank or hand of that name would need an M,
                // an O and a V, and no game has a piece called O or V.
                let parts = around(words.rest(), "moves").next();
                match parts.unwrap_or((words.rest(), "")) {
                    ("", moves) => wrong(format!("{start_name} after {keyword}"), moves),
                    (start, moves) => Ok((Some(start), moves)),
                }
            }
            found => wrong(format!("startpos or {keyword}"), found.unwrap_or("")),
        }
    }
}

impl fmt::Display for SetPosition<'_> {
    /// The line: `position startpos moves 2e2d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.0)
    }
}

/// A line of a GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command<'a> {
    /// `usi` or `uci`: introduce yourself.
    Introduce(Protocol),
    /// `isready`: get ready and say so.
    IsReady,
    /// `usinewgame` or `ucinewgame`: another game begins.
    NewGame,
    /// `setoption …`
    SetOption(SetOption<'a>),
    /// `position …`, not checked yet.
    Position(SetPosition<'a>),
    /// `go …`
    Go(Go),
    /// `stop`: answer at once.
    Stop,
    /// `ponderhit …`: the move pondered on was played.
    PonderHit(PonderHit),
    /// `gameover …`, with the result: `win`, `lose`, `draw`.
    GameOver(&'a str),
    /// `quit`
    Quit,
    /// A line of no kind that both protocols know, or a blank one.
    Other(&'a str),
}

impl<'a> Command<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// What was expected and what was found.
    ///
    /// ```
    /// use kujira_usi::{Command, Go, Protocol};
    ///
    /// let line = Command::parse("go movetime 300\r\n", Protocol::Usi);
    /// assert_eq!(line, Ok(Command::Go(Go::movetime(300))));
    /// ```
    pub fn parse(text: &'a str, protocol: Protocol) -> Result<Self, ArgumentError> {
        let text = text.trim_ascii();
        let mut words = Words::new(text);
        let word = words.next().unwrap_or("");
        let rest = words.rest();
        Ok(match word {
            "usi" => Self::Introduce(Protocol::Usi),
            "uci" => Self::Introduce(Protocol::Uci),
            "isready" => Self::IsReady,
            "usinewgame" | "ucinewgame" => Self::NewGame,
            "setoption" => Self::SetOption(SetOption::read(rest, protocol)?),
            "position" => Self::Position(SetPosition(rest)),
            "go" => Self::Go(Go::read(rest, protocol)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit(PonderHit::read(rest)),
            "gameover" => Self::GameOver(rest),
            "quit" => Self::Quit,
            _ => Self::Other(text),
        })
    }

    /// The line as this protocol has it.
    #[must_use]
    pub fn text(&self, protocol: Protocol) -> String {
        match self {
            Self::Introduce(protocol) => protocol.hello().to_owned(),
            Self::IsReady => "isready".to_owned(),
            Self::NewGame => protocol.new_game().to_owned(),
            Self::SetOption(option) => option.to_string(),
            Self::Position(position) => position.to_string(),
            Self::Go(go) => go.text(protocol),
            Self::Stop => "stop".to_owned(),
            Self::PonderHit(hit) => hit.to_string(),
            Self::GameOver(result) => format!("gameover {result}").trim_end().to_owned(),
            Self::Quit => "quit".to_owned(),
            Self::Other(text) => (*text).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set() {
        let press = SetOption { name: "Clear_Hash", value: None };
        for (option, line) in [
            (SetOption::new("EvalFile", "a  b"), "setoption name EvalFile value a  b"),
            (SetOption::new("EvalFile", ""), "setoption name EvalFile value <empty>"),
            (press, "setoption name Clear_Hash"),
        ] {
            assert_eq!(option.to_string(), line);
            assert_eq!(Command::parse(line, Protocol::Usi), Ok(Command::SetOption(option)));
        }
        let option = |text| SetOption::read(text, Protocol::Uci);
        let two = SetOption::new("Move Overhead", "30");
        assert_eq!(two.to_string(), "setoption name Move Overhead value 30");
        assert_eq!(option("name Move Overhead value 30"), Ok(two));
        assert_eq!(option("name value value 1"), Ok(SetOption::new("value", "1")));
        assert_eq!(option("name values"), Ok(SetOption { name: "values", value: None }));
        assert_eq!(option("name Hash value"), Ok(SetOption::new("Hash", "")));
    }

    #[test]
    fn games_are_told() {
        let line = SetPosition("startpos moves 2e2d").to_string();
        assert_eq!(line, "position startpos moves 2e2d");
        for (text, protocol, parts) in [
            ("startpos", Protocol::Usi, (None, "")),
            ("startpos moves", Protocol::Usi, (None, "")),
            ("startpos  moves 2e2d  3b3c", Protocol::Uci, (None, "2e2d  3b3c")),
            ("sfen 6/6 b - 1", Protocol::Usi, (Some("6/6 b - 1"), "")),
            ("sfen 6/6 b -\tmoves 2e2d", Protocol::Usi, (Some("6/6 b -"), "2e2d")),
            ("sfen xmoves movesx moves a", Protocol::Usi, (Some("xmoves movesx"), "a")),
            ("fen 6/6[] w moves a1a2", Protocol::Uci, (Some("6/6[] w"), "a1a2")),
        ] {
            assert_eq!(SetPosition(text).parts(protocol), Ok(parts), "{text}");
        }
    }

    #[test]
    fn errors_say_what_was_expected_and_what_was_found() {
        let wrong = |line: &str, protocol| match Command::parse(line, protocol) {
            Ok(Command::Position(position)) => position.parts(protocol).unwrap_err().to_string(),
            other => other.unwrap_err().to_string(),
        };
        for (line, error) in [
            ("setoption", "setoption: expected name NAME [value VALUE], found nothing"),
            ("setoption X", "setoption: expected name NAME [value VALUE], found \"X\""),
            ("setoption name", "setoption: expected the name of an option, found nothing"),
            (
                "setoption name A B",
                "setoption: expected value after the name of the option, found \"B\"",
            ),
            ("position", "position: expected startpos or sfen, found nothing"),
            ("position 6/6 b - 1", "position: expected startpos or sfen, found \"6/6\""),
            ("position startpos 2e2d", "position: expected moves after startpos, found \"2e2d\""),
            ("position sfen", "position: expected an SFEN after sfen, found nothing"),
            ("position sfen moves a", "position: expected an SFEN after sfen, found \"a\""),
        ] {
            assert_eq!(wrong(line, Protocol::Usi), error);
        }
        for (line, error) in [
            ("setoption name", "setoption: expected the name of an option, found nothing"),
            ("position sfen x", "position: expected startpos or fen, found \"sfen\""),
            ("position fen", "position: expected a FEN after fen, found nothing"),
        ] {
            assert_eq!(wrong(line, Protocol::Uci), error);
        }
    }
}
