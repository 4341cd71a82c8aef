//! What was collected, in words: shards, machines, and what is missing.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use kujira_program::shard::{NAMED, Shard, Share, in_words};
use kujira_usi::Reason;

use super::{Collector, InOrder, Source};
use crate::header::MatchHeader;

/// What was collected.
#[derive(Debug)]
pub struct Collected {
    /// The journal.
    journal: PathBuf,
    journals: Vec<Source>,
    not_begun: Vec<PathBuf>,
    /// By name.
    hosts: BTreeMap<String, Tally>,
    games: usize,
    /// Pairs of which one game is missing.
    half: usize,
    /// The last pair that was played, and the pairs before it that nobody has played, for each journal; the last are those
    /// that are of none.
    last: u64,
    gaps: Vec<Gaps>,
}

/// What was played on a machine.
#[derive(Debug, Default)]
struct Tally {
    games: u64,
    /// Nodes a second when the last run began there.
    nps: u64,
    failures: BTreeMap<Reason, u64>,
}

/// Pairs that are missing: how many, and the first of them.
#[derive(Clone, Debug, Default)]
struct Gaps {
    count: u64,
    first: Vec<u64>,
}

impl Collected {
    /// What these journals come to; the `games` are in order.
    pub(super) fn new(
        journal: PathBuf,
        header: &MatchHeader,
        all: Collector,
        games: &[InOrder],
    ) -> Self {
        let mut hosts: BTreeMap<String, Tally> = BTreeMap::new();
        for (.., id) in games {
            let Some(place) = all.places.get(id) else { continue };
            let Some(host) = place.host.and_then(|host| all.hosts.get(host)) else { continue };
            let tally = hosts.entry(host.name.clone()).or_default();
            tally.games += 1;
            tally.nps = host.nps;
            if let Some(reason) = place.failure {
                *tally.failures.entry(reason).or_default() += 1;
            }
        }
        let mut pairs: Vec<(u64, usize)> = Vec::new();
        for &(pair, ..) in games {
            match pairs.last_mut() {
                Some((last, games)) if *last == pair => *games += 1,
                _ => pairs.push((pair, 1)),
            }
        }
        let mut found = Self {
            journal,
            journals: all.journals.into_iter().skip(all.own).collect(),
            not_begun: all.not_begun,
            hosts,
            games: games.len(),
            half: pairs.iter().filter(|(_, games)| *games == 1).count(),
            last: pairs.last().map_or(0, |&(pair, _)| pair),
            gaps: Vec::new(),
        };
        // Where results decide who plays whom no pair is known before.
        if header.is_open() {
            found.gaps = found.gaps(pairs.into_iter().map(|(pair, _)| pair));
        }
        found
    }

    /// The pairs between these that nobody has played, but for those of shards without a journal: these are told as such.
    fn gaps(&self, pairs: impl Iterator<Item = u64>) -> Vec<Gaps> {
        let shares: Vec<Share> =
            self.journals.iter().filter_map(|journal| journal.header.shard).collect();
        let has_all = Shard::all(&self.shards()).is_some();
        let (mut gaps, mut others) = (vec![Gaps::default(); shares.len()], Gaps::default());
        let mut next = 0;
        for pair in pairs {
            let mut left = pair - next;
            for (gaps, share) in gaps.iter_mut().zip(&shares).filter(|_| pair > next) {
                let count = share.count(pair) - share.count(next);
                gaps.add(count, share.among(next..pair));
                left -= count;
            }
            if left > 0 && !has_all {
                others.add(left, unshared(&shares, next..pair));
            }
            next = pair + 1;
        }
        gaps.push(others);
        gaps
    }

    /// The shards of which there are journals.
    fn shards(&self) -> Vec<Shard> {
        let shards = self.journals.iter().filter_map(|journal| match journal.header.shard {
            Some(Share::Shard(shard)) => Some(shard),
            _ => None,
        });
        shards.collect()
    }
}

/// The pairs that are in no share.
fn unshared(shares: &[Share], pairs: Range<u64>) -> impl Iterator<Item = u64> {
    let mut next = pairs.start;
    std::iter::from_fn(move || {
        while next < pairs.end {
            match shares.iter().find(|share| share.has(next)) {
                Some(&Share::Batch { first, count }) => next = u64::from(first) + u64::from(count),
                Some(Share::Shard(_)) => next += 1,
                None => {
                    next += 1;
                    return Some(next - 1);
                }
            }
        }
        None
    })
}

impl Gaps {
    fn add(&mut self, count: u64, pairs: impl Iterator<Item = u64>) {
        self.count += count;
        self.first.extend(pairs.take(NAMED - self.first.len()));
    }
}

impl fmt::Display for Gaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<_> = self.first.iter().map(u64::to_string).collect();
        f.write_str(&in_words(&first, self.count as usize))
    }
}

impl fmt::Display for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gaps = self.gaps.iter().map(|gaps| Some(gaps).filter(|gaps| gaps.count > 0));
        let last = self.last;
        for Source { path, header, games } in &self.journals {
            let (share, path) = (header.share_in_words(), path.display());
            write!(f, "{share}: {games} games in {path}")?;
            match gaps.next().flatten() {
                Some(gaps) => {
                    writeln!(f, "; counted from 0, it lacks the pairs {gaps} before {last}")?
                }
                None => writeln!(f)?,
            }
        }
        for path in &self.not_begun {
            writeln!(f, "nothing yet in {}", path.display())?;
        }
        for (name, Tally { games, nps, failures }) in &self.hosts {
            let name = if name.is_empty() { "a machine" } else { name };
            write!(f, "{name}: {games} games, {nps} nodes/s")?;
            if !failures.is_empty() {
                let told = failures.iter().map(|(reason, count)| format!("{count} {reason}"));
                let told = told.collect::<Vec<_>>().join(", ");
                write!(f, ", lost by failures: {told}")?;
            }
            writeln!(f)?;
        }
        if let Some(missing) = Shard::missing(&self.shards()) {
            writeln!(f, "no journal of {missing}")?;
        }
        if let Some(gaps) = gaps.next().flatten() {
            writeln!(f, "counted from 0, no journal has the pairs {gaps} before {last}")?;
        }
        write!(f, "{} games in {}", self.games, self.journal.display())?;
        match self.half {
            0 => writeln!(f),
            1 => writeln!(f, ", one of whose pairs lacks a game"),
            half => writeln!(f, ", {half} of whose pairs lack a game"),
        }
    }
}
