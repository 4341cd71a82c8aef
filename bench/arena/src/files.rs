//! The files of a match, and taking an interrupted match up again.
//!
//! `PREFIX.jsonl` is the journal and the truth; `PREFIX.usi` and `PREFIX.pgn` follow it and are
//! written anew from it whenever the match is taken up; `PREFIX.openings` holds random openings,
//! each before its first game begins. Nothing is written over before all is known to be ours: the
//! journal by its header, the others because they begin as its games do.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use kujira_position::VariantId;
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::whole::{self, with_ending};
use kujira_program::{growing, regular};
use kujira_record::{list, text};
use kujira_usi::Switches;

use crate::header::{EngineHeader, MatchHeader, RunNumber};
use crate::host::Host;
use crate::journal::{Journal, Line, MATCH, each_game};
use crate::openings::Opening;
use crate::rounds::Results;
use crate::standings::Standings;
use kujira_record::journal::may_be_cut_off;
use kujira_record::played::{GameRecord, PgnHead};

/// The open files of a match.
#[derive(Debug)]
pub struct Files {
    journal: Journal,
    usi: File,
    pgn: File,
    head: PgnHead,
    /// Where games are played, until that is written: not before there is one to follow it.
    host: Option<Host>,
}

/// What an earlier run left.
#[derive(Debug)]
pub struct Earlier {
    /// How the finished games came out.
    pub results: Results,
    /// What they come to.
    pub standings: Standings,
    /// Their openings, by number.
    pub played: BTreeMap<usize, String>,
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

/// Names the files that the match at `prefix` writes. With `fresh` they may be written over where its journal says
/// that they are ours: the formats of the others do not tell who made them.
/// `random`: whether openings are made, and kept there.
pub fn name_outputs(outputs: &mut Outputs, prefix: &Path, fresh: bool, random: bool) {
    let [journal, others @ ..] = own_paths(prefix);
    // Where nothing is to be thrown away [`Found::look`] and [`Found::refuse_loss`] look closer.
    let copies = if fresh { Copies::beside(&journal) } else { None };
    if fresh {
        outputs.output("--out", &journal, MATCH);
    } else {
        outputs.known("--out", &journal);
    }
    for path in others {
        let unused = !random && path == openings_path(prefix);
        let ours = || copies.as_ref().is_some_and(|copies| copies.is_ours(prefix, &path));
        if !fresh || unused || ours() {
            outputs.known("--out", &path);
        } else {
            outputs.output("--out", &path, Mark::none("a file of a match with a journal"));
        }
    }
}

/// What a match writes beside its journal: the games in other formats.
#[derive(Debug)]
pub(crate) struct Copies {
    usi: String,
    pgn: String,
}

impl Copies {
    fn of(games: &[GameRecord], head: &PgnHead) -> Self {
        Self {
            usi: games.iter().map(|game| format!("{}\n", game.usi())).collect(),
            pgn: games.iter().map(|game| game.pgn(head)).collect(),
        }
    }

    /// Of the first game alone. By it a file is known: of what follows a power cut may have left anything.
    fn first(game: Option<&GameRecord>, rules: Switches) -> Self {
        let head = PgnHead { rules, ..PgnHead::default() };
        Self::of(game.map(std::slice::from_ref).unwrap_or_default(), &head)
    }

    /// The first game of the match whose journal is there; `None` if it is none, or damaged.
    pub(crate) fn beside(journal: &Path) -> Option<Self> {
        let file = BufReader::new(regular::open(journal).ok()?);
        let mut first = None;
        let (header, _) = each_game(file, true, |_, game, _| {
            first.get_or_insert(game);
            Ok(())
        })
        .ok()?;
        header.map(|header| Self::first(first.as_ref(), header.rules))
    }

