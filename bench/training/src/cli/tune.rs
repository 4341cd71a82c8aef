//! `tune`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::outputs::Outputs;
use kujira_program::status::tell;
use kujira_program::{regular, whole};
use kujira_search::eval::NetworkFile;
use kujira_search::eval::linear::Features;

use crate::tune::{Dataset, Filter, Regression, Settings, from_odds, scale, to_odds};

use super::{NETWORK, named};

/// Arguments of `tune`.
#[derive(Args)]
pub(super) struct TuneArgs {
    /// The game: whale, paulowich or great.
    #[arg(long)]
    game: VariantId,
    /// Files of games to tune on.
    #[arg(long, required = true, num_args = 1.., value_delimiter = ',', value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The network with the linear weights to begin with, and to keep near to; without it the one built in.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Begin with no weights at all.
    #[arg(long, conflicts_with = "start")]
    from_zero: bool,
    /// Where the weights go: a network that says what the linear evaluation says, and nothing else.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Share of the game's result in the target; the rest is the score of the search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7)]
    result_share: f64,
    /// Pull towards the weights at the start, in positions.
    #[arg(long, value_name = "POSITIONS", default_value_t = 1.0)]
    pull: f64,
    /// Passes over the data.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions a step.
    #[arg(long, value_name = "POSITIONS", default_value_t = 4096, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    batch: usize,
    /// Length of the first steps, in units of odds.
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    /// Centipawns to a unit of odds; without it the scale that fits the data best.
    #[arg(long, value_name = "CENTIPAWNS")]
    scale: Option<f64>,
    /// Positions with scores beyond this are left out.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 3000, value_parser = clap::value_parser!(i32).range(1..))]
    limit: i32,
    /// Share of the games held out.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    held_out: f64,
    /// Seed of the order of the positions and of the choice of the games held out.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Let --out write over a file that holds no weights. What is read is never written over.
    #[arg(long)]
    force: bool,
}

impl TuneArgs {
    fn outputs(&self) -> Outputs {
        let mut outputs = Outputs::new(self.force);
        outputs.inputs("--data", &self.data).inputs("--start", self.start.as_slice());
        outputs.output("--out", &self.out, NETWORK);
        outputs
    }
}

/// Runs `tune`.
pub(super) fn run(args: &TuneArgs) -> Result<(), String> {
    for (name, share) in [("--result-share", args.result_share), ("--held-out", args.held_out)] {
        if !(0.0..=1.0).contains(&share) {
            return Err(format!("{name}: expected 0 to 1, found {share}"));
        }
    }
    for (name, number) in [("--rate", Some(args.rate)), ("--scale", args.scale)] {
        if number.is_some_and(|number| !number.is_finite() || number <= 0.0) {
            return Err(format!("{name}: expected a positive number"));
        }
    }
    if !args.pull.is_finite() || args.pull < 0.0 {
        return Err(format!("--pull: expected 0 or more, found {}", args.pull));
    }
    args.outputs().check()?;
    whole::sweep(&args.out);
    whole::check(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
    with_variant!(args.game, V => tune::<V>(args))
}

fn tune<V: Variant>(args: &TuneArgs) -> Result<(), String> {
    let start = match &args.start {
        None => NetworkFile::built_in::<V>(),
        Some(path) => {
            let bytes = regular::read(path, NetworkFile::LARGEST).map_err(named(path))?;
            NetworkFile::from_bytes::<V>(&bytes).map_err(named(path))?
        }
    };
    let weights = if args.from_zero {
        vec![0; Features::<V>::LAYOUT.len()]
    } else if start.linear.is_empty() {
        return Err("expected linear weights in the network to begin with, found none".to_owned());
    } else {
        start.linear.clone()
    };
    let began = Instant::now();
    let filter = Filter { limit: args.limit, held_out: args.held_out, seed: args.seed };
    let mut dataset = Dataset::<V>::new();
    for path in &args.data {
        dataset.read(path, &filter).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let fitted = scale::fit(&dataset.training);
    let scale = args.scale.unwrap_or(fitted);
    tell(&format!(
        "{} games: {} positions to tune on, {} held out; read in {:.1} s\n\
         the scores predict the results best at {fitted:.0} centipawns to a unit of odds\n",
        dataset.games,
        dataset.training.len(),
        dataset.held_out.len(),
        began.elapsed().as_secs_f64(),
    ));
    if dataset.training.is_empty() {
        return Err("expected positions to tune on, found none".to_owned());
    }
    let settings = Settings {
        scale,
        result_share: args.result_share,
        pull: args.pull,
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        seed: args.seed,
    };
    let mut regression =
        Regression::new(&dataset.training, &dataset.held_out, to_odds(&weights, scale), settings);
    tell(&format!("before      held out {:.6}\n", regression.error(&dataset.held_out)));
    while let Some(epoch) = regression.epoch() {
        tell(&format!(
            "epoch {:>4}  training {:.6}  held out {:.6}  {:.1} s\n",
            epoch.number,
            epoch.training,
            epoch.held_out,
            began.elapsed().as_secs_f64()
        ));
        if !epoch.training.is_finite() {
            return Err(
                "the weights have grown beyond all numbers: expected a smaller --rate".to_owned()
            );
        }
    }
    let (network, scale) = from_odds::<V>(regression.weights(), &start, &dataset, scale);
    // A network beyond the engine's limits is refused: better none written than a build that fails.
    let bytes = network.to_bytes::<V>().map_err(|error| format!("the weights found: {error}"))?;
    // Somebody may have put another file there in the meantime.
    args.outputs().check()?;
    whole::write(&args.out, &bytes).map_err(named(&args.out))?;
    tell(&format!("{scale:.0} centipawns to a unit of odds\n"));
    for kind in V::SPEC.all_kinds().skip(1) {
        let [on_board, in_hand] =
            [&network.on_board, &network.in_hand].map(|values| values[kind.index()]);
        tell(&format!("{:<5} {on_board:>5} {in_hand:>5}\n", V::SPEC.kind(kind).token));
    }
    Ok(())
}
