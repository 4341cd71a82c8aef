//! What an engine writes, as values. Everything in it is outside text: what makes no sense is left
//! out.

use crate::side::Score;

/// A line of an engine that means something to us.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// `id name …`
    Name(String),
    /// `option name …`
    Option(EngineOption),
    /// `usiok`
    UsiOk,
    /// `readyok`
    ReadyOk,
    /// `info …` with a line of play or numbers.
    Info(Info),
    /// `info string error …`: something we said was refused.
    Error(String),
    /// `bestmove …`, the first word behind it.
    BestMove(String),
    /// Anything else.
    Other,
}

/// An option that an engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// The greatest value of a `spin`.
    pub max: Option<u64>,
    /// The values of a `combo`.
    pub choices: Vec<String>,
}

/// What an `info` line tells. Scores are as the side to move sees them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Plies of the longest line looked at.
    pub seldepth: Option<u32>,
    /// Which of several lines, from 1.
    pub rank: u32,
    /// The score of the line.
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub bound: bool,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Milliseconds spent.
    pub time: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The line of play, as USI moves.
    pub pv: Vec<String>,
}

/// The longest line of play that is kept, in moves.
const LONGEST_PV: usize = 64;

impl Line {
    /// Reads a line.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match first {
            "usiok" => Self::UsiOk,
            "readyok" => Self::ReadyOk,
            "id" => match rest.strip_prefix("name ") {
                Some(name) => Self::Name(name.trim().chars().take(80).collect()),
                None => Self::Other,
            },
            "option" => option(rest).map_or(Self::Other, Self::Option),
            "bestmove" => match rest.split_ascii_whitespace().next() {
                Some(word) => Self::BestMove(word.to_owned()),
                None => Self::Other,
            },
            "info" => match rest.strip_prefix("string") {
                Some(message) => match message.trim().strip_prefix("error ") {
                    Some(error) => Self::Error(error.chars().take(300).collect()),
                    None => Self::Other,
                },
                None => Self::Info(info(rest)),
            },
            _ => Self::Other,
        }
    }
}

fn option(text: &str) -> Option<EngineOption> {
    let text = text.strip_prefix("name ")?;
    let (name, rest) = text.split_once(" type ")?;
    let mut option = EngineOption { name: name.trim().to_owned(), max: None, choices: Vec::new() };
    let mut words = rest.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "max" => option.max = words.next().and_then(|number| number.parse().ok()),
            "var" => option.choices.extend(words.next().map(str::to_owned)),
            _ => {}
        }
    }
    Some(option)
}

fn info(text: &str) -> Info {
    fn number<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
        words.next()?.parse().ok()
    }
    let mut info = Info { rank: 1, ..Info::default() };
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(&mut words),
            "seldepth" => info.seldepth = number(&mut words),
            "multipv" => info.rank = number(&mut words).unwrap_or(1),
            "nodes" => info.nodes = number(&mut words),
            "nps" => info.nps = number(&mut words),
            "time" => info.time = number(&mut words),
            "hashfull" => info.hashfull = number(&mut words),
            "lowerbound" | "upperbound" => info.bound = true,
            "score" => {
                let kind = words.next();
                let value = words.next();
                info.score = match (kind, value.and_then(|text| text.parse().ok())) {
                    (Some("cp"), Some(value)) => Some(Score::Cp(value)),
                    (Some("mate"), Some(plies)) => Some(Score::Mate(plies)),
                    _ => None,
                };
            }
            "pv" => {
                info.pv = words.by_ref().take(LONGEST_PV).map(str::to_owned).collect();
                break;
            }
            _ => {}
        }
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        assert_eq!(Line::parse("id name Kujira 0.1.0\r"), Line::Name("Kujira 0.1.0".to_owned()));
        assert_eq!(Line::parse("bestmove 2e2d ponder 3b3c"), Line::BestMove("2e2d".to_owned()));
        assert_eq!(
            Line::parse("info string error go: no such depth"),
            Line::Error("go: no such depth".to_owned())
        );
        let Line::Option(option) =
            Line::parse("option name USI_Variant type combo default whale var whale var great")
        else {
            panic!("an option");
        };
        assert_eq!(option.name, "USI_Variant");
        assert_eq!(option.choices, ["whale", "great"]);
        let Line::Option(spin) =
            Line::parse("option name Threads type spin default 1 min 1 max 512")
        else {
            panic!("an option");
        };
        assert_eq!(spin.max, Some(512));
    }

    #[test]
    fn info_is_read_and_nonsense_left_out() {
        let text = "info depth 12 seldepth 24 multipv 2 score cp -87 lowerbound nodes 77362 nps 14 \
                    time 52 hashfull 7 pv 5e5d 2b2c";
        let Line::Info(info) = Line::parse(text) else { panic!("info") };
        let expected = Info {
            depth: Some(12),
            seldepth: Some(24),
            rank: 2,
            score: Some(Score::Cp(-87)),
            bound: true,
            nodes: Some(77362),
            nps: Some(14),
            time: Some(52),
            hashfull: Some(7),
            pv: vec!["5e5d".to_owned(), "2b2c".to_owned()],
        };
        assert_eq!(info, expected);
        for text in ["", "info string hello", "bestmove", "option name x", "id author me", "\u{0}"]
        {
            assert_eq!(Line::parse(text), Line::Other, "{text}");
        }
        let Line::Info(info) = Line::parse("info depth x score mate + multipv -1") else {
            panic!("info");
        };
        assert_eq!(info, Info { rank: 1, ..Info::default() });
    }
}
