//! `export`.

use std::path::PathBuf;

use clap::Args;
use kujira_data::file::Reader;
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::status::{Stop, tell};
use kujira_program::whole;

use crate::npz;

use super::named;

/// Arguments of `export`.
#[derive(Args)]
pub(super) struct ExportArgs {
    /// A file of games.
    file: PathBuf,
    /// The archive of arrays (`.npz`).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Let --out write over a file that is there. What is read is never written over.
    #[arg(long)]
    force: bool,
}

/// Runs `export`.
pub(super) fn run(args: &ExportArgs) -> Result<(), Stop> {
    let (file, out) = (&args.file, &args.out);
    let mut outputs = Outputs::new(args.force);
    outputs.input("FILE", file).output("--out", out, Mark::none("an empty file")).check()?;
    whole::check(out).map_err(named(out))?;
    whole::sweep(out);
    let mut reader = Reader::open(file).map_err(named(file))?;
    let games = reader.by_ref().collect::<Result<Vec<_>, _>>().map_err(named(file))?;
    let bytes = npz::write(reader.header(), &games).map_err(named(file))?;
    // Somebody may have put another file there in the meantime.
    outputs.check()?;
    whole::write(out, &bytes).map_err(named(out))?;
    if reader.torn() > 0 {
        tell(&format!("a last block cut short ({} bytes) is left out\n", reader.torn()));
    }
    tell(&format!("{} games\n", games.len()));
    Ok(())
}
