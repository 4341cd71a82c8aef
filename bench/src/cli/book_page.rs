//! `book page`.

use std::path::{Path, PathBuf};

use clap::Args;
use kujira_position::{Rules, Variant};
use kujira_record::text;
use kujira_shell::outputs::Mark;
use kujira_shell::status::{Stop, tell};

use super::book_files::{FileArgs, OutArgs, open};
use crate::opening_book::{Graph, Name, Openings, Results, Scope, names};
use crate::replay::PlayedMatch;

#[derive(Args)]
pub(super) struct PageArgs {
    #[command(flatten)]
    pub(super) file: FileArgs,
    /// Journals of matches, PREFIX.jsonl, that tell how games went on. What time or a failure ended does not count.
    #[arg(long, value_name = "JOURNAL", num_args = 1..)]
    games: Vec<PathBuf>,
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
    /// Plies of a game that are told of.
    #[arg(long, value_name = "N", default_value_t = 20)]
    plies: usize,
    /// Games that must have come to a position to be told of.
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,
    #[command(flatten)]
    out: OutArgs,
}

/// How a file of openings for the board begins.
const PAGE: Mark = Mark::new("a file of openings", &[Openings::BEGINS.as_bytes()]);

/// Makes the file of openings that the board shows.
pub(super) fn page<V: Variant>(args: &PageArgs) -> Result<(), Stop> {
    let mut inputs: Vec<&Path> = vec![&args.file.file];
    inputs.extend(args.games.iter().chain(&args.names).map(PathBuf::as_path));
    args.out.check(PAGE, &inputs)?;
    let graph = Graph::of(&open::<V>(&args.file.file)?);
    let names = args.names.as_deref().map_or(Ok(Vec::new()), read_names::<V>)?;
    let results = results::<V>(&args.games, args.plies)?;
    let scope =
        Scope { positions: args.positions, per_ply: args.priority_per_ply, least: args.least };
    let openings = Openings::of(&graph, &results, names, scope);
    if openings.is_empty() {
        let path = args.file.file.display();
        return Err(format!("{path}: expected a book with the starting position").into());
    }
    let text = openings.text();
    args.out.write(PAGE, &inputs, text.as_bytes())?;
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

/// What became of the games of matches, each of which is replayed first.
fn results<V: Variant>(journals: &[PathBuf], plies: usize) -> Result<Results<V>, Stop> {
    let mut results = Results::new(plies);
    let (mut counted, mut left_out) = (0u64, 0u64);
    let mut known: Vec<PlayedMatch> = Vec::new();
    for path in journals {
        let played = PlayedMatch::read(path)?;
        if played.header.game != V::ID.to_string() {
            let found =
                format!("expected a match of {}, found one of {}", V::ID, played.header.game);
            return Err(played.named(&found).into());
        }
        if Rules::from(played.header.rules) != Rules::DEFAULT {
            let found = format!("expected the usual rules, found {}", played.header.rules);
            return Err(played.named(&found).into());
        }
        if let Some(earlier) = known.iter().find(|earlier| played.is_again(earlier)) {
            let earlier = earlier.path.display();
            let found = format!("expected every journal once, found the match of {earlier} again");
            return Err(played.named(&found).into());
        }
        played.replay()?;
        for game in played.games() {
            let counts = results.add(game).map_err(|error| played.named(&error))?;
            *if counts { &mut counted } else { &mut left_out } += 1;
        }
        known.push(played);
    }
    if !journals.is_empty() {
        tell(&format!("{counted} games counted, {left_out} left out\n"));
    }
    Ok(results)
}
