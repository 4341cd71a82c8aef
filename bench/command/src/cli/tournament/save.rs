//! `match --save`: the flags that were given as the file of a tournament.

use std::io;
use std::path::Path;

use clap::ArgMatches;
use clap::parser::ValueSource;
use kujira_arena::engine::{EngineConfig, is_bare};
use kujira_arena::tournament::file::{self, TournamentFile, Value};
use kujira_program::status::tell;
use kujira_program::whole;

use super::settings::{GAME, NO_KEYS, Settings, groups as engines_of};

/// Writes what `match` was given to a new file for `tournament`.
pub(in super::super) fn save(
    path: &Path,
    given: &ArgMatches,
    groups: &[Vec<String>],
) -> Result<(), String> {
    let named = |error: String| format!("{}: {error}", path.display());
    if path.symlink_metadata().is_ok() {
        return Err(named("expected no file yet, found one (another --save keeps it)".to_owned()));
    }
    for (number, words) in (1..).zip(groups) {
        EngineConfig::parse(words.iter().map(String::as_str))
            .map_err(|error| format!("engine {number}: {error}"))?;
    }
    let mut settings = settings(given);
    let mut groups = groups.to_vec();
    anchor(path, &mut settings, &mut groups).map_err(|error| named(error.to_string()))?;
    let text = file::write(&settings, &groups).map_err(named)?;
    // What is saved can be played.
    let saved = TournamentFile::parse(&text).map_err(named)?;
    Settings::read(&saved, path).map_err(named)?;
    engines_of(&saved).map_err(named)?;
    whole::write(path, text.as_bytes()).map_err(|error| named(error.to_string()))?;
    tell(&format!("{}: kujira-bench tournament plays it\n", path.display()));
    Ok(())
}

/// What the command line sets, as keys and their values.
fn settings(given: &ArgMatches) -> Vec<(String, Value)> {
    let command = Settings::command();
    let mut settings = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        // Some keys are no flags of `match`.
        let Ok(Some(mut values)) = given.try_get_raw(id) else { continue };
        let name = if id == GAME { GAME } else { arg.get_long().unwrap_or_default() };
        if given.value_source(id) != Some(ValueSource::CommandLine) || NO_KEYS.contains(&name) {
            continue;
        }
        let value = match values.next_back() {
            _ if !arg.get_action().takes_values() && id != GAME => Value::Switch(true),
            Some(value) => Value::Text(value.to_string_lossy().into_owned()),
            None => continue,
        };
        settings.push((name.to_owned(), value));
    }
    settings
}

/// Makes what counts from this folder count from it in a file of another folder, too.
fn anchor(
    path: &Path,
    settings: &mut [(String, Value)],
    groups: &mut [Vec<String>],
) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let folder = match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => folder.canonicalize()?,
        None => return Ok(()),
    };
    if folder == here.canonicalize()? {
        return Ok(());
    }
    let absolute =
        |path: &str| Ok::<_, io::Error>(std::path::absolute(path)?.display().to_string());
    for (key, value) in settings {
        if let Value::Text(text) = value
            && matches!(key.as_str(), "log" | "openings" | "out")
        {
            *text = absolute(text)?;
        }
    }
    for words in groups {
        for word in words.iter_mut() {
            *word = match word.split_once('=') {
                Some(("cmd", path)) if !is_bare(Path::new(path)) => {
                    format!("cmd={}", absolute(path)?)
                }
                Some((key @ ("dir" | "load"), path)) => format!("{key}={}", absolute(path)?),
                _ => continue,
            };
        }
        // Arguments and options may name files, which the engine finds in the folder it runs in.
        if !words.iter().any(|word| word.starts_with("dir=")) {
            words.push(format!("dir={}", here.display()));
        }
    }
    Ok(())
}
