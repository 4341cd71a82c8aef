//! The command line of `kujira-bench`.
//!
//! It belongs to the library, so that what is generic over the game is compiled once, for the program and for
//! the tests.

mod factorial;
mod matches;
mod mates;
mod nps;
mod openings;
mod perft;
mod report;
mod risks;
mod rules;
mod spsa;
mod subject;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use kujira_position::VariantId;

/// Speed and strength of engines of the whale shogi family.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaves of the tree of legal moves.
    Perft(perft::PerftArgs),
    /// Search fixed positions: nodes, time, nodes a second, and the signature of the search.
    Nps(nps::NpsArgs),
    /// Search positions with a known mate: how many the search announces.
    Mates(mates::MatesArgs),
    /// Play a match between engines.
    Match(matches::MatchArgs),
    /// Test whether the first engine is stronger than the second, and stop as soon as that is known.
    Sprt(matches::SprtArgs),
    /// Tune an engine's numbers by games between nearby values (SPSA).
    Spsa(spsa::SpsaArgs),
    /// Screen many of an engine's numbers at once: what each of two values is worth, by a two-level
    /// design of matches.
    Factorial(factorial::FactorialArgs),
    /// Make a set of openings.
    Openings(openings::OpeningsArgs),
    /// Account for the games in the journals of matches, after replaying them under our rules; several
    /// together, too.
    Report(report::ReportArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    // What clap's derive cannot say: which words belong to which --engine.
    let groups = matches.subcommand().map_or_else(Vec::new, |(_, sub)| engine_groups(sub));
    let result = match cli.command {
        Command::Perft(args) => perft::run(&args),
        Command::Nps(args) => nps::run(&args),
        Command::Mates(args) => mates::run(&args),
        Command::Match(args) => matches::run_match(&args, &groups).map_err(Stop::from),
        Command::Sprt(args) => matches::run_sprt(&args, &groups).map_err(Stop::from),
        Command::Spsa(args) => spsa::run_spsa(&args, &groups).map_err(Stop::from),
        Command::Factorial(args) => factorial::run_factorial(&args, &groups).map_err(Stop::from),
        Command::Openings(args) => openings::run(&args, &groups),
        Command::Report(args) => report::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Unheard) => ExitCode::FAILURE,
        Err(Stop::Failed(error)) => {
            let _ = writeln!(std::io::stderr(), "kujira-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Why a command ends before it is done.
enum Stop {
    /// What went wrong.
    Failed(String),
    /// Nobody reads its output any more, as after `| head -1`: nothing is left to say.
    Unheard,
}

impl From<String> for Stop {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

/// Writes `text` to standard output at once.
///
/// # Errors
/// If that fails: the command need not go on.
fn say(text: &str) -> Result<(), Stop> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Stop::Unheard,
        _ => Stop::Failed(format!("standard output: {error}")),
    })
}

/// The words after each `--engine`.
fn engine_groups(matches: &clap::ArgMatches) -> Vec<Vec<String>> {
    let Ok(Some(groups)) = matches.try_get_occurrences::<String>("engine") else {
        return Vec::new();
    };
    groups.map(|group| group.cloned().collect()).collect()
}

/// Reads the id of a game.
fn game(text: &str) -> Result<VariantId, String> {
    VariantId::named(text).ok_or_else(|| format!("expected one of {}", VariantId::choices()))
}
