//! `go` and `ponderhit`, written and read.

use std::fmt;

use crate::Protocol;
use crate::request::ArgumentError;
use crate::words::Words;

/// Both clocks, in milliseconds; what is not told is `None`. Black's, who moves up the board, stands first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left on each clock.
    pub left: [Option<u64>; 2],
    /// Time that each clock gains with a move.
    pub increment: [Option<u64>; 2],
    /// Time for each move once a clock stands at zero.
    pub byoyomi: Option<u64>,
}

/// A `go` line. With nothing set the engine searches as it sees fit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Both clocks.
    pub clocks: Clocks,
    /// Moves that the time on the clocks is for, in UCI.
    pub moves_to_go: Option<u64>,
    /// Milliseconds for the move, or for the search for a mate.
    pub movetime: Option<u64>,
    /// Most plies to search.
    pub depth: Option<u64>,
    /// Most nodes to search.
    pub nodes: Option<u64>,
    /// The longest mate, in moves, that ends a search of UCI.
    pub mate_in: Option<u64>,
    /// Whether a mate by checks alone is asked for, in USI.
    pub mate: bool,
    /// Whether to search on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// Whether to search until `stop`.
    pub infinite: bool,
    /// The moves to search; all of them if empty.
    pub search_moves: Vec<String>,
    /// What leaves to count instead of a search, as some engines do: `5`.
    pub perft: Option<String>,
    /// The first thing that was wrong with the line as it was read; nothing is written of it. The rest is a search
    /// all the same: whoever sent it waits for its answer.
    pub fault: Option<ArgumentError>,
}

/// A number of a line: its word in USI and in UCI, and where it is kept.
type Number = (&'static str, &'static str, fn(&mut Go) -> &mut Option<u64>);

/// The times. In UCI the side that moves up the board is White.
const TIMES: [Number; 6] = [
    ("btime", "wtime", |go| &mut go.clocks.left[0]),
    ("wtime", "btime", |go| &mut go.clocks.left[1]),
    ("byoyomi", "byoyomi", |go| &mut go.clocks.byoyomi),
    ("binc", "winc", |go| &mut go.clocks.increment[0]),
    ("winc", "binc", |go| &mut go.clocks.increment[1]),
    ("movetime", "movetime", |go| &mut go.movetime),
];

/// Counts, which cannot be negative. Two stand in UCI alone.
const COUNTS: [Number; 4] = [
    ("depth", "depth", |go| &mut go.depth),
    ("nodes", "nodes", |go| &mut go.nodes),
    ("", "movestogo", |go| &mut go.moves_to_go),
    ("", "mate", |go| &mut go.mate_in),
];

/// The words that stand for no number, in both protocols.
const WORDS: [&str; 5] = ["searchmoves", "ponder", "infinite", "mate", "perft"];

/// The number that `word` stands for.
fn find(word: &str, protocol: Protocol) -> Option<&'static Number> {
    TIMES.iter().chain(&COUNTS).find(|number| word_of(number, protocol) == word)
}

fn word_of(&(usi, uci, _): &Number, protocol: Protocol) -> &'static str {
    if protocol == Protocol::Usi { usi } else { uci }
}

/// The number that stands next; nothing is taken if there is none, or if it may not be negative and is.
fn next_number(words: &mut Words<'_>, negative: bool) -> Option<u64> {
    let value = words.peek().filter(|next| negative || !next.starts_with('-')).and_then(count)?;
    words.next();
    Some(value)
}

/// More moves to choose among than any position has are not remembered.
const MOST_SEARCH_MOVES: usize = 10_000;

