//! Measures how soon an engine answers a `stop`: it searches positions of random playouts without a
//! limit, is stopped after 20 to 150 ms, and is timed from writing `stop` to reading `bestmove`.
//!
//! `cargo run --release --locked -p kujira-arena --example stops -- target/release/kujira --hash 4096`

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Parser;
use kujira_position::{Position, UsiMove, Variant, VariantId, with_variant};
use kujira_program::status::{Stop, exit, say};
use kujira_usi::SetOption;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Measures how soon an engine answers a `stop`.
#[derive(Parser)]
struct Args {
    /// The engine, spoken to in USI.
    engine: PathBuf,
    /// Stops in each game.
    #[arg(long, default_value_t = 1000)]
    stops: usize,
    /// Transposition table in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Searching threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Chooses positions and times.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A running engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &PathBuf) -> Result<Self> {
        let mut child =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) =
            pipes.ok_or_else(|| Error::other("expected pipes to and from the engine"))?;
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        self.input.flush()
    }

    /// Reads up to the line that begins with `word`.
    fn wait_for(&mut self, word: &str) -> Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(Error::other(format!("expected {word}, found the end of the output")));
            }
            if line.contains("info string error") {
                return Err(Error::other(format!("expected {word}, found {}", line.trim_end())));
            }
            if line.starts_with(word) {
                return Ok(());
            }
        }
    }
}

/// The moves of a random playout that has not come to its end.
fn playout<V: Variant>(random: &mut Xoshiro256PlusPlus) -> String {
    loop {
        let mut position = Position::<V>::start();
        let mut texts = String::new();
        for _ in 0..random.random_range(0..60) {
            let moves = position.legal_moves();
            let Some(&m) = moves.choose(random) else { break };
            texts.push(' ');
            texts.push_str(&UsiMove::<V>::new(m).to_string());
            position.make(m);
            if position.outcome().is_some() {
                break;
            }
        }
        if position.outcome().is_none() {
            return texts;
        }
    }
}

fn main() -> ExitCode {
    exit("stops", measure(&Args::parse()))
}

fn measure(args: &Args) -> std::result::Result<(), Stop> {
    say("| game | threads | hash, MiB | stops | median, ms | 99 %, ms | most, ms |\n\
         |---|---|---|---|---|---|---|\n")?;
    for &game in VariantId::ALL {
        let times = stop_times(game, args).map_err(|error| error.to_string())?;
        let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
        say(&format!(
            "| {game} | {} | {} | {} | {:.2} | {:.2} | {:.2} |\n",
            args.threads,
            args.hash,
            times.len(),
            at(50),
            at(99),
            at(100)
        ))?;
    }
    Ok(())
}

/// How long the engine took to stop, sorted.
fn stop_times(game: VariantId, args: &Args) -> Result<Vec<Duration>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let mut engine = Engine::start(&args.engine)?;
    engine.send(&SetOption::new("USI_Variant", &game.to_string()).to_string())?;
    engine.send(&SetOption::new("USI_Hash", &args.hash.to_string()).to_string())?;
    engine.send(&SetOption::new("Threads", &args.threads.to_string()).to_string())?;
    engine.send("isready")?;
    engine.wait_for("readyok")?;
    let mut times = Vec::with_capacity(args.stops);
    for _ in 0..args.stops.max(1) {
        let moves = with_variant!(game, V => playout::<V>(&mut random));
        engine.send(&format!("position startpos moves{moves}"))?;
        engine.send("go infinite")?;
        sleep(Duration::from_millis(random.random_range(20..150)));
        let asked = Instant::now();
        engine.send("stop")?;
        engine.wait_for("bestmove")?;
        times.push(asked.elapsed());
    }
    engine.send("quit")?;
    engine.child.wait()?;
    times.sort_unstable();
    Ok(times)
}
