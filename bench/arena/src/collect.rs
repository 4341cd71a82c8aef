//! Journals of many machines that become one, as if a single machine had played its match.
//!
//! A journal that is collected into stays: its games count first, so that shards can be collected again as they grow,
//! and what one machine played of the whole match meanwhile is kept. Games are copied line by line, with the memory of
//! one and some bytes for each.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use kujira_program::shard::Share;
use kujira_program::whole;
use kujira_record::journal;
use kujira_record::played::{GameId, GameRecord, PgnHead};
use kujira_usi::Reason;

use crate::files::{
    Begin, Copies, journal_path, openings_path, own_paths, put_openings, read_openings,
    refuse_unknown,
};
use crate::header::{MatchHeader, RunNumber};
use crate::journal::{Found, Journal, Line, Stream};
use crate::openings::Opening;

/// What was collected.
#[derive(Debug)]
pub struct Collected {
    /// The journal.
    journal: PathBuf,
    shards: Vec<Shard>,
    hosts: BTreeMap<String, Tally>,
    games: u64,
    /// Pairs of which one game is missing.
    half: u64,
}

/// One of the journals.
#[derive(Debug)]
struct Shard {
    path: PathBuf,
    header: MatchHeader,
    games: u64,
}

/// What was played on a machine.
#[derive(Debug, Default)]
struct Tally {
    games: u64,
    /// Nodes a second when the last run began there.
    nps: u64,
    failures: BTreeMap<Reason, u64>,
}

/// Files that are open at once: systems let a program have some thousand, often no more than 1,024.
const MOST_OPEN: usize = 500;

/// Where the line of a game is: the number of the journal, and its bytes.
type Place = (usize, Range<u64>);

/// Reads journals, the one that stands at the place of the whole match first, if there is one.
#[derive(Default)]
struct Collector {
    shards: Vec<Shard>,
    hosts: BTreeMap<String, Tally>,
    /// By number of the pair, and of the game in it.
    places: BTreeMap<(u64, u8), Place>,
}

/// Makes one match at `prefix` of the `journals` of its shards. Nothing is written unless all of them fit together.
///
/// # Errors
/// If a journal cannot be read or is damaged, is of another experiment, or has pairs of another; if something else is
/// at `prefix`, or the file system refuses.
pub fn collect(prefix: &Path, journals: &[PathBuf], begin: Begin) -> Result<Collected, String> {
    let path = journal_path(prefix);
    let unchecked = begin == Begin::Unchecked;
    // Nobody plays there meanwhile.
    let earlier = match begin != Begin::Fresh && path.exists() {
        true => Some(Journal::open(&path).map_err(|error| named(&path, &error))?),
        false => None,
    };
    let mut all = Collector::default();
    if earlier.is_some() {
        all.add(&path, unchecked)?;
    }
    let own = all.shards.len();
    for journal in journals {
        all.add(journal, unchecked)?;
    }
    all.check(own)?;
    refuse_loss(prefix, own > 0, begin)?;
    let openings = all.openings(own)?;
    let openings = openings.map_or(Ok(None), |openings| match begin {
        Begin::Fresh => Ok(Some(openings)),
        _ => new_openings(prefix, openings),
    })?;
    let first = all.shards.iter().min_by_key(|shard| shard.header.shard);
    let Some(first) = all.shards.first().filter(|_| own > 0).or(first) else {
        return Err("expected journals of shards, found none".to_owned());
    };
    let run = match own {
        0 => Some(RunNumber::together(all.shards.iter().filter_map(|shard| shard.header.run))),
        _ => first.header.run,
    };
    let header = MatchHeader { shard: None, experiment: None, run, ..first.header.clone() };
    all.write(prefix, &header, openings.as_deref())?;
    drop(earlier);
    let Collector { shards, hosts, places } = all;
    let (mut pairs, games) = (HashMap::new(), places.len() as u64);
    for (pair, _) in places.into_keys() {
        *pairs.entry(pair).or_insert(0) += 1;
    }
    let half = pairs.into_values().filter(|&games| games == 1).count() as u64;
    let shards = shards.into_iter().skip(own).collect();
    Ok(Collected { journal: path, shards, hosts, games, half })
}

