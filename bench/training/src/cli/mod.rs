//! The command line of `kujira-training`.
//!
//! It belongs to the library, so that what is generic over the game is compiled once, for the program and for
//! the tests.

mod collect;
mod datagen;
mod dump;
mod export;
mod import;
mod progress;
mod stats;
mod train;
mod worth;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kujira_program::outputs::Mark;
use kujira_program::status::{exit, usage};

/// Self-play data and the trainer of networks, for the whale shogi family.
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
    /// Make one file of games of those of shards, which many machines made.
    Collect(collect::CollectArgs),
    /// Say what files of games hold, after replaying every game.
    Stats(stats::StatsArgs),
    /// Write the positions of a file as text: SFEN, score, result, move, `random` if the move was drawn at
    /// random, and `broken-off` if the search was, separated by tabs.
    Dump(dump::DumpArgs),
    /// Write the games of a file as arrays of numpy (`.npz`).
    Export(export::ExportArgs),
    /// Make a file of games from arrays of numpy (`.npz`), after replaying every game.
    Import(import::ImportArgs),
    /// Train a network on files of games.
    Train(train::TrainArgs),
    /// Say what pieces are worth to a network, in positions of games, and have it told in that.
    Worth(worth::WorthArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage("kujira-training", error.print(), error.use_stderr()),
    };
    let done = match cli.command {
        Command::Datagen(args) => datagen::run(&args),
        Command::Collect(args) => collect::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Dump(args) => dump::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Worth(args) => worth::run(&args),
    };
    exit("kujira-training", done)
}

/// How files of networks begin.
const NETWORK: Mark = Mark::new("a network", &[b"KujiraNN"]);

/// An error with the file it is about.
fn named<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}
