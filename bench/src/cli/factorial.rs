//! `factorial`.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use kujira_position::{Variant, with_variant};

use crate::book::Source;
use crate::factorial::{Design, Effects, Factor};
use crate::files::{own_paths, with_ending};
use crate::openings::Opening;
use crate::progress::{Progress, print};
use crate::runner::{Finish, Plan, open, run};
use crate::schedule::{Format, MatchHeader};
use crate::standings::Standings;
use crate::usage::ProcessorTime;

use super::matches::{PlayArgs, describe};
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
pub(super) fn run_factorial(args: &FactorialArgs, groups: &[Vec<String>]) -> Result<(), String> {
    let game = args.play.game;
    with_variant!(game, V => screen::<V>(args, groups))
}

fn screen<V: Variant>(args: &FactorialArgs, groups: &[Vec<String>]) -> Result<(), String> {
    let play = &args.play;
    let named = |error: String| format!("--factor: {error}");
    let design = Design::new(args.factor.clone()).map_err(named)?;
    let prefix = |row| row_prefix(&play.out, row);
    let own: Vec<PathBuf> = (0..design.rows()).flat_map(|row| own_paths(&prefix(row))).collect();
    let subject = Subject::meet::<V>(play, groups, &own)?;
    for factor in design.factors() {
        factor.check(&subject.spin(&factor.name).map_err(named)?).map_err(named)?;
    }
    let openings = openings::<V>(args, &subject, design.rows())?;
    let mut rows: Vec<Row> = (0..design.rows())
        .map(|row| Row::new::<V>(args, &subject, &design, row, &openings))
        .collect();
    // Whatever is wrong with any file comes out before the first game, and what is thrown away goes now.
    for row in &mut rows {
        let (_, earlier, _) = open::<V>(&row.plan, |_| Ok(row.source()))?;
        row.standings = Standings::of(row.standings.names.clone(), &earlier.games);
        row.plan.fresh = false;
    }
    let games = 2 * u64::from(args.pairs_per_row);
    let begun = rows.iter().filter(|row| row.standings.games > 0).count();
    print(&format!("{} factors, {} rows of {games} games\n", design.factors().len(), rows.len()));
    if begun > 0 {
        print(&format!("taking up the run, of which {begun} rows are begun\n"));
    }
    let count = rows.len();
    for (index, row) in rows.iter_mut().enumerate() {
        if row.standings.games < games {
            let opened = open::<V>(&row.plan, |_| Ok(row.source()))?;
            let progress = Progress::new(games, play.plain);
            let (standings, finish) = run::<V>(&row.plan, opened, &subject.stopped, &progress)?;
            row.standings = standings;
            if finish == Finish::Stopped {
                print(&format!(
                    "\nstopped in row {} of {count}; the same command takes the run up again\n",
                    index + 1
                ));
                return Ok(());
            }
        }
        let [losses, draws, wins] = row.standings.first_pairing().games();
        print(&format!("row {} of {count}: +{wins} ={draws} -{losses}\n", index + 1));
    }
    account(&design, &rows)
}

/// Says what the rows come to.
fn account(design: &Design, rows: &[Row]) -> Result<(), String> {
    let mut all = Standings::new(vec!["rows".to_owned(), "their opposites".to_owned()]);
    for row in rows {
        all.add_all(&row.standings);
    }
    print(&format!("\ngames {} ({} plies)", all.games, all.plies));
    if all.failures() > 0 {
        print(&format!(", {} lost by failures (time, an end of the engine)", all.failures()));
    }
    let pairs: Vec<_> = rows.iter().map(|row| row.standings.first_pairing().pairs).collect();
    let effects = Effects::of(design, &pairs)
        .ok_or_else(|| "expected finished pairs in every row, found a row without".to_owned())?;
    print(&format!("\n\n{effects}"));
    if let Some(time) = ProcessorTime::now() {
        print(&format!("\nprocessor time: {time}\n"));
    }
    if all.is_void() {
        return Err("the run is void: too many games ended by an illegal move or claim".to_owned());
    }
    Ok(())
}

/// What the names of the files of a row (from 0) begin with.
fn row_prefix(out: &Path, row: usize) -> PathBuf {
    with_ending(out, &format!("-row-{:03}", row + 1))
}

/// The openings of all rows together. Random ones are made anew whenever a run is taken up: they depend on
/// the seed alone.
fn openings<V: Variant>(
    args: &FactorialArgs,
    subject: &Subject,
    rows: usize,
) -> Result<Vec<Opening>, String> {
    let needed = rows * args.pairs_per_row as usize;
    if let Some(fixed) = &subject.fixed {
        if fixed.len() < needed {
            return Err(format!(
                "expected {needed} openings, one for each pair of {rows} rows, found {}",
                fixed.len()
            ));
        }
        return Ok(fixed.clone());
    }
    let mut random = subject.random::<V>(&args.play, Vec::new())?;
    for _ in 0..needed {
        let made = random.another().map(|_| ());
        if subject.stopped.load(Ordering::Relaxed) {
            return Err("stopped before the first game".to_owned());
        }
        made?;
    }
    let made = random.made().to_vec();
    random.finish();
    Ok(made)
}

/// A row of the design.
struct Row {
    plan: Plan,
    openings: Vec<Opening>,
    standings: Standings,
}

impl Row {
    /// A row, from 0. Its openings are every so many-th of all, so that each is used in one row alone, and
    /// more pairs a row leave those played as they are.
    fn new<V: Variant>(
        args: &FactorialArgs,
        subject: &Subject,
        design: &Design,
        row: usize,
        openings: &[Opening],
    ) -> Self {
        let (play, rows, number) = (&args.play, design.rows(), row + 1);
        let [one, other] = design.options(row);
        let entrants = vec![
            subject.entrant.varied(format!("row {number}"), one),
            subject.entrant.varied(format!("row {number} turned"), other),
        ];
        let all = describe(&play.openings, subject.fixed.as_deref());
        let terms = play.terms();
        let header = MatchHeader {
            game: V::SPEC.id.to_owned(),
            rules: play.rules,
            engines: entrants.iter().map(|entrant| entrant.header(subject.patience).0).collect(),
            format: Format::default(),
            openings: format!("{all}, one of {rows} from number {number} on"),
            max_plies: terms.max_plies,
            adjudication: terms.adjudication,
            sprt: None,
        };
        let pairs = args.pairs_per_row;
        let openings = openings.iter().skip(row).step_by(rows).take(pairs as usize);
        let names = entrants.iter().map(|entrant| entrant.player.name.clone()).collect();
        Self {
            plan: Plan {
                header,
                terms,
                rounds: pairs,
                concurrency: usize::from(play.concurrency),
                patience: subject.patience,
                sprt: None,
                out: row_prefix(&play.out, row),
                fresh: play.fresh,
                entrants,
            },
            openings: openings.cloned().collect(),
            standings: Standings::new(names),
        }
    }

    fn source<V: Variant>(&self) -> Source<V> {
        Source::Fixed(self.openings.clone())
    }
}
