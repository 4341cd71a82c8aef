//! `perft`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kujira_position::{Leaves, Move, Position, Rules, Variant, VariantId, with_variant};
use kujira_program::status::{Stop, say};
use kujira_record::{list, text};
use kujira_search::Control;
use kujira_search::perft::{CountTable, MoveTree, Tabled, divide};

use crate::peer_rules;
use crate::perft::{DEEPEST, PeerMoves};

/// Arguments of `perft`.
#[derive(Args)]
pub(super) struct PerftArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// Plies; of a suite, the deepest counts that are checked (all if it is left out).
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST)))]
    depth: Option<u32>,
    /// The position counted from; the starting position if it is left out.
    #[arg(long, conflicts_with = "suite")]
    sfen: Option<String>,
    /// Threads to count on.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// A table of so many MiB for what was counted before: fewer positions are visited, and the speed shown counts leaves
    /// that were not.
    #[arg(long, value_name = "MIB", default_value_t = 0, conflicts_with_all = ["played", "peer_rules"],
          value_parser = clap::value_parser!(u32).range(..=1 << 24))]
    hash: u32,
    /// Print the leaves below each move.
    #[arg(long)]
    divide: bool,
    /// Make and unmake the last moves instead of counting them.
    #[arg(long, conflicts_with = "peer_rules")]
    played: bool,
    /// A file of positions with known counts, `SFEN ;D1 9 ;D2 91`: print what differs.
    #[arg(long, value_name = "FILE", conflicts_with = "divide")]
    suite: Option<PathBuf>,
    /// Count Fairy-Stockfish's list of moves: mating drops too, and a dolphin on the farthest rank
    /// does not count in the file rule.
    #[arg(long)]
    peer_rules: bool,
}

/// Runs `perft`.
pub(super) fn run(args: &PerftArgs) -> Result<(), Stop> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads as usize)
        .build()
        .map_err(|error| format!("threads cannot be started: {error}"))?;
    let game = args.game;
    pool.install(|| with_variant!(game, V => count::<V>(args)))
}

fn count<V: Variant>(args: &PerftArgs) -> Result<(), Stop> {
    match (args.peer_rules, args.played, args.hash) {
        (true, ..) if !peer_rules::are_known::<V>() => {
            let found = V::SPEC.id;
            Err(format!("expected a game that Fairy-Stockfish plays, found {found}").into())
        }
        (true, ..) => count_in::<V>(args, &PeerMoves),
        (false, true, _) => count_in::<V>(args, &Leaves::Played),
        (false, false, 0) => count_in::<V>(args, &Leaves::Bulk),
        (false, false, mebibytes) => {
            let table = CountTable::new(mebibytes as usize).map_err(|error| error.to_string())?;
            count_in::<V>(args, &Tabled::new(&table))
        }
    }
}

fn count_in<V: Variant>(args: &PerftArgs, tree: &impl MoveTree<V>) -> Result<(), Stop> {
    match &args.suite {
        Some(path) => check_suite::<V>(path, args.depth, tree),
        None => one::<V>(args, tree),
    }
}

/// The leaves below each move; nobody stops the count.
fn divided<V: Variant>(
    position: &Position<V>,
    depth: u32,
    tree: &impl MoveTree<V>,
    progress: impl Fn(usize, usize) + Sync,
) -> Vec<(Move, u64)> {
    divide(position, depth, tree, &Control::new(), progress).unwrap_or_default()
}

fn one<V: Variant>(args: &PerftArgs, tree: &impl MoveTree<V>) -> Result<(), Stop> {
    let position = match &args.sfen {
        Some(sfen) => Position::<V>::from_sfen(sfen).map_err(|error| error.to_string())?,
        None => Position::<V>::start(),
    };
    let depth = args.depth.unwrap_or(0);
    let started = Instant::now();
    let progress = Progress::new();
    let divided = divided(&position, depth, tree, |done, all| progress.show(done, all));
    progress.finish();
    let total = if depth == 0 { 1 } else { divided.iter().map(|(_, count)| count).sum() };
    let mut text = String::new();
    if args.divide {
        for (m, count) in &divided {
            text.push_str(&format!("{} {count}\n", position.usi(*m)));
        }
    }
    text.push_str(&account(&format!("depth {depth}"), total, started.elapsed()));
    say(&text)
}

fn check_suite<V: Variant>(
    path: &Path,
    depth: Option<u32>,
    tree: &impl MoveTree<V>,
) -> Result<(), Stop> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = text::open(path).map_err(|error| error.to_string())?;
    let suite: Vec<_> = list::entries(&text)
        .map(|entry| entry.and_then(|entry| Ok((entry.counts(DEEPEST)?, entry))))
        .collect::<Result<_, _>>()
        .map_err(|error| named(&error))?;
    let started = Instant::now();
    let progress = Progress::new();
    let (mut checked, mut failed, mut leaves) = (0, 0, 0);
    for (index, (counts, entry)) in suite.iter().enumerate() {
        let position = entry.position::<V>(Rules::DEFAULT).map_err(|error| named(&error))?;
        for &(plies, expected) in counts {
            if depth.is_some_and(|most| plies > most) {
                continue;
            }
            let found = if plies == 0 {
                1
            } else {
                divided(&position, plies, tree, |_, _| ()).iter().map(|(_, count)| count).sum()
            };
            checked += 1;
            leaves += found;
            if found != expected {
                failed += 1;
                progress.say(&format!(
                    "{}: depth {plies}: expected {expected}, found {found}\n",
                    position.sfen()
                ))?;
            }
        }
        progress.show(index + 1, suite.len());
    }
    progress.finish();
    say(&format!(
        "{} positions, {checked} counts, {failed} wrong\n{}",
        suite.len(),
        account("total", leaves, started.elapsed())
    ))?;
    if checked == 0 {
        return Err(named(&"expected counts to check, found none (at this depth)").into());
    }
    if failed > 0 {
        return Err(format!("{failed} of {checked} counts are wrong").into());
    }
    Ok(())
}

fn account(what: &str, leaves: u64, time: Duration) -> String {
    let speed = leaves as f64 / time.as_secs_f64().max(1e-9);
    format!("{what}: {leaves} leaves in {:.3} s, {speed:.0} leaves/s\n", time.as_secs_f64())
}

/// A bar on a terminal; elsewhere a line to standard error every few seconds.
struct Progress {
    bar: ProgressBar,
    last: Mutex<Instant>,
}

impl Progress {
    fn new() -> Self {
        let bar = ProgressBar::new(0);
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed_precise} {bar:40} {pos}/{len} {eta}")
        {
            bar.set_style(style);
        }
        Self { bar, last: Mutex::new(Instant::now()) }
    }

    fn show(&self, done: usize, all: usize) {
        const PAUSE: Duration = Duration::from_secs(10);
        if !self.bar.is_hidden() {
            self.bar.set_length(all as u64);
            self.bar.set_position(done as u64);
        } else if let Ok(mut last) = self.last.lock()
            && last.elapsed() >= PAUSE
        {
            *last = Instant::now();
            let _ = writeln!(std::io::stderr(), "{done}/{all}");
        }
    }

    fn say(&self, text: &str) -> Result<(), Stop> {
        self.bar.suspend(|| say(text))
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
