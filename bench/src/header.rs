//! What a journal begins with: the match that is played and its engines.

use std::collections::BTreeMap;

use kujira_record::played::Player;
use kujira_usi::Switches;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::schedule::Format;
use crate::statistics::Sprt;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
