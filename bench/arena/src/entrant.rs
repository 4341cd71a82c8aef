//! An engine of a match, and what the journal remembers of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::clock::Limit;
use crate::engine::{EngineConfig, Failure, RuleOptions, Session, Timeouts};
use crate::fingerprint::Watched;
use crate::header::EngineHeader;
use kujira_position::Rules;
use kujira_record::played::Player;
use kujira_usi::fairy::Dialect;

/// An engine of a match.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How to start it.
    pub config: Arc<EngineConfig>,
    /// What the records call it and say about it.
    pub player: Player,
    /// What it calls itself, with its version.
    pub program: String,
    /// How it spells moves.
    pub dialect: Dialect,
    /// What it is told about the rules.
    pub rules: RuleOptions,
    /// What it may use for a move.
    pub limit: Limit,
    /// How late its moves may come.
    pub margin: Duration,
    /// What it is made of.
    files: EngineFiles,
    /// What the journal knows of it, if it is withdrawn or absent.
    known: Option<EngineHeader>,
}

/// The files that an engine is made of: its program, those that it loads, and those that its words name.
#[derive(Clone, Debug, Default)]
pub struct EngineFiles {
    watched: Vec<Watched>,
    /// Complaints about files that cannot be read.
    unread: Vec<String>,
}

impl EngineFiles {
    /// Those there are now.
    pub fn of(config: &EngineConfig) -> Self {
        let mut files = Self::default();
        let loaded = config.preamble.iter().filter_map(|line| line.strip_prefix("load "));
        let named = loaded.map(PathBuf::from).chain(config.named_files()).map(Ok);
        for file in std::iter::once(config.program_file()).chain(named) {
            let read = file.map_err(|error| error.to_string()).and_then(|path| {
                let shown = path.display().to_string();
                Watched::new(path).map_err(|error| format!("{shown}: {error}"))
            });
            match read {
                Ok(file) => files.watched.push(file),
                Err(error) => files.unread.push(error),
            }
        }
        files
    }

    /// Where they are.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.watched.iter().map(Watched::path)
    }

    /// Looks at them again.
    ///
    /// # Errors
    /// Which of them is no longer what it was.
    pub fn check(&self) -> Result<(), String> {
        match self.watched.iter().find(|file| !file.is_unchanged()) {
            None => Ok(()),
            Some(file) => Err(format!(
                "expected {} as it was in the beginning, found it changed or gone: what is played now \
                 would be played by another engine",
                file.path().display()
            )),
        }
    }
}

impl Entrant {
    /// Starts the engine once, to see that it works and what it calls itself. `limit` and `margin`
    /// hold where it has none of its own.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn meet(
        config: EngineConfig,
        limit: Limit,
        margin: Duration,
        timeouts: Timeouts,
        stopped: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let config = Arc::new(config);
        let files = EngineFiles::of(&config);
        let session = Session::start(&config, timeouts, stopped)?;
        let (name, dialect) = (session.name().to_owned(), session.dialect());
        let program = session.program().to_owned();
        let rules = session.rules().clone();
        session.quit();
        if let Some(wanted) = config.signature {
            check_signature(&config, wanted, timeouts, stopped)?;
        }
        let limit = config.limit.or(limit);
        let margin = config.margin.unwrap_or(margin);
        // An engine that was told other rules plays otherwise: it is another one to the journal.
        let options = config.options.iter().chain(&rules.told).cloned().collect();
        let player = Player { name, limit: limit.to_string(), options };
        let known = None;
        Ok(Self { known, config, player, program, dialect, rules, limit, margin, files })
    }

    /// One that is withdrawn or could not be started, as the journal knows it.
    #[must_use]
    pub fn withdrawn(config: EngineConfig, known: EngineHeader) -> Self {
        Self {
            config: Arc::new(config),
            player: known.player.clone(),
            program: known.version.clone().unwrap_or_default(),
            dialect: Dialect::Usi,
            rules: RuleOptions::default(),
            limit: Limit::default(),
            margin: Duration::ZERO,
            files: EngineFiles::default(),
            known: Some(known),
        }
    }

    /// Whether it begins no games: it is withdrawn, or could not be started.
    #[must_use]
    pub fn sits_out(&self) -> bool {
        self.known.is_some()
    }

    /// Whether it should play, and could not be started.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.sits_out() && !self.config.withdrawn
    }

    /// How many threads it is told to search with.
    #[must_use]
    pub fn threads(&self) -> usize {
        let mut options = self.config.options.iter().rev();
        let told = options.find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        told.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }

    /// The files that the engine is made of.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.paths()
    }

    /// The same engine under another name and with further options. They must not name files: those of
    /// the engine are taken for the same.
    #[must_use]
    pub fn varied(&self, name: String, options: Vec<(String, String)>) -> Self {
        let mut varied = self.clone();
        varied.player.name = name;
        varied.player.options.extend(options.iter().cloned());
        Arc::make_mut(&mut varied.config).options.extend(options);
        varied
    }

    /// Starts the engine, if it is still the one that was met.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn start(&self, timeouts: Timeouts, stopped: &Arc<AtomicBool>) -> Result<Session, Failure> {
        self.files.check().map_err(Failure::Setup)?;
        Session::start(&self.config, timeouts, stopped)
    }

    /// What the journal remembers of it, and complaints: about each rule that it cannot be told, and
    /// about each file that cannot be read, because a change of such a file goes unnoticed when the
    /// match is taken up.
    #[must_use]
    pub fn header(&self, timeouts: Timeouts) -> (EngineHeader, Vec<String>) {
        if let Some(known) = &self.known {
            return (known.clone(), Vec::new());
        }
        let config = &self.config;
        let mut command = vec![config.command.display().to_string()];
        command.extend(config.arguments.iter().cloned());
        command.extend(config.preamble.iter().cloned());
        let mut complaints = self.rules.complaints(&self.player.name);
        complaints.extend(self.files.unread.iter().map(|error| {
            format!(
                "{}: {error}: a change of this file will not be noticed when the match is taken up",
                self.player.name
            )
        }));
        let print =
            |file: &Watched| (file.path().display().to_string(), file.fingerprint().to_owned());
        let files: BTreeMap<_, _> = self.files.watched.iter().map(print).collect();
        let mut settings = vec![
            format!("proto={:?}", config.protocol).to_lowercase(),
            format!("moves={:?}", self.dialect).to_lowercase(),
            format!("restart={}", if config.restart { "yes" } else { "no" }),
            format!("margin={}ms", self.margin.as_millis()),
            format!("hang={}ms", timeouts.hang.as_millis()),
            format!("grace={}ms", timeouts.stop.as_millis()),
        ];
        if let Some(directory) = &config.directory {
            settings.push(format!("dir={}", directory.display()));
        }
        let (player, signature) = (self.player.clone(), config.signature);
        let version = Some(self.program.clone()).filter(|program| !program.is_empty());
        (EngineHeader { player, command, files, settings, signature, version }, complaints)
    }
}