    /// Whether the file at `path`, one of the match at `prefix`, begins with these games, as far as both go; none is
    /// ours, too. Openings are at least such as a run makes.
    pub(crate) fn is_ours(&self, prefix: &Path, path: &Path) -> bool {
        if path == openings_path(prefix) {
            return read_openings(path).is_ok();
        }
        match path == with_ending(prefix, USI) {
            true => begins_as(path, &self.usi, str::to_owned),
            false => begins_as(path, &self.pgn, firm),
        }
    }
}

/// How much longer, in bytes, the first game of a file may be than its record says, because of its title.
const MORE: u64 = 1 << 12;

/// Whether what is at `path` is `text` as far as both go, of each what is `told`; of something it is not nothing. What is
/// no file is told of by whoever is to write there.
fn begins_as(path: &Path, text: &str, told: fn(&str) -> String) -> bool {
    let Ok(found) = fs::metadata(path) else { return true };
    if !found.is_file() || found.len() == 0 {
        return true;
    }
    let mut begin = Vec::new();
    let read = regular::open(path)
        .and_then(|file| file.take(2 * text.len() as u64 + MORE).read_to_end(&mut begin))
        .is_ok();
    let (begin, text) = (told(&String::from_utf8_lossy(&begin)), told(text));
    let some = read && !begin.is_empty() && !text.is_empty();
    some && (text.starts_with(&begin) || begin.starts_with(&text))
}

/// A PGN without tags that do not tell whose it is: a match may get another title, its engines another name of their own,
/// and matches of before December 2026 have no time controls.
fn firm(text: &str) -> String {
    let loose = |line: &&str| {
        let tag = line.strip_prefix('[').and_then(|line| line.split(' ').next());
        tag.is_some_and(|tag| {
            tag == "Event" || tag.ends_with("Version") || tag.ends_with("TimeControl")
        })
    };
    text.split_inclusive('\n').filter(|line| !loose(line)).collect()
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

/// What a journal was found to hold.
struct Kept {
    earlier: Earlier,
    first: Option<GameRecord>,
    /// How many bytes are whole lines.
    whole: u64,
    /// Whether the match was begun.
    begun: bool,
    /// Engines that the journal does not know yet.
    joining: Vec<EngineHeader>,
}

/// What the journal at `path` that is read here holds of the match with this header.
fn read_of(
    path: &Path,
    mut file: impl BufRead,
    header: &MatchHeader,
    begin: Begin,
) -> Result<Kept, String> {
    let names = header.engines.iter().map(|engine| engine.player.name.clone()).collect();
    let (results, standings) = (Results::default(), Standings::new(names));
    let mut earlier = Earlier { results, standings, played: BTreeMap::new(), openings: Vec::new() };
    let mut first = None;
    // Its beginning tells whether it may be what a crash left of a header.
    let started = file.fill_buf().map_err(|error| named(path, &error))?;
    let may_be_ours = may_be_cut_off(started, "match");
    let read = each_game(file, begin == Begin::Unchecked, |_, game, _| {
        earlier.results.add(&game);
        earlier.standings.add(&game);
        earlier.played.insert(game.id.round as usize, game.opening.clone());
        first.get_or_insert(game);
        Ok(())
    });
    let (found, whole) = read.map_err(|error| named(path, &error))?;
    match &found {
        Some(found) if !header.fits(found) => Err(format!(
            "expected the match that {} was begun with; this one differs: {} (--fresh throws the old one \
             away, another --out keeps it)",
            path.display(),
            header.differences(found, earlier.results.len()).join("; ")
        )),
        None if !may_be_ours => Err(named(
            path,
            &"expected the journal of a match, found something else (--fresh --force throws it \
              away, another --out keeps it)",
        )),
        found => {
            let joining = found.as_ref().map_or(&[][..], |found| header.joining(found)).to_vec();
            // Pairs get other numbers by it, and so other shards.
            if header.shard.is_some() && !joining.is_empty() {
                return Err(named(
                    path,
                    &"expected the engines that this share was begun with, found another one (collect the shares \
                      first, then add it on one machine)",
                ));
            }
            Ok(Kept { earlier, first, whole, begun: found.is_some(), joining })
        }
    }
}

/// The journal of the match at `prefix`, with its path, if it is there and to be gone on with.
fn journal_so_far(prefix: &Path, begin: Begin) -> Result<Option<(PathBuf, File)>, String> {
    let path = journal_path(prefix);
    match regular::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(named(&path, &error)),
        Ok(_) if begin == Begin::Fresh => Ok(None),
        Ok(file) => Ok(Some((path, file))),
    }
}

/// The header of the match at `prefix`, if it was begun; whatever else is in its journal.
///
/// # Errors
/// If the journal cannot be read, or is damaged.
pub fn header_so_far(prefix: &Path, begin: Begin) -> Result<Option<MatchHeader>, String> {
    let Some((path, file)) = journal_so_far(prefix, begin)? else { return Ok(None) };
    let read = each_game(BufReader::new(file), begin == Begin::Unchecked, |_, _, _| Ok(()));
    Ok(read.map_err(|error| named(&path, &error))?.0)
}

/// What is played of the match at `prefix`, which may be going on; nothing where it was not begun.
///
/// # Errors
/// If the journal cannot be read, is damaged, or is of another match.
pub fn played_so_far(
    prefix: &Path,
    header: &MatchHeader,
    begin: Begin,
) -> Result<Option<Earlier>, String> {
    let Some((path, file)) = journal_so_far(prefix, begin)? else { return Ok(None) };
    let kept = read_of(&path, BufReader::new(file), header, begin)?;
    Ok(kept.begun.then_some(kept.earlier))
}

/// The files of a match before anything is written to them: the journal is read, and nobody else writes
/// there any more.
#[derive(Debug)]
pub struct Found {
    prefix: PathBuf,
    journal: Journal,
    /// The first game of the journal.
    first: Option<GameRecord>,
    /// How many bytes of the journal are whole lines.
    whole: u64,
    /// Whether the match begins.
    new: bool,
    /// What is done with what is there.
    begin: Begin,
    /// Engines that the journal does not know yet.
    joining: Vec<EngineHeader>,
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
        let io = |error: io::Error| named(&path, &error);
        let mut journal = Journal::open(&path).map_err(io)?;
        let Kept { mut earlier, first, whole, begun, joining } = match begin {
            Begin::Fresh => read_of(&path, io::empty(), header, begin)?,
            _ => read_of(&path, journal.reader().map_err(io)?, header, begin)?,
        };
        // Openings without a journal are of a match that nobody knows.
        if begun {
            earlier.openings = read_openings(&openings_path(prefix))?;
        }
        let prefix = prefix.to_owned();
        let new = !begun;
        Ok((Self { prefix, journal, first, whole, new, begin, joining }, earlier))
    }

