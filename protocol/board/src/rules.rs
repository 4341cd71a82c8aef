//! The rule switches as the page, saved games and engines write them.

use kujira_position::{Retreat, Rules};
use serde::{Deserialize, Serialize};

/// A value for each switch of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Switches {
    /// Whether dolphins retreat two squares at most.
    pub retreat_two: bool,
    /// Whether a dolphin may not retreat onto a file with two others.
    pub retreat_file_limit: bool,
    /// Whether the impasse rule may be claimed.
    pub impasse: bool,
    /// Whether the fourth occurrence of a position ends the game.
    pub repetition: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Rules::DEFAULT.into()
    }
}

impl From<Rules> for Switches {
    fn from(rules: Rules) -> Self {
        Self {
            retreat_two: rules.retreat == Retreat::Two,
            retreat_file_limit: rules.retreat_file_limit,
            impasse: rules.impasse,
            repetition: rules.repetition,
        }
    }
}

impl From<Switches> for Rules {
    fn from(switches: Switches) -> Self {
        Self {
            retreat: if switches.retreat_two { Retreat::Two } else { Retreat::Slide },
            retreat_file_limit: switches.retreat_file_limit,
            impasse: switches.impasse,
            repetition: switches.repetition,
        }
    }
}

/// The words for switches that are not as usual, in records of games.
const WORDS: [&str; 4] = ["retreat two", "retreat file limit", "impasse", "repetition off"];

impl Switches {
    /// The options of the engine that put these rules into force, and their values.
    #[must_use]
    pub fn options(self) -> [(&'static str, &'static str); 4] {
        [
            ("Rule_DolphinRetreat", if self.retreat_two { "two" } else { "slide" }),
            ("Rule_RetreatFileLimit", if self.retreat_file_limit { "on" } else { "off" }),
            ("Rule_Impasse", if self.impasse { "points" } else { "off" }),
            ("Rule_Repetition", if self.repetition { "fourfold" } else { "off" }),
        ]
    }

    /// The switches that are not as usual, separated by commas; empty if all are.
    #[must_use]
    pub fn text(self) -> String {
        let set = [self.retreat_two, self.retreat_file_limit, self.impasse, !self.repetition];
        let words = WORDS.into_iter().zip(set).filter_map(|(word, set)| set.then_some(word));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Reads what [`Self::text`] writes.
    ///
    /// # Errors
    /// At the first word that is no switch.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut switches = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match WORDS.iter().position(|known| *known == word) {
                Some(0) => switches.retreat_two = true,
                Some(1) => switches.retreat_file_limit = true,
                Some(2) => switches.impasse = true,
                Some(_) => switches.repetition = false,
                None => {
                    let known = WORDS.join(", ");
                    return Err(format!("expected rule switches among {known}, found {word:?}"));
                }
            }
        }
        Ok(switches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_written_and_read() {
        for bits in 0..16 {
            let switches = Switches {
                retreat_two: bits & 1 != 0,
                retreat_file_limit: bits & 2 != 0,
                impasse: bits & 4 != 0,
                repetition: bits & 8 != 0,
            };
            assert_eq!(Switches::parse(&switches.text()), Ok(switches));
            assert_eq!(Switches::from(Rules::from(switches)), switches);
            // Every option differs exactly where the switch does.
            let changed = |a: Switches| a.options().map(|(_, value)| value);
            assert_eq!(changed(switches) == changed(Switches::default()), bits == 8);
        }
        assert_eq!(Switches::default().text(), "");
        let error = Switches::parse("impasse, castling").unwrap_err();
        assert!(error.contains("found \"castling\""), "{error}");
    }
}
