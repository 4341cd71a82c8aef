//! Options that an engine declares: lines that begin with `option`.

use std::fmt;

use crate::words::{Words, joined, say};

/// An option as its line declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredOption {
    /// Name, perhaps with single blanks in it.
    pub name: String,
    /// Type, with the values it takes.
    pub kind: OptionKind,
}

/// The type of an option. What is not told is `None`; an empty text is written `<empty>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `check`: `true` or `false`.
    Check {
        /// Value if nobody sets one.
        default: Option<bool>,
    },
    /// `spin`: a whole number.
    Spin {
        /// Value if nobody sets one.
        default: Option<i64>,
        /// The least value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// `combo`: one of several texts.
    Combo {
        /// Value if nobody sets one.
        default: Option<String>,
        /// Texts to choose among.
        choices: Vec<String>,
    },
    /// `button`: something to press.
    Button,
    /// `string`: any text.
    String {
        /// Value if nobody sets one.
        default: Option<String>,
    },
    /// `filename`: the path of a file.
    Filename {
        /// Value if nobody sets one.
        default: Option<String>,
    },
    /// A type that no protocol knows, or none.
    Other {
        /// Word for the type; empty if there is none.
        kind: String,
        /// Rest of the line.
        rest: String,
    },
}

/// A whole number that an engine declares as an option, with its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spin {
    /// Name of the option.
    pub name: String,
    /// Value if nobody sets one.
    pub default: i64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

/// An option does not take a value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}")]
pub struct UnfitValue {
    /// Values that the option takes.
    pub expected: String,
}

/// The word for an empty text.
pub const EMPTY: &str = "<empty>";

/// The words between which the values of an option stand.
fn is_keyword(word: &str) -> bool {
    matches!(word, "default" | "min" | "max" | "var")
}

/// What follows each keyword, up to the next one; values may hold blanks.
fn values(mut words: Words<'_>) -> impl Iterator<Item = (&str, String)> {
    std::iter::from_fn(move || {
        let keyword = words.by_ref().find(|word| is_keyword(word))?;
        let value = joined(std::iter::from_fn(|| words.next_if(|word| !is_keyword(word))));
        Some((keyword, value))
    })
}

/// What follows `default`: all of it, as texts may hold any word.
fn text(mut words: Words<'_>) -> Option<String> {
    words.next_if(|word| word == "default")?;
    Some(if words.rest() == EMPTY { String::new() } else { words.rest().to_owned() })
}

impl OptionKind {
    fn read(mut words: Words<'_>) -> Self {
        let Some(kind) = words.next() else {
            return Self::Other { kind: String::new(), rest: String::new() };
        };
        match kind {
            "check" => {
                let value = values(words).find(|(keyword, _)| *keyword == "default");
                let default = value.and_then(|(_, value)| value.to_ascii_lowercase().parse().ok());
                Self::Check { default }
            }
            "spin" => {
                let (mut default, mut min, mut max) = (None, None, None);
                for (keyword, value) in values(words) {
                    let place = match keyword {
                        "default" => &mut default,
                        "min" => &mut min,
                        "max" => &mut max,
                        _ => continue,
                    };
                    *place = value.parse().ok();
                }
                Self::Spin { default, min, max }
            }
            "combo" => {
                let (mut default, mut choices) = (None, Vec::new());
                for (keyword, value) in values(words) {
                    let value = if value == EMPTY { String::new() } else { value };
                    match keyword {
                        "default" => default = Some(value),
                        "var" => choices.push(value),
                        _ => {}
                    }
                }
                Self::Combo { default, choices }
            }
            "button" => Self::Button,
            "string" => Self::String { default: text(words) },
            "filename" => Self::Filename { default: text(words) },
            _ => Self::Other { kind: kind.to_owned(), rest: words.rest().to_owned() },
        }
    }

    /// The word for the type.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Check { .. } => "check",
            Self::Spin { .. } => "spin",
            Self::Combo { .. } => "combo",
            Self::Button => "button",
            Self::String { .. } => "string",
            Self::Filename { .. } => "filename",
            Self::Other { kind, .. } => kind,
        }
    }
}

impl DeclaredOption {
    /// Reads what follows `option`; `None` if there is no name.
    pub(crate) fn read(mut words: Words<'_>) -> Option<Self> {
        words.next_if(|word| word == "name")?;
        let name = joined(std::iter::from_fn(|| words.next_if(|word| word != "type")));
        words.next();
        (!name.is_empty()).then(|| Self { name, kind: OptionKind::read(words) })
    }

