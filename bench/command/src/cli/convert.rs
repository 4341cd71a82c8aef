//! `convert`.

use std::io::{self, Seek, Write};
use std::path::PathBuf;

use clap::Args;
use kujira_program::status::{Stop, tell};
use kujira_program::whole;
use kujira_record::FileFormat;
use tempfile::SpooledTempFile;

use super::out::Out;
use super::records::{RecordArgs, Squares, format, formats, numbers};

/// What the formats keep.
const FORMATS: &str = "Formats:
  jsonl   JSON Lines, as the journals of matches: everything
  pgn     all but options of players and numbers of engines; what other programs read
  hodges  as pgn: lines `Name: value`, then moves as people write them, a pair a line
  usi     `startpos moves …`: main line, rules, names of players, result; no branches, comments, scores, times

Times are kept in milliseconds. Nodes and selective depths, which journals have, are kept by none.";

/// Arguments of `convert`.
#[derive(Args)]
#[command(after_help = FORMATS)]
pub(super) struct ConvertArgs {
    /// Files of games.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    records: RecordArgs,
    /// How to write them; told by the end of the name of --out if nothing is said.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: Option<String>,
    /// The file to write; - is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Write over a file that is there already, whoever made it. What is read is never written over.
    #[arg(long)]
    force: bool,
    /// What squares are called in hodges.
    #[arg(long, value_enum, default_value = "japanese")]
    squares: Squares,
    /// The games to take, by their numbers in all files together: 3, or 3-7.
    #[arg(long, value_name = "N", value_parser = |text: &str| numbers(text, 1))]
    games: Option<(usize, usize)>,
}

/// Runs `convert`.
pub(super) fn run(args: &ConvertArgs) -> Result<(), Stop> {
    let printed = args.out.as_os_str() == "-";
    if printed && args.to.is_none() {
        return Err("expected --to FORMAT, or --out FILE with a name that tells it"
            .to_owned()
            .into());
    }
    let format = format(args.to.as_deref(), &args.out, "--to")?;
    let out = Out { path: &args.out, force: args.force, what: "games", inputs: &args.files };
    if !printed {
        out.refuse_loss()?;
        whole::check(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
        whole::sweep(&args.out);
    }
    if printed {
        // Nothing is printed before all is known to be right; what memory need not hold goes to the disk.
        let mut text = SpooledTempFile::new(IN_MEMORY);
        convert(args, format, &mut text)?;
        text.rewind().and_then(|()| io::copy(&mut text, &mut io::stdout().lock()))?;
        return Ok(());
    }
    let mut count = 0;
    out.write_with(|file| {
        count = convert(args, format, file)?;
        Ok(())
    })?;
    tell(&format!("{count} games in {}\n", args.out.display()));
    Ok(())
}

/// Bytes that are held in memory before they are printed.
const IN_MEMORY: usize = 1 << 23;

/// Writes the games one after the other; returns how many they are.
fn convert(args: &ConvertArgs, format: FileFormat, out: &mut dyn Write) -> Result<usize, String> {
    let mut count = 0;
    args.records.each(&args.files, args.games, |_, record| {
        let text = format.write(&record, args.squares.into());
        let apart = if count > 0 { format.between() } else { "" };
        count += 1;
        write!(out, "{apart}{text}").map_err(|error| error.to_string())
    })?;
    Ok(count)
}
