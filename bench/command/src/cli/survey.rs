//! `survey`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use kujira_arena::replay::PlayedMatch;
use kujira_arena::together::{leave_out_repeated, left_out, refuse_again};
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::status::{Stop, say, warn};
use kujira_search::Searcher;
use kujira_study::survey::estimate::Mean;
use kujira_study::survey::games::{Row, survey, table};
use kujira_study::survey::odds::{self, Odds, odds};
use kujira_study::survey::plot::{PICTURE, Point, picture};
use kujira_study::survey::promotions::promotions;
use kujira_study::survey::values::{Fit, fit};
use serde::Serialize;

use super::matches::stop_on_interrupt;
use super::out::write;
use super::sums::SumArgs;

/// Arguments of `survey`.
#[derive(Args)]
pub(super) struct SurveyArgs {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Who wins, how, after how many plies, among how many moves: a row a match.
    Games(TableArgs),
    /// What pieces are worth, by a logistic fit to the results of matches of one game.
    Values(ValuesArgs),
    /// What odds are worth in Elo, by matches from positions in which White gives pieces (`match --handicap`, `--sfen`)
    /// and one from the start: a row a match.
    Odds(TableArgs),
    /// Whether moves that decline a promotion are right to: both moves are searched.
    Promotions(PromotionsArgs),
}