    /// Whether the match begins.
    pub(crate) fn is_new(&self) -> bool {
        self.new
    }

    /// Begins to write, or goes on after the games that are there. `openings` are the random ones made so far; `None`:
    /// openings come from elsewhere, and the file of random ones is left alone.
    ///
    /// # Errors
    /// If the file system refuses, or games or openings of nobody knows which match would be lost.
    pub fn begin(
        mut self,
        header: &MatchHeader,
        openings: Option<&[Opening]>,
    ) -> Result<Files, String> {
        self.refuse_loss(header, openings.is_some())?;
        let path = journal_path(&self.prefix);
        let io = |error: io::Error| named(&path, &error);
        self.journal.cut(self.whole).map_err(io)?;
        // Before the header: those of another match must not be taken for this one's.
        if let Some(openings) = openings {
            put_openings(&self.prefix, openings)?;
        }
        if self.new {
            let run = Some(RunNumber::random()?);
            let line = Line::Match(Box::new(MatchHeader { run, ..header.clone() }));
            self.journal.append(&[line]).map_err(io)?;
        }
        let joining = std::mem::take(&mut self.joining).into_iter();
        let joining: Vec<_> = joining.map(|engine| Line::Joined(Box::new(engine))).collect();
        self.journal.append(&joining).map_err(io)?;
        let usi = self.rebuild(USI, |game| format!("{}\n", game.usi()))?;
        let head = header.pgn_head();
        let pgn = self.rebuild(PGN, |game| game.pgn(&head))?;
        // What was collected tells where games were played, and would have those that follow there, too.
        let hosted = header.shard.is_some() || self.journal.has_hosts().map_err(io)?;
        let game = VariantId::named(&header.game).filter(|_| hosted);
        let host = game.map(Host::here).transpose()?;
        Ok(Files { journal: self.journal, usi, pgn, head, host })
    }

