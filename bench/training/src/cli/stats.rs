//! `stats`.

use std::path::PathBuf;

use clap::Args;
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::status::{Stop, say};

use kujira_data::error::DataError;
use kujira_data::file::Reader;
use kujira_data::statistics::Statistics;

/// Arguments of `stats`.
#[derive(Args)]
pub(super) struct StatsArgs {
    /// Files of games of one kind of whale shogi, counted together.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Scores beyond this count as filtered.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 3000, value_parser = clap::value_parser!(i32).range(1..))]
    limit: i32,
}

/// Runs `stats`.
pub(super) fn run(args: &StatsArgs) -> Result<(), Stop> {
    let mut statistics = Statistics::new(args.limit);
    let mut game: Option<VariantId> = None;
    for path in &args.files {
        let named = |error: DataError| format!("{}: {error}", path.display());
        let mut reader = Reader::open(path).map_err(named)?;
        let found = reader.header().game;
        if let Some(expected) = game.replace(found)
            && expected != found
        {
            return Err(named(DataError::Game { expected, found }).into());
        }
        let settings = reader.header().settings.lines().collect::<Vec<_>>().join(", ");
        say(&format!("{}: {found}, {settings}\n", path.display()))?;
        with_variant!(found, V => count::<V>(&mut reader, &mut statistics)).map_err(named)?;
        if reader.torn() > 0 {
            say(&format!("  a last block cut short ({} bytes) is left out\n", reader.torn()))?;
        }
    }
    say(&statistics.to_string())
}

fn count<V: Variant>(
    games: &mut impl Iterator<Item = Result<kujira_data::record::GameRecord, DataError>>,
    statistics: &mut Statistics,
) -> Result<(), DataError> {
    for game in games {
        statistics.add::<V>(&game?)?;
    }
    Ok(())
}
