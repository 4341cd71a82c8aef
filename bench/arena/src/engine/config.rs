//! How an engine is started and what it is told: everything the command line says about it.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use kujira_position::Rules;
use kujira_usi::Protocol;
use kujira_usi::fairy::Dialect;

use crate::clock::{Limit, TimeControl, parse_duration, parse_positive};

use super::talk::TalkLog;

/// How the moves of an engine are spelt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Moves {
    /// As the engine's protocol and name suggest.
    #[default]
    Auto,
    /// In this dialect.
    In(Dialect),
}

/// An engine: how to start it, how to set it up, what it may use for a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineConfig {
    /// What to call it; empty: what it calls itself.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory it runs in; `None`: ours.
    pub directory: Option<PathBuf>,
    /// The id of the game, for engines that declare it as a choice of `USI_Variant` or `UCI_Variant`
    /// and are told nothing else about it; empty: not told.
    pub variant: String,
    /// The rules of the match, for engines that declare them as options and are told nothing else
    /// about them.
    pub rules: Rules,
    /// Options sent after the handshake, in this order.
    pub options: Vec<(String, String)>,
    /// Lines sent before the handshake, as they are.
    pub preamble: Vec<String>,
    /// What it speaks.
    pub protocol: Protocol,
    /// How it spells moves.
    pub moves: Moves,
    /// What it may use for a move; nothing set: what holds for all engines.
    pub limit: Limit,
    /// How late a move may come; `None`: what holds for all engines.
    pub margin: Option<Duration>,
    /// Whether it is started afresh for every game.
    pub restart: bool,
    /// Whether it begins no more games of a match that it has played in.
    pub withdrawn: bool,
    /// The signature that its bench must have.
    pub signature: Option<u64>,
    /// Where the conversation with it is logged.
    pub log: Option<TalkLog>,
    /// The keys that were read, each of which may come once.
    pub(crate) keys: Vec<String>,
}

/// The keys that may come several times.
pub(crate) const REPEATABLE: [&str; 3] = ["arg", "load", "init"];

/// A key of [`EngineConfig::parse`].
struct Key {
    /// What stands before the `=`; one that ends in a dot is followed by a name.
    name: &'static str,
    /// What stands behind the `=`, for help texts.
    value: &'static str,
    /// Takes over the value; the first text is the name after the dot.
    set: fn(&mut EngineConfig, &str, &str) -> Result<(), String>,
}

/// Every key, in the order in which help texts show them.
const KEYS: &[Key] = &[
    Key { name: "cmd", value: "PROGRAM", set: |c, _, v| put(&mut c.command, v.into()) },
    Key {
        name: "arg",
        value: "ARGUMENT (repeatable)",
        set: |c, _, v| add(&mut c.arguments, v.to_owned()),
    },
    Key { name: "dir", value: "DIRECTORY", set: |c, _, v| put(&mut c.directory, Some(v.into())) },
    Key { name: "name", value: "NAME", set: |c, _, v| put(&mut c.name, v.to_owned()) },
    Key {
        name: "proto",
        value: "usi|uci",
        set: |c, _, v| match v {
            "usi" => put(&mut c.protocol, Protocol::Usi),
            "uci" => put(&mut c.protocol, Protocol::Uci),
            _ => Err(format!("expected usi or uci, found \"{v}\"")),
        },
    },
    Key {
        name: "option.",
        value: "VALUE",
        set: |c, name, v| add(&mut c.options, (name.to_owned(), v.to_owned())),
    },
    Key {
        name: "load",
        value: "VARIANTS.INI",
        set: |c, _, v| {
            // The engine may run in another directory.
            let path = std::path::absolute(v).map_err(|error| error.to_string())?;
            add(&mut c.preamble, format!("load {}", path.display()))
        },
    },
    Key {
        name: "init",
        value: "LINE (sent before the handshake)",
        set: |c, _, v| add(&mut c.preamble, v.to_owned()),
    },
    Key {
        name: "moves",
        value: "auto|usi|fairy-usi|fairy-uci",
        set: |c, _, v| match v {
            "auto" => put(&mut c.moves, Moves::Auto),
            _ => put(&mut c.moves, Moves::In(v.parse()?)),
        },
    },
    Key {
        name: "tc",
        value: "8+0.08",
        set: |c, _, v| {
            let byoyomi = c.limit.clock.unwrap_or_default().byoyomi;
            put(&mut c.limit.clock, Some(TimeControl { byoyomi, ..v.parse()? }))
        },
    },
    Key {
        name: "byoyomi",
        value: "TIME",
        set: |c, _, v| put(&mut c.limit.clock_mut().byoyomi, parse_duration(v)?),
    },
    Key {
        name: "movetime",
        value: "TIME",
        set: |c, _, v| put(&mut c.limit.move_time, Some(parse_positive(v)?)),
    },
    Key { name: "depth", value: "N", set: |c, _, v| put(&mut c.limit.depth, Some(number(v)?)) },
    Key { name: "nodes", value: "N", set: |c, _, v| put(&mut c.limit.nodes, Some(number(v)?)) },
    Key {
        name: "margin",
        value: "TIME",
        set: |c, _, v| put(&mut c.margin, Some(parse_duration(v)?)),
    },
    Key {
        name: "restart",
        value: "yes|no",
        set: |c, _, v| match v {
            "yes" => put(&mut c.restart, true),
            "no" => put(&mut c.restart, false),
            _ => Err(format!("expected yes or no, found \"{v}\"")),
        },
    },
    Key {
        name: "withdrawn",
        value: "yes|no",
        set: |c, _, v| match v {
            "yes" => put(&mut c.withdrawn, true),
            "no" => put(&mut c.withdrawn, false),
            _ => Err(format!("expected yes or no, found \"{v}\"")),
        },
    },
    Key {
        name: "signature",
        value: "N (of its bench)",
        set: |c, _, v| put(&mut c.signature, Some(number(v)?)),
    },
];

