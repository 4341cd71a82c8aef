//! Which share of a work of many tasks one machine does.
//!
//! Whatever starts jobs (Slurm, ssh, Kubernetes) gives each a number. Tasks are numbered from 0: pairs of games,
//! openings, games to look at. Shard K of N does the tasks whose number leaves K when it is divided by N, so that all
//! shards grow alike, and any number of tasks is shared out.
//!
//! ```
//! use kujira_program::shard::Share;
//!
//! let share: Share = "1/4".parse()?;
//! assert_eq!((0..10).filter(|&task| share.has(task)).collect::<Vec<u64>>(), [1, 5, 9]);
//! assert_eq!(share.count(10), 3);
//! assert_eq!(share.prefix("matches/a".as_ref()).to_str(), Some("matches/a.1-of-4"));
//! # Ok::<(), String>(())
//! ```

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The tasks of one machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Share {
    /// Those that are its own among so many shards.
    Shard(Shard),
    /// So many from this one on: a batch that nobody planned.
    Batch {
        /// The first, from 0.
        first: u32,
        /// How many.
        count: u32,
    },
}

/// One of several shards. In text `K/N`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Shard `index`, from 0, of so many; none if there is no such shard.
    #[must_use]
    pub const fn new(index: u32, of: u32) -> Option<Self> {
        if index < of { Some(Self { index, of }) } else { None }
    }

    /// Its number, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many shards there are.
    #[must_use]
    pub const fn of(self) -> u32 {
        self.of
    }

    /// How many there are of which these are some, if that is one number.
    #[must_use]
    pub fn all(known: &[Self]) -> Option<u32> {
        let of = known.first()?.of;
        known.iter().all(|shard| shard.of == of).then_some(of)
    }

    /// Those that are missing among shards of equally many, in words: the first ones by name.
    #[must_use]
    pub fn missing(known: &[Self]) -> Option<String> {
        let of = Self::all(known)?;
        let known: HashSet<u32> = known.iter().map(|shard| shard.index).collect();
        let count = of as usize - known.len();
        let missing = (0..of).filter(|index| !known.contains(index)).take(NAMED);
        let named: Vec<_> = missing.map(|index| Self { index, of }.to_string()).collect();
        (count > 0).then(|| in_words(&named, count))
    }

    /// A seed of its own, where tasks have no numbers and a run is one long chance: no two shards of one seed, and no
    /// shards of equally many for other seeds, have the same.
    #[must_use]
    pub const fn seed(self, seed: u64) -> u64 {
        seed.wrapping_mul(self.of as u64).wrapping_add(self.index as u64)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, of)| {
            let whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            (whole(index) && whole(of)).then_some((index.parse().ok()?, of.parse().ok()?))
        });
        parts.and_then(|(index, of)| Self::new(index, of)).ok_or_else(|| {
            format!("expected a shard K/N, K from 0 to N-1, such as 0/4, found \"{text}\"")
        })
    }
}

/// How many of what is missing are named.
pub const NAMED: usize = 8;

