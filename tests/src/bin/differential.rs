//! Compares the engine's rules with the oracle's on many random positions, on all threads:
//! `cargo run --release --locked -p kujira-tests --bin differential -- 100000`.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::status::{self, Stop};
use kujira_tests::differential::{Seen, Stream, compare};
use rayon::prelude::*;

const HELP: &str = "\
Usage: differential [--seed N] [POSITIONS [GAME...]]

Compares the engine's rules with those of an independent, slow implementation on POSITIONS different random positions
of each GAME: legal moves, check, and the position after every move. 100000 positions of every game if not said.
";

/// Differences shown at most; a defect shows in many positions.
const MOST_SHOWN: usize = 20;

/// The time between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    status::begin("differential", start)
}

fn start() -> ExitCode {
    let done = match arguments() {
        Ok(Some(asked)) => run_all(asked),
        Ok(None) => status::say(HELP),
        Err(error) => {
            status::warn(&format!("differential: {error}\n"));
            return ExitCode::from(status::WRONG);
        }
    };
    status::exit("differential", done)
}

fn run_all(Asked { positions, seed, games }: Asked) -> Result<(), Stop> {
    let mut wrong = 0;
    for game in games {
        wrong += with_variant!(game, V => run::<V>(positions, seed)?);
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(format!("expected no difference, found {wrong} positions with one").into()),
    }
}

struct Asked {
    positions: usize,
    seed: u64,
    games: Vec<VariantId>,
}

fn arguments() -> Result<Option<Asked>, lexopt::Error> {
    use lexopt::prelude::{Long, Short, Value, ValueExt};
    let mut parser = lexopt::Parser::from_env();
    let (mut positions, mut seed, mut games) = (None, 1, Vec::new());
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Long("seed") => seed = parser.value()?.parse()?,
            Value(value) if positions.is_none() => positions = Some(value.parse()?),
            Value(value) => games.push(value.parse()?),
            other => return Err(other.unexpected()),
        }
    }
    if games.is_empty() {
        games = VariantId::ALL.to_vec();
    }
    Ok(Some(Asked { positions: positions.unwrap_or(100_000), seed, games }))
}

/// Compares positions of a game. Returns in how many there was a difference.
fn run<V: Variant>(wanted: usize, seed: u64) -> Result<usize, Stop> {
    let (begun, mut told) = (Instant::now(), Instant::now());
    let (mut stream, mut seen, mut wrong) = (Stream::<V>::new(seed), Seen::default(), 0);
    let mut tried = 0;
    while tried < wanted {
        let mut batch = stream.next_batch();
        batch.truncate(wanted - tried);
        tried += batch.len();
        let compared: Vec<_> = batch.par_iter().map(compare).collect();
        for result in compared {
            match result {
                Ok(one) => seen = seen.plus(one),
                Err(difference) => {
                    wrong += 1;
                    if wrong <= MOST_SHOWN {
                        status::say(&format!("{}: {difference}\n", V::ID))?;
                    }
                }
            }
        }
        if told.elapsed() >= INTERVAL {
            told = Instant::now();
            status::warn(&format!("{}: {tried} of {wanted} positions, {wrong} wrong\n", V::ID));
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    status::say(&format!(
        "{}: {tried} positions, {wrong} wrong, {} moves, {} in check, {} mates, {:?}, {}, seed {seed}, {seconds:.1} s\n",
        V::ID,
        seen.moves,
        seen.checks,
        seen.mates,
        seen.contact,
        lions(&seen.lions),
    ))?;
    Ok(wrong)
}

/// How many moves of lions there were, and of how many sorts the rarest of which there were how many.
fn lions(lions: &BTreeMap<String, u64>) -> String {
    let all: u64 = lions.values().sum();
    match lions.iter().min_by_key(|(_, count)| **count) {
        None => "no moves of lions".to_owned(),
        Some((rarest, count)) => {
            format!("{all} moves of lions of {} sorts ({rarest}: {count})", lions.len())
        }
    }
}
