//! `nps`.

use clap::Args;
use kujira_position::VariantId;
use kujira_search::{BenchLimit, Control, engine};

use super::{Stop, game, say};

/// Arguments of `nps`.
#[derive(Args)]
pub(super) struct NpsArgs {
    /// Which kinds of whale shogi: whale, paulowich, great; all if left out.
    #[arg(value_parser = game)]
    games: Vec<VariantId>,
    /// Measure 1 up to so many threads.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Plies; the depth of the signature if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes for each position, in place of a depth.
    #[arg(long, value_name = "N", conflicts_with = "depth",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
}

/// Runs `nps`: the bench positions of the search, as `kujira bench` searches them.
pub(super) fn run(args: &NpsArgs) -> Result<(), Stop> {
    let games = if args.games.is_empty() { VariantId::ALL } else { &args.games };
    let limit = match (args.depth, args.nodes) {
        (_, Some(nodes)) => BenchLimit::Nodes(nodes),
        (Some(depth), None) => BenchLimit::Depth(depth),
        (None, None) => BenchLimit::Signature,
    };
    say(&format!(
        "{:<10} {:>7} {:>12} {:>10} {:>10}\n",
        "game", "threads", "nodes", "ms", "nodes/s"
    ))?;
    let mut signatures = Vec::new();
    for &game in games {
        let engine = engine(game);
        for threads in 1..=usize::from(args.threads) {
            let report = engine
                .bench(limit, threads, args.hash as usize, &Control::new())
                .map_err(|error| error.to_string())?;
            let seconds = report.time.as_secs_f64().max(1e-9);
            say(&format!(
                "{:<10} {threads:>7} {:>12} {:>10.0} {:>10.0}\n",
                game.spec().id,
                report.nodes,
                seconds * 1e3,
                report.nodes as f64 / seconds
            ))?;
            if threads == 1 {
                signatures.push(format!("{} {}", game.spec().id, report.nodes));
            }
        }
    }
    // Another depth or table is another number.
    if limit == BenchLimit::Signature && args.hash == 16 {
        say(&format!("signature: {}\n", signatures.join(", ")))?;
    }
    Ok(())
}
