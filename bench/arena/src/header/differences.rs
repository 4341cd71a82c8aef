//! In what two headers differ, in words.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

/// In what two headers of the same kind differ, the other of a file with so many games: each in a few words, such as
/// `engine A: limit nodes 2, there nodes 1`.
pub fn differences<H: Serialize>(ours: &H, theirs: &H, games: usize) -> Vec<String> {
    let [ours, theirs] =
        [ours, theirs].map(|header| serde_json::to_value(header).unwrap_or_default());
    let mut found = Vec::new();
    compare("", &ours, &theirs, games, &mut found);
    found
}

/// Adds what differs within what `path` leads to.
fn compare(path: &str, ours: &Value, theirs: &Value, games: usize, found: &mut Vec<String>) {
    match (ours, theirs) {
        _ if ours == theirs => {}
        (Value::Object(ours), Value::Object(theirs)) => {
            let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
            for name in names {
                let [ours, theirs] =
                    [ours, theirs].map(|all| all.get(name).unwrap_or(&Value::Null));
                let path = match &name[..] {
                    "files" => {
                        compare_files(path, ours, theirs, games, found);
                        continue;
                    }
                    "options" => format!("{path}option "),
                    "engine" => format!("{path}{}: ", named("engine", ours, 0)),
                    "engines" | "parameters" => format!("{path}{name}"),
                    _ => format!("{path}{} ", name.replace('_', "-")),
                };
                compare(&path, ours, theirs, games, found);
            }
        }
        (Value::Array(ours), Value::Array(theirs))
            if ours.iter().chain(theirs).any(Value::is_object) =>
        {
            if ours.len() != theirs.len() {
                let path = path.trim_end();
                found.push(format!("{} {path}, there {}", ours.len(), theirs.len()));
            }
            for (index, (one, other)) in ours.iter().zip(theirs).enumerate() {
                let path = named(path.trim_end_matches('s'), one, index);
                compare(&format!("{path}: "), one, other, games, found);
            }
        }
        // Words `key=value`, of which few differ.
        (Value::Array(ours), Value::Array(theirs)) if path.ends_with("settings ") => {
            let [ours, theirs] = [(ours, theirs), (theirs, ours)].map(|(these, those)| {
                let only = these.iter().filter(|word| !those.contains(word));
                only.map(words).collect::<Vec<_>>().join(" ")
            });
            let path = path.trim_end_matches("settings ");
            found.push(format!("{path}{ours}, there {theirs}"));
        }
        _ => found.push(format!("{path}{}, there {}", words(ours), words(theirs))),
    }
}

/// Adds which fingerprints of files differ.
fn compare_files(path: &str, ours: &Value, theirs: &Value, games: usize, found: &mut Vec<String>) {
    let names = |all: &Value| -> BTreeSet<String> {
        all.as_object().into_iter().flat_map(|files| files.keys().cloned()).collect()
    };
    for file in &names(ours) | &names(theirs) {
        let since = if games == 0 { "the beginning".to_owned() } else { format!("game {games}") };
        match (ours.get(&file), theirs.get(&file)) {
            (ours, theirs) if ours == theirs => {}
            (Some(_), Some(_)) => found.push(format!("{path}{file} has changed since {since}")),
            (Some(_), None) => found.push(format!("{path}reads {file}, there not")),
            (None, _) => found.push(format!("{path}does not read {file}, there so")),
        }
    }
}

/// What an element of a list is called.
fn named(what: &str, value: &Value, index: usize) -> String {
    match value.get("name").and_then(Value::as_str) {
        Some(name) => format!("{what} {name}"),
        None => format!("{what} {}", index + 1),
    }
}

/// A value in a few words.
fn words(value: &Value) -> String {
    let all = |parts: Vec<String>, between| parts.join(between);
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) if text.is_empty() => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => all(values.iter().map(words).collect(), " "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{} {}", name.replace('_', "-"), words(value))
            };
            all(fields.iter().map(field).collect(), ", ")
        }
    }
}