    /// Writes a file of all games anew from the journal, and opens it for more.
    fn rebuild(
        &mut self,
        ending: &str,
        text: impl Fn(&GameRecord) -> String,
    ) -> Result<File, String> {
        let path = with_ending(&self.prefix, ending);
        let unchecked = self.begin == Begin::Unchecked;
        let journal = &mut self.journal;
        let written = whole::write_with(&path, |out| {
            let written = each_game(journal.reader()?, unchecked, |_, game, _| {
                out.write_all(text(&game).as_bytes()).map_err(|error| error.to_string())
            });
            written.map(|_| ()).map_err(io::Error::other)
        });
        whole::sweep(&path);
        written.and_then(|()| growing::append(&path)).map_err(|error| named(&path, &error))
    }

    /// Refuses to write over games of which the journal does not tell, or a set of openings where it tells of none.
    fn refuse_loss(&self, header: &MatchHeader, openings: bool) -> Result<(), String> {
        if self.begin == Begin::Fresh {
            return Ok(());
        }
        let copies = Copies::first(self.first.as_ref(), header.rules);
        let journal = journal_path(&self.prefix);
        let written = [(USI, "games"), (PGN, "games"), (OPENINGS, "openings")];
        for (ending, what) in written {
            let path = with_ending(&self.prefix, ending);
            match self.new {
                true if ending == OPENINGS && !openings => {}
                true => refuse_unknown(&path, what, &journal)?,
                // The openings were read, and are those of its games.
                false if ending == OPENINGS || copies.is_ours(&self.prefix, &path) => {}
                false => {
                    return Err(format!(
                        "expected the games of {} at {}, found something else (with it elsewhere the \
                         match goes on, another --out begins anew)",
                        journal.display(),
                        path.display()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Refuses to write over games of which the journal that was found does not tell.
    pub(crate) fn refuse_lost_games(&self, header: &MatchHeader) -> Result<(), String> {
        self.refuse_loss(header, false)
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
        if games.is_empty() {
            return Ok(());
        }
        let host = self.host.take().map(Line::Host);
        let lines = games.iter().map(|game| Line::Game(Box::new(game.clone())));
        self.journal.append(&host.into_iter().chain(lines).collect::<Vec<_>>())?;
        let Copies { usi, pgn } = Copies::of(games, &self.head);
        self.usi.write_all(usi.as_bytes())?;
        self.pgn.write_all(pgn.as_bytes())
    }
}

/// Puts a file of a match in its place, and removes what killed runs left unfinished of it.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    whole::write(path, text)?;
    whole::sweep(path);
    Ok(())
}

/// Puts random openings into their file, if it does not hold just these.
pub(crate) fn put_openings(prefix: &Path, openings: &[Opening]) -> Result<(), String> {
    let text: String = openings.iter().map(|opening| format!("{opening}\n")).collect();
    let path = openings_path(prefix);
    if regular::read(&path, text.len() as u64).is_ok_and(|found| found == text.as_bytes()) {
        whole::sweep(&path);
        return Ok(());
    }
    replace(&path, text.as_bytes()).map_err(|error| named(&path, &error))
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
    let openings: Vec<Opening> = openings.collect::<Result<_, _>>().map_err(named)?;
    // An editor may have changed how lines end, and added comments.
    let lines =
        whole.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    if !lines.eq(openings.iter().map(Opening::to_string)) {
        return Err(format!(
            "{}: expected openings as a run writes them, found something else (with it elsewhere the run goes \
             on, another --out keeps it)",
            path.display()
        ));
    }
    Ok(openings)
}
