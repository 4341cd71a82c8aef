//! `worth`, and what the end of `train` shares with it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use kujira_data::error::DataError;
use kujira_data::file::Reader;
use kujira_data::sample::Samples;
use kujira_position::{Board, Variant, VariantId, with_variant};
use kujira_program::outputs::Outputs;
use kujira_program::status::{Stop, say, tell};
use kujira_program::{regular, whole};
use kujira_search::PAWN;
use kujira_search::eval::NetworkFile;
use rayon::prelude::*;

use crate::net::worth::{Losses, Worth};

use super::{NETWORK, named};

/// One in so many positions is taken: neighbours in a game are nearly the same.
const APART: usize = 8;

/// Positions that pieces are weighed in where nothing else is asked for.
pub(super) const ENOUGH: usize = 20_000;

/// Arguments of `worth`.
#[derive(Args)]
pub(super) struct WorthArgs {
    /// The game: whale, paulowich or great.
    #[arg(long)]
    game: VariantId,
    /// The network.
    #[arg(long, value_name = "FILE")]
    net: PathBuf,
    /// Files of games, read until there are positions enough.
    #[arg(long, required = true, num_args = 1.., value_delimiter = ',', value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Positions looked at.
    #[arg(long, value_name = "N", default_value_t = ENOUGH, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    positions: usize,
    /// Positions with scores beyond this are left out.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 3000, value_parser = clap::value_parser!(i32).range(1..))]
    limit: i32,
    /// Write the network here, with what a dolphin or the average calf in hand counts in its scores: 100 of
    /// those that are told.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out write over a file that is no network. What is read is never written over.
    #[arg(long)]
    force: bool,
}

impl WorthArgs {
    fn outputs(&self, out: &Path) -> Outputs {
        let mut outputs = Outputs::new(self.force);
        outputs.input("--net", &self.net).inputs("--data", &self.data);
        outputs.output("--out", out, NETWORK);
        outputs
    }
}

/// Runs `worth`.
pub(super) fn run(args: &WorthArgs) -> Result<(), Stop> {
    if let Some(out) = &args.out {
        args.outputs(out).check()?;
        whole::check(out).map_err(named(out))?;
        whole::sweep(out);
    }
    with_variant!(args.game, V => worth::<V>(args))
}

fn worth<V: Variant>(args: &WorthArgs) -> Result<(), Stop> {
    let bytes = regular::read(&args.net, NetworkFile::LARGEST).map_err(named(&args.net))?;
    let net = NetworkFile::from_bytes::<V>(&bytes).map_err(named(&args.net))?;
    let mut games: Vec<Vec<Board<V>>> = Vec::new();
    for path in &args.data {
        read::<V>(path, args, &mut games).map_err(named(path))?;
    }
    let positions: usize = games.iter().map(Vec::len).sum();
    if positions == 0 {
        return Err("expected quiet positions, found none".to_owned().into());
    }
    let worths: Vec<Worth> = games.par_iter().map(|boards| Worth::of::<V>(&net, boards)).collect();
    let (net, told) = with_pawn::<V>(net, &Worth::sum::<V>(&worths));
    let mut text = format!(
        "{told}mean over {positions} positions of {} games, in centipawns as they are told (± 95 %, of the \
         games)\n      {:>12} {:>12}\n",
        games.len(),
        "on board",
        "in hand"
    );
    let unit = f64::from(PAWN) / f64::from(net.pawn);
    let mean = |losses: Vec<Losses>| match Losses::over_games(&losses) {
        Some((mean, Some(width))) => format!("{:.0} ± {:.0}", mean * unit, width * unit),
        Some((mean, None)) => format!("{:.0}", mean * unit),
        None => "-".to_owned(),
    };
    for kind in V::SPEC.all_kinds().skip(1) {
        let of = |losses: fn(&Worth) -> &[Losses]| {
            mean(worths.iter().map(|worth| losses(worth)[kind.index()]).collect())
        };
        let (on_board, in_hand) = (of(|worth| &worth.on_board), of(|worth| &worth.in_hand));
        let _ = writeln!(text, "{:<5} {on_board:>12} {in_hand:>12}", V::SPEC.kind(kind).token);
    }
    let Some(out) = &args.out else { return say(&text) };
    tell(&text);
    {
        let bytes = net.to_bytes::<V>().map_err(|error| format!("the network: {error}"))?;
        // Somebody may have put another file there in the meantime.
        args.outputs(out).check()?;
        whole::write(out, &bytes).map_err(named(out))?;
    }
    Ok(())
}