#[derive(Args)]
struct TableArgs {
    /// The journals of matches, PREFIX.jsonl.
    #[arg(value_name = "FILE", required = true)]
    journals: Vec<PathBuf>,
    #[command(flatten)]
    sums: SumArgs,
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
    #[command(flatten)]
    sums: SumArgs,
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
    #[command(flatten)]
    sums: SumArgs,
    /// Positions looked at.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,
    /// Nodes for each of the two moves.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// How our tables begin.
const GAMES: Mark = Mark::new("a table of survey games", &[b"journal,game,rules,limit,start,"]);
const ODDS: Mark = Mark::new("a table of survey odds", &[b"journal,game,rules,limit,lacks,"]);

/// Runs `survey`.
pub(super) fn run(args: &SurveyArgs) -> Result<(), Stop> {
    match &args.question {
        Question::Games(args) => games(args),
        Question::Values(args) => values(args),
        Question::Odds(args) => given_odds(args),
        Question::Promotions(args) => declines(args),
    }
}

fn read(journals: &[PathBuf], sums: SumArgs) -> Result<Vec<PlayedMatch>, String> {
    let matches = sums.read(journals)?;
    refuse_again(&matches)?;
    Ok(matches)
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

/// A picture to be written: its name, its title, the unit, and its curves.
struct Picture {
    name: String,
    title: String,
    unit: &'static str,
    curves: Vec<(String, Vec<Point>)>,
}

impl TableArgs {
    /// Looks at what would be written, before the work and after it.
    fn check(&self, table: Mark, pictures: &[String]) -> Result<(), String> {
        let mut outputs = Outputs::new(self.force);
        outputs.inputs("a journal", &self.journals);
        if let Some(path) = &self.csv {
            outputs.output("--csv", path, table);
        }
        for name in self.plots.iter().flat_map(|_| pictures) {
            outputs.output("--plots", &self.picture(name), PICTURE);
        }
        Ok(outputs.check()?)
    }

    fn picture(&self, name: &str) -> PathBuf {
        self.plots.as_deref().unwrap_or(Path::new("")).join(name)
    }

    /// The rows of all journals.
    fn rows(&self) -> Result<Vec<Row>, String> {
        let matches = read(&self.journals, self.sums)?;
        matches.iter().map(survey).collect()
    }

    /// Writes rows as a table, and pictures, where that is asked for.
    fn write(
        &self,
        table: Mark,
        rows: &[impl Serialize],
        pictures: &[Picture],
    ) -> Result<(), Stop> {
        let drawn = |Picture { title, unit, curves, .. }: &Picture| {
            picture(title, unit, curves).map_err(|error| format!("--plots: {error}"))
        };
        let wanted = pictures.iter().filter(|_| self.plots.is_some());
        let drawn: Vec<(PathBuf, String)> = wanted
            .map(|picture| Ok((self.picture(&picture.name), drawn(picture)?)))
            .collect::<Result<_, String>>()?;
        let names: Vec<String> = pictures.iter().map(|picture| picture.name.clone()).collect();
        self.check(table, &names)?;
        if let Some(path) = &self.csv {
            let mut writer = csv::Writer::from_writer(Vec::new());
            for row in rows {
                writer.serialize(row).map_err(|error| error.to_string())?;
            }
            let bytes = writer.into_inner().map_err(|error| error.to_string())?;
            write(path, &bytes)?;
        }
        for (path, svg) in &drawn {
            write(path, svg.as_bytes())?;
        }
        Ok(())
    }
}

fn games(args: &TableArgs) -> Result<(), Stop> {
    args.check(GAMES, &PLOTS.map(|(name, ..)| name.to_owned()))?;
    let rows = args.rows()?;
    let pictures = PLOTS.map(|(name, title, unit, figure)| Picture {
        name: name.to_owned(),
        title: title.to_owned(),
        unit,
        curves: curves(&rows, figure),
    });
    if args.plots.is_some() && pictures[0].curves.is_empty() {
        let wanted = "--plots: expected matches of several pairs from the start, under the usual rules and with a \
                      limit of nodes, found none";
        return Err(wanted.to_owned().into());
    }
    args.write(GAMES, &rows, &pictures)?;
    say(&table(&rows))
}

/// A figure of each game by nodes a move, from the start with the usual rules.
fn curves(rows: &[Row], figure: fn(&Row) -> (f64, Option<f64>)) -> Vec<(String, Vec<Point>)> {
    let even = |row: &&Row| row.rules.is_empty() && row.start.as_deref() == Some("startpos");
    let points = rows.iter().filter(even).filter_map(|row| {
        let (value, error) = figure(row);
        let game = VariantId::named(&row.game)?;
        Some((game, Point { nodes: row.nodes()?, value, error: error? }))
    });
    let mut curves = by_name(points);
    curves.sort_by_key(|&(game, _)| VariantId::ALL.iter().position(|&other| other == game));
    curves.into_iter().map(|(game, points)| (game.spec().name.to_owned(), points)).collect()
}

/// Points as curves, in the order in which the names of these come.
fn by_name<N: PartialEq>(points: impl IntoIterator<Item = (N, Point)>) -> Vec<(N, Vec<Point>)> {
    let mut curves: Vec<(N, Vec<Point>)> = Vec::new();
    for (name, point) in points {
        match curves.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    for (_, points) in &mut curves {
        points.sort_by(|a, b| a.nodes.total_cmp(&b.nodes));
    }
    curves
}

fn given_odds(args: &TableArgs) -> Result<(), Stop> {
    let file = |game: VariantId| format!("odds-{game}.svg");
    args.check(ODDS, &VariantId::ALL.iter().copied().map(file).collect::<Vec<_>>())?;
    let odds = odds(&args.rows()?)?;
    let of = |game: VariantId| Picture {
        name: file(game),
        title: format!("What odds are worth in {}", game.spec().name),
        unit: "Elo",
        curves: odds_curves(&odds, game),
    };
    let pictures = VariantId::ALL.iter().copied().map(of);
    let pictures: Vec<Picture> = pictures.filter(|picture| !picture.curves.is_empty()).collect();
    if args.plots.is_some() && pictures.is_empty() {
        let wanted = "--plots: expected odds with an Elo, under the usual rules and with a limit of nodes, found none";
        return Err(wanted.to_owned().into());
    }
    args.write(ODDS, &odds, &pictures)?;
    say(&odds::table(&odds))
}

/// The worth of each odds of a game by nodes a move, with the usual rules.
fn odds_curves(odds: &[Odds], game: VariantId) -> Vec<(String, Vec<Point>)> {
    let usual = odds.iter().filter(|row| row.game == game.to_string() && row.rules.is_empty());
    let points = usual.filter_map(|row| {
        let point = Point { nodes: row.nodes()?, value: row.elo?, error: row.elo_error? };
        Some(((row.name(), row.first), point))
    });
    let named = |((name, first), points)| (format!("{name}, {first} first"), points);
    by_name(points).into_iter().map(named).collect()
}

fn values(args: &ValuesArgs) -> Result<(), Stop> {
    let mut matches = read(&args.journals, args.sums)?;
    warn(&left_out(leave_out_repeated(&mut matches)));
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
    let played = PlayedMatch::read(&args.journal, args.sums.unchecked)?;
    let found = with_variant!(played.game(), V => {
        promotions::<V>(&mut Searcher::new(), &played, args.count, args.nodes, &stopped)
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