fn put<T>(place: &mut T, value: T) -> Result<(), String> {
    *place = value;
    Ok(())
}

fn add<T>(list: &mut Vec<T>, value: T) -> Result<(), String> {
    list.push(value);
    Ok(())
}

fn number<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|number| *number >= T::from(1))
        .ok_or_else(|| format!("expected a number from 1, found \"{text}\""))
}

/// How a word begins that sets an option whose name may hold any sign, `option."NAME"=VALUE`, and how the name ends.
const QUOTES: [&str; 2] = ["option.\"", "\"="];

/// Name and value of an option whose name is in quotes.
pub(crate) fn quoted_option(word: &str) -> Option<(&str, &str)> {
    word.strip_prefix(QUOTES[0])?.split_once(QUOTES[1]).filter(|(name, _)| !name.is_empty())
}

/// The word that sets an option.
pub(crate) fn option_word(name: &str, value: &str) -> String {
    match name.contains(['=', '"']) {
        true => format!("{}{name}{}{value}", QUOTES[0], QUOTES[1]),
        false => format!("option.{name}={value}"),
    }
}

/// The keys of [`EngineConfig::parse`], for help texts.
#[must_use]
pub fn keys() -> String {
    let shown = KEYS.iter().map(|Key { name, value, .. }| {
        let rest = if name.ends_with('.') { "NAME" } else { "" };
        format!("{name}{rest}={value}")
    });
    shown.collect::<Vec<_>>().join(", ")
}

