//! The final account of a match as text.

use std::collections::{HashMap, HashSet};
use std::fmt;

use kujira_statistics::cross_table::CrossTable;
use kujira_statistics::in_order::InOrder;
use kujira_statistics::pool::Pool;
use kujira_statistics::rating_list::RatingList;
use kujira_statistics::{Estimate, Sprt, Trinomial, Verdict};

use crate::header::MatchHeader;
use crate::replay::PlayedMatch;
use crate::standings::{Pairing, Standings, Start};

/// The test over pairs in the order of their numbers, if these journals are one match between two engines, or shards of
/// one. Numbers that are missing are skipped.
#[must_use]
pub fn in_order(matches: &[PlayedMatch], sprt: Sprt) -> Option<InOrder> {
    let first = &matches.first()?.header;
    let experiment = first.experiment();
    let is_shard = |header: &MatchHeader| {
        header.shard.is_some() && header.engines.len() == 2 && header.experiment() == experiment
    };
    if first.engines.len() != 2
        || matches.len() > 1 && !matches.iter().all(|played| is_shard(&played.header))
    {
        return None;
    }
    let (mut test, mut open) = (InOrder::new(sprt), HashMap::new());
    let mut known = HashSet::new();
    for (played, game) in
        matches.iter().flat_map(|played| played.games.iter().map(move |game| (played, game)))
    {
        let pair = played.header.pair(game.id);
        // Shards that overlap tell of different pairs by one number.
        if !known.insert((pair, game.id.leg)) {
            return None;
        }
        match open.remove(&pair) {
            Some(other) => test.add(pair, game.half_points + other),
            None => drop(open.insert(pair, game.half_points)),
        }
    }
    test.count(|missing| missing.end - missing.start);
    Some(test)
}

/// Prints [`Standings`] in full.
#[derive(Debug)]
pub struct Report<'a> {
    /// The results.
    pub standings: &'a Standings,
    /// The test, if the match is one.
    pub sprt: Option<&'a Sprt>,
    /// The pairs as the test counts them, if it does so in their order; otherwise it counts all.
    pub in_order: Option<&'a InOrder>,
    /// Whether a test may pass however many games were lost by failures.
    pub allow_failures: bool,
}