/// The first of `count` things that are missing, and how many more there are.
#[must_use]
pub fn in_words(first: &[String], count: usize) -> String {
    let named = first.join(", ");
    match count - first.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

impl Share {
    /// Whether a task, from 0, is among its own.
    #[must_use]
    pub fn has(self, task: u64) -> bool {
        match self {
            Self::Shard(Shard { index, of }) => task % u64::from(of.max(1)) == u64::from(index),
            Self::Batch { first, count } => {
                let first = u64::from(first);
                (first..first + u64::from(count)).contains(&task)
            }
        }
    }

    /// How many of the first `all` tasks are its own.
    #[must_use]
    pub fn count(self, all: u64) -> u64 {
        match self {
            Self::Shard(Shard { index, of }) => {
                all.saturating_sub(index.into()).div_ceil(u64::from(of.max(1)))
            }
            Self::Batch { first, count } => all.saturating_sub(first.into()).min(u64::from(count)),
        }
    }

    /// Its own among these tasks.
    pub fn among(self, tasks: Range<u64>) -> impl Iterator<Item = u64> {
        let (first, end, step) = match self {
            Self::Shard(Shard { index, of }) => {
                let of = u64::from(of.max(1));
                let ahead = (u64::from(index) + of - tasks.start % of) % of;
                (tasks.start.saturating_add(ahead), tasks.end, of)
            }
            Self::Batch { first, count } => {
                let end = u64::from(first) + u64::from(count);
                (tasks.start.max(first.into()), tasks.end.min(end), 1)
            }
        };
        (first..end).step_by(step as usize)
    }

    /// Whether some task is in both, if there are tasks enough.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::Shard(one), Self::Shard(other)) => {
                // Two remainders go together where they agree in what the divisors share.
                let shared = greatest_common_divisor(one.of, other.of).max(1);
                one.index % shared == other.index % shared
            }
            (Self::Batch { first, count }, share @ Self::Shard(Shard { of, .. }))
            | (share @ Self::Shard(Shard { of, .. }), Self::Batch { first, count }) => {
                // One of so many in a row is the shard's.
                let first = u64::from(first);
                (first..first + u64::from(count.min(of))).any(|task| share.has(task))
            }
            (Self::Batch { first, count }, Self::Batch { first: begin, count: length }) => {
                let [first, count, begin, length] = [first, count, begin, length].map(u64::from);
                count > 0 && length > 0 && first < begin + length && begin < first + count
            }
        }
    }

    /// What names of files begin with where all of the work begins them with `prefix`.
    #[must_use]
    pub fn prefix(self, prefix: &Path) -> PathBuf {
        let mut name = OsString::from(prefix);
        name.push(format!(".{}", self.name()));
        name.into()
    }

    /// The file of this share where that of all of the work is `file`: it ends alike.
    #[must_use]
    pub fn file(self, file: &Path) -> PathBuf {
        match (file.file_stem(), file.extension()) {
            (Some(stem), Some(extension)) => {
                let mut name = self.prefix(Path::new(stem)).into_os_string();
                name.push(".");
                name.push(extension);
                file.with_file_name(name)
            }
            _ => self.prefix(file),
        }
    }

    /// The share as a part of a name.
    fn name(self) -> String {
        match self {
            Self::Shard(Shard { index, of }) => format!("{index}-of-{of}"),
            Self::Batch { first, count } => format!("{first}-and-{count}"),
        }
    }
}

fn greatest_common_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shard(shard) => shard.fmt(f),
            Self::Batch { first, count } => write!(f, "{first}+{count}"),
        }
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let batch = text.split_once('+').and_then(|(first, count)| {
            Some(Self::Batch { first: first.parse().ok()?, count: count.parse().ok()? })
        });
        batch.map_or_else(|| text.parse().map(Self::Shard), Ok)
    }
}

/// A share as an argument.
#[cfg(feature = "clap")]
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Many machines")]
pub struct ShareArgs {
    /// Do one share of N, number K from 0 to N-1: of tasks numbered from 0 each Nth, from the Kth on. Names of files
    /// get .K-of-N.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["first", "count"])]
    shard: Option<Shard>,
    /// Do a batch: --count tasks from number I, from 0, on. Names of files get .I-and-M.
    #[arg(long, value_name = "I", requires = "count")]
    first: Option<u32>,
    /// How many tasks a batch has.
    #[arg(long, value_name = "M", requires = "first", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
}

#[cfg(feature = "clap")]
impl ShareArgs {
    /// The share; none: all tasks.
    #[must_use]
    pub fn share(self) -> Option<Share> {
        match self {
            Self { first: Some(first), count: Some(count), .. } => {
                Some(Share::Batch { first, count })
            }
            Self { shard, .. } => shard.map(Share::Shard),
        }
    }