/// Adds quiet positions of a file of games, by game, until there are enough.
fn read<V: Variant>(
    path: &Path,
    args: &WorthArgs,
    games: &mut Vec<Vec<Board<V>>>,
) -> Result<(), DataError> {
    let mut wanted = args.positions - games.iter().map(Vec::len).sum::<usize>();
    let mut number = 0;
    let mut samples = Samples::<V, _>::new(Reader::open(path)?)?;
    while let Some(game) = (wanted > 0).then(|| samples.next_game()).flatten() {
        let mut boards = Vec::new();
        for sample in game? {
            if number % APART == 0 && sample.is_quiet(args.limit) && boards.len() < wanted {
                boards.push(sample.board);
            }
            number += 1;
        }
        wanted -= boards.len();
        if !boards.is_empty() {
            games.push(boards);
        }
    }
    Ok(())
}

/// `net` told what a dolphin or calf in hand counts in its scores, by its `worth` of pieces; as it was where there
/// is nothing to go by. And what came of it, in a line.
pub(super) fn with_pawn<V: Variant>(net: NetworkFile, worth: &Worth) -> (NetworkFile, String) {
    let found = match worth.pawn::<V>() {
        Some(pawn) => {
            format!("a dolphin or calf in hand counts {pawn:.0} of the network's centipawns")
        }
        None => "nobody holds a dolphin or calf".to_owned(),
    };
    match worth.believed_pawn::<V>() {
        Some(pawn) => (NetworkFile { pawn, ..net }, format!("{found}, 100 as scores are told\n")),
        None => {
            let told = format!("{found}; scores are told as if one counted {}\n", net.pawn);
            (net, told)
        }
    }
}

#[cfg(test)]
mod tests {
    use kujira_position::{Position, Whale};
    use kujira_search::eval::Inputs;

    use super::*;

    #[test]
    fn what_a_dolphin_counts_is_told() {
        let none = *Position::<Whale>::start().board();
        let held = *Position::<Whale>::from_sfen("3w2/6/6/6/6/2W3 w D 1").unwrap().board();
        let told = |counts: i16, board: Board<Whale>| {
            // So that a step of the direct unit is a centipawn.
            let mut net = NetworkFile::zero::<Whale>(16, 1, 127);
            (net.outputs[15], net.outputs[31]) = (64, -64);
            for input in 0..Inputs::<Whale>::COUNT {
                if Inputs::<Whale>::name(input).starts_with("own hand D 1, ") {
                    net.weights[input * 16 + 15] = counts;
                }
            }
            let worth = Worth::of::<Whale>(&net, &[board]);
            let (net, text) = with_pawn::<Whale>(net, &worth);
            (net.pawn, text)
        };
        let text = "a dolphin or calf in hand counts 120 of the network's centipawns, 100 as scores are told\n";
        assert_eq!(told(120, held), (120, text.to_owned()));
        let text = "a dolphin or calf in hand counts 9 of the network's centipawns; scores are told as if one \
                    counted 100\n";
        assert_eq!(told(9, held), (100, text.to_owned()));
        let text = "nobody holds a dolphin or calf; scores are told as if one counted 100\n";
        assert_eq!(told(120, none), (100, text.to_owned()));
    }
}
