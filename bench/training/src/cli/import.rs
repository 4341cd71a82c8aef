//! `import`.

use std::io::BufReader;
use std::path::PathBuf;

use clap::Args;
use kujira_data::error::DataError;
use kujira_data::file;
use kujira_data::record::GameRecord;
use kujira_data::sample::replay;
use kujira_position::{Variant, with_variant};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::status::{Stop, tell};
use kujira_program::{regular, whole};

use crate::npz;

use super::named;

/// Arguments of `import`.
#[derive(Args)]
pub(super) struct ImportArgs {
    /// An archive of arrays (`.npz`), as `export` or numpy writes it.
    file: PathBuf,
    /// The file of games (`.ktd`).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Let --out write over a file that is there. What is read is never written over.
    #[arg(long)]
    force: bool,
}

/// Runs `import`.
pub(super) fn run(args: &ImportArgs) -> Result<(), Stop> {
    let (archive, out) = (&args.file, &args.out);
    let mut outputs = Outputs::new(args.force);
    outputs.input("FILE", archive).output("--out", out, Mark::none("an empty file")).check()?;
    whole::check(out).map_err(named(out))?;
    whole::sweep(out);
    let opened = regular::open(archive).map_err(named(archive))?;
    let (header, games) = npz::read(BufReader::new(opened)).map_err(named(archive))?;
    with_variant!(header.game, V => judge::<V>(&games)).map_err(named(archive))?;
    let bytes = file::to_bytes(&header, &games).map_err(named(archive))?;
    // Somebody may have put another file there in the meantime.
    outputs.check()?;
    whole::write(out, &bytes).map_err(named(out))?;
    tell(&format!("{} games of {}\n", games.len(), header.game));
    Ok(())
}

/// Plays every game, by the rules.
fn judge<V: Variant>(games: &[GameRecord]) -> Result<(), DataError> {
    games.iter().try_for_each(|game| replay::<V>(game, |_, _| ()).map(|_| ()))
}