    /// Refuses a share for a command whose tasks follow from results of others.
    ///
    /// # Errors
    /// What to do `instead`.
    pub fn refuse(self, command: &str, instead: &str) -> Result<(), String> {
        match self.share() {
            None => Ok(()),
            Some(share) => Err(format!(
                "expected {command} to run on one machine, because what it plays next follows from results, found \
                 share {share} ({instead})"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Share> {
        let shards = (1..=6).flat_map(|of| (0..of).map(move |index| (index, of)));
        let shards = shards.filter_map(|(index, of)| Shard::new(index, of)).map(Share::Shard);
        let batches = [(0, 1), (0, 7), (3, 2), (5, 30), (40, 1), (9, 0)];
        shards.chain(batches.map(|(first, count)| Share::Batch { first, count })).collect()
    }

    #[test]
    fn every_task_is_one_shards() {
        for of in 1..9 {
            let shards: Vec<Share> =
                (0..of).filter_map(|index| Shard::new(index, of)).map(Share::Shard).collect();
            for task in 0..50 {
                assert_eq!(shards.iter().filter(|share| share.has(task)).count(), 1);
            }
            for tasks in 0..50 {
                assert_eq!(shards.iter().map(|share| share.count(tasks)).sum::<u64>(), tasks);
            }
        }
    }

    #[test]
    fn shares_are_counted_and_compared_as_their_tasks_are() {
        for share in all() {
            for tasks in 0..100 {
                let own = (0..tasks).filter(|&task| share.has(task)).count();
                assert_eq!(share.count(tasks), own as u64, "{share} {tasks}");
            }
            for other in all() {
                let meet = (0..200).any(|task| share.has(task) && other.has(task));
                assert_eq!(share.overlaps(other), meet, "{share} {other}");
            }
            assert_eq!(share.to_string().parse(), Ok(share));
        }
    }

    #[test]
    fn missing_shards_are_known_by_the_others() {
        for (known, missing) in [
            ("", ""),
            ("0/1", ""),
            ("2/4", "0/4, 1/4, 3/4"),
            ("3/4 1/4 1/4", "0/4, 2/4"),
            ("0/2 0/3", ""),
            (
                "1/4294967295",
                "0/4294967295, 2/4294967295, 3/4294967295, 4/4294967295, 5/4294967295, 6/4294967295, 7/4294967295, \
                 8/4294967295 and 4294967286 more",
            ),
        ] {
            let known: Vec<Shard> = known.split_whitespace().map(|k| k.parse().unwrap()).collect();
            assert_eq!(Shard::missing(&known).unwrap_or_default(), missing);
        }
    }

    #[test]
    fn tasks_among_others_are_those_that_it_has() {
        let shares = ["0/1", "1/4", "3/4"].map(|text| text.parse().unwrap());
        let batches = [(0, 3), (5, 0), (4, 9)].map(|(first, count)| Share::Batch { first, count });
        for share in shares.into_iter().chain(batches) {
            for (start, end) in [(0, 0), (0, 20), (3, 11), (6, 7), (13, 30)] {
                let known: Vec<u64> = (start..end).filter(|&task| share.has(task)).collect();
                assert_eq!(share.among(start..end).collect::<Vec<_>>(), known, "{share:?}");
                assert_eq!(share.count(end) - share.count(start), known.len() as u64, "{share:?}");
            }
        }
    }

    #[test]
    fn other_texts_are_no_shards() {
        for text in ["", "1", "/", "4/4", "1/0", "-1/4", "+1/4", "1/4/2", "a/b", "1/4294967296"] {
            let error = text.parse::<Share>().unwrap_err();
            assert!(error.starts_with("expected a shard K/N, K from 0 to N-1"), "{error}");
        }
    }

    #[test]
    fn files_have_names_of_their_own() {
        let share = Share::Shard(Shard::new(2, 10).unwrap());
        for (file, expected) in [
            ("a.ktd", "a.2-of-10.ktd"),
            ("some/b.c/games", "some/b.c/games.2-of-10"),
            ("x.y/a.b.pgn", "x.y/a.b.2-of-10.pgn"),
        ] {
            assert_eq!(share.file(Path::new(file)), Path::new(expected));
        }
        let batch = Share::Batch { first: 500, count: 100 };
        assert_eq!(batch.prefix(Path::new("m/a.b")), Path::new("m/a.b.500-and-100"));
    }

    #[test]
    fn seeds_are_their_own() {
        let seeds = (0..20).flat_map(|seed| {
            (0..7).filter_map(move |index| Some(Shard::new(index, 7)?.seed(seed)))
        });
        assert_eq!(seeds.collect::<std::collections::HashSet<_>>().len(), 140);
    }
}
