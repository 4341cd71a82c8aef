//! What an engine tells of its search: lines that begin with `info`.

use std::fmt;
use std::str::FromStr;

use crate::words::{Words, say};
use crate::{Protocol, Score};

/// A score as an `info` line gives it, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A score.
    Score(Score),
    /// `mate +`: the side to move mates, in nobody knows how many plies.
    Mates,
    /// `mate -`: the side to move is mated, in nobody knows how many plies.
    IsMated,
}

/// What a score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The score is the true one.
    #[default]
    Exact,
    /// The score is at least this: `lowerbound`.
    Lower,
    /// The score is at most this: `upperbound`.
    Upper,
}

/// An `info` line. What it does not tell, or tells in a way that makes no sense, is `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Plies of the longest line looked at.
    pub seldepth: Option<u32>,
    /// Number of this line of play among several, from 1; [`Info::rank`] has what holds if it is not told.
    pub multipv: Option<u32>,
    /// What the position is worth.
    pub score: Option<Value>,
    /// What the score says of the true one; [`Bound::Exact`] where there is no score.
    pub bound: Bound,
    /// How likely a win, a draw and a loss are, in thousandths; told in UCI.
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Milliseconds spent.
    pub time: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The move now searched.
    pub currmove: Option<String>,
    /// Number of the move now searched, from 1.
    pub currmovenumber: Option<u32>,
    /// A move and the line that refutes it.
    pub refutation: Vec<String>,
    /// The line now searched, in UCI with the number of the processor before it.
    pub currline: Vec<String>,
    /// The line of play expected.
    pub pv: Vec<String>,
    /// Anything else, to the end of the line.
    pub string: Option<String>,
}

/// The words after which something is told. A line of play ends at the next of them.
const KEYWORDS: [&str; 21] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
    "wdl",
    // Told by engines of chess, of no use here.
    "tbhits",
    "cpuload",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The word behind a keyword; one that is a keyword itself is left where it is.
fn value<'a>(words: &mut Words<'a>) -> Option<&'a str> {
    words.next_if(|word| !is_keyword(word))
}

fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    value(words)?.parse().ok()
}

fn moves(words: &mut Words<'_>) -> Vec<String> {
    std::iter::from_fn(|| value(words)).map(str::to_owned).collect()
}

/// Three chances.
fn chances(words: &mut Words<'_>) -> Option<[u32; 3]> {
    Some([number(words)?, number(words)?, number(words)?])
}

fn score(words: &mut Words<'_>, protocol: Protocol) -> Option<Value> {
    match words.next_if(|word| matches!(word, "cp" | "mate"))? {
        "cp" => Some(Value::Score(Score::Cp(number(words)?))),
        _ => match value(words)? {
            "+" => Some(Value::Mates),
            "-" => Some(Value::IsMated),
            text => Some(Value::Score(Score::Mate(protocol.plies(text.parse().ok()?)))),
        },
    }
}

impl Info {
    /// The number of this line of play among several, from 1.
    #[must_use]
    pub fn rank(&self) -> u32 {
        self.multipv.unwrap_or(1)
    }

    /// The score, if it is one that can be compared.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        match self.score? {
            Value::Score(score) => Some(score),
            Value::Mates | Value::IsMated => None,
        }
    }

    /// Reads what follows `info`. What makes no sense is left out.
    pub(crate) fn read(mut words: Words<'_>, protocol: Protocol) -> Self {
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.seldepth = number(&mut words),
                "multipv" => info.multipv = number(&mut words),
                "score" => info.score = score(&mut words, protocol),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => info.wdl = chances(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "time" => info.time = number(&mut words),
                "hashfull" => info.hashfull = number(&mut words),
                "currmove" => info.currmove = value(&mut words).map(str::to_owned),
                "currmovenumber" => info.currmovenumber = number(&mut words),
                "refutation" => info.refutation = moves(&mut words),
                "currline" => info.currline = moves(&mut words),
                "pv" => info.pv = moves(&mut words),
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        if info.score.is_none() {
            info.bound = Bound::Exact;
        }
        info
    }

    /// Writes the line, `info` and all.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, protocol: Protocol) -> fmt::Result {
        fn line(f: &mut fmt::Formatter<'_>, word: &str, moves: &[String]) -> fmt::Result {
            if moves.is_empty() {
                return Ok(());
            }
            write!(f, " {word}")?;
            moves.iter().try_for_each(|m| write!(f, " {m}"))
        }
        f.write_str("info")?;
        say(f, "depth", &self.depth)?;
        say(f, "seldepth", &self.seldepth)?;
        say(f, "multipv", &self.multipv)?;
        match self.score {
            None => {}
            Some(Value::Score(Score::Cp(value))) => write!(f, " score cp {value}")?,
            Some(Value::Score(Score::Mate(plies))) => {
                write!(f, " score mate {}", protocol.mate(plies))?;
            }
            Some(Value::Mates) => f.write_str(" score mate +")?,
            Some(Value::IsMated) => f.write_str(" score mate -")?,
        }
        match self.bound {
            Bound::Lower if self.score.is_some() => f.write_str(" lowerbound")?,
            Bound::Upper if self.score.is_some() => f.write_str(" upperbound")?,
            _ => {}
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        say(f, "nodes", &self.nodes)?;
        say(f, "nps", &self.nps)?;
        say(f, "time", &self.time)?;
        say(f, "hashfull", &self.hashfull)?;
        say(f, "currmove", &self.currmove)?;
        say(f, "currmovenumber", &self.currmovenumber)?;
        line(f, "refutation", &self.refutation)?;
        line(f, "currline", &self.currline)?;
        line(f, "pv", &self.pv)?;
        match self.string.as_deref() {
            None => Ok(()),
            Some("") => f.write_str(" string"),
            Some(text) => write!(f, " string {text}"),
        }
    }
}

