//! The rule switches: values of [`Rules`], options of an engine (`Rule_Impasse`), and words in records
//! of games (`retreat two, repetition off`).
//!
//! Serde has two spellings: messages and saved games write an object of four truth values, the journals
//! of matches the words (`rules::words`).

use std::fmt;
use std::str::FromStr;

use kujira_position::{Retreat, Rules};

/// A switch of the rules, with its names and values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSwitch {
    /// How far dolphins retreat from the farthest rank.
    DolphinRetreat,
    /// Whether a dolphin may not retreat onto a file with two others.
    RetreatFileLimit,
    /// Whether the impasse rule may be claimed.
    Impasse,
    /// Whether the fourth occurrence of a position ends the game.
    Repetition,
}

impl RuleSwitch {
    /// Every switch, in the order in which engines list and records name them.
    pub const ALL: [Self; 4] =
        [Self::DolphinRetreat, Self::RetreatFileLimit, Self::Impasse, Self::Repetition];

    /// The name of the engine's option for the switch.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::DolphinRetreat => "Rule_DolphinRetreat",
            Self::RetreatFileLimit => "Rule_RetreatFileLimit",
            Self::Impasse => "Rule_Impasse",
            Self::Repetition => "Rule_Repetition",
        }
    }

    /// The two values of the engine's option: the usual one, then the other.
    #[must_use]
    pub const fn choices(self) -> &'static [&'static str; 2] {
        match self {
            Self::DolphinRetreat => &["slide", "two"],
            Self::RetreatFileLimit => &["off", "on"],
            Self::Impasse => &["off", "points"],
            Self::Repetition => &["fourfold", "off"],
        }
    }

    /// The words in records of games for a switch that is not as usual.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::DolphinRetreat => "retreat two",
            Self::RetreatFileLimit => "retreat file limit",
            Self::Impasse => "impasse",
            Self::Repetition => "repetition off",
        }
    }

    /// Whether the switch is not as usual.
    #[must_use]
    pub fn is_switched(self, rules: Rules) -> bool {
        match self {
            Self::DolphinRetreat => rules.retreat == Retreat::Two,
            Self::RetreatFileLimit => rules.retreat_file_limit,
            Self::Impasse => rules.impasse,
            Self::Repetition => !rules.repetition,
        }
    }

    /// Sets the switch: to the usual value unless `switched`.
    pub fn switch(self, rules: &mut Rules, switched: bool) {
        match self {
            Self::DolphinRetreat => {
                rules.retreat = if switched { Retreat::Two } else { Retreat::Slide };
            }
            Self::RetreatFileLimit => rules.retreat_file_limit = switched,
            Self::Impasse => rules.impasse = switched,
            Self::Repetition => rules.repetition = !switched,
        }
    }

    /// The value of the engine's option under these rules.
    #[must_use]
    pub fn value(self, rules: Rules) -> &'static str {
        let [usual, switched] = *self.choices();
        if self.is_switched(rules) { switched } else { usual }
    }

    /// Sets the switch to a value of the engine's option, in any case.
    ///
    /// # Errors
    /// If the value is neither of [`Self::choices`].
    pub fn set(self, rules: &mut Rules, value: &str) -> Result<(), UnknownSwitch> {
        let [usual, switched] = *self.choices();
        if value.eq_ignore_ascii_case(switched) {
            self.switch(rules, true);
        } else if value.eq_ignore_ascii_case(usual) {
            self.switch(rules, false);
        } else {
            let expected = format!("{usual} or {switched} for {}", self.option());
            return Err(UnknownSwitch { expected, found: value.to_owned() });
        }
        Ok(())
    }
}

/// The names and values of the options that put these rules into force; those that are as usual, too.
#[must_use]
pub fn options(rules: Rules) -> [(&'static str, &'static str); 4] {
    RuleSwitch::ALL.map(|switch| (switch.option(), switch.value(rules)))
}

/// A text that names no switch, or no value of one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct UnknownSwitch {
    /// Texts expected.
    pub expected: String,
    /// Text found.
    pub found: String,
}

/// A value for each switch of the rules. Written as text: the switches that are not as usual, in words,
/// separated by commas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
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

impl fmt::Display for Switches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = Rules::from(*self);
        let mut separator = "";
        for switch in RuleSwitch::ALL.into_iter().filter(|switch| switch.is_switched(rules)) {
            write!(f, "{separator}{}", switch.words())?;
            separator = ", ";
        }
        Ok(())
    }
}

