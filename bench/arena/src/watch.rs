//! A sequential test over journals that grow while many machines play.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kujira_program::regular;
use kujira_program::shard::{Shard, Share};
use kujira_record::played::GameId;
use kujira_record::text;
use kujira_statistics::in_order::InOrder;
use kujira_statistics::{Sprt, Verdict};
use kujira_usi::{Ending, Reason, Side};
use serde::Deserialize;

use crate::header::MatchHeader;
use crate::host::Host;
use crate::journal::{MATCH, NO_SUM, Tail};

/// The journals of a folder, and what they come to.
pub struct Watch {
    folder: PathBuf,
    silent: Duration,
    sprt: Sprt,
    test: InOrder,
    begun: Instant,
    journals: BTreeMap<PathBuf, Followed>,
    /// Files with the names of journals that are none.
    strangers: BTreeSet<PathBuf>,
    /// Who is left out, by name.
    left_out: Vec<String>,
    games: u64,
    /// By the machine that they were played on.
    failures: BTreeMap<String, u64>,
    disputes: u64,
}

/// A journal as far as it is read.
#[derive(Default)]
struct Followed {
    tail: Tail,
    /// Where games are played by now.
    host: String,
    /// How long the file was then.
    length: u64,
    /// When it was seen to grow: machines' clocks, and copies of files, tell other times.
    grew: Option<Instant>,
    /// Its first line.
    first: Vec<u8>,
    header: Option<MatchHeader>,
    /// Pairs of which one game is there, by their numbers: which, and its half points.
    open: HashMap<u64, (u8, u8)>,
}

/// A line of a journal without what is not looked at here: moves are most of it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Match(Box<MatchHeader>),
    Host(Host),
    Game(Game),
}

#[derive(Deserialize)]
struct Game {
    round: u32,
    engines: [usize; 2],
    leg: u8,
    winner: Option<String>,
    reason: String,
}

/// How a game ended.
struct Ended {
    pair: u64,
    leg: u8,
    /// Of the first engine.
    half_points: u8,
    reason: Reason,
}

/// Who has pairs that no journal has.
const NOBODY: &str = "a batch of which there is no journal";

impl Followed {
    /// Whether the file begins as it did.
    fn goes_on(&self, path: &Path) -> bool {
        let mut found = Vec::new();
        let most = self.first.len() as u64;
        let read = regular::open(path).and_then(|file| file.take(most).read_to_end(&mut found));
        read.is_ok() && found == self.first
    }
}

/// Whether a file begins as journals of matches do, as far as it goes.
fn begins_as_journal(path: &Path) -> bool {
    let mut found = Vec::new();
    let read = regular::open(path).and_then(|file| file.take(64).read_to_end(&mut found));
    read.is_ok() && MATCH.fits(text::without_mark(&String::from_utf8_lossy(&found)).as_bytes())
}

impl Game {
    fn ended(self, header: &MatchHeader) -> Result<Ended, String> {
        let Self { round, engines, leg, winner, reason } = self;
        let id = GameId { round, engines, leg };
        let pair = header.pair(id);
        if leg > 1
            || !header.format.has_pairing(header.engines.len(), engines)
            || header.shard.is_some_and(|share| !share.has(pair))
        {
            return Err(format!("expected a game of this share, found leg {leg} of pair {pair}"));
        }
        let winner = match winner.as_deref() {
            None => None,
            Some("black") => Some(Side::Black),
            Some("white") => Some(Side::White),
            Some(other) => return Err(format!("expected black or white, found {other}")),
        };
        let reason = reason.parse::<Reason>().map_err(|error| error.to_string())?;
        let half_points = Ending { winner, reason }.half_points(id.first_is()) as u8;
        Ok(Ended { pair, leg, half_points, reason })
    }
}

