//! The file that describes a tournament: TOML whose keys are named like the flags of `match`.
//!
//! Each key at the top is a setting, each `[[engine]]` is an engine with the keys of its words. What the values may be
//! is for whoever takes them: here they are texts with the lines they stand in.

use std::fmt::Display;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::engine::{REPEATABLE, option_word, quoted_option};

/// A setting of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its name: that of a flag without hyphens in front.
    pub key: String,
    /// What it is set to.
    pub value: Value,
}

/// What a setting is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// What would stand behind a flag.
    Text(String),
    /// Whether a flag is there that nothing stands behind.
    Switch(bool),
}

/// An engine of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineLines {
    /// Where it begins, from 1.
    pub line: usize,
    /// Its words, `KEY=VALUE`, each with its line.
    pub words: Vec<(usize, String)>,
}

/// A tournament as its file describes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TournamentFile {
    /// The settings in order.
    pub settings: Vec<Setting>,
    /// The engines in order, which are their seeds.
    pub engines: Vec<EngineLines>,
}

/// The key of the tables of engines.
const ENGINE: &str = "engine";

/// The words of an engine that have names of their own behind a dot.
const OPTION: &str = "option";

/// What the first line of a file says that the program wrote.
pub const FIRST_LINE: &str = "# A tournament: kujira-bench tournament FILE, docs/tournaments.md";

impl TournamentFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What was expected in which line, and what was found: `line 3: …`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = Text(text);
        let table = DeTable::parse(text.0).map_err(|error| {
            let at = error.span().map_or(text.0.len(), |span| span.start);
            text.no_toml(at, error.message())
        })?;
        let mut file = Self::default();
        for (key, value) in table.get_ref() {
            let name = key.get_ref().as_ref();
            if name == ENGINE {
                for engine in text.tables(value)? {
                    file.engines.push(text.engine(engine)?);
                }
                continue;
            }
            let line = text.line(key.span().start);
            let value = match value.get_ref() {
                DeValue::Boolean(on) => Value::Switch(*on),
                _ => Value::Text(text.scalar(name, value)?),
            };
            file.settings.push(Setting { line, key: name.to_owned(), value });
        }
        Ok(file)
    }
}

/// A text in whose lines things stand.
struct Text<'a>(&'a str);

impl Text<'_> {
    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        1 + self.0.bytes().take(at).filter(|&byte| byte == b'\n').count()
    }

    /// What the library finds wrong at a byte, and the line that it means.
    fn no_toml(&self, at: usize, message: &str) -> String {
        // Of a text without quotes it expects a literal one, which nobody knows by that name.
        let said = message.trim().replace('\n', ", ").replace(", expected literal string", "");
        let line = self.0.lines().nth(self.line(at) - 1).unwrap_or_default().trim();
        self.wrong(at, &format!("{said}, found {line:.60}"))
    }

    fn wrong(&self, at: usize, what: &dyn Display) -> String {
        format!("line {}: {what}", self.line(at))
    }

    /// The tables of an array of tables.
    fn tables<'t, 'i>(
        &self,
        value: &'t Spanned<DeValue<'i>>,
    ) -> Result<Vec<(usize, &'t DeTable<'i>)>, String> {
        let wrong = |found: &Spanned<DeValue<'_>>| {
            let found = (found.span().start, found.get_ref().type_str());
            self.wrong(
                found.0,
                &format!(
                    "expected [[{ENGINE}]] and the keys of an engine, found a value: {}",
                    found.1
                ),
            )
        };
        let DeValue::Array(tables) = value.get_ref() else { return Err(wrong(value)) };
        let tables = tables.iter().map(|table| match table.get_ref() {
            DeValue::Table(keys) => Ok((table.span().start, keys)),
            _ => Err(wrong(table)),
        });
        tables.collect()
    }

    fn engine(&self, (at, table): (usize, &DeTable<'_>)) -> Result<EngineLines, String> {
        let mut words = Vec::new();
        let mut add = |at: usize, name: &str, value: &str| {
            let word = match name.strip_prefix(OPTION).and_then(|name| name.strip_prefix('.')) {
                Some(option) => option_word(option, value),
                None => format!("{name}={value}"),
            };
            words.push((self.line(at), word));
        };
        for (key, value) in table {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            match value.get_ref() {
                DeValue::Table(options) if name == OPTION => {
                    for (option, value) in options {
                        let name = format!("{OPTION}.{}", option.get_ref());
                        add(option.span().start, &name, &self.scalar(&name, value)?);
                    }
                }
                DeValue::Array(values) => {
                    for value in values.iter() {
                        add(value.span().start, name, &self.scalar(name, value)?);
                    }
                }
                // As words have it; options of engines are `true` and `false`.
                DeValue::Boolean(on) => add(at, name, if *on { "yes" } else { "no" }),
                _ => add(at, name, &self.scalar(name, value)?),
            }
        }
        Ok(EngineLines { line: self.line(at), words })
    }

    /// A value as the command line would have it.
    fn scalar(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<String, String> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(on) => on.to_string(),
            other => {
                let what = format!(
                    "{name}: expected a text, a number, true or false, found another value: {}",
                    other.type_str()
                );
                return Err(self.wrong(value.span().start, &what));
            }
        };
        // It could not be told to an engine, nor stand in a record.
        match text.contains(['\n', '\r', '\0']) {
            false => Ok(text),
            true => Err(self
                .wrong(value.span().start, &format!("{name}: expected one line, found several"))),
        }
    }
}

