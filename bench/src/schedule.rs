//! Who plays whom, in which order, and what of it is done.

use std::collections::{BTreeMap, HashSet};

use clap::ValueEnum;
use kujira_usi::Switches;
use serde::{Deserialize, Serialize};

use crate::game::Adjudication;
use crate::record::{GameId, Player};
use crate::statistics::Sprt;

/// Who plays whom among more than two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays everybody else.
    Gauntlet,
}

impl Format {
    /// The pairings among `engines` engines.
    #[must_use]
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Self::RoundRobin => engines,
            Self::Gauntlet => engines.min(1),
        };
        (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect()
    }
}

/// A random number that a journal is given when it is begun: a game is its run and its number in the match, however
/// a copy of the journal is written. In files 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunNumber(u64);

impl RunNumber {
    /// A number that no other run has.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> Result<Self, String> {
        let number = getrandom::u64();
        number.map(Self).map_err(|error| format!("a random number from the system: {error}"))
    }
}

impl From<RunNumber> for String {
    fn from(RunNumber(number): RunNumber) -> Self {
        format!("{number:016x}")
    }
}

impl TryFrom<String> for RunNumber {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u64::from_str_radix(&text, 16).ok().filter(|_| digits);
        number.map(Self).ok_or_else(|| {
            format!("expected the number of a run as 16 hexadecimal digits, found \"{text}\"")
        })
    }
}

/// What is played: two matches with equal headers can be one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchHeader {
    /// Which kind of whale shogi.
    pub game: String,
    /// The rule switches.
    #[serde(with = "kujira_usi::rules::words")]
    pub rules: Switches,
    /// The engines in order.
    pub engines: Vec<EngineHeader>,
    /// Who plays whom.
    pub format: Format,
    /// Where the openings come from.
    pub openings: String,
    /// Longest game in plies.
    pub max_plies: usize,
    /// When scores end a game.
    pub adjudication: Adjudication,
    /// The test, if the match is one.
    pub sprt: Option<Sprt>,
    /// Tells its games from those of every other run; none in older journals, and in what is to be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunNumber>,
}

/// What a journal remembers of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineHeader {
    /// Name, limits and options.
    #[serde(flatten)]
    pub player: Player,
    /// The program, its arguments, and the lines sent before the handshake.
    pub command: Vec<String>,
    /// Fingerprints of the program and of the files it loads, by path: another build is another
    /// engine.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// How it is run and how long it is waited for, as `key=value` words.
    #[serde(default)]
    pub settings: Vec<String>,
}

impl MatchHeader {
    /// Whether a match with this header can go on with the journal of the other.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        Self { run: None, ..self.clone() } == Self { run: None, ..other.clone() }
    }

    /// The names of what differs from `other`.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        differences(self, other)
    }
}

/// The fields in which two headers of the same kind differ.
pub(crate) fn differences<H: Serialize>(ours: &H, theirs: &H) -> Vec<String> {
    let fields = |header: &H| match serde_json::to_value(header) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (ours, theirs) = (fields(ours), fields(theirs));
    ours.into_iter()
        .filter(|(name, value)| theirs.get(name) != Some(value))
        .map(|(name, value)| {
            format!("{name}: {value} against {}", theirs.get(&name).unwrap_or(&().into()))
        })
        .collect()
}

/// The games of a match in the order in which they begin: a pair of every pairing, then the next
/// opening.
#[derive(Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u32,
    done: HashSet<GameId>,
    next: u64,
}

impl Schedule {
    /// `rounds` pairs of games for each pairing, without those that are `done`.
    #[must_use]
    pub fn new(pairings: Vec<[usize; 2]>, rounds: u32, done: HashSet<GameId>) -> Self {
        Self { pairings, rounds, done, next: 0 }
    }

    /// All games, those done included.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.pairings.len() as u64 * u64::from(self.rounds) * 2
    }
}

impl Iterator for Schedule {
    type Item = GameId;

    fn next(&mut self) -> Option<GameId> {
        while self.next < self.total() {
            let (pair, leg) = (self.next / 2, self.next % 2);
            self.next += 1;
            let pairings = self.pairings.len() as u64;
            let id = GameId {
                round: (pair / pairings) as u32,
                engines: self.pairings[(pair % pairings) as usize],
                leg: leg as u8,
            };
            if !self.done.contains(&id) {
                return Some(id);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_of_both_formats() {
        assert_eq!(Format::RoundRobin.pairings(2), [[0, 1]]);
        assert_eq!(Format::RoundRobin.pairings(4).len(), 6);
        assert_eq!(Format::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert!(Format::Gauntlet.pairings(1).is_empty());
        assert!(Format::Gauntlet.pairings(0).is_empty());
    }

    #[test]
    fn every_pairing_gets_every_opening_with_both_colours() {
        let pairings = Format::RoundRobin.pairings(3);
        let games: Vec<_> = Schedule::new(pairings.clone(), 4, HashSet::new()).collect();
        assert_eq!(games.len(), 24);
        for &engines in &pairings {
            for round in 0..4 {
                for leg in 0..2 {
                    let id = GameId { round, engines, leg };
                    assert_eq!(games.iter().filter(|&&game| game == id).count(), 1);
                }
            }
        }
        assert!(games.windows(2).all(|two| two[0].round <= two[1].round));
    }

    #[test]
    fn runs_have_numbers_of_their_own() {
        let (one, other) = (RunNumber::random().unwrap(), RunNumber::random().unwrap());
        assert_ne!(one, other);
        let text = String::from(RunNumber(0x1f));
        assert_eq!(
            (&text[..], RunNumber::try_from(text.clone())),
            ("000000000000001f", Ok(RunNumber(0x1f)))
        );
        for text in ["", "1f", "+00000000000001f", "00000000000000g0", "00000000000000001f"] {
            let error = RunNumber::try_from(text.to_owned()).unwrap_err();
            assert!(error.contains("16 hexadecimal digits"), "{error}");
        }
    }

    #[test]
    fn what_is_done_is_left_out() {
        let all: Vec<_> = Schedule::new(vec![[0, 1]], 3, HashSet::new()).collect();
        let done: HashSet<_> = [all[0], all[3]].into();
        let rest: Vec<_> = Schedule::new(vec![[0, 1]], 3, done).collect();
        assert_eq!(rest, [all[1], all[2], all[4], all[5]]);
    }
}
