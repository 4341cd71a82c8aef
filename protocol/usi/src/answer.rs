//! What an engine answers to `go`: lines that begin with `bestmove` or `checkmate`.

use std::fmt;

use crate::words::Words;

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// A move. Some engines say `(none)` or `0000` where they see none.
    Move {
        /// The move, in the engine's spelling.
        best: String,
        /// The reply expected, to ponder on.
        ponder: Option<String>,
    },
    /// `resign`: the engine gives up.
    Resign,
    /// `win`: the engine claims the win.
    Win,
}

impl BestMove {
    /// A move without an expected reply.
    #[must_use]
    pub fn of(best: impl Into<String>) -> Self {
        Self::Move { best: best.into(), ponder: None }
    }

    /// Reads what follows `bestmove`; `None` if nothing does.
    pub(crate) fn read(mut words: Words<'_>) -> Option<Self> {
        Some(match words.next()? {
            "resign" => Self::Resign,
            "win" => Self::Win,
            best => {
                let ponder = words.next_if(|word| word == "ponder").and_then(|_| words.next());
                Self::Move { best: best.to_owned(), ponder: ponder.map(str::to_owned) }
            }
        })
    }
}

impl fmt::Display for BestMove {
    /// The line: `bestmove 2e2d ponder 5b5c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { best, ponder: None } => write!(f, "bestmove {best}"),
            Self::Move { best, ponder: Some(reply) } => write!(f, "bestmove {best} ponder {reply}"),
            Self::Resign => f.write_str("bestmove resign"),
            Self::Win => f.write_str("bestmove win"),
        }
    }
}

/// The answer to `go mate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// The side to move mates with these moves and the replies to them.
    Mate(Vec<String>),
    /// `nomate`: the side to move cannot mate.
    NoMate,
    /// `timeout`: the engine did not find out in time.
    Timeout,
    /// `notimplemented`: the engine does not look for mates.
    NotImplemented,
}

impl Checkmate {
    /// Reads what follows `checkmate`; `None` if nothing does.
    pub(crate) fn read(words: Words<'_>) -> Option<Self> {
        Some(match words.peek()? {
            "nomate" => Self::NoMate,
            "timeout" => Self::Timeout,
            "notimplemented" => Self::NotImplemented,
            _ => Self::Mate(words.map(str::to_owned).collect()),
        })
    }
}

impl fmt::Display for Checkmate {
    /// The line: `checkmate 2e2d 5b5c 2d2c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkmate")?;
        match self {
            Self::Mate(moves) => moves.iter().try_for_each(|m| write!(f, " {m}")),
            Self::NoMate => f.write_str(" nomate"),
            Self::Timeout => f.write_str(" timeout"),
            Self::NotImplemented => f.write_str(" notimplemented"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let best = |text| BestMove::read(Words::new(text));
        let reply = |ponder: Option<&str>| {
            Some(BestMove::Move { best: "2e2d".to_owned(), ponder: ponder.map(str::to_owned) })
        };
        assert_eq!(best("2e2d"), reply(None));
        assert_eq!(best(" 2e2d  ponder 5b5c "), reply(Some("5b5c")));
        assert_eq!(best("2e2d ponder"), reply(None));
        assert_eq!(best("2e2d 5b5c"), reply(None));
        assert_eq!(best("(none)"), Some(BestMove::of("(none)")));
        assert_eq!((best("resign"), best("win")), (Some(BestMove::Resign), Some(BestMove::Win)));
        assert_eq!(best(""), None);
    }

    #[test]
    fn mates_are_read() {
        let read = |text| Checkmate::read(Words::new(text));
        assert_eq!(read("2e2d"), Some(Checkmate::Mate(vec!["2e2d".to_owned()])));
        for (text, expected) in [
            ("nomate", Checkmate::NoMate),
            ("timeout", Checkmate::Timeout),
            ("notimplemented", Checkmate::NotImplemented),
        ] {
            assert_eq!(read(text), Some(expected));
        }
        assert_eq!(read(""), None);
        let told = read("2e2d 5b5c  2d2c").unwrap().to_string();
        assert_eq!(told, "checkmate 2e2d 5b5c 2d2c");
    }
}
