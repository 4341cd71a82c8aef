//! `ratings`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::status::{Stop, say};
use kujira_program::whole;

use kujira_arena::together::{
    leave_out_repeated, left_out, refuse_again, refuse_mixed, refuse_void,
};
use kujira_arena::tournament::page::RatingData;
use kujira_statistics::Ratings;
use kujira_statistics::cross_table::{self, CrossTable};
use kujira_statistics::pool::Pool;
use kujira_statistics::rating_list::RatingList;
use serde::Serialize;

use super::out::write;
use super::sums::SumArgs;

/// Arguments of `ratings`.
#[derive(Args)]
pub(super) struct RatingsArgs {
    /// The journals of matches, PREFIX.jsonl: engines of one name are one engine.
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    /// The rating of one engine, to which those of the others are relative; without it their mean is 0.
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<Anchor>,
    /// Write rating list and cross-table as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the cross-table as a picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one object of JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sums: SumArgs,
    /// Count journals together although engines of one name had other limits, options or builds in them, or shards have
    /// pairs in common.
    #[arg(long)]
    mixed: bool,
    /// Write over files that another program made, too. What is read is never written over.
    #[arg(long)]
    force: bool,
}

/// No rating is farther from 0: differences of Elo would be lost in it, and tables have no room.
const FARTHEST: f64 = 100_000.0;

/// An engine whose rating is given.
#[derive(Clone, PartialEq, Debug)]
struct Anchor {
    name: String,
    elo: f64,
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Names may hold a sign of equality, numbers do not.
        let (name, elo) = text.rsplit_once('=').unwrap_or_default();
        match elo.parse::<f64>() {
            Ok(elo) if elo.abs() <= FARTHEST && !name.is_empty() => {
                Ok(Self { name: name.to_owned(), elo })
            }
            _ => Err(format!(
                "expected the name of an engine and its rating up to {FARTHEST}, such as kujira=1500"
            )),
        }
    }
}

impl Anchor {
    /// The ratings relative to this one.
    fn hold(&self, pool: &Pool, ratings: Ratings) -> Result<Ratings, String> {
        match pool.names().iter().position(|name| *name == self.name) {
            Some(engine) => Ok(ratings.anchored(engine, self.elo)),
            None => Err(format!(
                "--anchor: expected one of {}, found {}",
                pool.names().join(", "),
                self.name
            )),
        }
    }
}

impl RatingsArgs {
    /// The files that are written, each with its argument and how one of ours begins.
    fn files(&self) -> impl Iterator<Item = (&'static str, &Path, Mark)> {
        let csv = self.csv.iter().map(|path| ("--csv", path.as_path(), cross_table::CSV));
        csv.chain(self.svg.iter().map(|path| ("--svg", path.as_path(), cross_table::SVG)))
    }

    /// Looks for what would be lost.
    fn check(&self) -> Result<(), String> {
        let mut outputs = Outputs::new(self.force);
        outputs.inputs("a journal", &self.journals);
        for (argument, path, mark) in self.files() {
            outputs.output(argument, path, mark);
        }
        Ok(outputs.check()?)
    }
}

/// What is printed for other programs.
#[derive(Serialize)]
struct Json<'a> {
    games: usize,
    /// Games that another journal has move for move.
    left_out: usize,
    /// What was played.
    settings: &'a [String],
    notes: &'a [String],
    /// The strongest first.
    engines: Vec<RatingData>,
}

/// Runs `ratings`.
pub(super) fn run(args: &RatingsArgs) -> Result<(), Stop> {
    args.check()?;
    for (_, path, _) in args.files() {
        whole::check(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut matches = args.sums.read(&args.journals)?;
    refuse_again(&matches)?;
    if !args.mixed {
        refuse_mixed(&matches)?;
    }
    refuse_void(&matches)?;
    let repeated = leave_out_repeated(&mut matches);
    let without = left_out(repeated);
    let mut pool = Pool::default();
    for played in &matches {
        for (setting, standings) in played.by_setting()? {
            standings.add_to(&mut pool, &setting);
        }
    }
    if pool.names().is_empty() {
        return Err("expected finished games, found none".to_owned().into());
    }
    let ratings = match &args.anchor {
        Some(anchor) => anchor.hold(&pool, pool.ratings())?,
        None => pool.ratings(),
    };
    let list = RatingList::of(&pool, &ratings);
    let table = CrossTable::of(&list);
    // Before anything is told: somebody may listen to the first lines only.
    args.check()?;
    for (argument, path, _) in args.files() {
        let text = if argument == "--csv" { table.csv() } else { table.svg() };
        write(path, text.as_bytes())?;
    }
    let games: usize = matches.iter().map(|played| played.games.len()).sum();
    if args.json {
        let engines = list.rows.iter().map(RatingData::from).collect();
        let (settings, notes) = (pool.settings(), &list.notes);
        let json = Json { games, left_out: repeated, settings, notes, engines };
        let json = serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?;
        return say(&(json + "\n"));
    }
    let settings = pool.settings().join(" | ");
    say(&format!("{games} games in {settings}\n{without}\n{list}\n{}", table.text()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_a_name_and_a_number() {
        for (text, name, elo) in
            [("kujira=1500", "kujira", 1500.0), ("a=b=-2.5", "a=b", -2.5), ("a b=+0", "a b", 0.0)]
        {
            assert_eq!(text.parse(), Ok(Anchor { name: name.to_owned(), elo }));
        }
        for text in [
            "",
            "kujira",
            "=1500",
            "kujira=",
            "kujira=x",
            "kujira=inf",
            "kujira=NaN",
            "kujira=1e308",
        ] {
            let error = text.parse::<Anchor>().unwrap_err();
            assert!(error.starts_with("expected the name of an engine"), "{text}: {error}");
        }
    }
}
