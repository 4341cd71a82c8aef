//! Journals of many machines that become one, as if a single machine had played its match.
//!
//! A journal that is collected into stays: its games count first, so that shards can be collected again as they grow,
//! and what one machine played of the whole match meanwhile is kept. Games are copied line by line, with the memory of
//! one and some bytes for each.

mod account;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use kujira_program::whole;
use kujira_record::journal;
use kujira_record::played::{GameId, GameRecord};
use kujira_usi::Reason;

use crate::files::{
    Begin, Copies, journal_path, openings_path, own_paths, put_openings, read_openings,
    refuse_unknown,
};
use crate::header::{MatchHeader, RunNumber};
use crate::host::Host;
use crate::journal::{Found, Journal, Line, Stream};
use crate::openings::Opening;

pub use account::Collected;
use account::{InOrder, Source, Tally};

/// Files that are open at once: systems let a program have some thousand, often no more than 1,024.
const MOST_OPEN: usize = 500;

/// A game, and where its line is.
#[derive(Clone, Debug)]
struct Place {
    /// The number of the journal.
    journal: usize,
    /// The line in it.
    line: Range<u64>,
    /// The number of the machine that played it, if that is known.
    host: Option<usize>,
    /// How it was lost, if not by the rules, resignation or agreement.
    failure: Option<Reason>,
}

/// Reads journals, the one that stands at the place of the whole match first, if there is one.
#[derive(Default)]
struct Collector {
    /// Whether lines may be without check sums.
    unchecked: bool,
    journals: Vec<Source>,
    /// How many of these were collected before: one or none.
    own: usize,
    /// Journals in which nothing is yet, not even what is played.
    not_begun: Vec<PathBuf>,
    hosts: Vec<Host>,
    /// Their numbers, by what they are in a journal.
    numbers: HashMap<String, usize>,
    places: HashMap<GameId, Place>,
}

/// Makes one match at `prefix` of the `journals` of its shards. Nothing is written unless all of them fit together.
///
/// # Errors
/// If a journal cannot be read or is damaged, is of another experiment, or has pairs of another; if something else is
/// at `prefix`, or the file system refuses.
pub fn collect(prefix: &Path, journals: &[PathBuf], begin: Begin) -> Result<Collected, String> {
    let path = journal_path(prefix);
    // Nobody plays there meanwhile.
    let earlier = match begin != Begin::Fresh && path.exists() {
        true => Some(Journal::open(&path).map_err(|error| named(&path, &error))?),
        false => None,
    };
    let mut all = Collector { unchecked: begin == Begin::Unchecked, ..Collector::default() };
    if earlier.is_some() {
        all.begin(&path)?;
    }
    all.own = all.journals.len();
    for journal in journals {
        all.begin(journal)?;
    }
    all.check()?;
    refuse_loss(prefix, all.own > 0, begin)?;
    for index in 0..all.journals.len() {
        all.read(index)?;
    }
    let openings = all.openings()?;
    let openings = openings.map_or(Ok(None), |openings| match begin {
        Begin::Fresh => Ok(Some(openings)),
        _ => new_openings(prefix, openings),
    })?;
    let header = all.header().ok_or("expected journals of shards, found none that is begun")?;
    let games = all.write(prefix, &header, openings.as_deref())?;
    drop(earlier);
    let hosts = all.tallies();
    let shards = all.journals.split_off(all.own);
    Ok(Collected::new(path, shards, all.not_begun, hosts, &games))
}

impl Collector {
    /// Reads what a journal is of.
    fn begin(&mut self, path: &Path) -> Result<(), String> {
        let named = |error: &dyn fmt::Display| named(path, error);
        let mut stream = Stream::open(path, self.unchecked).map_err(|error| named(&error))?;
        match stream.head().map_err(|error| named(&error))?.cloned() {
            Some(header) => {
                self.journals.push(Source { path: path.to_owned(), header, games: 0 });
            }
            None => self.not_begun.push(path.to_owned()),
        }
        Ok(())
    }

