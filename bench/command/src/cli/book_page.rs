//! `book page`.

use std::path::{Path, PathBuf};

use clap::Args;
use kujira_position::Variant;
use kujira_program::outputs::Mark;
use kujira_program::status::{Stop, tell};
use kujira_record::text;
use kujira_study::opening_book::{Graph, Name, Openings, Scope, names};

use super::book_files::{FileArgs, OutArgs, open};
use super::book_games::GamesArgs;

#[derive(Args)]
pub(super) struct PageArgs {
    #[command(flatten)]
    pub(super) file: FileArgs,
    #[command(flatten)]
    games: GamesArgs,
    /// A list of openings with their names: startpos moves …, then ;id "the name".
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Positions of the book, those at the cheapest lines of play.
    #[arg(long, value_name = "N", default_value_t = 4_000,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    positions: usize,
    /// What a ply of a line of play costs in centipawns, as in `book build`.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    priority_per_ply: u32,
    #[command(flatten)]
    out: OutArgs,
}

/// How a file of openings for the board begins.
const PAGE: Mark = Mark::new("a file of openings", &[Openings::BEGINS.as_bytes()]);

/// Makes the file of openings that the board shows.
pub(super) fn page<V: Variant>(args: &PageArgs) -> Result<(), Stop> {
    let mut inputs: Vec<&Path> = vec![&args.file.file];
    inputs.extend(args.games.journals.iter().chain(&args.names).map(PathBuf::as_path));
    let begins = format!("{}\"{}\",", Openings::BEGINS, V::SPEC.id);
    let check = || args.out.check(PAGE, &begins, &inputs);
    check()?;
    let graph = Graph::of(&open::<V>(&args.file.file)?);
    let names = args.names.as_deref().map_or(Ok(Vec::new()), read_names::<V>)?;
    let results = args.games.results::<V>()?;
    let scope = Scope {
        positions: args.positions,
        per_ply: args.priority_per_ply,
        least: args.games.least,
    };
    let openings = Openings::of(&graph, &results, names, scope);
    if openings.is_empty() {
        let path = args.file.file.display();
        return Err(format!("{path}: expected a book with the starting position").into());
    }
    let text = openings.text();
    args.out.write(text.as_bytes(), check)?;
    tell(&format!(
        "{} positions, {} of them with games, {} bytes in {}\n",
        openings.len(),
        openings.played(),
        text.len(),
        args.out.out.display()
    ));
    Ok(())
}

fn read_names<V: Variant>(path: &Path) -> Result<Vec<Name>, Stop> {
    let text = text::open(path).map_err(|error| error.to_string())?;
    names::<V>(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
