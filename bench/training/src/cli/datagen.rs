//! `datagen`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use kujira_position::{VariantId, with_variant};
use kujira_program::arguments;
use kujira_program::status::{Stop, stop_on_signal, tell, warn};

use crate::datagen::{State, Target, run as make};
use crate::settings::{Settings, WinRule};

use super::progress::{Progress, time_left};

/// What is used where nothing else is asked for.
const DEFAULT: Settings = Settings::new(VariantId::Whale);

/// Arguments of `datagen`.
#[derive(Args)]
pub(super) struct DatagenArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    #[arg(long)]
    game: VariantId,
    /// The file of games. If it is there the run that made it is gone on with.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    target: TargetArgs,
    /// Nodes for each move: no iteration begins that would pass them if it took no more than the last. A
    /// search that goes on to 16 times as many is broken off, and its position not learnt from.
    #[arg(long, value_name = "N", default_value_t = DEFAULT.nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Transposition table of each game, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Seed that chooses openings and random moves.
    #[arg(long, default_value_t = DEFAULT.seed)]
    seed: u64,
    /// Random moves that begin a game: a number, or a range such as 6-9.
    #[arg(long, value_name = "N", value_parser = plies, default_value = "6-9")]
    random_plies: (usize, usize),
    /// Openings are dropped that the first search scores beyond this, to either side.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = DEFAULT.opening_score, value_parser = clap::value_parser!(i32).range(1..))]
    opening_score: i32,
    /// Chance of each later move to be drawn at random instead of being the best one.
    #[arg(long, value_name = "CHANCE", default_value_t = DEFAULT.random_move)]
    random_move: f64,
    #[command(flatten)]
    ending: EndingArgs,
}

/// How much to make, games of earlier runs included.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct TargetArgs {
    /// Games wanted in the file.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Searched positions wanted in the file; the last game is played to its end.
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
}

/// When games end early.
#[derive(Args)]
#[command(next_help_heading = "End of games")]
struct EndingArgs {
    /// A longer game is drawn.
    #[arg(long, value_name = "PLIES", default_value_t = DEFAULT.max_plies)]
    max_plies: usize,
    /// A side wins that is this far ahead.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = WinRule::DEFAULT.score, value_parser = clap::value_parser!(i32).range(1..))]
    win_score: i32,
    /// Searched plies in a row that a side must be ahead to win. It also wins as soon as both sides see it win
    /// by force.
    #[arg(long, value_name = "PLIES", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..))]
    win_plies: u16,
    /// Play every game to the end that the rules give it.
    #[arg(long, conflicts_with_all = ["win_score", "win_plies"])]
    no_adjudication: bool,
}

/// Reads `6` or `6-9`.
fn plies(text: &str) -> Result<(usize, usize), String> {
    arguments::range(text, "plies")
}

impl DatagenArgs {
    fn settings(&self) -> Settings {
        let win =
            WinRule { score: self.ending.win_score, plies: usize::from(self.ending.win_plies) };
        Settings {
            game: self.game,
            seed: self.seed,
            nodes: self.nodes,
            hash: usize::from(self.hash),
            random_plies: self.random_plies,
            random_move: self.random_move,
            opening_score: self.opening_score,
            max_plies: self.ending.max_plies,
            win: (!self.ending.no_adjudication).then_some(win),
        }
    }

    fn target(&self) -> Result<Target, String> {
        match (self.target.games, self.target.positions) {
            (Some(games), None) => Ok(Target::Games(games)),
            (None, Some(positions)) => Ok(Target::Positions(positions)),
            _ => Err("expected either --games or --positions".to_owned()),
        }
    }
}

/// Searched plies of this run a second.
fn rate(state: &State, elapsed: Duration) -> f64 {
    (state.plies - state.begun.1) as f64 / elapsed.as_secs_f64().max(1e-9)
}

/// The state in one line.
fn describe(state: &State, elapsed: Duration) -> String {
    let (done, begun, all) = state.share();
    let unit = match state.target {
        Target::Games(games) => format!("/{games}"),
        Target::Positions(_) => String::new(),
    };
    format!(
        "{}{unit} games, {} plies, {:.0} plies/s, {} left",
        state.games,
        state.plies,
        rate(state, elapsed),
        time_left(elapsed, done.saturating_sub(begun), all.saturating_sub(done)),
    )
}

/// Runs `datagen`.
pub(super) fn run(args: &DatagenArgs) -> Result<(), Stop> {
    let (settings, target) = (args.settings(), args.target()?);
    let stopped = stop_on_signal(
        || warn("finishing the games in progress; once more to end at once\n"),
        || (),
    )?;
    let threads = usize::from(args.threads);
    let began = Instant::now();
    let mut progress = Progress::new();
    let made = with_variant!(args.game, V => {
        make::<V>(&args.out, &settings, target, threads, &stopped, |state| {
            let (done, _, all) = state.share();
            progress.show(done, all, |elapsed| describe(state, elapsed));
        })
    });
    progress.finish();
    let (state, earlier) = made?;
    if earlier.torn > 0 {
        warn(&format!(
            "cut off {} bytes of a block that an earlier run did not finish\n",
            earlier.torn
        ));
    }
    let State { games, plies, begun, lopsided, ref left_out, .. } = state;
    tell(&format!(
        "{games} games, {plies} plies in {}; this run: {} games, {} plies in {:.1} s, {:.0} plies/s, \
         {lopsided} lopsided openings dropped\n",
        args.out.display(),
        games - begun.0,
        plies - begun.1,
        began.elapsed().as_secs_f64(),
        rate(&state, began.elapsed()),
    ));
    let (done, _, all) = state.share();
    if done >= all && !left_out.is_empty() {
        let numbers: Vec<String> = left_out.iter().map(u32::to_string).collect();
        tell(&format!(
            "openings that an earlier run did not finish, lopsided ones among them, are left out (more --games play \
             them): {}\n",
            numbers.join(" ")
        ));
    }
    if done < all {
        tell("stopped before the end; the same command goes on\n");
        return Err(Stop::Interrupted);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: DatagenArgs,
    }

    fn parse(more: &str) -> DatagenArgs {
        let line = format!("datagen --game great --out x {more}");
        Line::try_parse_from(line.split_whitespace()).unwrap().args
    }

    #[test]
    fn arguments_become_settings() {
        let plain = parse("--games 5");
        assert_eq!(plain.target(), Ok(Target::Games(5)));
        assert_eq!(plain.settings(), Settings::new(VariantId::Great));
        let other = parse(
            "--positions 70 --nodes 300 --hash 2 --seed 9 --random-plies 4-5 --random-move 0.25 \
             --opening-score 400 --max-plies 90 --win-score 1500 --win-plies 3",
        );
        assert_eq!(other.target(), Ok(Target::Positions(70)));
        let expected = Settings {
            game: VariantId::Great,
            seed: 9,
            nodes: 300,
            hash: 2,
            random_plies: (4, 5),
            random_move: 0.25,
            opening_score: 400,
            max_plies: 90,
            win: Some(WinRule { score: 1500, plies: 3 }),
        };
        assert_eq!(other.settings(), expected);
        assert_eq!(parse("--games 5 --no-adjudication").settings().win, None);
        assert_eq!(parse("--games 5 --random-plies 8").settings().random_plies, (8, 8));
    }
}
