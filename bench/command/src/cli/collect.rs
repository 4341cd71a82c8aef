//! `collect`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use kujira_arena::collect::collect;
use kujira_arena::files::{Begin, name_outputs};
use kujira_arena::header::differences;
use kujira_program::outputs::Outputs;
use kujira_program::regular;
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, tell};
use kujira_program::whole::{self, with_ending};
use kujira_record::journal;
use kujira_study::analysis::{Header, Line, Seen, read};

use super::analyse::ANALYSIS;
use super::matches::check_prefix;
use super::out::write;
use super::sums::SumArgs;

/// Arguments of `collect`.
#[derive(Args)]
pub(super) struct CollectArgs {
    /// The journals of shards: of a match or a tournament (PREFIX.K-of-N.jsonl), or of an analysis (….analysis).
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    /// The same as the shards were begun with: the command without --shard goes on there. What was collected before
    /// stays, and is added to.
    #[arg(long, value_name = "PREFIX")]
    out: PathBuf,
    /// Throw away what was collected before.
    #[arg(long)]
    fresh: bool,
    /// With --fresh: throw away files that another program made, too. What is read is never written over.
    #[arg(long, requires = "fresh")]
    force: bool,
    #[command(flatten)]
    sums: SumArgs,
}

/// Runs `collect`.
pub(super) fn run(args: &CollectArgs) -> Result<(), Stop> {
    check_prefix(&args.out)?;
    let mut outputs = Outputs::new(args.force);
    outputs.inputs("a journal of a shard", &args.journals);
    let analysis = args.journals.iter().all(|path| is_analysis(path));
    if analysis {
        outputs.output("--out", &with_ending(&args.out, ".analysis"), ANALYSIS).check()?;
        return Ok(analyses(args)?);
    }
    name_outputs(&mut outputs, &args.out, args.fresh, true);
    outputs.check()?;
    let begin = match (args.fresh, args.sums.unchecked) {
        (true, _) => Begin::Fresh,
        (false, true) => Begin::Unchecked,
        (false, false) => Begin::Checked,
    };
    let collected = collect(&args.out, &args.journals, begin)?;
    tell(&collected.to_string());
    Ok(())
}

/// Whether a file is the journal of an analysis.
fn is_analysis(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "analysis")
}

/// Makes one analysis of those of shards.
fn analyses(args: &CollectArgs) -> Result<(), String> {
    let path = with_ending(&args.out, ".analysis");
    let earlier = (!args.fresh && path.exists()).then_some(&path);
    let mut known: Option<(Header, &Path)> = None;
    let mut shares: Vec<(Option<Shard>, &Path)> = Vec::new();
    let mut told = String::new();
    let mut looks = BTreeMap::new();
    for journal in earlier.into_iter().chain(&args.journals) {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", journal.display());
        let text = regular::read(journal, u64::MAX).map_err(|error| named(&error))?;
        let found = read(&text, args.sums.unchecked).map_err(|error| named(&error))?;
        let Some(header) = found.header else {
            if !journal::may_be_cut_off(&text, "analysis") {
                return Err(named(&"expected an analysis, found something else"));
            }
            told.push_str(&format!("nothing yet in {}\n", journal.display()));
            continue;
        };
        let share = header.shard.as_deref().map(str::parse::<Shard>).transpose();
        let share = share.map_err(|error| named(&error))?;
        let header = Header { shard: None, ..header };
        match &known {
            Some((first, there)) if *first != header => {
                let differences = differences(first, &header, 0).join("; ");
                let there = there.display();
                return Err(named(&format!(
                    "expected the analysis of {there}, found another: {differences}"
                )));
            }
            Some(_) => {}
            None => known = Some((header, journal)),
        }
        if Some(journal) != earlier {
            let overlaps = |other: Option<Shard>| match (share, other) {
                (Some(one), Some(other)) => Share::Shard(one).overlaps(Share::Shard(other)),
                _ => true,
            };
            if let Some((other, there)) = shares.iter().find(|(other, _)| overlaps(*other)) {
                let [found, other] = [share, *other].map(|share| {
                    share.map_or_else(|| "all games".to_owned(), |share| format!("share {share}"))
                });
                return Err(named(&format!(
                    "expected games that no other journal has, found {found} beside {other} of {}",
                    there.display()
                )));
            }
            shares.push((share, journal));
        }
        for (place, look) in found.looks {
            if looks.get(&place).is_some_and(|there| *there != look) {
                let (game, ply) = place;
                return Err(named(&format!(
                    "expected what another journal found at ply {ply} of game {game}, found something else"
                )));
            }
            looks.insert(place, look);
        }
    }
    let (header, _) = known.ok_or("expected an analysis, found none")?;
    let count = looks.len();
    let seen = looks.into_iter().map(|((game, ply), look)| {
        Line::Look(Seen { game, ply, score: look.score, depth: look.depth, line: look.line })
    });
    let mut text = Vec::new();
    for line in std::iter::once(Line::Analysis(header)).chain(seen) {
        journal::write(&mut text, &line).map_err(|error| error.to_string())?;
    }
    write(&path, &text)?;
    whole::sweep(&path);
    let shards: Vec<Shard> = shares.iter().filter_map(|(share, _)| *share).collect();
    if let Some(missing) = Shard::missing(&shards) {
        told.push_str(&format!("no journal of {missing}\n"));
    }
    tell(&format!("{told}{count} positions in {}\n", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn analyses_are_known_by_their_names() {
        assert!(is_analysis(Path::new("a/games.0-of-2.pgn.analysis")));
        assert!(!is_analysis(Path::new("a/match.0-of-2.jsonl")));
    }
}
