//! The command line of `kujira-bench`.

mod matches;
mod nps;
mod openings;
mod perft;
mod report;
mod spsa;

use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use kujira_position::{Retreat, Rules, VariantId};

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
    /// Play a match between engines.
    Match(matches::MatchArgs),
    /// Test whether the first engine is stronger than the second, and stop as soon as that is known.
    Sprt(matches::SprtArgs),
    /// Tune an engine's numbers by games between nearby values (SPSA).
    Spsa(spsa::SpsaArgs),
    /// Make a set of openings.
    Openings(openings::OpeningsArgs),
    /// Account for the games in a match's journal, after replaying them under our rules.
    Report(report::ReportArgs),
}

/// Runs the program with the arguments of the process.
pub(crate) fn main() -> ExitCode {
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
        Command::Match(args) => matches::run_match(&args, &groups),
        Command::Sprt(args) => matches::run_sprt(&args, &groups),
        Command::Spsa(args) => spsa::run_spsa(&args, &groups),
        Command::Openings(args) => openings::run(&args, &groups),
        Command::Report(args) => report::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kujira-bench: {error}");
            ExitCode::FAILURE
        }
    }
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

/// The rule switches.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Rules")]
struct RulesArgs {
    /// How far a dolphin on the farthest rank slides back.
    #[arg(long, value_enum, default_value = "slide")]
    retreat: RetreatArg,
    /// A dolphin may not retreat onto a file with two others.
    #[arg(long)]
    retreat_file_limit: bool,
    /// The impasse rule may be claimed (`bestmove win`).
    #[arg(long)]
    impasse: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum RetreatArg {
    /// Until something stands in the way.
    Slide,
    /// At most two squares.
    Two,
}

impl RulesArgs {
    fn rules(self) -> Rules {
        Rules {
            retreat: match self.retreat {
                RetreatArg::Slide => Retreat::Slide,
                RetreatArg::Two => Retreat::Two,
            },
            retreat_file_limit: self.retreat_file_limit,
            impasse: self.impasse,
            ..Rules::DEFAULT
        }
    }

    /// The switches that are not as usual, for the journal.
    fn text(self) -> String {
        let rules = self.rules();
        let mut parts = Vec::new();
        if rules.retreat != Rules::DEFAULT.retreat {
            parts.push("retreat two");
        }
        if rules.retreat_file_limit {
            parts.push("retreat file limit");
        }
        if rules.impasse {
            parts.push("impasse");
        }
        parts.join(", ")
    }
}