impl fmt::Display for Info {
    /// The line as USI has it: `info depth 5 score cp 12 nodes 900 pv 2e2d 5b5c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Protocol::Usi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Info {
        Info::read(Words::new(text), Protocol::Usi)
    }

    #[test]
    fn everything_is_read() {
        let text = "depth 12 seldepth 24 multipv 2 score cp -87 lowerbound wdl 300 20 680 nodes 77362 nps 14 time 52 \
                    hashfull 7 currmove 1a1b currmovenumber 3 refutation 1a1b 2b2c currline 1 5e5d pv \
                    5e5d 2b2c string a  b";
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let expected = Info {
            depth: Some(12),
            seldepth: Some(24),
            multipv: Some(2),
            score: Some(Value::Score(Score::Cp(-87))),
            bound: Bound::Lower,
            wdl: Some([300, 20, 680]),
            nodes: Some(77362),
            nps: Some(14),
            time: Some(52),
            hashfull: Some(7),
            currmove: Some("1a1b".to_owned()),
            currmovenumber: Some(3),
            refutation: words("1a1b 2b2c"),
            currline: words("1 5e5d"),
            pv: words("5e5d 2b2c"),
            string: Some("a  b".to_owned()),
        };
        assert_eq!(read(text), expected);
        assert_eq!(expected.to_string(), format!("info {text}"));
        assert_eq!((expected.rank(), expected.score()), (2, Some(Score::Cp(-87))));
    }

    #[test]
    fn mates_are_counted_in_plies() {
        for (protocol, text, plies) in [
            (Protocol::Usi, "3", 3),
            (Protocol::Usi, "+3", 3),
            (Protocol::Usi, "-4", -4),
            (Protocol::Usi, "0", 0),
            (Protocol::Uci, "2", 3),
            (Protocol::Uci, "1", 1),
            (Protocol::Uci, "-2", -4),
            (Protocol::Uci, "0", 0),
            (Protocol::Uci, "2147483647", i32::MAX - 1),
            (Protocol::Uci, "-2147483648", i32::MIN),
        ] {
            let info = Info::read(Words::new(&format!("score mate {text}")), protocol);
            assert_eq!(info.score(), Some(Score::Mate(plies)), "{protocol:?} {text}");
        }
        assert_eq!((Protocol::Uci.mate(3), Protocol::Uci.mate(4)), (2, 2));
        assert_eq!((Protocol::Uci.mate(-4), Protocol::Uci.mate(i32::MAX)), (-2, 1 << 30));
    }

    #[test]
    fn a_mate_of_unknown_length_is_no_score() {
        for (text, value) in [("+", Value::Mates), ("-", Value::IsMated)] {
            let info = read(&format!("depth 3 score mate {text} nodes 5"));
            assert_eq!((info.score, info.score(), info.nodes), (Some(value), None, Some(5)));
        }
    }

    #[test]
    fn nonsense_is_left_out() {
        for text in [
            "",
            "depth",
            "depth x score cp",
            "nodes -3",
            "score",
            "score 12",
            "score mate",
            "score mate x lowerbound",
            "depth 99999999999",
            "what ever 3",
            "tbhits 0 wdl 1 2",
        ] {
            assert_eq!(read(text), Info::default(), "{text}");
        }
        // What follows a number that is missing is not lost.
        assert_eq!(read("depth nodes 3").nodes, Some(3));
        assert_eq!(read("score cp nodes 3"), Info { nodes: Some(3), ..Info::default() });
        // A line of play ends where something else is told.
        let info = read("pv 1a1b 2b2c time 3");
        assert_eq!((info.pv.len(), info.time), (2, Some(3)));
        // All that stands behind "string" is text.
        let info = read("string depth 77 score cp 5000");
        assert_eq!((info.depth, info.string.as_deref()), (None, Some("depth 77 score cp 5000")));
    }
}
