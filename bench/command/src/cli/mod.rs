//! The command line of `kujira-bench`.
//!
//! It belongs to the library, so that what is generic over the game is compiled once, for the program and for
//! the tests.

mod analyse;
mod book;
mod book_files;
mod book_games;
mod book_page;
mod bot;
mod coach;
mod collect;
mod convert;
mod course;
mod factorial;
mod ladder;
mod lines;
mod matches;
mod mates;
mod nps;
mod openings;
mod out;
mod perft;
mod problems;
mod ratings;
mod records;
mod replay;
mod report;
mod risks;
mod rules;
mod selection;
mod signature;
mod spsa;
mod starts;
mod subject;
mod sums;
mod survey;
mod tournament;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use kujira_program::status::{exit, usage};

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
    /// Make mate problems, and positions with a single good move: from nothing, or from games.
    Problems(problems::ProblemsArgs),
    /// Choose a set from files of problems, so many of each length, and verify it once more.
    Select(selection::SelectArgs),
    /// Make a file of rated puzzles for the board from files of problems.
    Puzzles(selection::PuzzlesArgs),
    /// Make the file of a game's course for the board: lessons with a task each.
    Course(course::CourseArgs),
    /// Play a match between engines.
    Match(matches::MatchArgs),
    /// Play the tournament that a file describes, or go on with it; make its tables and its page.
    Tournament(tournament::TournamentArgs),
    /// Test whether the first engine is stronger than the second, and stop as soon as that is known.
    Sprt(matches::SprtArgs),
    /// Tune an engine's numbers by games between nearby values (SPSA).
    Spsa(spsa::SpsaArgs),
    /// Screen many of an engine's numbers at once: what each of two values is worth, by a two-level
    /// design of matches.
    Factorial(factorial::FactorialArgs),
    /// Be a reference bot, a simple player that speaks USI: random, hanging, captures, material.
    Bot(bot::BotArgs),
    /// Measure the coach of the board: games of a bot, and how often it warns before moves that lose something.
    Coach(coach::CoachArgs),
    /// Measure the rungs of an engine's ladder: neighbours against each other, and reference bots against rungs.
    Ladder(ladder::LadderArgs),
    /// Make a set of openings.
    Openings(openings::OpeningsArgs),
    /// Opening books: build, merge, look at, check, export for engines, and make files for the board.
    Book(book::BookArgs),
    /// Make one journal of those of shards, which many machines played or looked at.
    Collect(collect::CollectArgs),
    /// Account for the games in the journals of matches, after replaying them under our rules; several
    /// together, too.
    Report(report::ReportArgs),
    /// Tell what a game is like from matches: who wins and how, what pieces are worth, when to promote.
    Survey(survey::SurveyArgs),
    /// Rate any number of engines by the games in the journals of matches: a list with error bars, and a
    /// cross-table as text, CSV and SVG.
    Ratings(ratings::RatingsArgs),
    /// Convert games between USI text, JSON Lines, PGN and Hodges text.
    Convert(convert::ConvertArgs),
    /// Print a game as boards.
    Replay(replay::ReplayArgs),
    /// Search every position of games: scores, better lines, mistakes, how accurate each side was.
    Analyse(analyse::AnalyseArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let parsed = Cli::command()
        .try_get_matches()
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage("kujira-bench", error.print(), error.use_stderr()),
    };
    // What clap's derive cannot say: which words belong to which --engine.
    let given = matches.subcommand().map(|(_, sub)| sub);
    let groups = given.map_or_else(Vec::new, engine_groups);
    let result = match cli.command {
        Command::Perft(args) => perft::run(&args),
        Command::Nps(args) => nps::run(&args),
        Command::Mates(args) => mates::run(&args),
        Command::Problems(args) => problems::run(&args),
        Command::Select(args) => selection::run_select(&args),
        Command::Puzzles(args) => selection::run_puzzles(&args),
        Command::Course(args) => course::run(&args),
        Command::Match(args) => match (&args.save, given) {
            (Some(path), Some(given)) => tournament::save(path, given, &groups).map_err(Into::into),
            _ => matches::run_match(&args, &groups),
        },
        Command::Tournament(args) => tournament::run_tournament(&args),
        Command::Sprt(args) => matches::run_sprt(&args, &groups),
        Command::Spsa(args) => spsa::run_spsa(&args, &groups),
        Command::Factorial(args) => factorial::run_factorial(&args, &groups),
        Command::Coach(args) => coach::run(&args),
        Command::Ladder(args) => ladder::run_ladder(&args, &groups),
        Command::Bot(args) => bot::run(&args),
        Command::Openings(args) => openings::run(&args, &groups),
        Command::Book(args) => book::run(&args),
        Command::Collect(args) => collect::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Survey(args) => survey::run(&args),
        Command::Ratings(args) => ratings::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Analyse(args) => analyse::run(&args),
    };
    exit("kujira-bench", result.map_err(matches::seen_as_stopped))
}

/// The words after each `--engine`.
fn engine_groups(matches: &clap::ArgMatches) -> Vec<Vec<String>> {
    let Ok(Some(groups)) = matches.try_get_occurrences::<String>("engine") else {
        return Vec::new();
    };
    groups.map(|group| group.cloned().collect()).collect()
}