impl EngineConfig {
    /// Reads `key=value` words.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut config = Self::default();
        for word in words {
            config.read(word)?;
        }
        if config.command.as_os_str().is_empty() {
            return Err("expected cmd=PROGRAM among the words of an engine, found none".to_owned());
        }
        config.limit.check()?;
        Ok(config)
    }

    /// Reads a `key=value` word.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn read(&mut self, word: &str) -> Result<(), String> {
        if let Some((name, value)) = quoted_option(word) {
            self.once(&format!("option.{name}"))?;
            return add(&mut self.options, (name.to_owned(), value.to_owned()));
        }
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("expected key=value ({}), found \"{word}\"", keys()))?;
        self.set(key, value).map_err(|error| format!("{key}: {error}"))?;
        self.once(key)
    }

    /// Refuses a key that was there; names of options are the same in any case.
    fn once(&mut self, key: &str) -> Result<(), String> {
        if self.keys.iter().any(|earlier| earlier.eq_ignore_ascii_case(key)) {
            return Err(format!("{key}: expected it once, found it twice"));
        }
        if REPEATABLE.contains(&key) { Ok(()) } else { add(&mut self.keys, key.to_owned()) }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        for known in KEYS {
            let name = match key.strip_prefix(known.name) {
                Some(name) if name.is_empty() != known.name.ends_with('.') => name,
                _ => continue,
            };
            return (known.set)(self, name, value);
        }
        Err(format!("expected one of {}", keys()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read() {
        let config = EngineConfig::parse([
            "cmd=./engine",
            "arg=-v",
            "arg=a=b",
            "dir=there",
            "name=One",
            "proto=uci",
            "moves=fairy-usi",
            "init=debug on",
            "option.Threads=2",
            "option.Eval File=x y",
            "option.\"Skill=1\"=a=b",
            "byoyomi=100ms",
            "tc=8+0.08",
            "movetime=2",
            "depth=9",
            "nodes=5000",
            "margin=20ms",
            "restart=yes",
            "signature=382210",
        ])
        .unwrap();
        assert_eq!(config.arguments, ["-v", "a=b"]);
        assert_eq!(config.options[1], ("Eval File".to_owned(), "x y".to_owned()));
        assert_eq!(config.options[2], ("Skill=1".to_owned(), "a=b".to_owned()));
        assert_eq!(option_word("Skill=1", "a=b"), "option.\"Skill=1\"=a=b");
        assert_eq!(config.preamble, ["debug on"]);
        assert_eq!((config.protocol, config.moves), (Protocol::Uci, Moves::In(Dialect::FairyUsi)));
        assert_eq!(config.limit.to_string(), "8+0.08 byoyomi 0.1, movetime 2, depth 9, nodes 5000");
        assert_eq!(
            (config.margin, config.signature),
            (Some(Duration::from_millis(20)), Some(382_210))
        );
        assert!(config.restart && config.name == "One" && config.directory.is_some());
    }

    #[test]
    fn help_names_every_key() {
        let text = keys();
        assert!(
            text.starts_with("cmd=PROGRAM, arg=ARGUMENT (repeatable), dir=DIRECTORY"),
            "{text}"
        );
        assert!(text.contains(", option.NAME=VALUE, load=VARIANTS.INI, "), "{text}");
        assert!(
            text.ends_with("restart=yes|no, withdrawn=yes|no, signature=N (of its bench)"),
            "{text}"
        );
    }

    #[test]
    fn byoyomi_and_clock_come_in_any_order() {
        for words in [["cmd=x", "tc=0", "byoyomi=1"], ["cmd=x", "byoyomi=1", "tc=0"]] {
            let config = EngineConfig::parse(words).unwrap();
            assert_eq!(config.limit.to_string(), "0+0 byoyomi 1");
        }
    }

    #[test]
    fn wrong_words_are_refused() {
        for (words, expected) in [
            (&["name=x"] as &[&str], "expected cmd=PROGRAM"),
            (&["cmd"], "expected key=value"),
            (&["cmd=x", "proto=xboard"], "expected usi or uci, found \"xboard\""),
            (&["cmd=x", "nodes=0"], "expected a number from 1, found \"0\""),
            (&["cmd=x", "nodes=many"], "expected a number"),
            (&["cmd=x", "tc=soon"], "expected a time"),
            (&["cmd=x", "option.=1"], "option.: expected one of cmd=PROGRAM, arg=ARGUMENT"),
            (&["cmd=x", "cmdx=1"], "cmdx: expected one of"),
            (&["cmd=x", "tc=0"], "expected time on the clock (tc, byoyomi), found 0+0"),
            (&["cmd=x", "byoyomi=0"], "expected time on the clock"),
            (&["cmd=x", "movetime=0"], "movetime: expected a time of 1 ms or more"),
            (&["cmd=x", "colour=blue"], "colour: expected one of"),
            (&["cmd=x", "restart=maybe"], "expected yes or no"),
            (&["cmd=x", "name=a", "name=b"], "name: expected it once, found it twice"),
            (&["cmd=x", "restart=no", "restart=no"], "restart: expected it once"),
            (&["cmd=x", "option.Level=1", "option.level=2"], "option.level: expected it once"),
            (&["cmd=x", "option.\"A\"=1", "option.a=2"], "option.a: expected it once"),
            (&["cmd=x", "moves=own"], "expected usi, fairy-usi or fairy-uci"),
        ] {
            let error = EngineConfig::parse(words.iter().copied()).unwrap_err();
            assert!(error.contains(expected), "{words:?}: {error}");
        }
    }
}
