//! `bot`.

use std::io;

use clap::Args;
use kujira_position::VariantId;
use kujira_program::status::Stop;

use kujira_arena::bots::{Bot, Session};

/// Arguments of `bot`.
#[derive(Args)]
pub(super) struct BotArgs {
    /// Which one.
    bot: Bot,
    /// The game it begins with: whale, paulowich, great; `USI_Variant` sets another.
    #[arg(long, value_name = "GAME", default_value = "whale")]
    game: VariantId,
    /// Chooses among equal moves; drawn if left out.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Runs `bot`.
pub(super) fn run(args: &BotArgs) -> Result<(), Stop> {
    let seed = match args.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| format!("no random numbers: {error}"))?,
    };
    let session = Session::new(args.bot, args.game, seed);
    Ok(session.run(io::stdin().lock(), io::stdout().lock())?)
}