impl Collector {
    /// Reads a journal.
    fn add(&mut self, path: &Path, unchecked: bool) -> Result<(), String> {
        let named = |error: &dyn fmt::Display| named(path, error);
        let mut stream = Stream::open(path, unchecked).map_err(|error| named(&error))?;
        let index = self.shards.len();
        let mut games = 0;
        while let Some(Found { game, place }) = stream.next_game().map_err(|error| named(&error))? {
            let pair = stream.header().map_or(0, |header| header.pair(game.id));
            games += 1;
            let key = (pair, game.id.leg);
            if let Some(known) = self.places.get(&key) {
                let known = known.clone();
                self.agree(path, &game, known)?;
            } else {
                self.places.insert(key, (index, place));
            }
            let host = stream.host().map_or("", |host| &host.name);
            let tally = self.hosts.entry(host.to_owned()).or_default();
            tally.games += 1;
            tally.nps = stream.host().map_or(0, |host| host.nps);
            if !game.ending.reason.is_regular() {
                *tally.failures.entry(game.ending.reason).or_default() += 1;
            }
        }
        let header = stream.header().cloned();
        let header =
            header.ok_or_else(|| named(&"expected a match in the first line, found none"))?;
        self.shards.push(Shard { path: path.to_owned(), header, games });
        Ok(())
    }

    /// Refuses a game that an earlier journal has, too, but for one that was collected before.
    fn agree(&self, path: &Path, game: &GameRecord, (index, place): Place) -> Result<(), String> {
        let there = self.shards.get(index).map_or(path, |shard| &shard.path);
        let error = |error: &dyn fmt::Display| named(there, error);
        let line = read(there, place).map_err(|found| error(&found))?;
        let known = journal::line_of::<Line>(1, &line, "a journal");
        match known.map_err(|found| error(&found))?.value {
            Line::Game(known) if *known == *game => Ok(()),
            _ => Err(named(
                path,
                &format!(
                    "expected game {} as in {}, found another (--fresh collects anew)",
                    number(game.id),
                    there.display()
                ),
            )),
        }
    }