    /// Reads the games of a journal.
    fn read(&mut self, index: usize) -> Result<(), String> {
        let path = self.journals[index].path.clone();
        let named = |error: &dyn fmt::Display| named(&path, error);
        let mut stream = Stream::open(&path, self.unchecked).map_err(|error| named(&error))?;
        loop {
            let found = stream.next_game().map_err(|error| named(&error))?;
            // An engine may have joined before that game: all must still be of one experiment.
            let known = self.journals[index].header.engines.len();
            if let Some(header) = stream.header().filter(|header| header.engines.len() > known) {
                self.journals[index].header = header.clone();
                self.check()?;
            }
            let Some(Found { game, place: line }) = found else { return Ok(()) };
            self.journals[index].games += 1;
            let host = stream.host().map(|host| self.number(host)).transpose()?;
            let Some(known) = self.places.get(&game.id).cloned() else {
                let failure = Some(game.ending.reason).filter(|reason| !reason.is_regular());
                self.places.insert(game.id, Place { journal: index, line, host, failure });
                continue;
            };
            self.agree(&path, &game, &known)?;
            // What was collected before December 2026 tells of no machines.
            if let Some(place) = self.places.get_mut(&game.id) {
                place.host = known.host.or(host);
            }
        }
    }

    /// What was played on each machine, by its name.
    fn tallies(&self) -> BTreeMap<String, Tally> {
        let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
        let mut places: Vec<_> = self.places.values().collect();
        // The last run on a machine says how fast it is.
        places.sort_unstable_by_key(|place| (place.journal, place.line.start));
        for place in places {
            let Some(host) = place.host.and_then(|host| self.hosts.get(host)) else { continue };
            let tally = tallies.entry(host.name.clone()).or_default();
            tally.games += 1;
            tally.nps = host.nps;
            if let Some(reason) = place.failure {
                *tally.failures.entry(reason).or_default() += 1;
            }
        }
        tallies
    }

    /// The number of a machine.
    fn number(&mut self, host: &Host) -> Result<usize, String> {
        let text = serde_json::to_string(host).map_err(|error| error.to_string())?;
        let number = *self.numbers.entry(text).or_insert(self.hosts.len());
        if number == self.hosts.len() {
            self.hosts.push(host.clone());
        }
        Ok(number)
    }

    /// Refuses a game that an earlier journal has, too, but for one that was collected before.
    fn agree(&self, path: &Path, game: &GameRecord, known: &Place) -> Result<(), String> {
        let there = self.journals.get(known.journal).map_or(path, |shard| &shard.path);
        let error = |error: &dyn fmt::Display| named(there, error);
        let line = read(there, known.line.clone()).map_err(|found| error(&found))?;
        let known = journal::line_of::<Line>(1, &line, "a journal");
        match known.map_err(|found| error(&found))?.value {
            Line::Game(known) if *known == *game => Ok(()),
            _ => Err(named(
                path,
                &format!(
                    "expected game {} as in {}, found another (--fresh collects anew)",
                    crate::replay::number(game.id),
                    there.display()
                ),
            )),
        }
    }

    /// Refuses journals that are not shards of one match, as far as it is known who plays in each.
    fn check(&self) -> Result<(), String> {
        let (own, shards) = self.journals.split_at(self.own);
        let Some(first) = shards.first() else { return Ok(()) };
        let experiment = first.header.experiment();
        let other = shards.iter().find(|shard| shard.header.experiment() != experiment);
        if let Some(shard) = other {
            return Err(shard.is_another(first));
        }
        // Engines join what is collected, as its shards do not.
        let grown = |one: &Source, other: &Source| one.header.has_grown_from(&other.header);
        if let Some(own) = own.iter().find(|own| !grown(own, first) && !grown(first, own)) {
            return Err(first.is_another(own));
        }
        for (index, shard) in shards.iter().enumerate() {
            let shares = |other: &&Source| match (shard.header.shard, other.header.shard) {
                (Some(one), Some(other)) => one.overlaps(other),
                _ => true,
            };
            if let Some(other) = shards[..index].iter().find(shares) {
                return Err(named(
                    &shard.path,
                    &format!(
                        "expected pairs that no other journal has, found {} beside {} of {}",
                        shard.header.share_in_words(),
                        other.header.share_in_words(),
                        other.path.display()
                    ),
                ));
            }
        }
        Ok(())
    }

