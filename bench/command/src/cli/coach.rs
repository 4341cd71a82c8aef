//! `coach`.

use clap::Args;
use kujira_arena::bots::Bot;
use kujira_position::{VariantId, with_variant};
use kujira_program::status::{Stop, say};
use kujira_statistics::Stream;
use kujira_study::coach::{Plan, Tally, watch};
use kujira_table::coach::{LOSS, NODES};
use rayon::prelude::*;

/// Arguments of `coach`.
#[derive(Args)]
pub(super) struct CoachArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// Who plays both sides.
    #[arg(long, value_enum, default_value = "hanging")]
    bot: Bot,
    /// Games.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// The most plies of a game.
    #[arg(long, value_name = "N", default_value_t = 200)]
    plies: usize,
    /// Nodes that the coach searches for each position.
    #[arg(long, value_name = "N", default_value_t = NODES,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Centipawns that a move loses from which on the coach counts a piece as lost.
    #[arg(long, value_name = "CP", default_value_t = LOSS)]
    loss: i32,
    /// Nodes of the search that says which moves lose something.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    truth_nodes: u64,
    /// Centipawns from which on a piece is lost by that search: what a dolphin is worth, on the board and in the
    /// enemy's hand.
    #[arg(long, value_name = "CP", default_value_t = 200)]
    truth_loss: i32,
    /// Games played at once.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of each transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Chooses among the moves that the bot likes equally well.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs `coach`.
pub(super) fn run(args: &CoachArgs) -> Result<(), Stop> {
    let plan = Plan {
        bot: args.bot,
        plies: args.plies,
        nodes: args.nodes,
        loss: args.loss,
        truth_nodes: args.truth_nodes,
        truth_loss: args.truth_loss,
        hash: args.hash as usize,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let play = |number| {
        let mut chance = Stream::numbered(args.seed, number);
        with_variant!(args.game, V => watch::<V>(&plan, &mut chance))
    };
    let add = |one: Tally, other: Tally| Ok(one.and(other));
    let tally =
        pool.install(|| (0..args.games).into_par_iter().map(play).try_reduce(Tally::default, add))?;
    say(&told(args, tally))?;
    Ok(())
}

/// What came of it, in lines.
fn told(args: &CoachArgs, tally: Tally) -> String {
    let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
    format!(
        "{} games of the bot {} at {}, {} moves\n\
         lose a piece or the white whale  {:>6}   the coach warned before {:.1} %\n\
         best moves                       {:>6}   the coach warned before {:.1} %\n",
        args.games,
        args.bot,
        args.game,
        tally.moves,
        tally.losing,
        percent(tally.warned, tally.losing),
        tally.best,
        percent(tally.scared, tally.best),
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        coach: CoachArgs,
    }

    #[test]
    fn shares_are_told() {
        let args = Line::parse_from(["", "whale", "--games", "3"]).coach;
        let tally = Tally { moves: 90, losing: 40, warned: 38, best: 90, scared: 3 };
        let text = told(&args, tally);
        assert!(text.starts_with("3 games of the bot hanging at whale, 90 moves\n"), "{text}");
        assert!(text.contains("40   the coach warned before 95.0 %"), "{text}");
        assert!(text.contains("90   the coach warned before 3.3 %"), "{text}");
        assert!(told(&args, Tally::default()).contains("before 0.0 %"));
    }
}
