//! `datagen`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use kujira_position::{VariantId, with_variant};
use kujira_program::arguments;
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, stop_on_signal, tell, warn};
use kujira_search::{BenchLimit, Control, engine};

use crate::datagen::{State, Target, run as make};
use crate::settings::{Settings, WinRule};

use super::progress::{Progress, time_left};

/// Table of the bench by which builds are known, in MiB.
const BENCH_HASH: usize = 16;

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
    /// Make one share of N, number K from 0 to N-1: of openings numbered from 0 each Nth, from the Kth on, and so much of
    /// what is wanted. The name of the file gets .K-of-N.
    #[arg(long, value_name = "K/N", help_heading = "Many machines", conflicts_with = "first")]
    shard: Option<Shard>,
    /// How many openings a batch has. The name of the file gets .I-and-M.
    #[arg(long, value_name = "M", help_heading = "Many machines", requires = "first",
          value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// The bench signature that this build must have: it runs its bench at the start, and another build is refused.
    #[arg(long, value_name = "N", help_heading = "Many machines")]
    signature: Option<u64>,
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
    /// Openings to be tried, from number 0 on, the lopsided ones among them: so many shards make the same games as one.
    #[arg(long, value_name = "N")]
    openings: Option<u32>,
    /// A batch of --count openings from number I on.
    #[arg(long, value_name = "I", requires = "count")]
    first: Option<u32>,
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
            share: self.share(),
        }
    }

    /// Which openings are tried; none: all.
    fn share(&self) -> Option<Share> {
        match (self.target.first, self.count) {
            (Some(first), Some(count)) => Some(Share::Batch { first, count }),
            _ => self.shard.map(Share::Shard),
        }
    }

    fn target(&self) -> Result<Target, String> {
        // What the arguments cannot require: --first conflicts with the other targets.
        if self.count.is_some() && self.target.first.is_none() {
            return Err("expected --first with --count, found another target".to_owned());
        }
        let own = |all: u64| self.share().map_or(all, |share| share.count(all));
        let TargetArgs { games, positions, openings, first } = self.target;
        match (games, positions, openings, first) {
            (Some(games), None, None, None) => Ok(Target::Games(own(games))),
            (None, Some(positions), None, None) => Ok(Target::Positions(own(positions))),
            (None, None, Some(openings), None) => Ok(Target::Openings(openings)),
            (None, None, None, Some(first)) => {
                Ok(Target::Openings(first.saturating_add(self.count.unwrap_or(0))))
            }
            _ => Err("expected one of --games, --positions, --openings and --first".to_owned()),
        }
    }

    /// Refuses another build than the one that is wanted.
    fn check_signature(&self) -> Result<(), String> {
        let Some(wanted) = self.signature else { return Ok(()) };
        let bench = engine(self.game).bench(BenchLimit::Signature, 1, BENCH_HASH, &Control::new());
        match bench.map_err(|error| error.to_string())?.nodes {
            found if found == wanted => Ok(()),
            found => {
                Err(format!("expected a build with the bench signature {wanted}, found {found}"))
            }
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
        Target::Positions(_) | Target::Openings(_) => String::new(),
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
    args.check_signature()?;
    let out = args.share().map_or_else(|| args.out.clone(), |share| share.file(&args.out));
    let stopped = stop_on_signal(
        || warn("finishing the games in progress; once more to end at once\n"),
        || (),
    )?;
    let threads = usize::from(args.threads);
    let began = Instant::now();
    let mut progress = Progress::new();
    let made = with_variant!(args.game, V => {
        make::<V>(&out, &settings, target, threads, &stopped, |state| {
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
        out.display(),
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
            share: None,
        };
        assert_eq!(other.settings(), expected);
        let shard = parse("--games 5 --shard 1/3");
        assert_eq!(shard.target(), Ok(Target::Games(2)));
        assert_eq!(shard.settings().share, "1/3".parse().ok());
        assert_eq!(parse("--openings 9 --shard 1/3").target(), Ok(Target::Openings(9)));
        let batch = parse("--first 40 --count 5");
        assert_eq!(batch.target(), Ok(Target::Openings(45)));
        assert_eq!(batch.settings().share, "40+5".parse().ok());
        assert_eq!(parse("--games 5 --no-adjudication").settings().win, None);
        assert_eq!(parse("--games 5 --random-plies 8").settings().random_plies, (8, 8));
    }
}
