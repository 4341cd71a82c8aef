//! `factorial`.

use clap::Args;
use kujira_position::{Variant, with_variant};
use kujira_program::status::{Stop, tell};

use kujira_arena::factorial::{
    Design, Effects, Factor, FactorialSpec, look, name_all_outputs, run,
};
use kujira_arena::header::MatchHeader;
use kujira_arena::schedule::Format;
use kujira_arena::standings::Standings;
use kujira_arena::usage::ProcessorTime;

use super::matches::PlayArgs;
use super::subject::Subject;

/// Arguments of `factorial`. One engine plays both sides; each row of the design is a match with files of
/// its own, PREFIX-row-001.jsonl and so on.
#[derive(Args)]
pub(super) struct FactorialArgs {
    #[command(flatten)]
    play: PlayArgs,
    /// A number of the engine (an option that it declares as a spin) and its two values; give it once for
    /// each.
    #[arg(long, value_name = "NAME=LOW,HIGH", required = true, help_heading = "Design")]
    factor: Vec<Factor>,
    /// Pairs of games (one opening, colours swapped) a row; there are more rows than factors, a power of
    /// two.
    #[arg(long, value_name = "N", help_heading = "Design",
          value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pairs_per_row: u32,
}

/// Runs `factorial`.
pub(super) fn run_factorial(args: &FactorialArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let game = args.play.game;
    with_variant!(game, V => screen::<V>(args, groups))
}

fn screen<V: Variant>(args: &FactorialArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let play = &args.play;
    let named = |error: String| format!("--factor: {error}");
    let design = Design::new(args.factor.clone()).map_err(named)?;
    let subject = Subject::meet::<V>(play, groups, |outputs| {
        name_all_outputs(outputs, &play.out, design.rows(), play.fresh);
    })?;
    for factor in design.factors() {
        factor.check(&subject.spin(&factor.name).map_err(named)?).map_err(named)?;
    }
    let game_rules = play.game_rules();
    let header = MatchHeader {
        game: V::SPEC.id.to_owned(),
        rules: play.rules.switches(),
        engines: Vec::new(),
        format: Format::default(),
        openings: subject.starts.describe(),
        max_plies: game_rules.max_plies,
        adjudication: game_rules.adjudication,
        sprt: None,
        title: None,
        shard: None,
        experiment: None,
        run: None,
    };
    let spec = FactorialSpec {
        design,
        entrant: subject.entrant.clone(),
        header,
        game_rules,
        pairs: args.pairs_per_row,
        concurrency: usize::from(play.concurrency),
        timeouts: subject.timeouts,
        out: play.out.clone(),
        begin: play.begin(),
        plain: play.plain,
    };
    let mut looked = look(&spec, subject.starts.fixed())?;
    let source = subject.source::<V>(std::mem::take(&mut looked.openings))?;
    match run::<V>(&spec, looked, source, &subject.stopped)? {
        Some(rows) => Ok(account(&spec.design, &rows)?),
        None => Err(Stop::Interrupted),
    }
}

/// Says what the rows come to.
fn account(design: &Design, rows: &[Standings]) -> Result<(), String> {
    let mut all = Standings::new(vec!["rows".to_owned(), "their opposites".to_owned()]);
    for row in rows {
        all.add_all(row);
    }
    tell(&format!("\ngames {} ({} plies)", all.games, all.plies));
    if all.failures() > 0 {
        tell(&format!(", {} lost by failures (time, an end of the engine)", all.failures()));
    }
    let pairs: Vec<_> = rows.iter().map(|row| row.first_pairing().pairs).collect();
    let effects = Effects::of(design, &pairs)
        .ok_or_else(|| "expected finished pairs in every row, found a row without".to_owned())?;
    tell(&format!("\n\n{effects}"));
    if let Some(time) = ProcessorTime::now() {
        tell(&format!("\nprocessor time: {time}\n"));
    }
    if all.is_void() {
        return Err("the run is void: too many games ended by an illegal move or claim".to_owned());
    }
    Ok(())
}