/// The file of a tournament with these settings and the words of these engines.
///
/// # Errors
/// Which word is none.
pub fn write(settings: &[(String, Value)], engines: &[Vec<String>]) -> Result<String, String> {
    let mut table = toml::Table::new();
    for (key, value) in settings {
        let value = match value {
            Value::Switch(on) => toml::Value::Boolean(*on),
            Value::Text(text) => number_or_text(text),
        };
        table.insert(key.clone(), value);
    }
    let engines: Vec<_> =
        engines.iter().map(|words| engine_table(words)).collect::<Result<_, _>>()?;
    table.insert(ENGINE.to_owned(), toml::Value::Array(engines));
    let text = toml::to_string(&table).map_err(|error| error.to_string())?;
    Ok(format!("{FIRST_LINE}\n\n{text}"))
}

fn engine_table(words: &[String]) -> Result<toml::Value, String> {
    let mut table = toml::Table::new();
    let mut options = toml::Table::new();
    for word in words {
        if let Some((name, value)) = quoted_option(word) {
            options.insert(name.to_owned(), number_or_text(value));
            continue;
        }
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!("expected KEY=VALUE as a word of an engine, found \"{word}\""));
        };
        match key.split_once('.') {
            Some((OPTION, name)) => {
                options.insert(name.to_owned(), number_or_text(value));
            }
            _ if REPEATABLE.contains(&key) => {
                let list = table.entry(key).or_insert_with(|| toml::Value::Array(Vec::new()));
                if let toml::Value::Array(list) = list {
                    list.push(toml::Value::String(value.to_owned()));
                }
            }
            _ => {
                table.insert(key.to_owned(), number_or_text(value));
            }
        }
    }
    if !options.is_empty() {
        table.insert(OPTION.to_owned(), toml::Value::Table(options));
    }
    Ok(toml::Value::Table(table))
}

