//! The rule switches, as the command line sets them and the journal keeps them.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use kujira_position::{Retreat, Rules};
use serde::{Deserialize, Serialize};

/// The rule switches of a match. Written as text: those that are not as usual, by name.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "Rules")]
#[serde(into = "String", try_from = "String")]
pub struct Switches {
    /// How far a dolphin on the farthest rank slides back.
    #[arg(long, value_enum, default_value = "slide")]
    pub retreat: RetreatSwitch,
    /// A dolphin may not retreat onto a file with two others.
    #[arg(long)]
    pub retreat_file_limit: bool,
    /// The impasse rule may be claimed (`bestmove win`).
    #[arg(long)]
    pub impasse: bool,
}

/// How far a dolphin on the farthest rank slides back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum RetreatSwitch {
    /// Until something stands in the way.
    #[default]
    Slide,
    /// At most two squares.
    Two,
}

/// The options by which USI engines are told these rules, and their values; all of them, those that
/// are as usual too.
#[must_use]
pub fn options(rules: Rules) -> [(&'static str, &'static str); 4] {
    let retreat = match rules.retreat {
        Retreat::Slide => "slide",
        Retreat::Two => "two",
    };
    [
        ("Rule_DolphinRetreat", retreat),
        ("Rule_RetreatFileLimit", if rules.retreat_file_limit { "on" } else { "off" }),
        ("Rule_Impasse", if rules.impasse { "points" } else { "off" }),
        ("Rule_Repetition", if rules.repetition { "fourfold" } else { "off" }),
    ]
}

const RETREAT_TWO: &str = "retreat two";
const RETREAT_FILE_LIMIT: &str = "retreat file limit";
const IMPASSE: &str = "impasse";

impl From<Switches> for Rules {
    fn from(switches: Switches) -> Self {
        Self {
            retreat: match switches.retreat {
                RetreatSwitch::Slide => Retreat::Slide,
                RetreatSwitch::Two => Retreat::Two,
            },
            retreat_file_limit: switches.retreat_file_limit,
            impasse: switches.impasse,
            ..Self::DEFAULT
        }
    }
}

impl fmt::Display for Switches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.retreat == RetreatSwitch::Two, RETREAT_TWO),
            (self.retreat_file_limit, RETREAT_FILE_LIMIT),
            (self.impasse, IMPASSE),
        ];
        let set: Vec<_> = parts.into_iter().filter_map(|(set, name)| set.then_some(name)).collect();
        f.write_str(&set.join(", "))
    }
}

impl From<Switches> for String {
    fn from(switches: Switches) -> Self {
        switches.to_string()
    }
}

impl FromStr for Switches {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut switches = Self::default();
        for name in text.split(", ").filter(|_| !text.is_empty()) {
            match name {
                RETREAT_TWO => switches.retreat = RetreatSwitch::Two,
                RETREAT_FILE_LIMIT => switches.retreat_file_limit = true,
                IMPASSE => switches.impasse = true,
                _ => {
                    return Err(format!(
                        "expected rule switches among \"{RETREAT_TWO}\", \"{RETREAT_FILE_LIMIT}\" and \
                         \"{IMPASSE}\", found \"{name}\""
                    ));
                }
            }
        }
        Ok(switches)
    }
}

impl TryFrom<String> for Switches {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_written_and_read() {
        for bits in 0..8 {
            let switches = Switches {
                retreat: if bits & 1 == 0 { RetreatSwitch::Slide } else { RetreatSwitch::Two },
                retreat_file_limit: bits & 2 != 0,
                impasse: bits & 4 != 0,
            };
            assert_eq!(switches.to_string().parse(), Ok(switches));
            let json = serde_json::to_string(&switches).unwrap();
            assert_eq!(serde_json::from_str::<Switches>(&json).unwrap(), switches);
            assert_eq!(Rules::from(switches) == Rules::DEFAULT, bits == 0);
        }
        let all = "retreat two, retreat file limit, impasse".parse::<Switches>().unwrap();
        let rules = Rules::from(all);
        assert_eq!((rules.retreat, rules.impasse), (Retreat::Two, true));
        assert!(rules.retreat_file_limit && rules.repetition);
    }

    #[test]
    fn unknown_switches_are_refused() {
        for text in ["castling", "impasse,", "impasse, ", " impasse", ", "] {
            let error = text.parse::<Switches>().unwrap_err();
            assert!(error.contains("expected rule switches among"), "{text}: {error}");
        }
    }
}
