//! A sequential test over journals that grow while many machines play.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kujira_program::regular;

use kujira_program::shard::{Shard, Share};
use kujira_record::played::GameId;
use kujira_statistics::in_order::InOrder;
use kujira_statistics::{Sprt, Verdict};
use kujira_usi::{Ending, Reason, Side};
use serde::Deserialize;
use serde::de::IgnoredAny;

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
    /// Files that are no journals of matches, which were told of.
    passed_over: BTreeSet<PathBuf>,
    /// Shards that are left out.
    left_out: Vec<Share>,
    /// Numbers of pairs that no journal had, which are left out.
    unclaimed: Vec<RangeInclusive<u64>>,
    games: u64,
    /// By the machine that they were played on.
    failures: BTreeMap<String, u64>,
    disputes: u64,
}

/// A journal as far as it is read.
struct Followed {
    tail: Tail,
    /// Where games are played by now.
    host: String,
    /// How long the file was then.
    length: u64,
    /// The last look that found it changed. Times of files are of other clocks, or those of the copied file.
    grew: Instant,
    header: Option<MatchHeader>,
    /// Pairs of which one game is there, by their numbers: which, and its half points.
    open: HashMap<u64, (u8, u8)>,
}

impl Followed {
    fn new(now: Instant) -> Self {
        let (tail, host, open) = (Tail::default(), String::new(), HashMap::new());
        Self { tail, host, length: 0, grew: now, header: None, open }
    }

    fn share(&self) -> Option<Share> {
        self.header.as_ref()?.shard
    }
}

/// Whether a file begins as journals of matches do, as far as it goes.
fn is_journal(path: &Path) -> io::Result<bool> {
    let mut begin = Vec::new();
    regular::open(path)?.take(1 << 10).read_to_end(&mut begin)?;
    Ok(MATCH.fits(begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&begin).trim_ascii_start()))
}

/// A line of a journal without what is not looked at here: moves are most of it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Match(Box<MatchHeader>),
    Joined(IgnoredAny),
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
    /// Words about files: journals that were begun anew, and what is none.
    pub notes: Vec<String>,
    /// Whether no journal grows any more.
    pub silent: bool,
    /// The answer, if there is one.
    pub verdict: Option<Verdict>,
}

impl Watch {
    /// Follows the journals of shards in a folder from `now` on. A shard that is `silent` for so long is waited for no
    /// longer.
    #[must_use]
    pub fn new(folder: &Path, sprt: Sprt, silent: Duration, now: Instant) -> Self {
        Self {
            folder: folder.to_owned(),
            silent,
            sprt,
            test: InOrder::new(sprt),
            begun: now,
            journals: BTreeMap::new(),
            passed_over: BTreeSet::new(),
            left_out: Vec::new(),
            unclaimed: Vec::new(),
            games: 0,
            failures: BTreeMap::new(),
            disputes: 0,
        }
    }