    /// What is played, with all engines that have joined; none where no journal is begun.
    fn header(&self) -> Option<MatchHeader> {
        let (own, shards) = self.journals.split_at(self.own);
        let first = own.first().or(shards.iter().min_by_key(|shard| shard.header.shard))?;
        let run = match own {
            [] => Some(RunNumber::together(shards.iter().filter_map(|shard| shard.header.run))),
            _ => first.header.run,
        };
        let mut header = MatchHeader { shard: None, experiment: None, run, ..first.header.clone() };
        for shard in shards {
            let joined = shard.header.engines.iter().skip(header.engines.len());
            header.engines.extend(joined.cloned());
        }
        Some(header)
    }

    /// Writes the files of the match: the journal last, by which the others are known. Returns the games in order.
    fn write(
        &self,
        prefix: &Path,
        header: &MatchHeader,
        openings: Option<&[Opening]>,
    ) -> Result<Vec<InOrder>, String> {
        let mut games: Vec<InOrder> =
            self.places.keys().map(|&id| (header.pair(id), id.leg, id)).collect();
        games.sort_unstable();
        let [path, usi, pgn, _] = own_paths(prefix);
        if let Some(openings) = openings {
            put_openings(prefix, openings)?;
        }
        self.each(&usi, &games, b"", |game, _, _| Ok(format!("{}\n", game.usi()).into_bytes()))?;
        let told = header.pgn_head();
        self.each(&pgn, &games, b"", |game, _, _| Ok(game.pgn(&told).into_bytes()))?;
        let mut head = Vec::new();
        let line = Line::Match(Box::new(header.clone()));
        journal::write(&mut head, &line).map_err(|error| error.to_string())?;
        let mut last = None;
        self.each(&path, &games, &head, |_, line, host| {
            let mut text = Vec::new();
            if last != host {
                let host = host.and_then(|host| self.hosts.get(host)).cloned();
                journal::write(&mut text, &Line::Host(host.unwrap_or_default()))?;
            }
            last = host;
            text.extend_from_slice(line.trim_ascii_end());
            text.push(b'\n');
            Ok(text)
        })?;
        Ok(games)
    }

    /// Writes a file of all games: what `text` makes of each, its line, and the number of its machine.
    fn each(
        &self,
        path: &Path,
        games: &[InOrder],
        head: &[u8],
        mut text: impl FnMut(&GameRecord, &[u8], Option<usize>) -> io::Result<Vec<u8>>,
    ) -> Result<(), String> {
        let written = whole::write_with(path, |out| {
            out.write_all(head)?;
            let mut files: HashMap<usize, File> = HashMap::new();
            for (.., id) in games {
                let Some(place) = self.places.get(id) else { continue };
                if files.len() >= MOST_OPEN {
                    files.clear();
                }
                let file = match files.entry(place.journal) {
                    std::collections::hash_map::Entry::Occupied(open) => open.into_mut(),
                    std::collections::hash_map::Entry::Vacant(new) => {
                        new.insert(File::open(&self.journals[place.journal].path)?)
                    }
                };
                let line = line(file, place.line.clone())?;
                let read = journal::line_of::<Line>(1, &line, "a journal");
                let Line::Game(game) = read.map_err(io::Error::other)?.value else { continue };
                out.write_all(&text(&game, &line, place.host)?)?;
            }
            Ok(())
        });
        whole::sweep(path);
        written.map_err(|error| named(path, &error))
    }

    /// The random openings of the match, if any of the journals has its own beside it. What is beside that of the whole
    /// match may be somebody's own list.
    fn openings(&self) -> Result<Option<Vec<Opening>>, String> {
        let mut longest = Vec::new();
        for shard in self.journals.iter().skip(self.own) {
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

impl Source {
    /// That it is not of the experiment of another.
    fn is_another(&self, other: &Self) -> String {
        let differences = other.header.other_experiment(&self.header);
        let there = other.path.display();
        named(
            &self.path,
            &format!("expected the experiment of {there}, found another: {differences}"),
        )
    }
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
