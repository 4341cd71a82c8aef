//! What the file of a tournament sets: the flags of `match`, and a few keys of its own.

use std::error::Error as _;
use std::num::ParseIntError;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, FromArgMatches, ValueEnum};
use kujira_arena::engine::EngineConfig;
use kujira_arena::rounds::swiss;
use kujira_arena::schedule::Format;
use kujira_arena::tournament::file::{Setting, TournamentFile, Value};
use kujira_position::VariantId;

use super::super::matches::PlayArgs;

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum FormatName {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays everybody else.
    Gauntlet,
    /// Engines of like points meet, round by round.
    Swiss,
    /// Whoever loses is out.
    Knockout,
}

/// The keys of a file: those of `match`, and what only a tournament has.
#[derive(Args)]
pub(super) struct Settings {
    /// What the page is headed by.
    #[arg(long)]
    pub(super) title: Option<String>,
    /// Who plays whom.
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatName,
    /// Rounds of a Swiss.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// Pairs of games for each pairing.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: Option<u32>,
    /// Further pairs in a knock-out.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1000))]
    extra_pairs: Option<u32>,
    #[command(flatten)]
    pub(super) play: PlayArgs,
}

/// Flags of `match` that are no keys: they are about a run, not about what is played. Engines have tables.
pub(super) const NO_KEYS: [&str; 9] =
    ["count", "engine", "first", "force", "fresh", "plain", "save", "shard", "unchecked"];

/// The key that is a word of the command line, and no flag.
pub(super) const GAME: &str = "game";

/// Pairs of games for each pairing where results decide who meets next; otherwise as many as `match` has.
const PAIRS: u32 = 1;

/// As `match` has it.
const PAIRS_OF_MATCH: u32 = 100;

/// Further pairs after an even pairing of a knock-out.
const EXTRA_PAIRS: u32 = 4;

impl Settings {
    /// The command line that the keys would be.
    pub(super) fn command() -> Command {
        Self::augment_args(Command::new("tournament").no_binary_name(true).disable_help_flag(true))
    }

    /// Takes the settings of a file.
    ///
    /// # Errors
    /// What is wrong with which line.
    pub(super) fn read(file: &TournamentFile, out: &Path) -> Result<Self, String> {
        let command = Self::command();
        let alone = command.clone().mut_args(|arg| arg.required(false));
        let mut words = vec!["--engine=".to_owned()];
        let mut has_out = false;
        for setting in &file.settings {
            let word = word(&command, setting)?;
            let Some(word) = word else { continue };
            if let Err(error) = alone.clone().try_get_matches_from([&word]) {
                let Setting { line, key, .. } = setting;
                return Err(format!("line {line}: {key}: {}", reason(&error)));
            }
            has_out |= setting.key == "out";
            words.push(word);
        }
        if !has_out {
            words.push(format!("--out={}", out.display()));
        }
        if !file.settings.iter().any(|setting| setting.key == GAME) {
            return Err(
                "expected game = \"whale\", \"paulowich\" or \"great\", found no game".to_owned()
            );
        }
        let settings = command
            .try_get_matches_from(words)
            .and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|error| reason(&error))?;
        settings.check_format(file)?;
        Ok(settings)
    }

    /// Refuses settings that the format has no use for.
    fn check_format(&self, file: &TournamentFile) -> Result<(), String> {
        for (key, owner) in [("rounds", FormatName::Swiss), ("extra-pairs", FormatName::Knockout)] {
            let set = file.settings.iter().find(|setting| setting.key == key);
            if let Some(Setting { line, .. }) = set.filter(|_| self.format != owner) {
                let owner = owner.to_possible_value();
                let owner = owner.as_ref().map_or("", |value| value.get_name());
                return Err(format!(
                    "line {line}: {key}: expected format = \"{owner}\" with it, found another"
                ));
            }
        }
        Ok(())
    }

    /// Who plays whom, and how often in each round.
    pub(super) fn format(&self) -> Format {
        let pairs = self.pairs.unwrap_or(PAIRS);
        match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet,
            FormatName::Swiss => Format::Swiss { pairs },
            FormatName::Knockout => {
                Format::Knockout { pairs, extra: self.extra_pairs.unwrap_or(EXTRA_PAIRS) }
            }
        }
    }

    /// Openings for a tournament of so many engines.
    pub(super) fn openings(&self, engines: usize) -> u32 {
        let wanted = match self.format {
            FormatName::Swiss => self.rounds.unwrap_or_else(|| swiss::usual_rounds(engines)),
            _ => self.pairs.unwrap_or(PAIRS_OF_MATCH),
        };
        self.format().openings(engines, wanted)
    }
}

/// The word of the command line that a setting is; none if that is to be left out.
fn word(
    command: &Command,
    Setting { line, key, value }: &Setting,
) -> Result<Option<String>, String> {
    let names = command.get_arguments().filter_map(|arg| match arg.get_id().as_str() {
        GAME => Some((GAME, true)),
        _ => Some((arg.get_long()?, arg.get_action().takes_values())),
    });
    let mut known: Vec<_> = names.filter(|(name, _)| !NO_KEYS.contains(name)).collect();
    let Some(&(name, takes_value)) = known.iter().find(|(name, _)| name == key) else {
        known.sort_unstable();
        let names: Vec<_> = known.iter().map(|&(name, _)| name).collect();
        return Err(format!(
            "line {line}: expected [[engine]] or one of {}, found {key}",
            names.join(", ")
        ));
    };
    match value {
        Value::Text(text) if name == GAME => match VariantId::named(text) {
            Some(_) => Ok(Some(text.clone())),
            None => Err(format!(
                "line {line}: {key}: expected one of {}, found \"{text}\"",
                VariantId::choices()
            )),
        },
        Value::Text(text) if takes_value => Ok(Some(format!("--{name}={text}"))),
        Value::Switch(on) if !takes_value => Ok(on.then(|| format!("--{name}"))),
        Value::Text(text) => {
            Err(format!("line {line}: {key}: expected true or false, found \"{text}\""))
        }
        Value::Switch(on) => Err(format!("line {line}: {key}: expected a value, found {on}")),
    }
}