    /// Looks `now` at what has been written since the last look.
    ///
    /// # Errors
    /// If a journal cannot be read or is damaged, or journals are no shards of one match between two engines.
    pub fn look(&mut self, now: Instant) -> Result<Look, String> {
        let before = self.games;
        let mut notes = Vec::new();
        let paths = self.paths(&mut notes)?;
        let mut anew = BTreeSet::new();
        for (path, length) in &paths {
            if self.is_anew(path, *length).map_err(|error| named(path, &error))? {
                notes.push(named(path, &"begun anew, so all journals are read again"));
                anew.insert(path.clone());
            }
        }
        let grew = |(path, length): &&(PathBuf, u64)| {
            anew.contains(path)
                || self.journals.get(path).is_some_and(|followed| followed.length != *length)
        };
        let grown: BTreeSet<PathBuf> =
            paths.iter().filter(grew).map(|(path, _)| path.clone()).collect();
        if !anew.is_empty() {
            self.forget();
        }
        for (path, length) in paths {
            let followed = self.journals.entry(path.clone()).or_insert_with(|| Followed::new(now));
            if grown.contains(&path) {
                followed.grew = now;
            }
            if followed.length != length {
                followed.length = length;
                self.read(&path).map_err(|error| named(&path, &error))?;
            }
        }
        let is_silent = |grew: Instant| now.saturating_duration_since(grew) > self.silent;
        let shards: Vec<(Share, Instant)> = (self.journals.values())
            .filter_map(|followed| Some((followed.share()?, followed.grew)))
            .collect();
        let known = shards.iter().filter_map(|(share, _)| match share {
            Share::Shard(shard) => Some(*shard),
            Share::Batch { .. } => None,
        });
        let known: Vec<Shard> = known.collect();
        let of = Shard::all(&known);
        // One without a journal may not have begun.
        let missing = |number: u64| {
            let of = of?;
            let shard = Shard::new(u32::try_from(number % u64::from(of)).ok()?, of)?;
            Some((Share::Shard(shard), self.begun))
        };
        let owner = |number: u64| {
            shards.iter().find(|(share, _)| share.has(number)).copied().or_else(|| missing(number))
        };
        let (left_out, unclaimed) = (&mut self.left_out, &mut self.unclaimed);
        let verdict = self.test.count(|missing| {
            let number = missing.start;
            let found = owner(number);
            if !is_silent(found.map_or(self.begun, |(_, grew)| grew)) {
                return 0;
            }
            let Some((share, _)) = found else {
                // Up to the next batch, if not all of them, unless there are shards.
                let starts = shards.iter().filter_map(|(share, _)| match share {
                    Share::Batch { first, .. } => Some(u64::from(*first)),
                    Share::Shard(_) => None,
                });
                let end = if known.is_empty() { missing.end } else { number + 1 };
                let end = starts.filter(|&first| first > number).fold(end, u64::min);
                match unclaimed.last_mut() {
                    Some(last) if last.end() + 1 == number => *last = *last.start()..=end - 1,
                    _ => unclaimed.push(number..=end - 1),
                }
                return end - number;
            };
            if !left_out.contains(&share) {
                left_out.push(share);
            }
            1
        });
        let awaited = self.test.awaited().map(|number| match owner(number) {
            Some((share, _)) => format!("pair {number} of shard {share}, counted from 0"),
            None => format!("pair {number}, counted from 0, which no journal has"),
        });
        Ok(Look {
            games: self.games,
            new: self.games.saturating_sub(before),
            journals: shards.len(),
            pairs: self.test.pairs().total(),
            waiting: self.test.waiting(),
            llr: self.test.llr(),
            awaited,
            notes,
            silent: is_silent(self.begun) && shards.iter().all(|&(_, grew)| is_silent(grew)),
            verdict,
        })
    }

    /// The journals of the folder with their lengths; of other files each is told of once.
    fn paths(&mut self, notes: &mut Vec<String>) -> Result<Vec<(PathBuf, u64)>, String> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(|error| named(&self.folder, &error))? {
            let path = entry.map_err(|error| named(&self.folder, &error))?.path();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let what = match fs::metadata(&path) {
                Ok(found) if !found.is_file() => regular::name_of(found.file_type()),
                Ok(found) if self.is_followed(&path) => {
                    paths.push((path, found.len()));
                    continue;
                }
                Ok(found) => match is_journal(&path).map_err(|error| named(&path, &error))? {
                    true => {
                        paths.push((path, found.len()));
                        continue;
                    }
                    false => "something else",
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => "a link to nothing",
                Err(error) => return Err(named(&path, &error)),
            };
            if self.passed_over.insert(path.clone()) {
                let what = format!("expected the journal of a match, found {what}: passed over");
                notes.push(named(&path, &what));
            }
        }
        paths.sort_unstable();
        Ok(paths)
    }

    fn is_followed(&self, path: &Path) -> bool {
        self.journals.get(path).is_some_and(|followed| followed.header.is_some())
    }

