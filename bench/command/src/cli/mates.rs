//! `mates`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use kujira_position::VariantId;
use kujira_program::status::{Stop, say};
use kujira_record::text;
use kujira_search::{Limits, engine};

use kujira_study::mates::{self, Finding, Mate, Problem};

/// Arguments of `mates`.
#[derive(Args)]
pub(super) struct MatesArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    game: VariantId,
    /// Positions as `SFEN ;M n`, one a line: mates-GAME.epd of bench/positions.
    #[arg(value_name = "FILE")]
    set: PathBuf,
    /// Milliseconds a position.
    #[arg(long, value_name = "MS", default_value_t = 1000, conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Nodes a position, instead of a time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Ask the solver, as `go mate` does, rather than the search. Lines `SFEN ;nomate` are then proved to have none.
    #[arg(long)]
    solver: bool,
    /// Let the solver go on until it has proved that no mate is shorter: what counts as solved, and its time.
    #[arg(long, requires = "solver")]
    shortest: bool,
    /// Ask the solver about each position mirrored, too, turned with the colors exchanged, and both.
    #[arg(long, requires = "solver")]
    symmetries: bool,
    /// Print the positions that are not solved.
    #[arg(long)]
    failures: bool,
}

impl MatesArgs {
    fn limits(&self) -> Limits {
        let time = Duration::from_millis(self.movetime);
        match self.nodes {
            Some(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            None => Limits { move_time: Some(time), ..Limits::default() },
        }
    }
}

/// Runs `mates`: the share of a set's mates that the search announces, by their length.
pub(super) fn run(args: &MatesArgs) -> Result<(), Stop> {
    let named = |error: String| format!("{}: {error}", args.set.display());
    let text = text::open(&args.set).map_err(|error| error.to_string())?;
    if args.solver {
        return ask_solver(args, &text, named);
    }
    let set = mates::parse(args.game, &text).map_err(|error| named(error.to_string()))?;
    if set.is_empty() {
        return Err(named("expected positions with a mate, found none".to_owned()).into());
    }
    let limits = args.limits();
    let mut engine = engine(args.game);
    engine.set_hash(args.hash as usize).map_err(|error| error.to_string())?;
    let mut solved: Vec<(&Mate, Option<mates::Solution>)> = Vec::with_capacity(set.len());
    for mate in &set {
        solved.push((mate, mates::solve(engine.as_mut(), mate, &limits).map_err(named)?));
    }

    let mut lengths: Vec<i32> = set.iter().map(|mate| mate.plies).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut text = format!("{:>7} {:>9} {:>7} {:>12}\n", "plies", "positions", "solved", "nodes");
    let mut row = |name: &str, of: &dyn Fn(&Mate) -> bool| {
        let of: Vec<_> = solved.iter().filter(|(mate, _)| of(mate)).collect();
        let found: Vec<_> = of.iter().filter_map(|(_, solution)| *solution).collect();
        let nodes: u64 = found.iter().map(|solution| solution.nodes).sum();
        let share = 100.0 * found.len() as f64 / of.len().max(1) as f64;
        let mean = nodes / (found.len() as u64).max(1);
        text.push_str(&format!("{name:>7} {:>9} {share:>6.1}% {mean:>12}\n", of.len()));
    };
    for &plies in &lengths {
        row(&plies.to_string(), &|mate| mate.plies == plies);
    }
    row("all", &|_| true);
    if args.failures {
        for (mate, _) in solved.iter().filter(|(_, solution)| solution.is_none()) {
            text.push_str(&format!("{mate}\n"));
        }
    }
    say(&text)
}

/// Asks the solver about each problem: how many are answered, wrongly or rightly, and how fast, by length.
fn ask_solver(args: &MatesArgs, text: &str, named: impl Fn(String) -> String) -> Result<(), Stop> {
    let mut set = mates::problems(args.game, text).map_err(|error| named(error.to_string()))?;
    if args.symmetries {
        let all = set.iter().map(|problem| mates::symmetries(args.game, problem));
        let all: Result<Vec<_>, _> = all.collect();
        set = all.map_err(|error| named(error.to_string()))?.into_iter().flatten().collect();
    }
    if set.is_empty() {
        return Err(
            named("expected positions with a mate or with none, found none".to_owned()).into()
        );
    }
    let mut engine = engine(args.game);
    engine.set_hash(args.hash as usize).map_err(|error| error.to_string())?;
    let limits = args.limits();
    let mut asked = Vec::with_capacity(set.len());
    for problem in &set {
        let found = mates::ask(engine.as_mut(), problem, &limits, args.shortest).map_err(&named)?;
        asked.push((problem, found));
    }

    let mut lengths: Vec<_> = set.iter().map(|problem| problem.plies).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut text = format!(
        "{:>7} {:>9} {:>7} {:>6} {:>10} {:>10} {:>11}\n",
        "plies", "positions", "solved", "wrong", "median ms", "most ms", "nodes/s"
    );
    let mut row = |name: &str, of: &dyn Fn(&Problem) -> bool| {
        let of: Vec<_> = asked.iter().filter(|(problem, _)| of(problem)).collect();
        let count = |finding| of.iter().filter(|(_, asked)| asked.finding == finding).count();
        let mut times: Vec<_> = of.iter().map(|(_, asked)| asked.time).collect();
        times.sort_unstable();
        let millis = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e3);
        let time: Duration = times.iter().sum();
        let nodes: u64 = of.iter().map(|(_, asked)| asked.nodes).sum();
        text.push_str(&format!(
            "{name:>7} {:>9} {:>6.1}% {:>6} {:>10.1} {:>10.1} {:>11.0}\n",
            of.len(),
            100.0 * count(Finding::Right) as f64 / of.len().max(1) as f64,
            count(Finding::Wrong),
            millis(times.get(times.len() / 2)),
            millis(times.last()),
            nodes as f64 / time.as_secs_f64().max(1e-9),
        ));
    };
    for &plies in &lengths {
        let name = plies.map_or("none".to_owned(), |plies| plies.to_string());
        row(&name, &|problem| problem.plies == plies);
    }
    row("all", &|_| true);
    if args.failures {
        for (problem, asked) in asked.iter().filter(|(_, asked)| asked.finding != Finding::Right) {
            text.push_str(&format!("{:?}: {problem}\n", asked.finding));
        }
    }
    say(&text)?;
    match asked.iter().filter(|(_, asked)| asked.finding == Finding::Wrong).count() {
        0 => Ok(()),
        wrong => {
            Err(named(format!("expected the answers of the set, found {wrong} others")).into())
        }
    }
}
