//! `openings`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, tell, warn};
use kujira_program::whole;

use kujira_arena::engine::{EngineConfig, Timeouts, keys};
use kujira_arena::entrant::EngineFiles;
use kujira_arena::openings::{Filter, Judge, RandomOpenings};

use super::matches::stop_on_interrupt;
use super::out::{refuse_existing, write};
use super::rules::RuleArgs;
use super::starts::{StartArgs, plies};

/// Arguments of `openings`.
#[derive(Args)]
pub(super) struct OpeningsArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write over a file that is there already, whoever made it. What is read is never written over.
    #[arg(long)]
    force: bool,
    /// How many openings: those of all shards together, or those of a batch.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Make one share of N, number K from 0 to N-1: of openings numbered from 0 each Nth, from the Kth on. The name of
    /// the file gets .K-of-N.
    #[arg(long, value_name = "K/N", help_heading = "Many machines", conflicts_with = "first")]
    shard: Option<Shard>,
    /// Make a batch: the openings from number I, from 0, on. The name of the file gets .I-and-N.
    #[arg(long, value_name = "I", help_heading = "Many machines")]
    first: Option<u32>,
    /// Random moves from the start: a number, or a range such as 6-9.
    #[arg(long, value_name = "N", value_parser = plies, default_value = "6-7")]
    plies: (usize, usize),
    #[command(flatten)]
    start: StartArgs,
    /// Chooses the random moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How each opening is written: the moves from the start, or the position alone.
    #[arg(long, value_enum, default_value = "usi")]
    format: Text,
    /// An engine that judges openings, as words KEY=VALUE.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help = format!(
        "An engine that judges openings, as words KEY=VALUE. Keys: {}", keys()
    ))]
    engine: Vec<String>,
    /// The highest score that the engine may give, to either side; to Black with --min-score.
    #[arg(
        long,
        value_name = "CENTIPAWNS",
        default_value_t = 300,
        requires = "engine",
        allow_negative_numbers = true
    )]
    max_score: i32,
    /// The lowest score that the engine may give Black: 300 and more for openings that Black should win.
    #[arg(long, value_name = "CENTIPAWNS", requires = "engine", allow_negative_numbers = true)]
    min_score: Option<i32>,
    /// Nodes for that judgement.
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    rules: RuleArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Text {
    /// `startpos moves …`
    Usi,
    /// SFEN
    Epd,
}

/// Runs `openings`.
pub(super) fn run(args: &OpeningsArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let game = args.game;
    with_variant!(game, V => make::<V>(args, groups))
}

impl OpeningsArgs {
    /// The scores that are wanted, from Black's side.
    fn scores(&self) -> Result<RangeInclusive<i32>, String> {
        let scores = self.min_score.unwrap_or(self.max_score.saturating_neg())..=self.max_score;
        match scores.is_empty() {
            true => Err(format!(
                "expected a --max-score of {} at least, found {}",
                self.min_score.unwrap_or(0),
                self.max_score
            )),
            false => Ok(scores),
        }
    }

    /// Which openings are made; none: all.
    fn share(&self) -> Option<Share> {
        match self.first {
            Some(first) => Some(Share::Batch { first, count: self.count }),
            None => self.shard.map(Share::Shard),
        }
    }
}

fn make<V: Variant>(args: &OpeningsArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let share = args.share();
    let path = &share.map_or_else(|| args.out.clone(), |share| share.file(&args.out));
    // Looked at first, because judging openings takes long.
    let out = path.display();
    // A match can be taken up only with the set that it began with.
    refuse_existing(path, args.force)?;
    whole::check(path).map_err(|error| format!("{out}: {error}"))?;
    whole::sweep(path);
    let stopped = stop_on_interrupt()?;
    let mut outputs = Outputs::new(args.force);
    outputs.output("--out", path, Mark::none("openings"));
    let rules = args.rules.rules();
    let start = args.start.of::<V>(rules)?;
    let filter = match groups {
        [] => None,
        [words] => {
            let mut config = EngineConfig::parse(words.iter().map(String::as_str))?;
            V::SPEC.id.clone_into(&mut config.variant);
            config.rules = rules;
            for path in EngineFiles::of(&config).paths() {
                outputs.input("a file of --engine", path);
            }
            outputs.check()?;
            let judge = Judge::new(&Arc::new(config), Timeouts::default(), &stopped);
            let filter = Filter::new(judge, args.nodes, args.scores()?)?;
            for complaint in filter.complaints() {
                tell(&format!("{complaint}\n"));
            }
            Some(filter)
        }
        _ => {
            return Err("expected --engine at most once, found it more often".to_owned().into());
        }
    };
    let (least, most) = args.plies;
    let mut openings =
        RandomOpenings::<V>::new(args.seed, least..=most, rules, filter, Vec::new())?
            .starting_from(start);
    let (mut text, mut count) = (String::new(), 0);
    let end = args.first.unwrap_or(0).saturating_add(args.count);
    for number in 0..end {
        let own = share.is_none_or(|share| share.has(number.into()));
        if !own && openings.are_judged() {
            // What nobody judges costs little, and is made so that no two shares have the same.
            openings.pass_over();
            continue;
        }
        if stopped.load(Ordering::Relaxed) {
            warn("kujira-bench: stopped; nothing is written\n");
            return Err(Stop::Interrupted);
        }
        let opening = openings.another()?;
        if !own {
            continue;
        }
        count += 1;
        text.push_str(&match args.format {
            Text::Usi => opening.to_string(),
            Text::Epd => opening.playable::<V>(rules).map_err(|error| error.to_string())?.sfen(),
        });
        text.push('\n');
    }
    openings.finish();
    // Somebody may have put another file there in the meantime.
    refuse_existing(path, args.force)?;
    outputs.check()?;
    write(path, text.as_bytes())?;
    tell(&format!("{count} openings in {out}\n"));
    Ok(())
}