/// Has an engine run its bench, with its options as they are by themselves and under the usual rules: with others it
/// would search otherwise.
fn check_signature(
    config: &EngineConfig,
    wanted: u64,
    timeouts: Timeouts,
    stopped: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let bare = EngineConfig { options: Vec::new(), rules: Rules::DEFAULT, ..config.clone() };
    let mut session = Session::start(&Arc::new(bare), timeouts, stopped)?;
    let found = session.bench()?;
    session.quit();
    if found != wanted {
        let what = format!("expected a build with the bench signature {wanted}, found {found}");
        return Err(Failure::Setup(what));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(words: &[&str]) -> (EngineHeader, Vec<String>) {
        entrant(words).header(Timeouts::default())
    }

    fn entrant(words: &[&str]) -> Entrant {
        let config = EngineConfig::parse(words.iter().copied()).unwrap();
        let player = Player { name: "One".to_owned(), ..Player::default() };
        Entrant {
            files: EngineFiles::of(&config),
            config: Arc::new(config),
            player,
            program: String::new(),
            dialect: Dialect::Usi,
            rules: RuleOptions::default(),
            limit: Limit::default(),
            margin: Duration::ZERO,
            known: None,
        }
    }

    #[test]
    fn the_files_of_an_engine_are_fingerprinted() {
        let own = format!("cmd={}", std::env::current_exe().unwrap().display());
        let words = [&own[..], "load=Cargo.toml", "dir=src", "option.EvalFile=lib.rs"];
        let (found, complaints) = header(&words);
        assert_eq!(complaints, [""; 0]);
        let paths: Vec<_> = found.files.keys().collect();
        assert_eq!(paths.len(), 3, "{paths:?}");
        assert!(found.files.contains_key("src/lib.rs"), "{paths:?}");
        assert!(found.files.values().all(|print| print.len() == 16));
        assert!(found.settings.contains(&"dir=src".to_owned()));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_complained_about() {
        let own = format!("cmd={}", std::env::current_exe().unwrap().display());
        let (found, complaints) = header(&[&own, "load=no such.ini"]);
        assert_eq!((found.files.len(), complaints.len()), (1, 1));
        assert!(complaints[0].starts_with("One: ") && complaints[0].contains("no such.ini: "));
        let (found, complaints) = header(&["cmd=no-such-program"]);
        assert_eq!((found.files.len(), complaints.len()), (0, 1));
        assert!(complaints[0].contains("expected a program, found none"), "{complaints:?}");
    }

    #[test]
    fn an_engine_that_changed_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.net");
        std::fs::write(&path, "one").unwrap();
        // A program that could not be started anyway.
        let entrant =
            entrant(&["cmd=./Cargo.toml", &format!("option.EvalFile={}", path.display())]);
        assert_eq!(entrant.files.check(), Ok(()));
        std::fs::write(&path, "other").unwrap();
        let stopped = Arc::new(AtomicBool::new(false));
        let failure = entrant.start(Timeouts::default(), &stopped).unwrap_err();
        let expected = format!("expected {} as it was in the beginning", path.display());
        assert!(
            matches!(&failure, Failure::Setup(what) if what.starts_with(&expected)),
            "{failure}"
        );
    }
}
