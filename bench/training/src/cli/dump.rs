//! `dump`.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use kujira_position::{Variant, with_variant};
use kujira_program::status::Stop;

use kujira_data::error::DataError;
use kujira_data::file::Reader;
use kujira_data::record::GameRecord;
use kujira_data::sample::replay;

/// Arguments of `dump`.
#[derive(Args)]
pub(super) struct DumpArgs {
    /// A file of games.
    file: PathBuf,
    /// At most so many games.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    games: u64,
}

/// Runs `dump`.
pub(super) fn run(args: &DumpArgs) -> Result<(), Stop> {
    let named = |error: DataError| format!("{}: {error}", args.file.display());
    let mut reader = Reader::open(&args.file).map_err(named)?;
    let game = reader.header().game;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut left = args.games;
    while left > 0 {
        let Some(record) = reader.next() else { break };
        let text = record.and_then(|record| with_variant!(game, V => lines::<V>(&record)));
        out.write_all(text.map_err(named)?.as_bytes())?;
        left -= 1;
    }
    Ok(out.flush()?)
}

/// A line for each searched position of a game: SFEN, score, result of the game for the side to move
/// (`win`, `draw`, `loss`), move, `random` if the move was drawn at random, and `broken-off` if the search was.
fn lines<V: Variant>(game: &GameRecord) -> Result<String, DataError> {
    let mut text = String::new();
    replay::<V>(game, |position, ply| {
        let result = match game.ending.result(position.side()) {
            1 => "win",
            0 => "draw",
            _ => "loss",
        };
        let random = if ply.random { "\trandom" } else { "" };
        let broken_off = if ply.broken_off { "\tbroken-off" } else { "" };
        let (sfen, m) = (position.sfen(), position.usi(ply.m));
        // Writing to a string does not fail.
        let _ = writeln!(text, "{sfen}\t{}\t{result}\t{m}{random}{broken_off}", ply.score);
    })?;
    Ok(text)
}
