//! Options that an engine declares in its handshake.

/// An option as its `option name …` line declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declared<'a> {
    /// Its name; may hold blanks.
    pub(super) name: &'a str,
    /// Its value if nobody sets it, as far as that is told.
    pub(super) default: Option<String>,
    kind: Kind,
}

/// A whole number that an engine declares as an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spin {
    /// Its name.
    pub name: String,
    /// Its value if nobody sets it.
    pub default: i64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

impl Spin {
    /// Reads an `option name … type spin …` line; `None` if it declares something else or leaves a
    /// number out.
    pub(super) fn read(line: &str) -> Option<Self> {
        let declared = Declared::read(line)?;
        let Kind::Spin(Some(min), Some(max)) = declared.kind else { return None };
        let (_, rest) = line.split_once(" type spin")?;
        let default = values(rest, "default").first()?.parse().ok()?;
        Some(Self { name: declared.name.to_owned(), default, min, max })
    }
}

/// Which values it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// One of these.
    Combo(Vec<String>),
    /// A whole number in this range, as far as one was told.
    Spin(Option<i64>, Option<i64>),
    /// `true` or `false`.
    Check,
    /// Anything: a string, a file name, a button, or a kind that is not known.
    Any,
}

impl<'a> Declared<'a> {
    /// Reads the line; `None` if it declares no option.
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let rest = line.strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ").unwrap_or((rest, ""));
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let default = values(rest, "default").pop();
        let kind = match kind.trim_end() {
            "combo" => Kind::Combo(values(rest, "var")),
            "spin" => {
                let bound = |word| values(rest, word).first()?.parse().ok();
                Kind::Spin(bound("min"), bound("max"))
            }
            "check" => Kind::Check,
            _ => Kind::Any,
        };
        Some(Self { name: name.trim(), default, kind })
    }

    /// Whether `value` is among the choices of a combo.
    pub(super) fn offers(&self, value: &str) -> bool {
        matches!(&self.kind, Kind::Combo(choices) if choices.iter().any(|choice| choice == value))
    }

    /// Whether the option takes this value.
    ///
    /// # Errors
    /// What was expected; not what was found.
    pub(super) fn check(&self, value: &str) -> Result<(), String> {
        match &self.kind {
            Kind::Combo(choices) if !choices.is_empty() && !self.offers(value) => {
                Err(format!("expected one of {}", choices.join(", ")))
            }
            Kind::Spin(least, most) => {
                let fits = |n: i64| least.is_none_or(|m| m <= n) && most.is_none_or(|m| n <= m);
                if value.parse().is_ok_and(fits) {
                    return Ok(());
                }
                let mut text = "expected a whole number".to_owned();
                for (word, bound) in [(" from ", least), (" to ", most)] {
                    if let Some(bound) = bound {
                        text.push_str(&format!("{word}{bound}"));
                    }
                }
                Err(text)
            }
            Kind::Check if !matches!(value, "true" | "false") => {
                Err("expected true or false".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// What follows each `keyword`, up to the next one; values may hold blanks.
fn values(text: &str, keyword: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    let mut within = false;
    for word in text.split_ascii_whitespace() {
        if matches!(word, "default" | "min" | "max" | "var") {
            within = word == keyword;
            if within {
                values.push(String::new());
            }
        } else if within && let Some(value) = values.last_mut() {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(word);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_hold_blanks() {
        let name = |line| Declared::read(line).map(|declared| declared.name);
        assert_eq!(name("option name Threads type spin default 1"), Some("Threads"));
        assert_eq!(name("option name Clear Hash type button"), Some("Clear Hash"));
        assert_eq!(name("option name Odd"), Some("Odd"));
        assert_eq!(name("id name Threads"), None);
    }

    #[test]
    fn values_are_checked_against_the_declaration() {
        let style = "option name Style type combo default a b var a b var c";
        let threads = "option name Threads type spin default 1 min 1 max 8";
        let open = "option name Offset type spin default 0";
        let ponder = "option name Ponder type check default false";
        let file = "option name File type string default <empty>";
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
            ("option name Go type button", "", None),
            ("option name Odd", "1", None),
        ] {
            let declared = Declared::read(line).unwrap();
            assert_eq!(declared.check(value).err().as_deref(), expected, "{line}: {value}");
        }
    }

    #[test]
    fn whole_numbers_are_told_from_the_rest() {
        let spin =
            |name: &str, default, min, max| Some(Spin { name: name.to_owned(), default, min, max });
        for (line, expected) in [
            ("option name tempo type spin default 12 min 0 max 50", spin("tempo", 12, 0, 50)),
            ("option name a b type spin min -9 max -1 default -4", spin("a b", -4, -9, -1)),
            ("option name tempo type spin default 12 min 0", None),
            ("option name tempo type spin min 0 max 50", None),
            ("option name tempo type spin default x min 0 max 50", None),
            ("option name tempo type check default true", None),
            ("id name tempo", None),
        ] {
            assert_eq!(Spin::read(line), expected, "{line}");
        }
    }

    #[test]
    fn defaults_may_hold_blanks_or_be_missing() {
        for (line, expected) in [
            ("option name Style type combo default a b var a b var c", Some("a b")),
            ("option name Style type combo var a var c default c", Some("c")),
            ("option name Style type combo var default var c", Some("")),
            ("option name Threads type spin min 1 max 8", None),
            ("option name Go type button", None),
            ("option name Odd", None),
        ] {
            let declared = Declared::read(line).unwrap();
            assert_eq!(declared.default.as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn choices_are_found() {
        let line = "option name USI_Variant type combo default whale var whale var great";
        let declared = Declared::read(line).unwrap();
        assert!(declared.offers("great") && declared.offers("whale"));
        assert!(!declared.offers("paulowich") && !declared.offers("") && !declared.offers("var"));
    }
}