/// What a look at the journals found.
#[derive(Debug)]
pub struct Look {
    /// Finished games in all, and how many of them are new.
    pub games: u64,
    /// Games that were not there at the look before.
    pub new: u64,
    /// Journals of shards.
    pub journals: usize,
    /// Pairs counted in order, and finished ones that wait for others.
    pub pairs: u64,
    /// Finished pairs that wait for others of a lower number.
    pub waiting: usize,
    /// The log-likelihood ratio of the pairs counted.
    pub llr: f64,
    /// Whose pair is waited for.
    pub awaited: Option<String>,
    /// Whether no journal grows any more.
    pub silent: bool,
    /// The answer, if there is one.
    pub verdict: Option<Verdict>,
}

impl Watch {
    /// Follows the journals of shards in a folder. A shard that is `silent` for so long is waited for no longer.
    #[must_use]
    pub fn new(folder: &Path, sprt: Sprt, silent: Duration) -> Self {
        Self {
            folder: folder.to_owned(),
            silent,
            sprt,
            test: InOrder::new(sprt),
            begun: Instant::now(),
            journals: BTreeMap::new(),
            strangers: BTreeSet::new(),
            left_out: Vec::new(),
            games: 0,
            failures: BTreeMap::new(),
            disputes: 0,
        }
    }

