//! `nps`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use kujira_position::{AnyPosition, Rules, VariantId};
use kujira_program::status::{Stop, say};
use kujira_record::list::{self, Entry};
use kujira_search::{BenchLimit, BenchReport, Control, Limits, Silent, engine};

/// Arguments of `nps`.
#[derive(Args)]
pub(super) struct NpsArgs {
    /// Which kinds of whale shogi: whale, paulowich, great; all if left out.
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
    /// Positions of one game as SFEN, EPD or USI, one a line, in place of the bench's, such as great-rich.sfen of
    /// bench/positions; with --nodes or --depth.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

/// Runs `nps`: the bench positions of the search, as `kujira bench` searches them, or those of a file.
pub(super) fn run(args: &NpsArgs) -> Result<(), Stop> {
    let games = if args.games.is_empty() { VariantId::ALL } else { &args.games };
    let limit = match (args.depth, args.nodes) {
        (_, Some(nodes)) => BenchLimit::Nodes(nodes),
        (Some(depth), None) => BenchLimit::Depth(depth),
        (None, None) => BenchLimit::Signature,
    };
    let limits = Limits { depth: args.depth, nodes: args.nodes, ..Limits::default() };
    let set = match &args.positions {
        None => None,
        Some(_) if limit == BenchLimit::Signature => {
            return Err(Stop::from("expected --nodes or --depth with --positions".to_owned()));
        }
        Some(_) if games.len() > 1 => {
            return Err(Stop::from("expected one kind of whale shogi with --positions".to_owned()));
        }
        Some(path) => Some((path, list::open(path).map_err(|error| error.to_string())?)),
    };
    say(&format!(
        "{:<10} {:>7} {:>12} {:>10} {:>10}\n",
        "game", "threads", "nodes", "ms", "nodes/s"
    ))?;
    let mut signatures = Vec::new();
    for &game in games {
        let engine = engine(game);
        for threads in 1..=usize::from(args.threads) {
            let hash = args.hash as usize;
            let report = match &set {
                Some((path, entries)) => search(game, entries, &limits, threads, hash)
                    .map_err(|error| format!("{}: {error}", path.display()))?,
                None => engine
                    .bench(limit, threads, hash, &Control::new())
                    .map_err(|error| error.to_string())?,
            };
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

/// Searches each position as the bench does its own: with nothing known of the others.
fn search(
    game: VariantId,
    entries: &[Entry],
    limits: &Limits,
    threads: usize,
    hash: usize,
) -> Result<BenchReport, String> {
    let mut engine = engine(game);
    engine.set_hash(hash).map_err(|error| error.to_string())?;
    engine.set_threads(threads);
    let mut report = BenchReport { nodes: 0, time: Duration::ZERO };
    for Entry { line, opening, .. } in entries {
        engine.new_game();
        let moves = opening.moves.iter().map(String::as_str);
        let position = AnyPosition::replay(game, opening.sfen.as_deref(), moves, Rules::DEFAULT)
            .map_err(|error| format!("line {line}: {error}"))?;
        let start = Instant::now();
        let found = engine.search(&position, limits, &Control::new(), &Silent);
        report.time += start.elapsed();
        report.nodes += found.map_err(|error| error.to_string())?.nodes;
    }
    Ok(report)
}