    /// Whether a journal that is known is another one by now: the run in its first line differs, or lines that were read
    /// are gone. A line that was cut off may go, since whoever goes on drops it.
    fn is_anew(&self, path: &Path, length: u64) -> Result<bool, String> {
        let Some(followed) = self.journals.get(path) else { return Ok(false) };
        let Some(header) = &followed.header else { return Ok(false) };
        if length == followed.length || header.shard.is_none() {
            return Ok(false);
        }
        if length < followed.tail.offset() {
            return Ok(true);
        }
        let mut top = Tail::default();
        let mut input = top.open(path).map_err(|error| error.to_string())?;
        let first = top.next::<Line>(&mut input, &mut Vec::new())?;
        let same = |line: &Line| matches!(line, Line::Match(found) if found.run == header.run);
        Ok(!first.is_some_and(|(_, read, _)| same(&read.value)))
    }

    /// Forgets what was read, but not when journals grew.
    fn forget(&mut self) {
        for followed in self.journals.values_mut() {
            *followed = Followed::new(followed.grew);
        }
        self.test = InOrder::new(self.sprt);
        self.left_out.clear();
        self.unclaimed.clear();
        self.failures.clear();
        (self.games, self.disputes) = (0, 0);
    }

    /// Reads what a journal has beyond what is known of it. Moves are passed over: whoever collects the journals looks
    /// at them.
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let Some(followed) = self.journals.get_mut(path) else { return Ok(()) };
        let mut input = followed.tail.open(path).map_err(|error| error.to_string())?;
        let (mut line, mut new) = (Vec::new(), false);
        let mut games = Vec::new();
        // What one machine has made of the shards is no shard, and its games are passed over.
        let is_other =
            |followed: &Followed| followed.header.is_some() && followed.share().is_none();
        while !is_other(followed)
            && let Some((number, read, _)) = followed.tail.next(&mut input, &mut line)?
        {
            let named = |error: &dyn fmt::Display| format!("line {number}: {error}");
            if !read.summed {
                return Err(named(&NO_SUM));
            }
            match (read.value, &followed.header) {
                (Line::Match(header), None) => {
                    header.check().map_err(|error| named(&error))?;
                    (followed.header, new) = (Some(*header), true);
                }
                (Line::Joined(_), Some(_)) => {
                    let what =
                        "expected a match between two engines, found that another one joined";
                    return Err(named(&what));
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
        for (Ended { pair, leg, half_points, reason }, host) in games {
            self.games += 1;
            if !reason.is_regular() {
                *self.failures.entry(host).or_default() += 1;
                self.disputes += u64::from(reason.is_dispute());
            }
            match followed.open.remove(&pair) {
                Some((other, first)) if other != leg => self.test.add(pair, half_points + first),
                Some(_) => {
                    return Err(format!(
                        "expected every game once, found one of pair {pair}, counted from 0, again"
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
                let differences = theirs.other_experiment(header);
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

    /// What was not counted, a line each: shards and pairs that were left out, and pairs that came later.
    #[must_use]
    pub fn left_out(&self) -> Vec<String> {
        let shards = self.left_out.iter();
        let mut lines: Vec<String> =
            shards.map(|share| format!("shard {share} was silent and is left out")).collect();
        lines.extend(self.unclaimed.iter().map(|numbers| {
            let (first, last) = (numbers.start(), numbers.end());
            format!("counted from 0, the pairs {first} to {last} are left out: no journal had them")
        }));
        match self.test.late() {
            0 => {}
            late => {
                lines.push(format!("{late} pairs came after they were left out, and do not count"))
            }
        }
        lines
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

/// An error or a word about a file.
fn named(path: &Path, error: &dyn fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { games, journals, pairs, waiting, llr, .. } = self;
        write!(f, "{games} games of {journals} journals, {pairs} pairs in order, LLR {llr:.3}")?;
        if let Some(awaited) = &self.awaited {
            write!(f, ", {waiting} pairs wait for {awaited}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kujira_record::journal;
    use kujira_record::played::GameRecord;
    use kujira_statistics::Model;
    use tempfile::TempDir;

    use super::*;
    use crate::header::RunNumber;
    use crate::journal::Line as Written;
    use crate::journal::tests::{game, header};

    const SILENT: Duration = Duration::from_secs(600);

    /// A folder of journals that is watched by a simulated clock.
    struct Trial {
        folder: TempDir,
        begun: Instant,
        watch: Watch,
    }

    impl Trial {
        fn new() -> Self {
            let (folder, begun) = (tempfile::tempdir().unwrap(), Instant::now());
            let (model, elo0, elo1) = (Model::Normalized, 0.0, 5.0);
            let sprt = Sprt { model, elo0, elo1, alpha: 0.05, beta: 0.05 };
            let watch = Watch::new(folder.path(), sprt, SILENT, begun);
            Self { folder, begun, watch }
        }

        fn look(&mut self, seconds: u64) -> Result<Look, String> {
            self.watch.look(self.begun + Duration::from_secs(seconds))
        }

        fn path(&self, share: &str) -> PathBuf {
            self.folder.path().join(format!("{}.jsonl", share.replace('/', "-")))
        }

        /// Begins the journal of a share with these pairs, in the place of an earlier one.
        fn write(&self, share: &str, pairs: &[u32]) -> PathBuf {
            let (shard, run) = (Some(share.parse().unwrap()), RunNumber::random().ok());
            let head = Written::Match(Box::new(MatchHeader { shard, run, ..header() }));
            let lines = std::iter::once(head).chain(games(pairs));
            fs::write(self.path(share), text(lines)).unwrap();
            self.path(share)
        }
    }

    fn games(pairs: &[u32]) -> impl Iterator<Item = Written> {
        let both = pairs.iter().flat_map(|&pair| [game(pair, 0), game(pair, 1)]);
        both.map(|game: GameRecord| Written::Game(Box::new(game)))
    }

    fn text(lines: impl Iterator<Item = Written>) -> Vec<u8> {
        let mut text = Vec::new();
        lines.for_each(|line| journal::write(&mut text, &line).unwrap());
        text
    }

    fn append(path: &Path, bytes: &[u8]) {
        let mut all = fs::read(path).unwrap();
        all.extend(bytes);
        fs::write(path, all).unwrap();
    }

    #[test]
    fn a_batch_that_comes_late_is_waited_for() {
        let mut trial = Trial::new();
        trial.write("0+3", &[0, 1, 2]);
        trial.write("6+3", &[6, 7, 8]);
        let look = trial.look(0).unwrap();
        assert_eq!((look.pairs, look.waiting), (3, 3));
        assert_eq!(look.awaited.as_deref(), Some("pair 3, counted from 0, which no journal has"));
        trial.write("3+3", &[3, 4, 5]);
        let look = trial.look(500).unwrap();
        assert_eq!((look.pairs, look.silent), (9, false));
        assert_eq!(trial.watch.left_out(), [""; 0]);
    }

    #[test]
    fn a_batch_that_never_comes_is_named_and_so_are_its_pairs_if_they_come() {
        let mut trial = Trial::new();
        trial.write("0+3", &[0, 1, 2]);
        trial.write("6+3", &[6, 7, 8]);
        assert_eq!(trial.look(600).unwrap().pairs, 3);
        let look = trial.look(601).unwrap();
        assert_eq!((look.pairs, look.silent), (6, false));
        let skipped = "counted from 0, the pairs 3 to 5 are left out: no journal had them";
        assert_eq!(trial.watch.left_out(), [skipped]);
        trial.write("3+3", &[3, 4, 5]);
        assert_eq!(trial.look(700).unwrap().pairs, 6);
        let late = "3 pairs came after they were left out, and do not count";
        assert_eq!(trial.watch.left_out(), [skipped, late]);
        assert!(trial.look(1301).unwrap().silent);
    }

    /// Copies keep the times of their files, and clocks differ.
    #[test]
    fn only_the_clock_of_the_watch_counts() {
        let mut trial = Trial::new();
        let old = trial.write("0/2", &[0]);
        let times = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
        fs::File::options().write(true).open(&old).unwrap().set_times(times).unwrap();
        trial.write("1/2", &[1, 3]);
        let look = trial.look(0).unwrap();
        assert_eq!((look.pairs, look.waiting, look.silent), (2, 1, false));
        assert_eq!(look.awaited.as_deref(), Some("pair 2 of shard 0/2, counted from 0"));
        append(&old, &text(games(&[2])));
        assert_eq!(trial.look(550).unwrap().pairs, 4);
        append(&trial.path("1/2"), &text(games(&[5])));
        assert_eq!(trial.look(1150).unwrap().pairs, 4);
        let look = trial.look(1151).unwrap();
        assert_eq!((look.pairs, look.new, look.silent), (5, 0, false));
        assert_eq!(trial.watch.left_out(), ["shard 0/2 was silent and is left out"]);
    }

    #[test]
    fn a_journal_that_is_begun_anew_is_read_again() {
        let mut trial = Trial::new();
        let path = trial.write("0/2", &[0, 2, 4]);
        trial.write("1/2", &[1, 3]);
        let look = trial.look(0).unwrap();
        assert_eq!((look.games, look.pairs, look.notes.len()), (10, 5, 0));
        // Shorter, and then longer than before.
        for (pairs, games, counted) in [(&[0][..], 6, 2), (&[0, 2, 4, 6, 8, 10], 16, 5)] {
            trial.write("0/2", pairs);
            let look = trial.look(10).unwrap();
            assert_eq!((look.games, look.pairs), (games, counted));
            let note = format!("{}: begun anew, so all journals are read again", path.display());
            assert_eq!(look.notes, [note]);
        }
        // What was cut off and is dropped was none of it.
        append(&path, b"{\"game\":{");
        assert_eq!(trial.look(20).unwrap().notes, [""; 0]);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        append(&path, &text(games(&[12])));
        let look = trial.look(30).unwrap();
        assert_eq!((look.games, look.notes.len()), (18, 0));
        // What others wrote meanwhile is no silence of theirs.
        trial.write("0/2", &[0]);
        append(&trial.folder.path().join("1-2.jsonl"), &text(games(&[5])));
        assert_eq!(trial.look(1020).unwrap().notes.len(), 1);
        assert!(!trial.look(1040).unwrap().silent && trial.watch.left_out().is_empty());
    }

    #[test]
    fn files_that_are_no_journals_are_passed_over_and_named_once() {
        let mut trial = Trial::new();
        trial.write("0/1", &[0]);
        let folder = trial.folder.path().to_owned();
        fs::create_dir(folder.join("d.jsonl")).unwrap();
        for (name, text) in
            [("a", "{\"time\":1}\n"), ("e", ""), ("h", "{\"mat"), ("s", "{\"spsa\":{}}\n")]
        {
            fs::write(folder.join(format!("{name}.jsonl")), text).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", folder.join("l.jsonl")).unwrap();
        let mut notes = trial.look(0).unwrap().notes;
        notes.sort();
        let names = if cfg!(unix) { &["a", "d", "l", "s"][..] } else { &["a", "d", "s"] };
        assert_eq!(notes.len(), names.len(), "{notes:?}");
        for (note, name) in notes.iter().zip(names) {
            assert!(
                note.contains(&format!("{name}.jsonl: expected the journal of a match")),
                "{note}"
            );
        }
        let look = trial.look(1).unwrap();
        assert_eq!((look.notes.len(), look.journals, look.pairs), (0, 1, 1));
    }

    #[test]
    fn damage_and_a_third_engine_are_refused() {
        let mut trial = Trial::new();
        let path = trial.write("0/1", &[0]);
        trial.look(0).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut engine = header().engines.remove(0);
        engine.player.name = "C".to_owned();
        append(&path, &text(std::iter::once(Written::Joined(Box::new(engine)))));
        let error = trial.look(1).unwrap_err();
        let expected =
            "line 4: expected a match between two engines, found that another one joined";
        assert!(error.ends_with(expected), "{error}");
        fs::write(&path, &whole).unwrap();
        append(&path, b"{\"game\":{}}\n");
        let error = trial.look(2).unwrap_err();
        assert!(error.contains("0-1.jsonl: line 4: "), "{error}");
    }
}
