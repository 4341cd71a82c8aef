//! Checks every known perft count, of the files and of the starts, counted and played, on all
//! threads: `cargo run --release -p kujira-tests --bin perft-suite`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use kujira_position::{Leaves, Position, VariantId, divide, with_variant};
use kujira_tests::counts::{self, Known};

fn main() -> io::Result<ExitCode> {
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
            for known in &known {
                check(game, known, leaves, &mut tally)?;
            }
            let (done, seconds) = (tally.leaves - before, started.elapsed().as_secs_f64());
            writeln!(
                io::stdout(),
                "{game} {leaves:?}: {} positions, {done} leaves, {seconds:.1} s, {:.1} M/s",
                known.len(),
                done as f64 / seconds / 1e6
            )?;
        }
    }
    writeln!(
        io::stdout(),
        "{} counts, {} wrong, {} leaves, {:.1} s",
        tally.counts,
        tally.wrong,
        tally.leaves,
        begun.elapsed().as_secs_f64()
    )?;
    Ok(if tally.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Default)]
struct Tally {
    counts: u64,
    wrong: u64,
    leaves: u64,
}

fn check(game: VariantId, known: &Known, leaves: Leaves, tally: &mut Tally) -> io::Result<()> {
    for &(depth, expected) in &known.counts {
        let found = with_variant!(game, V => {
            Position::<V>::from_sfen(&known.sfen)
                .map(|position| divide(&position, depth, leaves).iter().map(|(_, n)| n).sum())
                .map_err(|error| error.to_string())
        });
        tally.counts += 1;
        tally.leaves += expected;
        if found != Ok(expected) {
            tally.wrong += 1;
            writeln!(
                io::stdout(),
                "{}: depth {depth}, {leaves:?}: expected {expected}, found {found:?}",
                known.place
            )?;
        }
    }
    Ok(())
}
