//! The files of a match, and taking an interrupted match up again.
//!
//! `PREFIX.jsonl` is the journal and the truth; `PREFIX.usi` and `PREFIX.pgn` follow it and are
//! written anew from it whenever the match is taken up; `PREFIX.openings` holds random openings,
//! each before its first game begins. Nothing is written over before all is known to be ours.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kujira_record::{list, text};
use kujira_shell::outputs::{Mark, Outputs, is_ours};
use kujira_shell::whole::{self, with_ending};
use kujira_shell::{growing, regular};
use kujira_usi::Switches;

use crate::header::{MatchHeader, RunNumber};
use crate::journal::{Journal, Line, read_journal};
use crate::openings::Opening;
use kujira_record::journal::may_be_cut_off;
use kujira_record::played::GameRecord;

/// The open files of a match.
#[derive(Debug)]
pub struct Files {
    journal: Journal,
    usi: File,
    pgn: File,
    rules: Switches,
}

/// What an earlier run left.
#[derive(Debug, Default)]
pub struct Earlier {
    /// Finished games.
    pub games: Vec<GameRecord>,
    /// Random openings made, in order.
    pub openings: Vec<Opening>,
}

/// The endings of the names of a match's files.
const JOURNAL: &str = ".jsonl";
const USI: &str = ".usi";
const PGN: &str = ".pgn";
const OPENINGS: &str = ".openings";

/// The file of random openings.
#[must_use]
pub fn openings_path(prefix: &Path) -> PathBuf {
    with_ending(prefix, OPENINGS)
}

/// The journal.
#[must_use]
pub fn journal_path(prefix: &Path) -> PathBuf {
    with_ending(prefix, JOURNAL)
}

/// All files that the match at `prefix` writes.
#[must_use]
pub fn own_paths(prefix: &Path) -> [PathBuf; 4] {
    [JOURNAL, USI, PGN, OPENINGS].map(|ending| with_ending(prefix, ending))
}

/// How the journal of a match begins.
pub const MATCH: Mark = Mark::new("the journal of a match", &[b"{\"match\":"]);

/// Names the files that the match at `prefix` writes. With `fresh` they may be written over where its journal says
/// that they are ours: the formats of the others do not tell who made them.
/// `random`: whether openings are made, and kept there.
pub fn name_outputs(outputs: &mut Outputs, prefix: &Path, fresh: bool, random: bool) {
    let [journal, others @ ..] = own_paths(prefix);
    let begun = fs::metadata(&journal).is_ok_and(|found| found.len() > 0);
    let ours = begun && is_ours(&journal, &MATCH).unwrap_or(false);
    // Where nothing is to be thrown away [`Found::look`] and [`Found::refuse_loss`] look closer.
    if fresh {
        outputs.output("--out", &journal, MATCH);
    } else {
        outputs.known("--out", &journal);
    }
    for path in others {
        let unused = !random && path == openings_path(prefix);
        if ours || !fresh || unused {
            outputs.known("--out", &path);
        } else {
            outputs.output("--out", &path, Mark::none("a file of a match with a journal"));
        }
    }
}

fn named(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// What is done with the files that an earlier run left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// They are gone on with.
    Checked,
    /// They are gone on with, though lines of the journal may be without check sums.
    Unchecked,
    /// They are thrown away.
    Fresh,
}

/// The games of the journal at `path` that has this text, of the match with this header, and how many bytes of it are
/// whole lines; no games at all where the match was not begun.
fn read_of(
    path: &Path,
    text: &[u8],
    header: &MatchHeader,
    begin: Begin,
) -> Result<(Option<Vec<GameRecord>>, u64), String> {
    let read = read_journal(text, begin == Begin::Unchecked);
    let (found, games, whole) = read.map_err(|error| named(path, &error))?;
    match &found {
        Some(found) if !header.fits(found) => Err(format!(
            "expected the match that {} was begun with; this one differs: {} (--fresh throws the old one \
             away, another --out keeps it)",
            path.display(),
            header.differences(found, games.len()).join("; ")
        )),
        None if !may_be_cut_off(text, "match") => Err(named(
            path,
            &"expected the journal of a match, found something else (--fresh --force throws it \
              away, another --out keeps it)",
        )),
        found => Ok((found.as_ref().map(|_| games), whole)),
    }
}

/// The games that are played of the match at `prefix`, which may be going on; none where it was not begun.
///
/// # Errors
/// If the journal cannot be read, is damaged, or is of another match.
pub fn played_so_far(
    prefix: &Path,
    header: &MatchHeader,
    begin: Begin,
) -> Result<Option<Vec<GameRecord>>, String> {
    let path = journal_path(prefix);
    match regular::read(&path, u64::MAX) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(named(&path, &error)),
        Ok(_) if begin == Begin::Fresh => Ok(None),
        Ok(text) => Ok(read_of(&path, &text, header, begin)?.0),
    }
}

/// The files of a match before anything is written to them: the journal is read, and nobody else writes
/// there any more.
#[derive(Debug)]
pub struct Found {
    prefix: PathBuf,
    journal: Journal,
    /// How many bytes of the journal are whole lines.
    whole: u64,
    /// Whether the match begins.
    new: bool,
    /// Whether what is there may be thrown away.
    fresh: bool,
}