    /// Whether the option has this name, in any case.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The option's value if nobody sets one, as text.
    #[must_use]
    pub fn default_value(&self) -> Option<String> {
        match &self.kind {
            OptionKind::Check { default } => default.map(|value| value.to_string()),
            OptionKind::Spin { default, .. } => default.map(|value| value.to_string()),
            OptionKind::Combo { default, .. }
            | OptionKind::String { default }
            | OptionKind::Filename { default } => default.clone(),
            OptionKind::Button | OptionKind::Other { .. } => None,
        }
    }

    /// Whether `value` is among the choices of a combo.
    #[must_use]
    pub fn offers(&self, value: &str) -> bool {
        matches!(&self.kind, OptionKind::Combo { choices, .. } if choices.iter().any(|c| c == value))
    }

    /// The number with its range, if the option is a whole number and tells all three.
    #[must_use]
    pub fn spin(&self) -> Option<Spin> {
        match self.kind {
            OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) } => {
                Some(Spin { name: self.name.clone(), default, min, max })
            }
            _ => None,
        }
    }

    /// Whether the option takes this value. Options of unknown types take any.
    ///
    /// # Errors
    /// What was expected; not what was found.
    pub fn check(&self, value: &str) -> Result<(), UnfitValue> {
        let unfit = |expected| Err(UnfitValue { expected });
        match &self.kind {
            OptionKind::Combo { choices, .. } if !choices.is_empty() && !self.offers(value) => {
                unfit(format!("one of {}", choices.join(", ")))
            }
            OptionKind::Spin { min, max, .. } => {
                let fits = |n: i64| min.is_none_or(|m| m <= n) && max.is_none_or(|m| n <= m);
                if value.parse().is_ok_and(fits) {
                    return Ok(());
                }
                let mut text = "a whole number".to_owned();
                for (word, bound) in [(" from ", min), (" to ", max)] {
                    if let Some(bound) = bound {
                        text.push_str(&format!("{word}{bound}"));
                    }
                }
                unfit(text)
            }
            OptionKind::Check { .. } if !matches!(value, "true" | "false") => {
                unfit("true or false".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The value nearest to this one that a whole number takes; other options, and what is no number, are
    /// left as they are.
    #[must_use]
    pub fn nearest(&self, value: &str) -> String {
        if let (OptionKind::Spin { min, max, .. }, Ok(number)) = (&self.kind, value.parse::<i64>())
        {
            let number = min.map_or(number, |min| number.max(min));
            return max.map_or(number, |max| number.min(max)).to_string();
        }
        value.to_owned()
    }
}

impl fmt::Display for DeclaredOption {
    /// The line: `option name Threads type spin default 1 min 1 max 512`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn shown(text: &str) -> &str {
            if text.is_empty() { EMPTY } else { text }
        }
        write!(f, "option name {}", self.name)?;
        if !self.kind.name().is_empty() {
            write!(f, " type {}", self.kind.name())?;
        }
        match &self.kind {
            OptionKind::Check { default } => say(f, "default", default),
            OptionKind::Spin { default, min, max } => {
                say(f, "default", default)?;
                say(f, "min", min)?;
                say(f, "max", max)
            }
            OptionKind::Combo { default, choices } => {
                say(f, "default", &default.as_deref().map(shown))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", shown(choice)))
            }
            OptionKind::String { default } | OptionKind::Filename { default } => {
                say(f, "default", &default.as_deref().map(shown))
            }
            OptionKind::Other { rest, .. } if !rest.is_empty() => write!(f, " {rest}"),
            OptionKind::Button | OptionKind::Other { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<DeclaredOption> {
        DeclaredOption::read(Words::new(text))
    }

    #[test]
    fn every_type_is_read_and_written() {
        let text = |text: &str| Some(text.to_owned());
        for (line, kind) in [
            ("name A type check default true", OptionKind::Check { default: Some(true) }),
            ("name A type check", OptionKind::Check { default: None }),
            (
                "name A type spin default -4 min -9 max -1",
                OptionKind::Spin { default: Some(-4), min: Some(-9), max: Some(-1) },
            ),
            ("name A type spin min 1", OptionKind::Spin { default: None, min: Some(1), max: None }),
            (
                "name A type combo default a b var a b var c",
                OptionKind::Combo { default: text("a b"), choices: vec!["a b".into(), "c".into()] },
            ),
            ("name A type button", OptionKind::Button),
            ("name A type string default <empty>", OptionKind::String { default: text("") }),
            ("name A type string", OptionKind::String { default: None }),
            (
                "name A type filename default C:\\a  min var",
                OptionKind::Filename { default: text("C:\\a  min var") },
            ),
            (
                "name A type slider from 1",
                OptionKind::Other { kind: "slider".into(), rest: "from 1".into() },
            ),
            ("name A", OptionKind::Other { kind: String::new(), rest: String::new() }),
        ] {
            let option = read(line).unwrap();
            assert_eq!((option.name.as_str(), &option.kind), ("A", &kind), "{line}");
            assert_eq!(option.to_string(), format!("option {line}"));
        }
        // Engines of UCI write nothing for an empty text.
        let kind = read("name Debug Log File type string default ").unwrap().kind;
        assert_eq!(kind, OptionKind::String { default: text("") });
        let kind = read("name A type check default True").unwrap().kind;
        assert_eq!(kind, OptionKind::Check { default: Some(true) });
    }

    #[test]
    fn names_may_hold_blanks() {
        let name = |text| read(text).map(|option| option.name);
        assert_eq!(name("name Threads type spin default 1").as_deref(), Some("Threads"));
        assert_eq!(name(" name  Clear \t Hash type button").as_deref(), Some("Clear Hash"));
        assert_eq!(name("name Odd").as_deref(), Some("Odd"));
        for text in ["", "name", "name ", "name type spin", "Threads type spin", "named x"] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_checked_against_the_declaration() {
        let style = "name Style type combo default a b var a b var c";
        let threads = "name Threads type spin default 1 min 1 max 8";
        let open = "name Offset type spin default 0";
        let ponder = "name Ponder type check default false";
        let file = "name File type string default <empty>";
        for (line, value, expected) in [
            (style, "a b", None),
            (style, "c", None),
            (style, "a", Some("expected one of a b, c")),
            (style, "default", Some("expected one of a b, c")),
            (threads, "8", None),
            (threads, "0", Some("expected a whole number from 1 to 8")),
            (threads, "9", Some("expected a whole number from 1 to 8")),
            (threads, "two", Some("expected a whole number from 1 to 8")),
            (open, "-7", None),
            (open, "", Some("expected a whole number")),
            (ponder, "true", None),
            (ponder, "yes", Some("expected true or false")),
            (file, "x y", None),
            ("name Go type button", "", None),
            ("name Odd", "1", None),
        ] {
            let checked = read(line).unwrap().check(value).map_err(|error| error.to_string());
            assert_eq!(checked.err().as_deref(), expected, "{line}: {value}");
        }
    }

    #[test]
    fn the_nearest_value_is_taken() {
        let threads = read("name Threads type spin default 1 min 1 max 8").unwrap();
        for (value, nearest) in [("4", "4"), ("0", "1"), ("99", "8"), ("-3", "1"), ("x", "x")] {
            assert_eq!(threads.nearest(value), nearest);
        }
        assert_eq!(read("name A type spin min 2").unwrap().nearest("1"), "2");
        assert_eq!(read("name A type combo var 1").unwrap().nearest("7"), "7");
    }

    #[test]
    fn whole_numbers_are_told_from_the_rest() {
        let spin =
            |name: &str, default, min, max| Some(Spin { name: name.to_owned(), default, min, max });
        for (line, expected) in [
            ("name tempo type spin default 12 min 0 max 50", spin("tempo", 12, 0, 50)),
            ("name a b type spin min -9 max -1 default -4", spin("a b", -4, -9, -1)),
            ("name tempo type spin default 12 min 0", None),
            ("name tempo type spin min 0 max 50", None),
            ("name tempo type spin default x min 0 max 50", None),
            ("name tempo type check default true", None),
        ] {
            assert_eq!(read(line).unwrap().spin(), expected, "{line}");
        }
    }

    #[test]
    fn defaults_may_hold_blanks_or_be_missing() {
        for (line, expected) in [
            ("name Style type combo default a b var a b var c", Some("a b")),
            ("name Style type combo var a var c default c", Some("c")),
            ("name Style type combo var default var c", Some("")),
            ("name Threads type spin default 3 min 1 max 8", Some("3")),
            ("name Threads type spin min 1 max 8", None),
            ("name Ponder type check default false", Some("false")),
            ("name Go type button", None),
            ("name Odd", None),
        ] {
            assert_eq!(read(line).unwrap().default_value().as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn choices_are_found() {
        let option = read("name USI_Variant type combo default whale var whale var great").unwrap();
        assert!(option.is_named("usi_variant") && !option.is_named("Variant"));
        assert!(option.offers("great") && option.offers("whale"));
        assert!(!option.offers("paulowich") && !option.offers("") && !option.offers("var"));
        assert!(read("name A type combo default <empty> var <empty> var b").unwrap().offers(""));
    }
}
