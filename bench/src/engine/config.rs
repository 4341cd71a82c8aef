//! How an engine is started and what it is told: everything the command line says about it.

use std::path::PathBuf;
use std::time::Duration;

use crate::clock::{Limit, parse_duration};
use crate::spelling::Dialect;

/// The language an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Protocol {
    /// Universal Shogi Interface.
    #[default]
    Usi,
    /// Universal Chess Interface, as Fairy-Stockfish speaks it.
    Uci,
}

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
    /// The id of the game, for engines that declare it as a choice of `USI_Variant` and are told
    /// nothing else about it; empty: not told.
    pub variant: String,
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
}

/// The keys of [`EngineConfig::parse`], for help texts.
pub const KEYS: &str = "\
cmd=PROGRAM, arg=ARGUMENT (repeatable), dir=DIRECTORY, name=NAME, proto=usi|uci, \
option.NAME=VALUE, load=VARIANTS.INI, init=LINE (sent before the handshake), \
moves=auto|usi|fairy-usi|fairy-uci, tc=8+0.08, byoyomi=TIME, movetime=TIME, depth=N, nodes=N, \
margin=TIME, restart=yes|no";

impl EngineConfig {
    /// Reads `key=value` words.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut config = Self::default();
        for word in words {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("expected key=value ({KEYS}), found \"{word}\""))?;
            config.set(key, value).map_err(|error| format!("{key}: {error}"))?;
        }
        if config.command.as_os_str().is_empty() {
            return Err("expected cmd=PROGRAM among the words of an engine, found none".to_owned());
        }
        Ok(config)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || format!("expected a number from 1, found \"{value}\"");
        match key {
            "cmd" => self.command = value.into(),
            "arg" => self.arguments.push(value.to_owned()),
            "dir" => self.directory = Some(value.into()),
            "name" => value.clone_into(&mut self.name),
            "init" => self.preamble.push(value.to_owned()),
            "load" => {
                // The engine may run in another directory.
                let path = std::path::absolute(value).map_err(|error| error.to_string())?;
                self.preamble.push(format!("load {}", path.display()));
            }
            "proto" => {
                self.protocol = match value {
                    "usi" => Protocol::Usi,
                    "uci" => Protocol::Uci,
                    _ => return Err(format!("expected usi or uci, found \"{value}\"")),
                }
            }
            "moves" => {
                self.moves = match value {
                    "auto" => Moves::Auto,
                    _ => Moves::In(value.parse()?),
                }
            }
            "tc" => {
                let byoyomi = self.limit.clock.unwrap_or_default().byoyomi;
                self.limit.clock = Some(value.parse()?);
                self.limit.clock_mut().byoyomi = byoyomi;
            }
            "byoyomi" => self.limit.clock_mut().byoyomi = parse_duration(value)?,
            "movetime" => self.limit.move_time = Some(parse_duration(value)?),
            "depth" => {
                let depth = value.parse().ok().filter(|&n| n > 0).ok_or_else(number)?;
                self.limit.depth = Some(depth);
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|&n| n > 0).ok_or_else(number)?;
                self.limit.nodes = Some(nodes);
            }
            "margin" => self.margin = Some(parse_duration(value)?),
            "restart" => {
                self.restart = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(format!("expected yes or no, found \"{value}\"")),
                }
            }
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => self.options.push((name.to_owned(), value.to_owned())),
                None => return Err(format!("expected one of {KEYS}")),
            },
        }
        Ok(())
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
            "byoyomi=100ms",
            "tc=8+0.08",
            "movetime=2",
            "depth=9",
            "nodes=5000",
            "margin=20ms",
            "restart=yes",
        ])
        .unwrap();
        assert_eq!(config.arguments, ["-v", "a=b"]);
        assert_eq!(config.options[1], ("Eval File".to_owned(), "x y".to_owned()));
        assert_eq!(config.preamble, ["debug on"]);
        assert_eq!((config.protocol, config.moves), (Protocol::Uci, Moves::In(Dialect::FairyUsi)));
        assert_eq!(config.limit.to_string(), "8+0.08 byoyomi 0.1, movetime 2, depth 9, nodes 5000");
        assert_eq!(config.margin, Some(Duration::from_millis(20)));
        assert!(config.restart && config.name == "One" && config.directory.is_some());
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
            (&["cmd=x", "option.=1"], "expected one of"),
            (&["cmd=x", "colour=blue"], "colour: expected one of"),
            (&["cmd=x", "restart=maybe"], "expected yes or no"),
            (&["cmd=x", "moves=own"], "expected usi, fairy-usi or fairy-uci"),
        ] {
            let error = EngineConfig::parse(words.iter().copied()).unwrap_err();
            assert!(error.contains(expected), "{words:?}: {error}");
        }
    }
}
