//! `survey`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use kujira_position::{Variant, VariantId, with_variant};
use kujira_search::engine;
use kujira_shell::outputs::{Mark, Outputs};
use kujira_shell::status::{Stop, say, warn};
use kujira_shell::whole;
use serde::Serialize;

use super::matches::stop_on_interrupt;
use crate::replay::PlayedMatch;
use crate::survey::estimate::Mean;
use crate::survey::games::{Row, survey, table};
use crate::survey::odds::{self, Odds, odds};
use crate::survey::plot::{PICTURE, Point, picture};
use crate::survey::promotions::promotions;
use crate::survey::values::{Fit, fit};

/// Arguments of `survey`.
#[derive(Args)]
pub(super) struct SurveyArgs {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Who wins, how, after how many plies, among how many moves: a row a match.
    Games(GamesArgs),
    /// What pieces are worth, by a logistic fit to the results of matches of one game.
    Values(ValuesArgs),
    /// What odds are worth in Elo, by matches from positions in which White gives pieces (`match --handicap`, `--sfen`)
    /// and one from the start: a row a match.
    Odds(GamesArgs),
    /// Whether moves that decline a promotion are right to: both moves are searched.
    Promotions(PromotionsArgs),
}

#[derive(Args)]
struct GamesArgs {
    /// The journals of matches, PREFIX.jsonl.
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    /// Write the rows as a table here, too.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw figures by nodes a move into this folder: of games first-player.svg, draws.svg, plies.svg; of odds
    /// odds-GAME.svg.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
    /// Let the outputs write over files that `survey` did not make. What is read is never written over.
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
struct ValuesArgs {
    /// The journals of matches, PREFIX.jsonl, all of one game.
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    /// One in so many positions is taken: neighbours in a game are nearly the same.
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    apart: usize,
}

#[derive(Args)]
struct PromotionsArgs {
    /// The journal of a match, PREFIX.jsonl.
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// Positions looked at.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Nodes for each of the two moves.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// How our tables begin.
const TABLE: Mark = Mark::new(
    "a table of a survey",
    &[b"journal,game,rules,limit,start,", b"journal,game,rules,limit,lacks,"],
);

/// Runs `survey`.
pub(super) fn run(args: &SurveyArgs) -> Result<(), Stop> {
    match &args.question {
        Question::Games(args) => games(args),
        Question::Values(args) => values(args),
        Question::Odds(args) => given(args),
        Question::Promotions(args) => declines(args),
    }
}

fn read(journals: &[PathBuf]) -> Result<Vec<PlayedMatch>, String> {
    journals.iter().map(|path| PlayedMatch::read(path)).collect()
}

/// Name of a picture, its title, the unit, and the figure with its error.
type Plot = (&'static str, &'static str, &'static str, fn(&Row) -> (f64, Option<f64>));

const PLOTS: [Plot; 3] = [
    ("first-player.svg", "Points of the first player", "% of the points", |row| {
        (row.first, row.first_error)
    }),
    ("draws.svg", "Games drawn", "% of the games", |row| (row.draws, row.draws_error)),
    ("plies.svg", "Length of games", "plies", |row| (row.plies, row.plies_error)),
];

impl GamesArgs {
    fn plots(&self) -> impl Iterator<Item = (PathBuf, &Plot)> {
        self.plots.iter().flat_map(|folder| PLOTS.iter().map(|plot| (folder.join(plot.0), plot)))
    }

    fn odds_plots(&self) -> impl Iterator<Item = (PathBuf, VariantId)> {
        let of = |folder: &PathBuf, game| folder.join(format!("odds-{game}.svg"));
        self.plots.iter().flat_map(move |folder| {
            VariantId::ALL.iter().map(move |&game| (of(folder, game), game))
        })
    }

    fn check(&self, plots: &[PathBuf]) -> Result<(), String> {
        let mut outputs = Outputs::new(self.force);
        outputs.inputs("a journal", &self.journals);
        if let Some(path) = &self.csv {
            outputs.output("--csv", path, TABLE);
        }
        for path in plots {
            outputs.output("--plots", path, PICTURE);
        }
        Ok(outputs.check()?)
    }

    /// The rows of all journals.
    fn rows(&self) -> Result<Vec<Row>, String> {
        read(&self.journals)?.iter().map(survey).collect()
    }

    /// Writes rows as a table, if that is asked for.
    fn write_table(&self, rows: &[impl Serialize]) -> Result<(), String> {
        let Some(path) = &self.csv else { return Ok(()) };
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).map_err(|error| error.to_string())?;
        }
        let bytes = writer.into_inner().map_err(|error| error.to_string())?;
        write(path, &String::from_utf8_lossy(&bytes))
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    whole::write(path, text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))
}

fn games(args: &GamesArgs) -> Result<(), Stop> {
    let plots: Vec<PathBuf> = args.plots().map(|(path, _)| path).collect();
    args.check(&plots)?;
    let rows = args.rows()?;
    if !plots.is_empty() && curves(&rows, |row| (row.first, row.first_error)).is_empty() {
        let wanted = "--plots: expected matches from the start with a limit of nodes, found none";
        return Err(wanted.to_owned().into());
    }
    args.check(&plots)?;
    args.write_table(&rows)?;
    for (path, (_, title, unit, figure)) in args.plots() {
        let svg =
            picture(title, unit, &curves(&rows, *figure)).map_err(|error| error.to_string())?;
        write(&path, &svg)?;
    }
    say(&table(&rows))
}

/// A figure of each game by nodes a move, with the usual rules.
fn curves(rows: &[Row], figure: fn(&Row) -> (f64, Option<f64>)) -> Vec<(String, Vec<Point>)> {
    let of = |game: VariantId| {
        let rows = rows.iter().filter(|row| {
            row.game == game.to_string()
                && row.rules.is_empty()
                && row.start.as_deref() == Some("startpos")
        });
        let mut points: Vec<Point> = rows
            .filter_map(|row| {
                let (value, error) = figure(row);
                Some(Point { nodes: row.nodes()?, value, error: error? })
            })
            .collect();
        points.sort_by(|a, b| a.nodes.total_cmp(&b.nodes));
        (game.to_string(), points)
    };
    VariantId::ALL.iter().copied().map(of).filter(|(_, points)| !points.is_empty()).collect()
}

fn given(args: &GamesArgs) -> Result<(), Stop> {
    let plots: Vec<PathBuf> = args.odds_plots().map(|(path, _)| path).collect();
    args.check(&plots)?;
    let odds = odds(&args.rows()?)?;
    args.check(&plots)?;
    args.write_table(&odds)?;
    for (path, game) in args.odds_plots() {
        let curves = odds_curves(&odds, game);
        if !curves.is_empty() {
            let title = format!("What odds are worth: {game}");
            let svg = picture(&title, "Elo", &curves).map_err(|error| error.to_string())?;
            write(&path, &svg)?;
        }
    }
    say(&odds::table(&odds))
}

/// The worth of each odds of a game by nodes a move, with the usual rules.
fn odds_curves(odds: &[Odds], game: VariantId) -> Vec<(String, Vec<Point>)> {
    let mut curves: Vec<(String, Vec<Point>)> = Vec::new();
    for row in odds.iter().filter(|row| row.game == game.to_string() && row.rules.is_empty()) {
        let (Some(nodes), Some(value), Some(error)) = (row.nodes(), row.elo, row.elo_error) else {
            continue;
        };
        let point = Point { nodes, value, error };
        match curves.iter_mut().find(|(name, _)| *name == row.name()) {
            Some((_, points)) => points.push(point),
            None => curves.push((row.name(), vec![point])),
        }
    }
    for (_, points) in &mut curves {
        points.sort_by(|a, b| a.nodes.total_cmp(&b.nodes));
    }
    curves
}

fn values(args: &ValuesArgs) -> Result<(), Stop> {
    let matches = read(&args.journals)?;
    let Some(game) = matches.first().map(PlayedMatch::game) else { return Ok(()) };
    if let Some(other) = matches.iter().find(|played| played.game() != game) {
        let found = other.game();
        return Err(other
            .named(&format!("expected a match of {game}, found one of {found}"))
            .into());
    }
    say(&with_variant!(game, V => fit::<V>(&matches, args.apart).map(|fit| told::<V>(&fit)))?)
}

/// A fit as a table of Markdown.
fn told<V: Variant>(fit: &Fit) -> String {
    let cell =
        |mean: Option<Mean>| mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.0}"));
    let mut text = format!(
        "{}: {} positions of {} games; to be the side to move: {:.0}\n\n| piece | on board | in hand |\n|---|---|---|\n",
        V::ID,
        fit.positions,
        fit.games,
        fit.to_move
    );
    for value in &fit.values {
        text.push_str(&format!(
            "| {} | {} | {} |\n",
            value.kind,
            cell(value.on_board),
            cell(value.in_hand)
        ));
    }
    text
}

fn declines(args: &PromotionsArgs) -> Result<(), Stop> {
    let stopped = stop_on_interrupt()?;
    let played = PlayedMatch::read(&args.journal)?;
    let found = with_variant!(played.game(), V => {
        promotions::<V>(engine(V::ID).as_mut(), &played, args.count, args.nodes, &stopped)
    })?;
    let Some(found) = found else {
        warn("kujira-bench: stopped; nothing is told\n");
        return Err(Stop::Interrupted);
    };
    let (Some(declining), Some(promoting)) = (found.declining_better, found.promoting_better)
    else {
        return Err(played
            .named(&"expected moves that can promote or decline to, found none")
            .into());
    };
    let mut text = format!(
        "{} moves that could promote or decline: declining is better by 50 centipawns in {declining:.1} %, \
         promoting in {promoting:.1} %\n",
        found.searched
    );
    if let Some([right, wrong]) = found.declined {
        text.push_str(&format!(
            "{} of them declined: right in {right:.1} %, wrong in {wrong:.1} %\n",
            found.declined_count
        ));
    }
    say(&text)
}
