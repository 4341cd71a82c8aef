//! `course`.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{VariantId, with_variant};
use kujira_program::status::{Stop, tell};
use kujira_study::course::{SEED, course};

use super::out::Out;

/// Arguments of `course`.
#[derive(Args)]
pub(super) struct CourseArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Chooses the positions.
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Write over a file that is there already, whoever made it.
    #[arg(long)]
    force: bool,
}

/// Runs `course`.
pub(super) fn run(args: &CourseArgs) -> Result<(), Stop> {
    let out = Out { path: &args.out, force: args.force, what: "a course", inputs: &[] };
    out.refuse_loss()?;
    let course = with_variant!(args.game, V => course::<V>(args.seed))?;
    out.write(&course.text().map_err(|error| error.to_string())?)?;
    tell(&format!("{} steps in {}\n", course.steps.len(), args.out.display()));
    Ok(())
}