/// Reads a count. Clocks of some GUIs run below zero: that is zero. Numbers beyond all bounds are the greatest number.
fn count(word: &str) -> Option<u64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(if word.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

impl Go {
    /// A search of so many milliseconds.
    #[must_use]
    pub fn movetime(milliseconds: u64) -> Self {
        Self { movetime: Some(milliseconds), ..Self::default() }
    }

    /// A search until `stop`.
    #[must_use]
    pub fn infinite() -> Self {
        Self { infinite: true, ..Self::default() }
    }

    /// Reads the number behind `word`, or says what was wrong with the line of `command`.
    fn read_number(
        &mut self,
        command: &'static str,
        word: &str,
        slot: fn(&mut Self) -> &mut Option<u64>,
        words: &mut Words<'_>,
        other: impl Fn(&str) -> bool,
    ) {
        let negative = TIMES.iter().any(|(usi, uci, _)| [usi, uci].contains(&&word));
        if let Some(value) = next_number(words, negative) {
            *slot(self) = Some(value);
        } else {
            let found = words.next_if(other).unwrap_or("");
            let fault = ArgumentError::new(command, format!("a number after {word}"), found);
            self.fault.get_or_insert(fault);
        }
    }

    /// Reads what follows `go`. Words in any order; unknown ones are skipped.
    #[must_use]
    pub fn read(text: &str, protocol: Protocol) -> Self {
        let mut go = Self::default();
        let other = |word: &str| !WORDS.contains(&word) && find(word, protocol).is_none();
        let mut words = Words::new(text);
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "perft" => {
                    go.perft = Some(words.rest().to_owned());
                    return go;
                }
                "searchmoves" => {
                    let moves = std::iter::from_fn(|| words.next_if(other)).map(str::to_owned);
                    go.search_moves.extend(moves);
                    go.search_moves.truncate(MOST_SEARCH_MOVES);
                }
                "mate" if protocol == Protocol::Usi => {
                    go.mate = true;
                    if let Some(time) = next_number(&mut words, true) {
                        go.movetime = Some(time);
                    } else if let Some(found) = words.next_if(other) {
                        let expected = "milliseconds or infinite after mate";
                        go.fault.get_or_insert(ArgumentError::new("go", expected, found));
                    }
                }
                _ => {
                    if let Some(&(.., slot)) = find(word, protocol) {
                        go.read_number("go", word, slot, &mut words, other);
                    }
                }
            }
        }
        if go.mate_in == Some(0) {
            go.mate_in = None;
            go.fault.get_or_insert(ArgumentError::new("go", "a number above 0 after mate", "0"));
        }
        if go.mate && go.ponder {
            go.ponder = false;
            go.fault.get_or_insert(ArgumentError::new("go", "ponder or mate", "both"));
        }
        go
    }

    /// The line as this protocol has it: `go btime 8000 wtime 7900 binc 80 winc 80`.
    #[must_use]
    pub fn text(&self, protocol: Protocol) -> String {
        let (mut go, mut text) = (self.clone(), "go".to_owned());
        let mate = self.mate && protocol == Protocol::Usi;
        for number in TIMES.iter().chain(&COUNTS) {
            let (word, value) = (word_of(number, protocol), *(number.2)(&mut go));
            let word = if mate && word == "movetime" { "mate" } else { word };
            if let Some(value) = value.filter(|_| !word.is_empty()) {
                text += &format!(" {word} {value}");
            }
        }
        for (word, told) in [
            (" mate", mate && self.movetime.is_none()),
            (" ponder", self.ponder),
            (" infinite", self.infinite),
            (" searchmoves ", !self.search_moves.is_empty()),
        ] {
            text += if told { word } else { "" };
        }
        text += &self.search_moves.join(" ");
        match &self.perft {
            Some(words) => format!("{text} perft {words}"),
            None => text,
        }
    }
}

/// A `ponderhit` line, which in USI may set clocks anew.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PonderHit {
    /// Clocks that the hit sets anew.
    pub clocks: Clocks,
    /// The first thing that was wrong with the line as it was read. It is a hit all the same.
    pub fault: Option<ArgumentError>,
}

/// The words of clocks in USI.
const CLOCKS: [&str; 5] = ["btime", "wtime", "byoyomi", "binc", "winc"];

impl PonderHit {
    /// Reads what follows `ponderhit`: new times, if any. Unknown words are skipped.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut go = Go::default();
        let clock = |word: &str| find(word, Protocol::Usi).filter(|_| CLOCKS.contains(&word));
        let mut words = Words::new(text);
        while let Some(word) = words.next() {
            if let Some(&(.., slot)) = clock(word) {
                go.read_number("ponderhit", word, slot, &mut words, |word| clock(word).is_none());
            }
        }
        Self { clocks: go.clocks, fault: go.fault }
    }
}

