//! Which program an engine is.

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

/// Whether this is a name without any directory.
fn is_bare(command: &Path) -> bool {
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

    /// The file that is fingerprinted is the one that is started.
    #[test]
    fn the_file_of_a_program_is_found_as_it_is_started() {
        assert_eq!(config(&["cmd=sh"]).program_file().is_ok(), cfg!(unix));
        let here = std::env::current_dir().unwrap();
        let file = config(&["cmd=src/lib.rs", "dir=tests"]).program_file().unwrap();
        assert_eq!(file, here.join("src/lib.rs"));
        for words in [&["cmd=./lib.rs", "dir=src"] as &[&str], &["cmd=./no-such-program"]] {
            let error = config(words).program_file().unwrap_err().to_string();
            assert!(error.contains("expected a program, found none"), "{words:?}: {error}");
        }
    }
}