/// A number where the text is how a number is written, so that it is read as the same text.
fn number_or_text(text: &str) -> toml::Value {
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => toml::Value::Integer(number),
        _ => toml::Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"# Mine
title = "Two"
game = "whale"
nodes = 500
impasse = true
tc = '8+0.08'
margin = 0.25

[[engine]]
cmd = "./kujira"
name = "One"
option.Threads = 2
option."Eval File" = "a b.net"
restart = true

[[engine]]
cmd = "kujira-bench"
arg = ["bot", "material"]
[engine.option]
Ponder = false
"#;

    fn text(line: usize, key: &str, value: &str) -> Setting {
        Setting { line, key: key.to_owned(), value: Value::Text(value.to_owned()) }
    }

    #[test]
    fn settings_and_engines_are_read_with_their_lines() {
        let file = TournamentFile::parse(TEXT).unwrap();
        let impasse = Setting { line: 5, key: "impasse".to_owned(), value: Value::Switch(true) };
        let expected = [
            text(2, "title", "Two"),
            text(3, "game", "whale"),
            text(4, "nodes", "500"),
            impasse,
            text(6, "tc", "8+0.08"),
            text(7, "margin", "0.25"),
        ];
        assert_eq!(file.settings, expected);
        let words = |engine: &EngineLines| {
            engine.words.iter().map(|(line, word)| format!("{line} {word}")).collect::<Vec<_>>()
        };
        assert_eq!(
            words(&file.engines[0]),
            [
                "10 cmd=./kujira",
                "11 name=One",
                "12 option.Threads=2",
                "13 option.Eval File=a b.net",
                "14 restart=yes"
            ]
        );
        assert_eq!(
            words(&file.engines[1]),
            ["17 cmd=kujira-bench", "18 arg=bot", "18 arg=material", "20 option.Ponder=false"]
        );
        let lines: Vec<_> = file.engines.iter().map(|engine| engine.line).collect();
        assert_eq!(lines, [9, 16]);
    }

    #[test]
    fn what_is_no_file_is_refused_by_line() {
        for (text, expected) in [
            (
                "title = \"x\"\ngame = whale\n",
                "line 2: string values must be quoted, found game = whale",
            ),
            ("\ngame whale\n", "line 2: key with no value, expected `=`, found game whale"),
            ("game = \"whale\"\ngame = \"great\"\n", "line 2: duplicate key"),
            ("\nengine = \"kujira\"\n", "line 2: expected [[engine]] and the keys of an engine"),
            ("engine = [1]\n", "line 1: expected [[engine]]"),
            ("[engine]\ncmd = \"x\"\n", "line 1: expected [[engine]]"),
            ("nodes = [1, 2]\n", "line 1: nodes: expected a text, a number, true or false, found"),
            ("[limits]\nnodes = 1\n", "line 1: limits: expected a text, a number"),
            ("[[engine]]\ncmd = \"x\"\ntc.base = 1\n", "line 3: tc: expected a text"),
            ("title = \"a\\nb\"\n", "line 1: title: expected one line, found several"),
            ("title = \"a\n", "line 1: "),
            ("since = 2026-11-26\n", "line 1: since: expected a text"),
        ] {
            let error = TournamentFile::parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let settings = [
            ("game".to_owned(), Value::Text("whale".to_owned())),
            ("nodes".to_owned(), Value::Text("500".to_owned())),
            ("seed".to_owned(), Value::Text("007".to_owned())),
            ("impasse".to_owned(), Value::Switch(true)),
        ];
        let words = [
            "cmd=./a \"b\"",
            "arg=bot",
            "arg=a=b",
            "name=One",
            "option.Eval File=x",
            "option.\"Skill=1\"=5",
            "option.N=-3",
        ]
        .map(str::to_owned)
        .to_vec();
        let text = write(&settings, &[words.clone(), vec!["cmd=x".to_owned()]]).unwrap();
        assert!(text.starts_with(FIRST_LINE) && text.contains("\nnodes = 500\n"), "{text}");
        let file = TournamentFile::parse(&text).unwrap();
        let read: Vec<_> = file.settings.into_iter().map(|s| (s.key, s.value)).collect();
        assert_eq!(read, settings);
        let read =
            |engine: &EngineLines| engine.words.iter().map(|w| w.1.clone()).collect::<Vec<_>>();
        assert_eq!(read(&file.engines[0]), words);
        assert_eq!(read(&file.engines[1]), ["cmd=x"]);
        assert!(write(&[], &[vec!["cmd".to_owned()]]).is_err());
    }
}