/// What is wrong with a value, without the flag that the error would name.
fn reason(error: &clap::Error) -> String {
    let found = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(found)) => found.as_str(),
        _ => "",
    };
    match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(values))) if !values.is_empty() => {
            format!("expected one of {}, found \"{found}\"", values.join(", "))
        }
        // What the library says of numbers, "invalid digit found in string", says nothing.
        _ if error.source().is_some_and(|source| source.is::<ParseIntError>()) => {
            let other = if found.parse::<i128>().is_ok() { "another" } else { "a" };
            format!("expected {other} whole number, found \"{found}\"")
        }
        _ => match error.source().map(ToString::to_string) {
            Some(source) if source.starts_with("expected") => source,
            Some(source) => format!("expected another value, found \"{found}\": {source}"),
            None => {
                let text = error.to_string();
                let first = text.lines().next().unwrap_or_default();
                first.strip_prefix("error: ").unwrap_or(first).to_owned()
            }
        },
    }
}

/// The words of the engines.
///
/// # Errors
/// What is wrong with which line.
pub(super) fn groups(file: &TournamentFile) -> Result<Vec<Vec<String>>, String> {
    if file.engines.len() < 2 {
        return Err(format!(
            "expected [[engine]] at least twice, found it {} times",
            file.engines.len()
        ));
    }
    let mut groups = Vec::new();
    for engine in &file.engines {
        let mut config = EngineConfig::default();
        for (line, word) in &engine.words {
            config.read(word).map_err(|error| format!("line {line}: {error}"))?;
        }
        let words: Vec<String> = engine.words.iter().map(|(_, word)| word.clone()).collect();
        EngineConfig::parse(words.iter().map(String::as_str))
            .map_err(|error| format!("line {}: {error}", engine.line))?;
        groups.push(words);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings, String> {
        Settings::read(&TournamentFile::parse(text)?, Path::new("own"))
    }

    fn refused(text: &str) -> String {
        read(text).err().unwrap_or_default()
    }

    #[test]
    fn the_example_of_the_document_is_a_tournament() {
        let text = include_str!("../../../../../docs/tournaments.md");
        let (_, text) = text.split_once("```toml\n").unwrap();
        let (text, _) = text.split_once("```").unwrap();
        let settings = read(text).unwrap();
        assert_eq!(settings.title.as_deref(), Some("Three of ours and two bots"));
        assert_eq!(settings.format(), Format::Swiss { pairs: 2 });
        assert_eq!(settings.openings(5), 8);
        assert_eq!(settings.play.out, Path::new("results/five"));
        assert!(settings.play.rules.rules().impasse);
        let engines = groups(&TournamentFile::parse(text).unwrap()).unwrap();
        assert_eq!(engines.len(), 5);
        assert_eq!(engines[1], ["name=Kujira at half the time", "cmd=./kujira", "tc=4+0.04"]);
    }

    #[test]
    fn what_is_not_said_is_as_match_has_it() {
        let settings = read("game = \"great\"").unwrap();
        assert_eq!((settings.format(), settings.openings(3)), (Format::RoundRobin, 100));
        assert_eq!(settings.play.out, Path::new("own"));
        let swiss = read("game = \"great\"\nformat = \"swiss\"").unwrap();
        assert_eq!((swiss.format(), swiss.openings(9)), (Format::Swiss { pairs: 1 }, 4));
        let knockout = read("game = \"great\"\nformat = \"knockout\"\npairs = 3").unwrap();
        assert_eq!(knockout.format(), Format::Knockout { pairs: 3, extra: 4 });
        assert_eq!(knockout.openings(5), 3 * 7);
    }

    #[test]
    fn wrong_settings_are_refused_by_line() {
        for (text, expected) in [
            ("", "expected game = \"whale\""),
            ("game = true", "line 1: game: expected a value, found true"),
            (
                "game = \"go\"",
                "line 1: game: expected one of whale, paulowich, great, found \"go\"",
            ),
            ("game = \"--impasse\"", "line 1: game: expected one of whale, "),
            ("game = \"great\"\nengin = 1", "line 2: expected [[engine]] or one of affinity, "),
            ("engine.cmd = \"x\"", "line 1: expected [[engine]]"),
            ("fresh = true", "line 1: expected [[engine]] or one of "),
            ("impasse = 1", "line 1: impasse: expected true or false, found \"1\""),
            ("\npairs = 0", "line 2: pairs: expected another value, found \"0\": 0 is not in 1..="),
            ("nodes = \"x\"", "line 1: nodes: expected a whole number, found \"x\""),
            ("nodes = -5", "line 1: nodes: expected another whole number, found \"-5\""),
            ("retreat = 3", "line 1: retreat: expected one of slide, two, found \"3\""),
            ("plies = \"9-3\"", "line 1: plies: expected a number of plies"),
            (
                "game = \"great\"\nformat = \"swiss\"\nextra-pairs = 1",
                "line 3: extra-pairs: expected format = \"knockout\" with it, found another",
            ),
        ] {
            let error = refused(text);
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