impl Found {
    /// Looks at what is there of the match at `prefix`. Of what is thrown away it is nothing.
    ///
    /// # Errors
    /// If the file system refuses, a journal there is damaged, or it is of another match.
    pub fn look(
        prefix: &Path,
        header: &MatchHeader,
        begin: Begin,
    ) -> Result<(Self, Earlier), String> {
        let path = journal_path(prefix);
        if let Some(directory) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            growing::make_folder(directory).map_err(|error| named(directory, &error))?;
        }
        let (journal, mut text) = Journal::open(&path).map_err(|error| named(&path, &error))?;
        let fresh = begin == Begin::Fresh;
        if fresh {
            text.clear();
        }
        let (games, whole) = read_of(&path, &text, header, begin)?;
        let new = games.is_none();
        let games = games.unwrap_or_default();
        // Openings without a journal are of a match that nobody knows.
        let openings = if new { Vec::new() } else { read_openings(&openings_path(prefix))? };
        let found = Self { prefix: prefix.to_owned(), journal, whole, new, fresh };
        Ok((found, Earlier { games, openings }))
    }

    /// Whether the match begins.
    pub(crate) fn is_new(&self) -> bool {
        self.new
    }

    /// Begins to write, or goes on after these games. `openings` are the random ones made so far; `None`:
    /// openings come from elsewhere, and the file of random ones is left alone.
    ///
    /// # Errors
    /// If the file system refuses, or games or openings of nobody knows which match would be lost.
    pub fn begin(
        mut self,
        header: &MatchHeader,
        games: &[GameRecord],
        openings: Option<&[Opening]>,
    ) -> Result<Files, String> {
        self.refuse_loss(openings.is_some())?;
        let path = journal_path(&self.prefix);
        self.journal.cut(self.whole).map_err(|error| named(&path, &error))?;
        // Before the header: those of another match must not be taken for this one's.
        if let Some(openings) = openings {
            put_openings(&self.prefix, openings)?;
        }
        if self.new {
            let run = Some(RunNumber::random()?);
            let line = Line::Match(Box::new(MatchHeader { run, ..header.clone() }));
            self.journal.append(&[line]).map_err(|error| named(&path, &error))?;
        }
        let rebuild =
            |ending: &str, write: &dyn Fn(&mut Vec<u8>, &GameRecord) -> io::Result<()>| {
                let path = with_ending(&self.prefix, ending);
                rewrite(&path, games, write).map_err(|error| named(&path, &error))
            };
        let usi = rebuild(USI, &|out, game| writeln!(out, "{}", game.usi()))?;
        let pgn = rebuild(PGN, &|out, game| out.write_all(game.pgn(header.rules).as_bytes()))?;
        Ok(Files { journal: self.journal, usi, pgn, rules: header.rules })
    }

    /// Refuses to write over games, or a set of openings, that no journal tells of.
    pub(crate) fn refuse_loss(&self, openings: bool) -> Result<(), String> {
        if !self.new || self.fresh {
            return Ok(());
        }
        let written = [(USI, "games"), (PGN, "games")];
        let mut written = written.into_iter().chain(openings.then_some((OPENINGS, "openings")));
        let journal = journal_path(&self.prefix);
        written.try_for_each(|(ending, what)| {
            refuse_unknown(&with_ending(&self.prefix, ending), what, &journal)
        })
    }
}

/// Refuses to write over `what` is at `path` where `journal` knows of no match.
pub(crate) fn refuse_unknown(path: &Path, what: &str, journal: &Path) -> Result<(), String> {
    if fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        return Err(format!(
            "expected no {what} at {}, because no match is in {}, found some (--fresh --force throws \
             them away, another --out keeps them)",
            path.display(),
            journal.display()
        ));
    }
    Ok(())
}

impl Files {
    /// Puts finished games on disk: when this returns they are there.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn append(&mut self, games: &[GameRecord]) -> io::Result<()> {
        let lines: Vec<_> = games.iter().map(|game| Line::Game(Box::new(game.clone()))).collect();
        self.journal.append(&lines)?;
        let (mut usi, mut pgn) = (Vec::new(), Vec::new());
        for game in games {
            writeln!(usi, "{}", game.usi())?;
            pgn.extend(game.pgn(self.rules).into_bytes());
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
    growing::append(path)
}

/// Puts a file of a match in its place, and removes what killed runs left unfinished of it.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    whole::write(path, text)?;
    sweep(path, text)
}

/// Removes what killed runs left unfinished of a file that holds this text.
fn sweep(path: &Path, text: &[u8]) -> io::Result<()> {
    whole::sweep(path);
    // From before November 2026. Of a file with such a name that holds nothing else nothing is lost.
    let left = with_ending(path, ".new");
    if fs::symlink_metadata(&left).is_ok_and(|found| found.is_file())
        && regular::read(&left, text.len() as u64).is_ok_and(|found| text.starts_with(&found))
    {
        fs::remove_file(&left)?;
    }
    Ok(())
}

/// Puts random openings into their file, if it does not hold just these.
pub(crate) fn put_openings(prefix: &Path, openings: &[Opening]) -> Result<(), String> {
    let text: String = openings.iter().map(|opening| format!("{opening}\n")).collect();
    let path = openings_path(prefix);
    let done =
        match regular::read(&path, text.len() as u64).is_ok_and(|found| found == text.as_bytes()) {
            true => sweep(&path, text.as_bytes()),
            false => replace(&path, text.as_bytes()),
        };
    done.map_err(|error| named(&path, &error))
}

/// The whole lines of a file of openings; a last line that was cut off is none.
pub(crate) fn read_openings(path: &Path) -> Result<Vec<Opening>, String> {
    let bytes = match regular::read(path, u64::MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(path, &error)),
    };
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let named = |error: kujira_record::Error| named(path, &error);
    let whole = text::decode(&bytes[..end]).map_err(named)?;
    let openings = list::entries(whole).map(|entry| Ok(entry?.opening));
    openings.collect::<Result<_, _>>().map_err(named)
}
