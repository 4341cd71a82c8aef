//! A log of what is said to engines and by them, their standard error included: a line each.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use kujira_program::{growing, regular};

/// The first line, by which a log is known again. Fields are apart by tabs.
const HEAD: &str =
    "# kujira-bench log: time, game, engine, > to it or < from it or ! its standard error, text\n";

/// A file to which the conversations with all engines of a run are added.
#[derive(Clone, Debug)]
pub struct TalkLog(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    /// None once it could not be written.
    file: Mutex<Option<File>>,
}

impl PartialEq for TalkLog {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for TalkLog {}

impl TalkLog {
    /// Opens the log at `path`, made if it is not there.
    ///
    /// # Errors
    /// If the file system refuses, or something else than a log of ours is there.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut begin = Vec::new();
        match regular::open(path) {
            Ok(file) => file.take(HEAD.len() as u64).read_to_end(&mut begin)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        if !begin.is_empty() && begin != HEAD.as_bytes() {
            return Err(io::Error::other("expected a log of ours or no file, found another file"));
        }
        let mut file = growing::log(path)?;
        if begin.is_empty() {
            file.write_all(HEAD.as_bytes())?;
        }
        Ok(Self(Arc::new(Shared { path: path.to_owned(), file: Mutex::new(Some(file)) })))
    }

    /// That a line could not be written, if that happened: nothing was logged from then on.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        let file = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.is_none().then(|| format!("{}: the log could not be written", self.0.path.display()))
    }

    fn put(&self, line: &str) {
        let mut file = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A match is worth more than its log.
        if file.as_mut().is_some_and(|file| file.write_all(line.as_bytes()).is_err()) {
            *file = None;
        }
    }
}

/// Who says something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    To,
    From,
    Error,
}

/// The conversation with one engine.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    log: TalkLog,
    /// The game and the engine, as they are called.
    who: Arc<Mutex<[String; 2]>>,
}

impl Talk {
    /// With an engine that is not in a game yet.
    pub(super) fn new(log: &TalkLog, engine: String) -> Self {
        Self { log: log.clone(), who: Arc::new(Mutex::new(["-".to_owned(), engine])) }
    }

    /// From now on it is about this game, and the engine is called so.
    pub(super) fn label(&self, game: &str, engine: &str) {
        *self.who.lock().unwrap_or_else(PoisonError::into_inner) =
            [game, engine].map(str::to_owned);
    }

    /// Notes lines that are said now.
    pub(super) fn note(&self, way: Way, text: &str) {
        let [game, engine] = &*self.who.lock().unwrap_or_else(PoisonError::into_inner);
        let sign = match way {
            Way::To => '>',
            Way::From => '<',
            Way::Error => '!',
        };
        let at = Timestamp::now();
        for line in text.lines() {
            self.log.put(&format!("{at:.6}\t{game}\t{engine}\t{sign}\t{line}\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_when_who_and_what() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let log = TalkLog::open(&path).unwrap();
        let talk = Talk::new(&log, "one".to_owned());
        talk.note(Way::To, "usi\nisready\n");
        talk.label("7.2", "The one");
        talk.note(Way::Error, "oh");
        drop((log, talk));
        let log = TalkLog::open(&path).unwrap();
        assert_eq!(log.complaint(), None);
        Talk::new(&log, "two".to_owned()).note(Way::From, "usiok");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<_> =
            text.lines().skip(1).map(|line| line.split_once('\t').unwrap()).collect();
        assert_eq!(
            lines.iter().map(|line| line.1).collect::<Vec<_>>(),
            ["-\tone\t>\tusi", "-\tone\t>\tisready", "7.2\tThe one\t!\toh", "-\ttwo\t<\tusiok"]
        );
        assert!(lines.iter().all(|line| line.0.parse::<Timestamp>().is_ok()), "{text}");
        std::fs::write(&path, "[Event \"mine\"]\n").unwrap();
        let error = TalkLog::open(&path).unwrap_err().to_string();
        assert!(error.starts_with("expected a log of ours or no file"), "{error}");
    }
}