impl fmt::Display for PonderHit {
    /// The line: `ponderhit btime 8000 wtime 7900`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let go = Go { clocks: self.clocks, ..Go::default() }.text(Protocol::Usi);
        write!(f, "ponderhit{}", go.strip_prefix("go").unwrap_or(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_both_protocols() {
        let clocks = Clocks {
            left: [Some(8000), Some(7000)],
            increment: [Some(80), Some(70)],
            byoyomi: Some(500),
        };
        let (movetime, depth, nodes) = (Some(100), Some(9), Some(5000));
        let all = Go { clocks, movetime, depth, nodes, ..Go::default() };
        assert_eq!(
            all.text(Protocol::Usi),
            "go btime 8000 wtime 7000 byoyomi 500 binc 80 winc 70 movetime 100 depth 9 nodes 5000"
        );
        let clocks = Clocks { byoyomi: None, ..clocks };
        let uci = Go { clocks, ..Go::default() }.text(Protocol::Uci);
        assert_eq!(uci, "go wtime 8000 btime 7000 winc 80 binc 70");
        assert_eq!(Go::infinite().text(Protocol::Usi), "go infinite");
        assert_eq!(Go::movetime(300).text(Protocol::Usi), "go movetime 300");
        assert_eq!(Go::default().text(Protocol::Usi), "go");
        let mate = Go { mate: true, ..Go::movetime(300) };
        assert_eq!(mate.text(Protocol::Usi), "go mate 300");
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let read = |text| Go::read(text, Protocol::Usi);
        let depth = Go { depth: Some(4), ..Go::default() };
        let search_moves = vec!["2e2d".to_owned(), "D*3c".to_owned()];
        let perft = Some("5 played".to_owned());
        for (text, expected) in [
            ("", Go::default()),
            ("movestogo 40 whatever", Go::default()),
            ("depth 4", depth.clone()),
            ("searchmoves 2e2d D*3c depth 4", Go { search_moves, ..depth }),
            ("movetime -250", Go::movetime(0)),
            ("movetime 99999999999999999999", Go::movetime(u64::MAX)),
            ("mate 9 movetime 250", Go { mate: true, ..Go::movetime(250) }),
            ("mate infinite", Go { mate: true, ..Go::infinite() }),
            ("infinite perft  5 played ", Go { perft, ..Go::infinite() }),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_read() {
        let told = |fault: Option<ArgumentError>| fault.map(|fault| fault.to_string()).unwrap();
        for (text, protocol, expected, read) in [
            ("depth x nodes 7", Protocol::Usi, "a number after depth, found \"x\"", Some(7)),
            ("btime wtime nodes 7", Protocol::Usi, "a number after btime, found nothing", Some(7)),
            ("nodes -5", Protocol::Usi, "a number after nodes, found \"-5\"", None),
            (
                "mate soon",
                Protocol::Usi,
                "milliseconds or infinite after mate, found \"soon\"",
                None,
            ),
            ("mate ponder nodes 7", Protocol::Usi, "ponder or mate, found \"both\"", Some(7)),
            ("mate nodes 7", Protocol::Uci, "a number after mate, found nothing", Some(7)),
            ("mate 0 nodes 7", Protocol::Uci, "a number above 0 after mate, found \"0\"", Some(7)),
            ("movestogo -3", Protocol::Uci, "a number after movestogo, found \"-3\"", None),
        ] {
            let go = Go::read(text, protocol);
            assert_eq!(told(go.fault), format!("go: expected {expected}"));
            assert_eq!(go.nodes, read, "{text}");
        }
        let hit = PonderHit::read("wtime x what btime 5");
        assert_eq!(hit.clocks.left, [Some(5), None]);
        assert_eq!(told(hit.fault), "ponderhit: expected a number after wtime, found \"x\"");
    }
}
