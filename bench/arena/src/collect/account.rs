//! What was collected, in words: shards, machines, and what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use kujira_program::shard::{NAMED, Shard, Share, in_words};
use kujira_record::played::GameId;
use kujira_usi::Reason;

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
    /// The last pair that was played.
    last: u64,
    /// The shards of which there is no journal and no game.
    missing: Option<String>,
    /// The pairs before the last that nobody has played, for each journal, and those that are of none.
    gaps: Vec<Gaps>,
    others: Gaps,
}

/// One of the journals.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) header: MatchHeader,
    pub(super) games: u64,
}

/// A game in the order in which one machine begins them: the number of its pair, that of it in the pair, and which.
pub(super) type InOrder = (u64, u8, GameId);

/// What was played on a machine.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) games: u64,
    /// Nodes a second when the last run began there.
    pub(super) nps: u64,
    pub(super) failures: BTreeMap<Reason, u64>,
}

/// Pairs that are missing: how many, and the first of them.
#[derive(Clone, Debug, Default)]
struct Gaps {
    count: u64,
    first: Vec<u64>,
}

impl Collected {
    /// What these journals come to: those of shards, those in which nothing is yet, and the games in order.
    pub(super) fn new(
        journal: PathBuf,
        journals: Vec<Source>,
        not_begun: Vec<PathBuf>,
        hosts: BTreeMap<String, Tally>,
        games: &[InOrder],
    ) -> Self {
        let half = games.chunk_by(|one, other| one.0 == other.0).filter(|pair| pair.len() == 1);
        let half = half.count();
        // Shards number the pairs of their own engines.
        let mut pairs = BTreeSet::new();
        if let Some(Source { header: theirs, .. }) =
            journals.first().filter(|first| first.header.is_open())
        {
            let known = |engine: &usize| *engine < theirs.engines.len();
            let ids = games.iter().map(|&(.., id)| id).filter(|id| id.engines.iter().all(known));
            pairs.extend(ids.map(|id| theirs.pair(id)));
        }
        let games = games.len();
        let last = pairs.last().copied().unwrap_or_default();
        let mut found = Self {
            journal,
            journals,
            not_begun,
            hosts,
            games,
            half,
            last,
            missing: None,
            gaps: Vec::new(),
            others: Gaps::default(),
        };
        found.find_gaps(&pairs);
        found
    }

    /// Finds what is missing among the pairs, of these on.
    fn find_gaps(&mut self, pairs: &BTreeSet<u64>) {
        let mut shares: Vec<Share> =
            self.journals.iter().filter_map(|journal| journal.header.shard).collect();
        let own = shares.len();
        let mut shards: Vec<Shard> = (shares.iter())
            .filter_map(|share| match share {
                Share::Shard(shard) => Some(*shard),
                Share::Batch { .. } => None,
            })
            .collect();
        let of = Shard::all(&shards);
        if let Some(of) = of {
            // Games of others were collected before, or played by whoever went on.
            let known: BTreeSet<u32> = shards.iter().map(|shard| shard.index()).collect();
            let played = pairs.iter().map(|pair| (pair % u64::from(of)) as u32);
            let others: BTreeSet<u32> = played.filter(|index| !known.contains(index)).collect();
            for shard in others.into_iter().filter_map(|index| Shard::new(index, of)) {
                shards.push(shard);
                shares.push(Share::Shard(shard));
            }
        }
        self.missing = Shard::missing(&shards);
        let (mut gaps, mut others) = (vec![Gaps::default(); shares.len()], Gaps::default());
        let mut next = 0;
        for &pair in pairs {
            let mut left = pair - next;
            for (gaps, share) in gaps.iter_mut().zip(&shares).filter(|_| pair > next) {
                let count = share.count(pair) - share.count(next);
                gaps.add(count, share.among(next..pair));
                left -= count;
            }
            if left > 0 && of.is_none() {
                others.add(left, unshared(&shares, next..pair));
            }
            next = pair + 1;
        }
        let mut first: Vec<u64> = gaps[own..].iter().flat_map(|gaps| gaps.first.clone()).collect();
        first.sort_unstable();
        others.add(gaps[own..].iter().map(|gaps| gaps.count).sum(), first.into_iter());
        gaps.truncate(own);
        self.gaps = gaps;
        self.others = others;
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
        if let Some(missing) = &self.missing {
            writeln!(f, "no journal of {missing}")?;
        }
        if self.others.count > 0 {
            let gaps = &self.others;
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
