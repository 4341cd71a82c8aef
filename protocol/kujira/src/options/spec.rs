//! What an option is: its names and values, how it is declared, checked and put into force.

use kujira_position::SetupError;
#[cfg(feature = "tuning")]
use kujira_search::Param;
use kujira_usi::{DeclaredOption, Protocol, number_in, option};

use crate::engine_state::EngineState;
use crate::errors::SessionError;

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Name, one word.
    pub name: &'static str,
    /// Other names by which it can be set.
    pub aliases: &'static [&'static str],
    /// Values, and how one is put into force.
    pub kind: OptionKind,
    /// Effect, in words for users.
    pub about: &'static str,
    /// Command of CECP that does the same, where there is one.
    pub cecp: Option<&'static str>,
    /// Name in UCI, perhaps with blanks in it; none where it is not offered there.
    pub uci: Option<&'static str>,
}

/// The values of an option and how one is put into force.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
        /// Puts a value into force.
        set: fn(&mut EngineState, bool),
    },
    /// A whole number.
    Spin {
        /// The default.
        default: u64,
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
        /// Puts a value into force.
        set: fn(&mut EngineState, u64),
    },
    /// One of several words, in any case. The first is the default.
    Combo {
        /// The words.
        choices: &'static [&'static str],
        /// Puts one of them into force; the position may stand against it.
        set: fn(&mut EngineState, &'static str) -> Result<(), SetupError>,
    },
    /// A button: something to press.
    Button {
        /// Presses the button.
        press: fn(&mut EngineState),
    },
    /// The path of a file.
    File {
        /// The default.
        default: &'static str,
        /// Puts a path into force.
        set: fn(&mut EngineState, &str) -> Result<(), SessionError>,
    },
    /// A tunable number, set for the whole process; to GUIs a spin.
    #[cfg(feature = "tuning")]
    Tunable(&'static Param),
}

impl OptionSpec {
    /// Whether the option has this name or alias, in any case.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let mut names = std::iter::once(&self.name).chain(self.aliases);
        names.any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The option as `usi` or `uci` lists it. UCI has no word for files.
    #[must_use]
    pub fn declared(&self, protocol: Protocol) -> DeclaredOption {
        use kujira_usi::OptionKind as Kind;
        let number = |value: u64| Some(i64::try_from(value).unwrap_or(i64::MAX));
        let kind = match &self.kind {
            OptionKind::Check { default, .. } => Kind::Check { default: Some(*default) },
            &OptionKind::Spin { default, min, max, .. } => {
                Kind::Spin { default: number(default), min: number(min), max: number(max) }
            }
            OptionKind::Combo { choices, .. } => Kind::Combo {
                default: choices.first().map(|&first| first.to_owned()),
                choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            },
            OptionKind::Button { .. } => Kind::Button,
            OptionKind::File { default, .. } if protocol == Protocol::Usi => {
                Kind::Filename { default: Some((*default).to_owned()) }
            }
            OptionKind::File { default, .. } => {
                Kind::String { default: Some((*default).to_owned()) }
            }
            #[cfg(feature = "tuning")]
            &OptionKind::Tunable(&Param { value, min, max, .. }) => {
                let [default, min, max] = [value, min, max].map(|value| Some(value.into()));
                Kind::Spin { default, min, max }
            }
        };
        DeclaredOption { name: self.name.to_owned(), kind }
    }
}

impl OptionKind {
    /// The default for people.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self {
            Self::Check { default, .. } => default.to_string(),
            Self::Spin { default, .. } => default.to_string(),
            Self::Combo { choices, .. } => choices.first().copied().unwrap_or("").to_owned(),
            Self::Button { .. } => String::new(),
            Self::File { default: "", .. } => option::EMPTY.to_owned(),
            Self::File { default, .. } => (*default).to_owned(),
            #[cfg(feature = "tuning")]
            Self::Tunable(param) => param.value.to_string(),
        }
    }

    /// The values it can have, for people.
    #[must_use]
    pub fn values(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Self::Button { .. } => "no value".to_owned(),
            Self::File { .. } => "the path of a file".to_owned(),
            #[cfg(feature = "tuning")]
            Self::Tunable(param) => format!("a number from {} to {}", param.min, param.max),
        }
    }
}

impl OptionSpec {
    /// Checks a value and puts it into force.
    ///
    /// # Errors
    /// What was expected and what was found; then the old value stays.
    pub fn apply(&self, state: &mut EngineState, value: Option<&str>) -> Result<(), SessionError> {
        let text = match value.unwrap_or("") {
            option::EMPTY => "",
            text => text,
        };
        let refused = || SessionError::OptionValue {
            name: self.name,
            expected: self.kind.values(),
            found: text.to_owned(),
        };
        match &self.kind {
            OptionKind::Check { set, .. } => {
                let value = text.to_ascii_lowercase().parse().map_err(|_| refused())?;
                set(state, value);
            }
            OptionKind::Spin { min, max, set, .. } => {
                set(state, number_in(&(*min..=*max), text).ok_or_else(refused)?);
            }
            OptionKind::Combo { choices, set } => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
                set(state, choice.ok_or_else(refused)?)
                    .map_err(|error| SessionError::Rules { name: self.name, error })?;
            }
            OptionKind::Button { press } => {
                if !text.is_empty() {
                    return Err(refused());
                }
                press(state);
            }
            OptionKind::File { set, .. } => {
                // An option without any value is more likely a slip than the empty text.
                set(state, value.map(|_| text).ok_or_else(refused)?)?;
            }
            #[cfg(feature = "tuning")]
            OptionKind::Tunable(param) => {
                let value = text.parse().ok().filter(|_| !text.starts_with('+'));
                kujira_search::set_param(param.name, value.ok_or_else(refused)?)
                    .map_err(|_| refused())?;
            }
        }
        Ok(())
    }
}
