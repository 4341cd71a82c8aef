//! `book`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, Subcommand};
use kujira_position::{Move, Position, UsiMove, Variant, VariantId, with_variant};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, say, tell, warn};
use kujira_record::book::{self, head};
use kujira_study::opening_book::{
    Builder, Effort, Followed, Graph, Price, Values, Worth, compact, merged, score_of,
};

use super::book_files::{COMPACT_BEGINS, FileArgs, OutArgs, game_in, open, read};
use super::book_games::GamesArgs;
use super::book_page::{PageArgs, page};
use super::lines::GrowingLines;
use super::matches::stop_on_interrupt;
use super::signature::SignatureArgs;

/// Arguments of `book`.
#[derive(Args)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Search positions from the start on, best first by drop-out. It goes on with a journal that it made before.
    Build(BuildArgs),
    /// Make one book of several.
    Merge(MergeArgs),
    /// Look at a position of a book: what its moves are worth.
    Show(ShowArgs),
    /// Check every line: positions and moves are legal, scores in order, and mates in one are mates.
    Check(FileArgs),
    /// Make a compact book for engines (option BookFile).
    Export(ExportArgs),
    /// Make a file of openings for the board: moves with their scores, and how games went on.
    Page(PageArgs),
}

#[derive(Args)]
struct BuildArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// The file that grows, a line a searched position.
    #[arg(long, value_name = "FILE", alias = "out")]
    journal: PathBuf,
    /// A book to add to, such as the journal of another process at work, which is read as it grows. Several times.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Nodes a position.
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Positions that all these books together are to have in the end, or the journals of all shards, each from a search
    /// with at least half of these nodes.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    positions: usize,
    /// Moves of a position that a search tells of.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u16).range(2..=256))]
    lines: u16,
    /// What a ply of a line of play costs, in centipawns that the sides may lose instead: the less, the longer
    /// the best lines become, and the fewer others are looked at.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    priority_per_ply: u32,
    #[command(flatten)]
    games: GamesArgs,
    /// How many times what one of the sides loses counts, the one that plays from the book, whichever makes a line of play
    /// cheaper: the more, the farther the book answers what is played against it, and the fewer moves it knows where it
    /// could choose itself.
    #[arg(long, value_name = "TIMES", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    own_loss: u32,
    /// Chooses among positions that come next. Processes at work on one book need different seeds.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Make one share of N, number K from 0 to N-1, with a seed of its own. The name of the journal gets .K-of-N.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    signature: SignatureArgs,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
}

#[derive(Args)]
struct MergeArgs {
    /// Books of one game.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

#[derive(Args)]
struct ShowArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Moves from the start, as USI texts.
    moves: Vec<String>,
}

#[derive(Args)]
struct ExportArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Nodes that the longest search of a position itself must have taken.
    #[arg(long, value_name = "N", default_value_t = Worth::USUAL.search)]
    search: u64,
    /// Nodes that must have been searched at a position and all that it leads to, and a quarter of that behind each of
    /// its moves.
    #[arg(long, value_name = "N", default_value_t = Worth::USUAL.nodes)]
    nodes: u64,
    /// Centipawns that a move may be worse than the best.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = Worth::USUAL.margin)]
    margin: u32,
    #[command(flatten)]
    out: OutArgs,
}

/// How compact books begin.
const COMPACT: Mark = Mark::new("a compact book", &[COMPACT_BEGINS]);

/// Runs `book`.
pub(super) fn run(args: &BookArgs) -> Result<(), Stop> {
    match &args.command {
        BookCommand::Build(args) => with_variant!(args.game, V => build::<V>(args)),
        BookCommand::Merge(args) => {
            let first =
                args.files.first().map_or(Ok(VariantId::default()), |file| game_in(file))?;
            with_variant!(first, V => merge::<V>(args))
        }
        BookCommand::Show(args) => with_variant!(game_in(&args.file.file)?, V => show::<V>(args)),
        BookCommand::Check(args) => with_variant!(game_in(&args.file)?, V => check::<V>(args)),
        BookCommand::Export(args) => {
            with_variant!(game_in(&args.file.file)?, V => export::<V>(args))
        }
        BookCommand::Page(args) => {
            with_variant!(game_in(&args.file.file)?, V => page::<V>(args))
        }
    }
}

/// A line of play for people.
fn line_of<V: Variant>(moves: &[Move]) -> String {
    moves.iter().map(|&m| UsiMove::<V>::new(m).to_string()).collect::<Vec<_>>().join(" ")
}

