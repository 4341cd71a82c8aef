//! The command line of `kujira-training`.
//!
//! It belongs to the library, so that what is generic over the game is compiled once, for the program and for
//! the tests.

mod convert;
mod datagen;
mod dump;
mod interrupt;
mod progress;
mod stats;
mod train;
mod tune;
mod worth;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kujira_position::VariantId;
use kujira_shell::outputs::Mark;

/// Self-play data, the tuner of the evaluation, and the trainer of networks, for the whale shogi family.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let the engine play itself and keep the games with their scores.
    Datagen(datagen::DatagenArgs),
    /// Say what files of games hold, after replaying every game.
    Stats(stats::StatsArgs),
    /// Write the positions of a file as text: SFEN, score, result, move, `random` if the move was drawn at
    /// random, and `broken-off` if the search was, separated by tabs.
    Dump(dump::DumpArgs),
    /// Tune the weights of the linear evaluation to files of games.
    Tune(tune::TuneArgs),
    /// Train a network on files of games.
    Train(train::TrainArgs),
    /// Say what pieces are worth to a network, in positions of games, and have it told in that.
    Worth(worth::WorthArgs),
    /// Write a network in the newest version of the format.
    Convert(convert::ConvertArgs),
}

/// How a command that did nothing wrong ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// All is done.
    Whole,
    /// Ctrl-C came before; the same command goes on.
    Stopped,
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let whole = |()| End::Whole;
    let result = match Cli::parse().command {
        Command::Datagen(args) => datagen::run(&args),
        Command::Stats(args) => stats::run(&args).map(whole),
        Command::Dump(args) => dump::run(&args).map(whole),
        Command::Tune(args) => tune::run(&args).map(whole),
        Command::Train(args) => train::run(&args),
        Command::Worth(args) => worth::run(&args).map(whole),
        Command::Convert(args) => convert::run(&args).map(whole),
    };
    match result {
        Ok(End::Whole) => ExitCode::SUCCESS,
        // Whatever a script does next needs what is not there yet.
        Ok(End::Stopped) => ExitCode::from(interrupt::EXIT),
        Err(error) => {
            eprintln!("kujira-training: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How files of networks begin.
const NETWORK: Mark = Mark::new("a network", &[b"KujiraNN"]);

/// No file of a network is as large as this, in bytes: no more is read of what is said to be one.
const LARGEST_NETWORK: u64 = 32 << 20;

/// Writes `text` to standard output. A closed pipe is no error: whoever read there has enough.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// An error with the file it is about.
fn named<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Reads the id of a game.
fn game(text: &str) -> Result<VariantId, String> {
    VariantId::named(text).ok_or_else(|| format!("expected one of {}", VariantId::choices()))
}
