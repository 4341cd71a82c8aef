//! `select` and `puzzles`: sets from files of problems.

use std::path::{Path, PathBuf};

use clap::Args;
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::status::{Stop, tell, warn};
use kujira_record::text;
use kujira_search::Searcher;
use kujira_study::mates::puzzles::{self, File};
use kujira_study::mates::selection::{candidates, select};

use super::matches::stop_on_interrupt;
use super::out::Out;

/// What both read and write.
#[derive(Args)]
struct FileArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// Files of `problems`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write over a file that is there already, whoever made it. What is read is never written over.
    #[arg(long)]
    force: bool,
}

impl FileArgs {
    /// The texts of the files, each with its name; nothing is to be lost by writing.
    fn texts(&self) -> Result<Vec<(&Path, String)>, String> {
        self.out().refuse_loss()?;
        let texts = self.files.iter().map(|path| {
            let text = text::open(path).map_err(|error| error.to_string())?;
            Ok((path.as_path(), text))
        });
        texts.collect()
    }

    fn out(&self) -> Out<'_> {
        Out { path: &self.out, force: self.force, what: "problems", inputs: &self.files }
    }
}

/// Tells that a signal came.
fn nothing_written() -> Stop {
    warn("kujira-bench: stopped; nothing is written\n");
    Stop::Interrupted
}

/// Arguments of `select`.
#[derive(Args)]
pub(super) struct SelectArgs {
    #[command(flatten)]
    files: FileArgs,
    /// Mates of each length.
    #[arg(long, value_name = "N", default_value_t = 25)]
    each: usize,
}

/// Runs `select`.
pub(super) fn run_select(args: &SelectArgs) -> Result<(), Stop> {
    with_variant!(args.files.game, V => write_set::<V>(args))
}

fn write_set<V: Variant>(args: &SelectArgs) -> Result<(), Stop> {
    let stopped = stop_on_interrupt()?;
    let mut files = Vec::new();
    for (path, text) in args.files.texts()? {
        let named = |error| format!("{}: {error}", path.display());
        files.push(candidates::<V>(&text).map_err(named)?);
    }
    let Some(selection) = select(files, args.each, &stopped) else { return Err(nothing_written()) };
    for found in &selection.refused {
        warn(&format!("kujira-bench: not taken: {found}\n"));
    }
    if selection.chosen.is_empty() {
        return Err("expected problems, found none in any file".to_owned().into());
    }
    let text: String =
        selection.chosen.iter().map(|candidate| format!("{}\n", candidate.text)).collect();
    args.files.out().write(&text)?;
    let mates = selection.chosen.iter().filter(|candidate| candidate.problem.plies.is_some());
    let longest = mates.clone().filter_map(|candidate| candidate.problem.plies).max();
    let (mates, all) = (mates.count(), selection.chosen.len());
    tell(&format!(
        "{mates} mates of up to {} plies and {} positions without one in {}\n",
        longest.unwrap_or(0),
        all - mates,
        args.files.out.display()
    ));
    Ok(())
}

/// Arguments of `puzzles`.
#[derive(Args)]
pub(super) struct PuzzlesArgs {
    #[command(flatten)]
    files: FileArgs,
    /// How many puzzles.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
}

/// Runs `puzzles`.
pub(super) fn run_puzzles(args: &PuzzlesArgs) -> Result<(), Stop> {
    with_variant!(args.files.game, V => write_puzzles::<V>(args))
}

fn write_puzzles<V: Variant>(args: &PuzzlesArgs) -> Result<(), Stop> {
    let stopped = stop_on_interrupt()?;
    let mut files = Vec::new();
    for (path, text) in args.files.texts()? {
        let named = |error| format!("{}: {error}", path.display());
        files.push(puzzles::read::<V>(&text).map_err(named)?);
    }
    let puzzles = puzzles::gather::<V>(&mut Searcher::new(), files, args.count, &stopped)?;
    let Some(puzzles) = puzzles else { return Err(nothing_written()) };
    let count = puzzles.len();
    if count == 0 {
        return Err("expected mates or single good moves, found none in any file"
            .to_owned()
            .into());
    }
    let file = File { game: V::ID.to_string(), puzzles };
    args.files.out().write(&file.text().map_err(|error| error.to_string())?)?;
    tell(&format!("{count} puzzles in {}\n", args.files.out.display()));
    Ok(())
}