fn build<V: Variant>(args: &BuildArgs) -> Result<(), Stop> {
    let stopped = stop_on_interrupt()?;
    args.signature.check(V::ID)?;
    let (mut path, mut seed, mut wanted) = (args.journal.clone(), args.seed, args.positions);
    if let Some(shard) = args.shard {
        let share = Share::Shard(shard);
        (path, seed) = (share.file(&path), shard.seed(seed));
        // With journals of other shards what is there together is counted.
        if args.with.is_empty() {
            wanted = usize::try_from(share.count(wanted as u64)).unwrap_or(wanted);
        }
    }
    let mut outputs = Outputs::new(false);
    outputs
        .known("--journal", &path)
        .inputs("--with", &args.with)
        .inputs("--games", &args.games.journals)
        .check()?;
    // All that can be wrong with what is read comes before there is a new journal.
    let results = args.games.results::<V>()?;
    for path in args.with.iter().filter(|path| !path.exists()) {
        warn(&format!("kujira-bench: --with: {}: not there yet\n", path.display()));
    }
    let mut others: Vec<Followed> = args.with.iter().map(|path| Followed::new(path)).collect();
    let mut known = Vec::new();
    for other in &mut others {
        known.extend(other.news::<V>()?);
    }
    let (mut journal, text) = GrowingLines::open(&path, &head(V::ID))?;
    let named = |error: kujira_record::Error| error.in_file(path.display().to_string());
    let found = book::read::<V>(&text).map_err(|error| named(error).to_string())?;
    let graph = Graph::of(found.searched.iter().map(|(_, searched)| searched));
    let effort = Effort {
        nodes: args.nodes,
        lines: args.lines.into(),
        hash: args.hash.into(),
        price: Price { per_ply: args.priority_per_ply, own_loss: args.own_loss },
    };
    let mut builder = Builder::new(graph, effort, seed)?;
    builder.answer(results, args.games.least);
    known.iter().for_each(|found| builder.add(found));
    let mut told = 0;
    loop {
        for other in &mut others {
            other.news()?.iter().for_each(|found| builder.add(found));
        }
        let positions = builder.searched();
        if positions / 500 > told {
            told = positions / 500;
            tell(&format!("{}\n", summary(builder.graph())));
        }
        if positions >= wanted {
            break;
        }
        let found = builder.step(&stopped)?;
        if stopped.load(Ordering::Relaxed) {
            warn("kujira-bench: stopped; the same command goes on\n");
            return Err(Stop::Interrupted);
        }
        match found {
            Some(found) => journal.append(&[found.to_string()])?,
            None => break,
        }
    }
    tell(&format!("{}: {}\n", path.display(), summary(builder.graph())));
    Ok(())
}

/// A book in a line: its size, what the start is worth, and the best line.
fn summary<V: Variant>(graph: &Graph<V>) -> String {
    let values = Values::of(graph);
    let start = graph.find(&Position::start());
    let worth = start.map_or_else(String::new, |start| {
        let line = line_of::<V>(&graph.best_line(&values, start));
        format!(", start {}, best line {line}", score_of(values.get(start)))
    });
    format!("{} positions{worth}", graph.len())
}

fn merge<V: Variant>(args: &MergeArgs) -> Result<(), Stop> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    // A journal of `book build` begins like what is merged, and is hours of work.
    let check = || args.out.check_new("a book", &inputs);
    check()?;
    let mut searched = Vec::new();
    for path in &inputs {
        searched.extend(open::<V>(path)?);
    }
    let graph = Graph::of(&searched);
    let mut text = format!("{}\n", head(V::ID));
    for line in merged(searched) {
        text += &line;
        text.push('\n');
    }
    args.out.write(text.as_bytes(), check)?;
    tell(&format!("{} in {}\n", summary(&graph), args.out.out.display()));
    Ok(())
}

fn show<V: Variant>(args: &ShowArgs) -> Result<(), Stop> {
    let graph = Graph::of(&open::<V>(&args.file.file)?);
    let mut position = Position::<V>::start();
    for (index, text) in args.moves.iter().enumerate() {
        let m = position.parse_usi(text);
        position.make(m.map_err(|error| format!("move {}: {error}", index + 1))?);
    }
    let Some(at) = graph.find(&position) else {
        return Err(format!("expected a position of the book, found {}", position.sfen()).into());
    };
    let values = Values::of(&graph);
    let mut text = format!(
        "{}\n{} positions from here, {} to the side to move\n\n{:<8} {:>7} {:>7} {:>9} line\n",
        position.sfen(),
        graph.count(at),
        score_of(values.get(at)),
        "move",
        "book",
        "search",
        "positions"
    );
    for told in graph.told(&values, at) {
        let _ = writeln!(
            text,
            "{:<8} {:>7} {:>7} {:>9} {}",
            UsiMove::<V>::new(told.m).to_string(),
            told.book.map_or_else(|| "-".to_owned(), |score| score.to_string()),
            told.search.to_string(),
            told.positions,
            line_of::<V>(&told.line),
        );
    }
    say(&text)
}

fn check<V: Variant>(args: &FileArgs) -> Result<(), Stop> {
    let path = args.file.display();
    let found = read::<V>(&args.file)?;
    if let Some(line) = found.cut {
        return Err(format!(
            "{path}: line {line}: expected a line that ends with ;, found half a line"
        )
        .into());
    }
    let lines = found.searched.len();
    let graph = Graph::of(found.searched.iter().map(|(_, searched)| searched));
    let start = graph.find(&Position::start());
    let reached = start.map_or(0, |start| graph.count(start));
    say(&format!(
        "{path}: {lines} lines, all sound; {}; {} out of reach of the start\n",
        summary(&graph),
        graph.len() - reached
    ))
}

fn export<V: Variant>(args: &ExportArgs) -> Result<(), Stop> {
    let inputs = [args.file.file.as_path()];
    let begins = format!("{}{}\n", String::from_utf8_lossy(COMPACT_BEGINS), V::SPEC.id);
    let check = || args.out.check(COMPACT, &begins, &inputs);
    check()?;
    let graph = Graph::of(&open::<V>(&args.file.file)?);
    let book =
        compact(&graph, Worth { search: args.search, nodes: args.nodes, margin: args.margin });
    if book.entries().is_empty() {
        let longest = graph.longest_search();
        let wanted = format!("a position searched with {} nodes, and more behind it", args.search);
        let path = args.file.file.display();
        return Err(format!(
            "{path}: expected {wanted}, found none: the longest search took {longest} (--search, --nodes)"
        )
        .into());
    }
    let bytes = book.to_bytes().map_err(|error| error.to_string())?;
    args.out.write(&bytes, check)?;
    let moves: usize = book.entries().iter().map(|entry| entry.moves.len()).sum();
    tell(&format!(
        "{} positions with {moves} moves, {} bytes in {}\n",
        book.entries().len(),
        bytes.len(),
        args.out.out.display()
    ));
    Ok(())
}