impl Report<'_> {
    /// Whether the test passed, but may have done so because engines failed.
    #[must_use]
    pub fn withholds(&self) -> bool {
        let passes = |sprt: &Sprt| sprt.verdict(self.llr(sprt)) == Some(Verdict::Passed);
        !self.allow_failures && self.standings.is_doubtful() && self.sprt.is_some_and(passes)
    }

    /// The log-likelihood ratio of the pairs that the test counts.
    pub(crate) fn llr(&self, sprt: &Sprt) -> f64 {
        match self.in_order {
            Some(test) => test.llr(),
            None => sprt.llr(&self.standings.first_pairing().pairs),
        }
    }

    /// Whether the result counts.
    ///
    /// # Errors
    /// If the match is void or the test withheld.
    pub fn stands(&self) -> Result<(), String> {
        if self.standings.is_void() {
            return Err(
                "the match is void: too many games ended by an illegal move or claim".to_owned()
            );
        }
        if self.withholds() {
            return Err("the test is not passed: too many games were lost by failures".to_owned());
        }
        Ok(())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.standings;
        write!(f, "games      {} ({} plies)", all.games, all.plies)?;
        if all.played_again > 0 {
            write!(f, ", {} dropped after a stall and played again", all.played_again)?;
        }
        writeln!(f)?;
        for (&start, &counts) in &all.black {
            write_side(f, start, counts)?;
        }
        for (&[first, second], pairing) in &all.pairings {
            writeln!(f)?;
            writeln!(f, "{} against {}", all.names[first], all.names[second])?;
            write_pairing(f, pairing)?;
        }
        if let Some(sprt) = self.sprt {
            let llr = self.llr(sprt);
            let (lower, upper) = sprt.bounds();
            write!(f, "  {sprt}: LLR {llr:.3} in [{lower:.3}, {upper:.3}], ")?;
            match sprt.verdict(llr) {
                _ if all.is_void() => write!(f, "void")?,
                _ if self.withholds() => write!(f, "withheld")?,
                Some(verdict) => write!(f, "{verdict}")?,
                None => write!(f, "undecided")?,
            }
            if let Some(test) = self.in_order {
                let (counted, pairs) = (test.pairs().total(), all.first_pairing().pairs.total());
                write!(f, " after {counted} of {pairs} pairs")?;
            }
            writeln!(f)?;
        }
        if all.names.len() > 2 && all.games > 0 {
            let mut pool = Pool::default();
            all.add_to(&mut pool, "");
            let list = RatingList::of(&pool, &pool.ratings());
            write!(f, "\n{list}\n{}", CrossTable::of(&list).text())?;
        }
        writeln!(f, "\nends")?;
        for (reason, count) in &all.reasons {
            writeln!(f, "  {count:>6}  {reason}")?;
        }
        if all.strained > 0 {
            writeln!(
                f,
                "{} of the losses on time came while the machine stood still or was overloaded: they may say \
                 nothing about the engines",
                all.strained
            )?;
        }
        writeln!(f, "\nengines")?;
        for (name, usage) in all.names.iter().zip(&all.usage) {
            write!(f, "  {name}: {} moves in {:.1} s", usage.moves, usage.us as f64 / 1e6)?;
            if let Some(depth) = usage.depth() {
                write!(f, ", depth {depth:.1}")?;
            }
            if let Some(nodes) = usage.nodes_per_move() {
                write!(f, ", {nodes:.0} nodes a move")?;
            }
            if let Some(nps) = usage.nps() {
                write!(f, ", {nps:.0} nodes/s")?;
            }
            if usage.failures > 0 {
                write!(f, ", {} games lost by failure", usage.failures)?;
            }
            if usage.disputes > 0 {
                write!(f, ", {} by an illegal move or claim", usage.disputes)?;
            }
            writeln!(f)?;
        }
        for (machine, failures) in &all.failed_on {
            writeln!(f, "  on {machine}: {failures} games lost by failure")?;
        }
        if self.withholds() {
            writeln!(
                f,
                "\nWITHHELD: {} of {} games were lost by failures (time, an end of the engine, illegal \
                 moves), more than 2 %: the test may have passed because of them (--allow-failures lets it)",
                all.failures(),
                all.games
            )?;
        }
        if all.is_void() {
            writeln!(
                f,
                "\nVOID: {} of {} games ended by an illegal move or claim, more than 1 %: the \
                 figures above say nothing about strength",
                all.disputes(),
                all.games
            )?;
        }
        Ok(())
    }
}

fn write_pairing(f: &mut fmt::Formatter<'_>, pairing: &Pairing) -> fmt::Result {
    let [losses, draws, wins] = pairing.games();
    writeln!(f, "  games    +{wins} ={draws} -{losses}")?;
    for (color, [losses, draws, wins]) in ["Black", "White"].iter().zip(pairing.by_color) {
        writeln!(f, "  as {color} +{wins} ={draws} -{losses}")?;
    }
    let [n0, n1, n2, n3, n4] = pairing.pairs.by_score();
    writeln!(f, "  pairs    0: {n0}, ½: {n1}, 1: {n2}, 1½: {n3}, 2: {n4}")?;
    match Estimate::of(&pairing.pairs) {
        Some(estimate) => writeln!(f, "  {estimate}"),
        None => writeln!(f, "  no pair finished"),
    }
}

/// How the side fared that began, or gave a handicap: what an opening is worth, whoever played it.
fn write_side(
    f: &mut fmt::Formatter<'_>,
    start: Start,
    [losses, draws, wins]: [u64; 3],
) -> fmt::Result {
    let (side, [losses, draws, wins], what) = match start {
        Start::Usual => ("Black", [losses, draws, wins], ", moving first".to_owned()),
        Start::Handicap(id) => ("White", [wins, draws, losses], format!(", giving {id}")),
        Start::Other => ("Black", [losses, draws, wins], ", from other positions".to_owned()),
    };
    let counts = Trinomial::new([losses, draws, wins]);
    let score = counts.moments().map_or(0.5, |(score, _)| score);
    writeln!(f, "{side}      +{wins} ={draws} -{losses}, {:.1} %{what}", 100.0 * score)
}