    /// Refuses journals that are not shards of one match. The first `own` are what was collected before.
    fn check(&self, own: usize) -> Result<(), String> {
        let Some(first) = self.shards.first() else { return Ok(()) };
        for shard in &self.shards {
            if shard.header.experiment() != first.header.experiment() {
                let bare = |header: &MatchHeader| MatchHeader { shard: None, ..header.clone() };
                let differences = bare(&first.header).differences(&bare(&shard.header), 0);
                return Err(named(
                    &shard.path,
                    &format!(
                        "expected the experiment of {}, found another: {}",
                        first.path.display(),
                        differences.join("; ")
                    ),
                ));
            }
        }
        let shards = self.shards.get(own..).unwrap_or_default();
        for (index, shard) in shards.iter().enumerate() {
            let shares = |other: &&Shard| match (shard.header.shard, other.header.shard) {
                (Some(one), Some(other)) => one.overlaps(other),
                _ => true,
            };
            if let Some(other) = shards[..index].iter().find(shares) {
                return Err(named(
                    &shard.path,
                    &format!(
                        "expected pairs that no other journal has, found {} beside {} of {}",
                        share_of(&shard.header),
                        share_of(&other.header),
                        other.path.display()
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Writes the files of the match: the journal last, by which the others are known.
    fn write(
        &self,
        prefix: &Path,
        header: &MatchHeader,
        openings: Option<&[Opening]>,
    ) -> Result<(), String> {
        let [path, usi, pgn, _] = own_paths(prefix);
        let each = |path: &Path, text: &dyn Fn(&GameRecord, &[u8]) -> Vec<u8>, head: &[u8]| {
            let written = whole::write_with(path, |out| {
                out.write_all(head)?;
                let mut files: HashMap<usize, File> = HashMap::new();
                for (index, place) in self.places.values() {
                    if files.len() >= MOST_OPEN {
                        files.clear();
                    }
                    let file = match files.entry(*index) {
                        std::collections::hash_map::Entry::Occupied(open) => open.into_mut(),
                        std::collections::hash_map::Entry::Vacant(new) => {
                            new.insert(File::open(&self.shards[*index].path)?)
                        }
                    };
                    let line = line(file, place.clone())?;
                    let read = journal::line_of::<Line>(1, &line, "a journal");
                    let Line::Game(game) = read.map_err(io::Error::other)?.value else { continue };
                    out.write_all(&text(&game, &line))?;
                }
                Ok(())
            });
            whole::sweep(path);
            written.map_err(|error| named(path, &error))
        };
        if let Some(openings) = openings {
            put_openings(prefix, openings)?;
        }
        each(&usi, &|game, _| format!("{}\n", game.usi()).into_bytes(), b"")?;
        let told = PgnHead { rules: header.rules, ..PgnHead::default() };
        each(&pgn, &|game, _| game.pgn(&told).into_bytes(), b"")?;
        let mut head = Vec::new();
        let line = Line::Match(Box::new(header.clone()));
        journal::write(&mut head, &line).map_err(|error| error.to_string())?;
        let ended = |_: &GameRecord, line: &[u8]| [line.trim_ascii_end(), b"\n"].concat();
        each(&path, &ended, &head)
    }

    /// The random openings of the match, if any of the journals has its own beside it. What is beside that of the whole
    /// match, the first `own`, may be somebody's own list.
    fn openings(&self, own: usize) -> Result<Option<Vec<Opening>>, String> {
        let mut longest = Vec::new();
        for shard in self.shards.iter().skip(own) {
            let Some(prefix) = shard.path.to_str().and_then(|path| path.strip_suffix(".jsonl"))
            else {
                continue;
            };
            let found = read_openings(&openings_path(Path::new(prefix)))?;
            if found.len() > longest.len() {
                longest = found;
            }
        }
        Ok((!longest.is_empty()).then_some(longest))
    }
}

/// Refuses to write over games of which no journal tells.
fn refuse_loss(prefix: &Path, known: bool, begin: Begin) -> Result<(), String> {
    let journal = journal_path(prefix);
    let copies = if known { Copies::beside(&journal) } else { None };
    for path in own_paths(prefix) {
        match &copies {
            _ if begin == Begin::Fresh || path == journal || path == openings_path(prefix) => {}
            Some(copies) if copies.is_ours(prefix, &path) => {}
            Some(_) => {
                return Err(named(
                    &path,
                    &format!("expected the games of {}, found something else", journal.display()),
                ));
            }
            None => refuse_unknown(&path, "games", &journal)?,
        }
    }
    Ok(())
}

/// The openings of the match if they are to be written: a file that has them all stays, and somebody's own list is not
/// written over.
fn new_openings(prefix: &Path, openings: Vec<Opening>) -> Result<Option<Vec<Opening>>, String> {
    let path = openings_path(prefix);
    match read_openings(&path) {
        Ok(found) if found.starts_with(&openings) => Ok(None),
        Ok(found) if openings.starts_with(&found) => Ok(Some(openings)),
        _ => Err(named(
            &path,
            &"expected no file or the openings of the match, found something else (--fresh throws it away, another \
              --out keeps it)",
        )),
    }
}

fn named(path: &Path, error: &dyn fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// The number of a game as it is shown.
fn number(id: GameId) -> String {
    crate::replay::number(id)
}

fn share_of(header: &MatchHeader) -> String {
    header.shard.map_or_else(|| "all pairs".to_owned(), |share| format!("share {share}"))
}

fn read(path: &Path, place: Range<u64>) -> io::Result<Vec<u8>> {
    line(&mut File::open(path)?, place)
}

fn line(file: &mut File, place: Range<u64>) -> io::Result<Vec<u8>> {
    let mut line = vec![0; (place.end - place.start) as usize];
    file.seek(SeekFrom::Start(place.start))?;
    file.read_exact(&mut line)?;
    Ok(line)
}

impl fmt::Display for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for shard in &self.shards {
            let (share, path) = (share_of(&shard.header), shard.path.display());
            writeln!(f, "{share}: {} games in {path}", shard.games)?;
        }
        for (name, Tally { games, nps, failures }) in &self.hosts {
            if name.is_empty() {
                continue;
            }
            write!(f, "{name}: {games} games, {nps} nodes/s")?;
            if !failures.is_empty() {
                let told = failures.iter().map(|(reason, count)| format!("{count} {reason}"));
                let told = told.collect::<Vec<_>>().join(", ");
                write!(f, ", lost by failures: {told}")?;
            }
            writeln!(f)?;
        }
        let missing = self.missing();
        if !missing.is_empty() {
            writeln!(f, "no journal of {}", missing.join(", "))?;
        }
        write!(f, "{} games in {}", self.games, self.journal.display())?;
        match self.half {
            0 => writeln!(f),
            1 => writeln!(f, ", one of whose pairs lacks a game"),
            half => writeln!(f, ", {half} of whose pairs lack a game"),
        }
    }
}

impl Collected {
    /// The shards that no journal is of.
    fn missing(&self) -> Vec<String> {
        let shards = self.shards.iter().filter_map(|shard| match shard.header.shard {
            Some(Share::Shard(shard)) => Some(shard),
            _ => None,
        });
        let known: Vec<_> = shards.collect();
        let Some(of) = known.first().map(|shard| shard.of()) else { return Vec::new() };
        if known.iter().any(|shard| shard.of() != of) {
            return Vec::new();
        }
        let is_known = |index: &u32| known.iter().any(|shard| shard.index() == *index);
        (0..of).filter(|index| !is_known(index)).map(|index| format!("{index}/{of}")).collect()
    }
}
