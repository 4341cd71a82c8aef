//! What is said to an engine: `setoption`, `position` and `go`.

use std::fmt;

use crate::Protocol;
use crate::option::EMPTY;

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

impl fmt::Display for SetPosition<'_> {
    /// The line: `position startpos moves 2e2d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.0)
    }
}

/// Both clocks, in milliseconds. Black's, who moves up the board, stands first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// Time left on each clock.
    pub left: [u64; 2],
    /// Time that each clock gains with a move; not told if `None`.
    pub increment: Option<[u64; 2]>,
    /// Time for each move once a clock stands at zero; not told if `None`.
    pub byoyomi: Option<u64>,
}

/// A `go` line. With nothing set the engine searches as it sees fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Both clocks.
    pub clocks: Option<Clocks>,
    /// Milliseconds for the move.
    pub movetime: Option<u64>,
    /// Most plies to search.
    pub depth: Option<u32>,
    /// Most nodes to search.
    pub nodes: Option<u64>,
    /// Whether to search until `stop`.
    pub infinite: bool,
}

impl Go {
    /// A search until `stop`.
    pub const INFINITE: Self =
        Self { clocks: None, movetime: None, depth: None, nodes: None, infinite: true };

    /// A search of so many milliseconds.
    #[must_use]
    pub fn movetime(milliseconds: u64) -> Self {
        Self { movetime: Some(milliseconds), ..Self::default() }
    }

    /// The line as this protocol has it; for UCI the side that moves up the board is White.
    #[must_use]
    pub fn display(&self, protocol: Protocol) -> impl fmt::Display + use<> {
        struct In(Go, Protocol);
        impl fmt::Display for In {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, self.1)
            }
        }
        In(*self, protocol)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, protocol: Protocol) -> fmt::Result {
        f.write_str("go")?;
        if let Some(Clocks { left: [up, down], increment, byoyomi }) = self.clocks {
            let (first, second) = match protocol {
                Protocol::Usi => ('b', 'w'),
                Protocol::Uci => ('w', 'b'),
            };
            write!(f, " {first}time {up} {second}time {down}")?;
            if let Some(byoyomi) = byoyomi {
                write!(f, " byoyomi {byoyomi}")?;
            }
            if let Some([up, down]) = increment {
                write!(f, " {first}inc {up} {second}inc {down}")?;
            }
        }
        if let Some(time) = self.movetime {
            write!(f, " movetime {time}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if self.infinite { f.write_str(" infinite") } else { Ok(()) }
    }
}

impl fmt::Display for Go {
    /// The line as USI has it: `go btime 8000 wtime 7900 binc 80 winc 80`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Protocol::Usi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set() {
        assert_eq!(
            SetOption::new("Eval File", "a b").to_string(),
            "setoption name Eval File value a b"
        );
        assert_eq!(
            SetOption::new("EvalFile", "").to_string(),
            "setoption name EvalFile value <empty>"
        );
        let press = SetOption { name: "Clear_Hash", value: None };
        assert_eq!(press.to_string(), "setoption name Clear_Hash");
    }

    #[test]
    fn games_are_told() {
        let line = SetPosition("startpos moves 2e2d").to_string();
        assert_eq!(line, "position startpos moves 2e2d");
    }

    #[test]
    fn limits_are_told_in_both_protocols() {
        let all = Go {
            clocks: Some(Clocks {
                left: [8000, 7000],
                increment: Some([80, 70]),
                byoyomi: Some(500),
            }),
            movetime: Some(100),
            depth: Some(9),
            nodes: Some(5000),
            infinite: false,
        };
        assert_eq!(
            all.to_string(),
            "go btime 8000 wtime 7000 byoyomi 500 binc 80 winc 70 movetime 100 depth 9 nodes 5000"
        );
        let clocks = Some(Clocks { left: [8000, 7000], increment: Some([80, 70]), byoyomi: None });
        let uci = Go { clocks, ..Go::default() }.display(Protocol::Uci).to_string();
        assert_eq!(uci, "go wtime 8000 btime 7000 winc 80 binc 70");
        assert_eq!(Go::INFINITE.to_string(), "go infinite");
        assert_eq!(Go::movetime(300).to_string(), "go movetime 300");
        assert_eq!(Go::default().to_string(), "go");
    }
}
