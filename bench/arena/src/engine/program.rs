//! Which program an engine is, and which other files its words name.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::config::EngineConfig;

/// What to start: a path, which counts from our directory whichever the engine runs in, or a bare
/// name, which is looked for in PATH.
pub(super) fn program(config: &EngineConfig) -> io::Result<PathBuf> {
    let command = &config.command;
    let Some(directory) = &config.directory else { return Ok(command.clone()) };
    if !directory.is_dir() {
        let text = format!("dir={}: expected a directory, found none", directory.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    }
    if is_bare(command) { Ok(command.clone()) } else { std::path::absolute(command) }
}

/// Refuses to load a file that is not there: engines say nothing of it, and play something else.
pub(super) fn check_loaded(config: &EngineConfig) -> io::Result<()> {
    let mut loaded = config.preamble.iter().filter_map(|line| line.strip_prefix("load "));
    match loaded.find(|path| !Path::new(path).exists()) {
        None => Ok(()),
        Some(path) => {
            let text = format!("load={path}: expected a file, found none");
            Err(io::Error::new(io::ErrorKind::NotFound, text))
        }
    }
}

/// Whether this is a name without any directory.
pub fn is_bare(command: &Path) -> bool {
    command.components().count() == 1 && !command.starts_with(".")
}

impl EngineConfig {
    /// The file that starting the engine runs.
    ///
    /// # Errors
    /// If there is none.
    pub fn program_file(&self) -> io::Result<PathBuf> {
        let program = program(self)?;
        let found = if is_bare(&program) {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path).map(|part| part.join(&program)).find(|file| file.is_file())
        } else {
            Some(program.clone()).filter(|file| file.is_file())
        };
        found.ok_or_else(|| {
            let text = format!("{}: expected a program, found none", program.display());
            io::Error::new(io::ErrorKind::NotFound, text)
        })
    }

    /// The files that its arguments and the values of its options name: networks, books, scripts.
    ///
    /// They are looked for where an engine may: in the directory it runs in, and beside its program. If
    /// there is one in both, both count. An option with `log` in its name is left out, as is an argument behind
    /// a switch with it, and one that ends in `.log`: such a file is written by the engine.
    #[must_use]
    pub fn named_files(&self) -> Vec<PathBuf> {
        let program = self.program_file().and_then(|program| program.canonicalize());
        let beside = program.ok().and_then(|program| Some(program.parent()?.to_owned()));
        let folders = [Some(self.directory.clone().unwrap_or_default()), beside];
        let is_log = |name: &str| name.to_ascii_lowercase().contains("log");
        let values = self.options.iter().filter(|(name, _)| !is_log(name)).map(|(_, value)| value);
        let before = std::iter::once("").chain(self.arguments.iter().map(String::as_str));
        let arguments = self.arguments.iter().zip(before);
        let arguments = arguments.filter(|(word, before)| {
            let ends_so =
                Path::new(word).extension().is_some_and(|end| end.eq_ignore_ascii_case("log"));
            let behind = before.starts_with('-') && is_log(before);
            !ends_so && !behind
        });
        let arguments = arguments.map(|(word, _)| word);
        let mut known = BTreeSet::new();
        let mut files = Vec::new();
        for name in arguments.chain(values) {
            for file in folders.iter().flatten().map(|folder| folder.join(name)) {
                if file.is_file() && file.canonicalize().is_ok_and(|same| known.insert(same)) {
                    files.push(file);
                }
            }
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(words: &[&str]) -> EngineConfig {
        EngineConfig::parse(words.iter().copied()).unwrap()
    }

    #[test]
    fn a_program_is_found_from_our_directory() {
        let start = |words: &[&str]| program(&config(words));
        let here = std::env::current_dir().unwrap();
        assert_eq!(start(&["cmd=./x", "dir=src"]).unwrap(), here.join("x"));
        assert_eq!(start(&["cmd=y/x", "dir=src"]).unwrap(), here.join("y/x"));
        assert_eq!(start(&["cmd=x", "dir=src"]).unwrap(), PathBuf::from("x"));
        assert_eq!(start(&["cmd=./x"]).unwrap(), PathBuf::from("./x"));
        let error = start(&["cmd=./x", "dir=no such"]).unwrap_err().to_string();
        assert_eq!(error, "dir=no such: expected a directory, found none");
    }

    #[test]
    fn a_file_that_is_loaded_is_there() {
        assert!(check_loaded(&config(&["cmd=x", "load=Cargo.toml", "init=debug on"])).is_ok());
        let error = check_loaded(&config(&["cmd=x", "load=no such.ini"])).unwrap_err().to_string();
        assert!(error.ends_with("no such.ini: expected a file, found none"), "{error}");
    }

    /// The file that is fingerprinted is the one that is started.
    #[test]
    fn the_file_of_a_program_is_found_as_it_is_started() {
        assert_eq!(config(&["cmd=sh"]).program_file().is_ok(), cfg!(unix));
        let here = std::env::current_dir().unwrap();
        let file = config(&["cmd=src/lib.rs", "dir=src/engine"]).program_file().unwrap();
        assert_eq!(file, here.join("src/lib.rs"));
        for words in [&["cmd=./lib.rs", "dir=src"] as &[&str], &["cmd=./no-such-program"]] {
            let error = config(words).program_file().unwrap_err().to_string();
            assert!(error.contains("expected a program, found none"), "{words:?}: {error}");
        }
    }

    #[test]
    fn files_that_words_name_are_found() {
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        let files = |words: &[&str]| config(&[&["cmd=src/lib.rs"], words].concat()).named_files();
        for (words, expected) in [
            (&["option.EvalFile=Cargo.toml"] as &[&str], &["Cargo.toml"] as &[&str]),
            (&["arg=Cargo.toml", "arg=Cargo.toml", "arg=./Cargo.toml"], &["Cargo.toml"]),
            // In the directory of the engine, and not in ours.
            (&["option.EvalFile=mod.rs", "dir=src/tournament"], &["src/tournament/mod.rs"]),
            (&["option.EvalFile=Cargo.toml", "dir=src/tournament"], &[]),
            // Two that it could mean.
            (&["arg=runner.rs", "dir=src/tournament"], &["src/runner.rs"]),
            (
                &["arg=mod.rs", "arg=table.rs", "dir=src/tournament"],
                &["src/tournament/mod.rs", "src/tournament/table.rs"],
            ),
            (&["option.Debug Log File=Cargo.toml"], &[]),
            (&["arg=--log-file", "arg=Cargo.toml", "arg=src/runner.rs"], &["src/runner.rs"]),
            (&["option.Threads=2", "option.Book=", "option.Path=src", "arg=-v"], &[]),
        ] {
            let found: Vec<_> =
                files(words).into_iter().map(|file| file.canonicalize().unwrap()).collect();
            let expected: Vec<_> = expected.iter().map(|name| here.join(name)).collect();
            assert_eq!(found, expected, "{words:?}");
        }
        // One in both places: nobody knows which of them it reads.
        let both = config(&[
            "cmd=src/lib.rs",
            "dir=src/tournament",
            "arg=../tournament/mod.rs",
            "arg=mod.rs",
        ]);
        assert_eq!(both.named_files().len(), 1);
        let both = config(&["cmd=src/tournament/table.rs", "dir=src/engine", "arg=mod.rs"]);
        assert_eq!(both.named_files().len(), 2);
        let file = here.join("Cargo.toml").display().to_string();
        assert_eq!(files(&[&format!("option.EvalFile={file}")]), [PathBuf::from(file)]);
    }
}