impl FromStr for Switches {
    type Err = UnknownSwitch;

    /// Reads what `Display` writes; blanks beside a comma do not matter.
    fn from_str(text: &str) -> Result<Self, UnknownSwitch> {
        let mut rules = Rules::DEFAULT;
        let unknown = |found: &str| {
            let [retreat, limit, impasse, repetition] = RuleSwitch::ALL.map(RuleSwitch::words);
            UnknownSwitch {
                expected: format!(
                    "rule switches among \"{retreat}\", \"{limit}\", \"{impasse}\" and \"{repetition}\""
                ),
                found: found.to_owned(),
            }
        };
        if text.trim() != text {
            return Err(unknown(text));
        }
        for word in text.split(',').map(str::trim).filter(|_| !text.is_empty()) {
            let known = RuleSwitch::ALL.into_iter().find(|switch| switch.words() == word);
            known.ok_or_else(|| unknown(word))?.switch(&mut rules, true);
        }
        Ok(rules.into())
    }
}

/// Switches as the journals of matches spell them: in words, `"retreat two, impasse"`. For
/// `#[serde(with = "kujira_usi::rules::words")]`.
#[cfg(feature = "serde")]
pub mod words {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Switches;

    /// Writes switches.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(switches: &Switches, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(switches)
    }

    /// Reads switches.
    ///
    /// # Errors
    /// Those of the deserializer, and at the first word that is no switch.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Switches, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> impl Iterator<Item = Switches> {
        (0..16).map(|bits| Switches {
            retreat_two: bits & 1 != 0,
            retreat_file_limit: bits & 2 != 0,
            impasse: bits & 4 != 0,
            repetition: bits & 8 == 0,
        })
    }

    #[test]
    fn every_combination_is_written_and_read() {
        for switches in every() {
            assert_eq!(switches.to_string().parse(), Ok(switches));
            let rules = Rules::from(switches);
            assert_eq!(Switches::from(rules), switches);
            // Every option differs exactly where the switch does.
            assert_eq!(options(rules) == options(Rules::DEFAULT), switches == Switches::default());
            let mut told = Rules::DEFAULT;
            for (switch, (name, value)) in RuleSwitch::ALL.into_iter().zip(options(rules)) {
                assert_eq!(switch.option(), name);
                switch.set(&mut told, &value.to_uppercase()).unwrap();
            }
            assert_eq!(told, rules);
        }
        assert_eq!(Switches::default().to_string(), "");
        let all = "retreat two,retreat file limit ,  impasse, repetition off";
        let all: Switches = all.parse().unwrap();
        assert_eq!(all.to_string(), "retreat two, retreat file limit, impasse, repetition off");
    }

    #[test]
    fn unknown_switches_are_refused() {
        for (text, found) in [
            ("castling", "castling"),
            ("impasse, castling", "castling"),
            ("impasse,", ""),
            ("impasse, ", "impasse, "),
            (" impasse", " impasse"),
            (",", ""),
            ("repetition", "repetition"),
        ] {
            let error = text.parse::<Switches>().unwrap_err();
            assert_eq!(error.found, found, "{text:?}");
            let told = error.to_string();
            assert!(told.starts_with("expected rule switches among \"retreat two\", "), "{told}");
        }
        let error = RuleSwitch::Impasse.set(&mut Rules::default(), "fourfold").unwrap_err();
        let told = "expected off or points for Rule_Impasse, found \"fourfold\"";
        assert_eq!(error.to_string(), told);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn both_spellings_are_written_and_read() {
        #[derive(serde::Serialize, serde::Deserialize)]
        struct Header(#[serde(with = "words")] Switches);
        for switches in every() {
            let text = serde_json::to_string(&switches).unwrap();
            assert_eq!(serde_json::from_str::<Switches>(&text).unwrap(), switches);
            let text = serde_json::to_string(&Header(switches)).unwrap();
            assert_eq!(text, format!("\"{switches}\""));
            assert_eq!(serde_json::from_str::<Header>(&text).unwrap().0, switches);
        }
        assert_eq!(
            serde_json::to_string(&Switches::default()).unwrap(),
            r#"{"retreat_two":false,"retreat_file_limit":false,"impasse":false,"repetition":true}"#
        );
        assert_eq!(serde_json::from_str::<Switches>("{}").unwrap(), Switches::default());
        assert!(serde_json::from_str::<Switches>(r#"{"castling":true}"#).is_err());
    }
}
