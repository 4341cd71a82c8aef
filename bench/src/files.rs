//! The files of a match, and taking an interrupted match up again.
//!
//! `PREFIX.jsonl` is the journal and the truth; `PREFIX.usi` and `PREFIX.pgn` follow it and are
//! written anew from it whenever the match is taken up; `PREFIX.openings` holds random openings,
//! each before its first game begins.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::openings::Opening;
use crate::record::{GameRecord, Journal, Line, read_journal, write_pgn, write_usi};
use crate::schedule::MatchHeader;

/// The open files of a match.
#[derive(Debug)]
pub struct Files {
    journal: Journal,
    usi: File,
    pgn: File,
}

/// What an earlier run left.
#[derive(Debug, Default)]
pub struct Earlier {
    /// Finished games.
    pub games: Vec<GameRecord>,
    /// Random openings made, in order.
    pub openings: Vec<Opening>,
}

fn with_ending(prefix: &Path, ending: &str) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The file of random openings.
#[must_use]
pub fn openings_path(prefix: &Path) -> PathBuf {
    with_ending(prefix, ".openings")
}

/// The journal.
#[must_use]
pub fn journal_path(prefix: &Path) -> PathBuf {
    with_ending(prefix, ".jsonl")
}

impl Files {
    /// Opens the files of the match at `prefix`. With `fresh` whatever is there is thrown away.
    ///
    /// # Errors
    /// If the file system refuses, a journal there is damaged, or it is of another match.
    pub fn open(
        prefix: &Path,
        header: &MatchHeader,
        fresh: bool,
    ) -> Result<(Self, Earlier), String> {
        let path = journal_path(prefix);
        let named =
            |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        if let Some(directory) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            fs::create_dir_all(directory).map_err(|error| named(directory, &error))?;
        }
        let (mut journal, mut text) = Journal::open(&path).map_err(|error| named(&path, &error))?;
        if fresh {
            text.clear();
        }
        let (found, games, whole) = read_journal(&text).map_err(|error| named(&path, &error))?;
        match &found {
            Some(found) if found != header => {
                return Err(format!(
                    "expected the match that {} was begun with; this one differs in {} (--fresh \
                     throws the old one away, another --out keeps it)",
                    path.display(),
                    header.differences(found).join("; ")
                ));
            }
            None if !games.is_empty() => {
                return Err(named(&path, &"expected the match in the first line, found a game"));
            }
            _ => {}
        }
        journal.cut(whole).map_err(|error| named(&path, &error))?;
        if found.is_none() {
            let line = Line::Match(Box::new(header.clone()));
            journal.append(&[line]).map_err(|error| named(&path, &error))?;
        }
        // Openings without a journal are of a match that nobody knows.
        let openings = read_openings(&openings_path(prefix), found.is_none())?;
        let rebuild =
            |ending: &str, write: &dyn Fn(&mut Vec<u8>, &GameRecord) -> io::Result<()>| {
                let path = with_ending(prefix, ending);
                rewrite(&path, &games, write).map_err(|error| named(&path, &error))
            };
        let usi = rebuild(".usi", &|out, game| write_usi(out, game))?;
        let pgn = rebuild(".pgn", &|out, game| write_pgn(out, game))?;
        Ok((Self { journal, usi, pgn }, Earlier { games, openings }))
    }

    /// Puts finished games on disk: when this returns they are there.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, games: &[GameRecord]) -> io::Result<()> {
        let lines: Vec<_> = games.iter().map(|game| Line::Game(Box::new(game.clone()))).collect();
        self.journal.append(&lines)?;
        let (mut usi, mut pgn) = (Vec::new(), Vec::new());
        for game in games {
            write_usi(&mut usi, game)?;
            write_pgn(&mut pgn, game)?;
        }
        self.usi.write_all(&usi)?;
        self.pgn.write_all(&pgn)
    }
}

/// Writes a file anew beside the old one and puts it in its place.
fn rewrite(
    path: &Path,
    games: &[GameRecord],
    write: &dyn Fn(&mut Vec<u8>, &GameRecord) -> io::Result<()>,
) -> io::Result<File> {
    let mut text = Vec::new();
    for game in games {
        write(&mut text, game)?;
    }
    replace(path, &text)?;
    OpenOptions::new().append(true).open(path)
}

/// Puts `text` at `path` whole: whoever reads there finds the old file or the new one.
///
/// # Errors
/// If the file system refuses.
pub fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let temporary = with_ending(path, ".new");
    fs::write(&temporary, text)?;
    fs::rename(&temporary, path)
}

/// The whole lines of a file of openings; a last line that was cut off is dropped from the file.
fn read_openings(path: &Path, fresh: bool) -> Result<Vec<Opening>, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    if fresh {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(&error)),
            _ => Ok(Vec::new()),
        };
    }
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(&error)),
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        replace(path, &text.as_bytes()[..whole]).map_err(|error| named(&error))?;
    }
    text[..whole].lines().map(|line| line.parse().map_err(|error: String| named(&error))).collect()
}