    /// Looks at what has been written since the last look.
    ///
    /// # Errors
    /// If a journal cannot be read or is damaged, or journals are no shards of one match between two engines.
    pub fn look(&mut self) -> Result<Look, String> {
        let before = self.games;
        let mut paths = Vec::new();
        let named = |path: &Path, error: &dyn fmt::Display| format!("{}: {error}", path.display());
        for entry in fs::read_dir(&self.folder).map_err(|error| named(&self.folder, &error))? {
            let path = entry.map_err(|error| named(&self.folder, &error))?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                paths.push(path);
            }
        }
        let now = Instant::now();
        for path in paths {
            if !self.journals.contains_key(&path) {
                if !begins_as_journal(&path) {
                    self.strangers.insert(path);
                    continue;
                }
                self.strangers.remove(&path);
            }
            let length = fs::metadata(&path).map_err(|error| named(&path, &error))?.len();
            let followed = self.journals.entry(path.clone()).or_default();
            // A last line that was cut off goes away when its shard goes on.
            let shorter = length < followed.tail.offset();
            if shorter || length > followed.length && !followed.goes_on(&path) {
                let what = "expected a journal that grows, found one that was begun anew: begin the watch anew, too";
                return Err(named(&path, &what));
            }
            if length > followed.length {
                followed.grew = Some(now);
                self.read(&path).map_err(|error| named(&path, &error))?;
            }
            if let Some(followed) = self.journals.get_mut(&path) {
                followed.length = length;
            }
        }
        let is_silent = |grew: Instant| now.duration_since(grew) > self.silent;
        let mut shards: Vec<(Share, Option<Instant>)> = Vec::new();
        for followed in self.journals.values() {
            if let Some(share) = followed.header.as_ref().and_then(|header| header.shard) {
                shards.push((share, followed.grew));
            }
        }
        let of = shards.iter().find_map(|(share, _)| match share {
            Share::Shard(shard) => Some(shard.of()),
            Share::Batch { .. } => None,
        });
        // One without a journal may not have begun.
        let missing = |number: u64| {
            let of = u64::from(of?);
            let shard = Shard::new(u32::try_from(number % of).ok()?, of as u32)?;
            Some((Share::Shard(shard), Some(self.begun)))
        };
        let owner = |number: u64| {
            shards.iter().find(|(share, _)| share.has(number)).copied().or_else(|| missing(number))
        };
        let mut left_out = Vec::new();
        let verdict = self.test.count(|number| match owner(number) {
            Some((share, grew)) if grew.is_some_and(is_silent) => {
                left_out.push(format!("shard {share}"));
                true
            }
            Some(_) => false,
            // Of batches nobody knows how many there are: one may come later.
            None if is_silent(self.begun) => {
                left_out.push(NOBODY.to_owned());
                true
            }
            None => false,
        });
        let silent = if shards.is_empty() {
            is_silent(self.begun)
        } else {
            shards.iter().all(|(_, grew)| grew.is_none_or(is_silent))
        };
        let awaited = self.test.awaited().map(|number| match owner(number) {
            Some((share, _)) => format!("pair {} of shard {share}", number + 1),
            None => format!("pair {}", number + 1),
        });
        left_out.retain(|name| !self.left_out.contains(name));
        left_out.dedup();
        self.left_out.append(&mut left_out);
        Ok(Look {
            games: self.games,
            new: self.games - before,
            journals: shards.len(),
            pairs: self.test.pairs().total(),
            waiting: self.test.waiting(),
            llr: self.test.llr(),
            awaited,
            silent,
            verdict,
        })
    }

    /// Reads what a journal has beyond what is known of it. Moves are passed over: whoever collects the journals looks
    /// at them.
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let Some(followed) = self.journals.get_mut(path) else { return Ok(()) };
        let mut input = followed.tail.open(path).map_err(|error| error.to_string())?;
        let (mut line, mut new) = (Vec::new(), false);
        let mut games = Vec::new();
        while let Some((number, read, _)) = followed.tail.next(&mut input, &mut line)? {
            if followed.header.is_none() {
                followed.first.clone_from(&line);
            }
            let named = |error: &dyn fmt::Display| format!("line {number}: {error}");
            if !read.summed {
                return Err(named(&NO_SUM));
            }
            match (read.value, &followed.header) {
                (Line::Match(header), None) => {
                    header.check().map_err(|error| named(&error))?;
                    (followed.header, new) = (Some(*header), true);
                }
                (Line::Host(host), Some(_)) => followed.host = host.name,
                (Line::Game(game), Some(header)) => {
                    let ended = game.ended(header).map_err(|error| named(&error))?;
                    games.push((ended, followed.host.clone()));
                }
                _ => return Err(named(&"expected a match in the first line, and then its games")),
            }
        }
        if new {
            self.check(path)?;
        }
        let Some(followed) = self.journals.get_mut(path) else { return Ok(()) };
        // What one machine has made of the shards is no shard.
        if followed.header.as_ref().is_none_or(|header| header.shard.is_none()) {
            return Ok(());
        }
        for (Ended { pair, leg, half_points, reason }, host) in games {
            self.games += 1;
            if !reason.is_regular() {
                *self.failures.entry(host).or_default() += 1;
                self.disputes += u64::from(reason.is_dispute());
            }
            match followed.open.remove(&pair) {
                Some((other, first)) if other != leg => self.test.add(pair, half_points + first),
                Some(_) => {
                    let number = pair + 1;
                    return Err(format!(
                        "expected every game once, found one of pair {number} again"
                    ));
                }
                None => drop(followed.open.insert(pair, (leg, half_points))),
            }
        }
        Ok(())
    }

    /// Refuses a journal that does not go together with the others.
    fn check(&self, path: &Path) -> Result<(), String> {
        let Some(header) = self.journals.get(path).and_then(|followed| followed.header.as_ref())
        else {
            return Ok(());
        };
        let Some(share) = header.shard else { return Ok(()) };
        if header.engines.len() != 2 {
            let found = header.engines.len();
            return Err(format!("expected a match between two engines, found {found}"));
        }
        for (other, followed) in self.journals.iter().filter(|(other, _)| *other != path) {
            let Some(theirs) = &followed.header else { continue };
            let Some(there) = theirs.shard else { continue };
            let other = other.display();
            if header.experiment() != theirs.experiment() {
                let bare = |header: &MatchHeader| MatchHeader { shard: None, ..header.clone() };
                let differences = bare(theirs).differences(&bare(header), 0).join("; ");
                return Err(format!(
                    "expected the experiment of {other}, found another: {differences}"
                ));
            }
            if share.overlaps(there) {
                return Err(format!(
                    "expected pairs that no other journal has, found share {share} beside {there} of {other}"
                ));
            }
        }
        Ok(())
    }

    /// Files of the folder that have the name of a journal and are none: they are passed over.
    #[must_use]
    pub fn strangers(&self) -> &BTreeSet<PathBuf> {
        &self.strangers
    }

    /// Pairs that came when they were waited for no longer, and are not counted.
    #[must_use]
    pub const fn late(&self) -> u64 {
        self.test.late()
    }

    /// The shards that were left out, in the order in which they were.
    #[must_use]
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Games lost by failures, by the machine they were played on.
    #[must_use]
    pub fn failures(&self) -> &BTreeMap<String, u64> {
        &self.failures
    }

    /// Whether a verdict counts, though it may pass however many games were lost by failures if those are allowed.
    ///
    /// # Errors
    /// If the match is void or the test withheld.
    pub fn stands(&self, allow_failures: bool) -> Result<(), String> {
        if self.disputes * 100 > self.games {
            return Err(
                "the match is void: too many games ended by an illegal move or claim".to_owned()
            );
        }
        let failures: u64 = self.failures.values().sum();
        let passed = self.test.verdict() == Some(Verdict::Passed);
        if passed && !allow_failures && failures * 100 > self.games * 2 {
            return Err("the test is not passed: too many games were lost by failures".to_owned());
        }
        Ok(())
    }

    /// The test.
    #[must_use]
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, journals, pairs, waiting, llr, .. } = self;
        write!(f, "{games} games of {journals} journals, {pairs} pairs in order, LLR {llr:.3}")?;
        if let Some(awaited) = &self.awaited {
            write!(f, ", {waiting} pairs wait for {awaited}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use kujira_record::journal;
    use kujira_statistics::Model;

    use super::*;
    use crate::journal::Line as Whole;
    use crate::journal::tests::{game, header};

    /// The journal of a batch of one pair.
    fn batch(folder: &Path, first: u32, run: &str) {
        let (shard, run) = (Some(Share::Batch { first, count: 1 }), run.to_owned().try_into().ok());
        let mut header = MatchHeader { shard, run, ..header() };
        header.experiment = Some(header.experiment());
        let mut text = Vec::new();
        journal::write(&mut text, &Whole::Match(Box::new(header))).unwrap();
        for leg in 0..2 {
            journal::write(&mut text, &Whole::Game(Box::new(game(first, leg)))).unwrap();
        }
        fs::write(folder.join(format!("a.{first}-and-1.jsonl")), text).unwrap();
    }

    #[test]
    fn a_batch_that_may_come_is_waited_for_and_one_begun_anew_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let run = "0123456789abcdef";
        let model = Model::Normalized;
        let sprt = Sprt { model, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let mut watch = Watch::new(folder.path(), sprt, Duration::from_secs(3600));
        for first in [0, 2] {
            batch(folder.path(), first, run);
            // Files that were copied may be old.
            let file = fs::File::options()
                .write(true)
                .open(folder.path().join(format!("a.{first}-and-1.jsonl")));
            file.unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        }
        let look = watch.look().unwrap();
        assert_eq!((look.pairs, look.waiting, look.silent), (1, 1, false));
        batch(folder.path(), 1, run);
        assert_eq!(watch.look().unwrap().pairs, 3);
        // A shard that was killed in the middle of a line, and goes on.
        let path = folder.path().join("a.2-and-1.jsonl");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b"{\"game\":{\"round\""].concat()).unwrap();
        assert_eq!(watch.look().unwrap().new, 0);
        fs::write(&path, &whole).unwrap();
        assert_eq!((watch.look().unwrap().new, watch.look().unwrap().pairs), (0, 3));
        batch(folder.path(), 1, "0123456789abcde0");
        let path = folder.path().join("a.1-and-1.jsonl");
        assert_eq!(watch.look().unwrap().new, 0, "as long as before");
        fs::write(&path, [fs::read(&path).unwrap(), b"\n".to_vec()].concat()).unwrap();
        let error = watch.look().unwrap_err();
        assert!(error.contains("found one that was begun anew"), "{error}");
    }
}
