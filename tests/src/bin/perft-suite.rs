//! Checks every known perft count, of the files and of the starts, counted and played, on all
//! threads: `cargo run --release --locked -p kujira-tests --bin perft-suite`.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Instant;

use kujira_position::{Leaves, Position, VariantId, perft, with_variant};
use kujira_program::status::{Stop, begin, exit, say};
use kujira_tests::counts::{self, Known};
use rayon::prelude::*;

fn main() -> ExitCode {
    begin("perft-suite", || exit("perft-suite", run()))
}

fn run() -> Result<(), Stop> {
    let begun = Instant::now();
    let mut tally = Tally::default();
    for &game in VariantId::ALL {
        let known = with_variant!(game, V => {
            let mut known = vec![counts::start::<V>()];
            known.extend(counts::known::<V>());
            known
        });
        for leaves in [Leaves::Bulk, Leaves::Played] {
            let (before, started) = (tally.leaves, Instant::now());
            check(game, &known, leaves, &mut tally)?;
            let (done, seconds) = (tally.leaves - before, started.elapsed().as_secs_f64());
            say(&format!(
                "{game} {leaves:?}: {} positions, {done} leaves, {seconds:.1} s, {:.1} M/s\n",
                known.len(),
                done as f64 / seconds / 1e6
            ))?;
        }
    }
    say(&format!(
        "{} counts, {} wrong, {} leaves, {:.1} s\n",
        tally.counts,
        tally.wrong,
        tally.leaves,
        begun.elapsed().as_secs_f64()
    ))?;
    match tally.wrong {
        0 => Ok(()),
        wrong => Err(format!("expected the known counts, found {wrong} others").into()),
    }
}

#[derive(Default)]
struct Tally {
    counts: u64,
    wrong: u64,
    leaves: u64,
}

/// Counts every position to every depth, each count on one thread, the largest first.
fn check(game: VariantId, known: &[Known], leaves: Leaves, tally: &mut Tally) -> Result<(), Stop> {
    let mut counts: Vec<(&Known, u32, u64)> = known
        .iter()
        .flat_map(|known| known.counts.iter().map(move |&(depth, count)| (known, depth, count)))
        .collect();
    counts.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
    let found: Vec<Result<u64, String>> = counts
        .par_iter()
        .with_max_len(1)
        .map(|(known, depth, _)| {
            with_variant!(game, V => {
                Position::<V>::from_sfen(&known.sfen)
                    .map(|position| perft(&position, *depth, leaves))
                    .map_err(|error| error.to_string())
            })
        })
        .collect();
    for (&(known, depth, expected), found) in counts.iter().zip(found) {
        tally.counts += 1;
        tally.leaves += expected;
        if found != Ok(expected) {
            tally.wrong += 1;
            say(&format!(
                "{}: depth {depth}, {leaves:?}: expected {expected}, found {found:?}\n",
                known.place
            ))?;
        }
    }
    Ok(())
}
