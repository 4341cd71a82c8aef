//! `convert`.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::outputs::Outputs;
use kujira_program::status::tell;
use kujira_program::{regular, whole};
use kujira_search::eval::NetworkFile;

use super::{NETWORK, named, sweep};

/// Arguments of `convert`.
#[derive(Args)]
pub(super) struct ConvertArgs {
    /// The game: whale, paulowich or great.
    #[arg(long)]
    game: VariantId,
    /// The network, in any version of the format that is read.
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// Where the network goes, in the newest version. A network from before piece values stood in files gets
    /// those of the network built in.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Let --out write over a file that is no network. What is read is never written over.
    #[arg(long)]
    force: bool,
}

/// Runs `convert`.
pub(super) fn run(args: &ConvertArgs) -> Result<(), String> {
    let mut outputs = Outputs::new(args.force);
    outputs.input("--net", &args.net).output("--out", &args.out, NETWORK).check()?;
    whole::check(&args.out).map_err(named(&args.out))?;
    sweep(&args.out, NETWORK);
    with_variant!(args.game, V => convert::<V>(args))
}

fn convert<V: Variant>(args: &ConvertArgs) -> Result<(), String> {
    let bytes = regular::read(&args.net, NetworkFile::LARGEST).map_err(named(&args.net))?;
    let network = NetworkFile::from_bytes::<V>(&bytes).map_err(named(&args.net))?;
    let bytes = network.to_bytes::<V>().map_err(named(&args.net))?;
    whole::write(&args.out, &bytes).map_err(named(&args.out))?;
    tell(&format!("{}: {} bytes\n", args.out.display(), bytes.len()));
    Ok(())
}
