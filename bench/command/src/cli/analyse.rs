//! `analyse`.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use kujira_position::{Color, Coordinates};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::shard::{Shard, Share};
use kujira_program::status::{Stop, tell, warn};
use kujira_program::{growing, regular, whole};
use kujira_record::review::{Judgement, Look, Review};
use kujira_record::{FileFormat, Game, Record};

use kujira_arena::fingerprint::fingerprint;
use kujira_arena::header::differences;
use kujira_arena::journal::Journal;
use kujira_study::analysis::{Analyst, Answer, Header, Line, Seen, read};

use super::matches::stop_on_interrupt;
use super::out::refuse_existing;
use super::records::{RecordArgs, Squares, format, formats, numbers, players};
use super::signature::SignatureArgs;

/// Arguments of `analyse`.
#[derive(Args)]
pub(super) struct AnalyseArgs {
    /// A file of games.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    records: RecordArgs,
    /// The file of annotated games; beside it, under its name and .analysis, what is needed to go on.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How to write them: usi (which keeps nothing of it), jsonl, pgn, hodges; told by the end of the name of --out if
    /// nothing is said.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: Option<String>,
    /// What squares are called in hodges.
    #[arg(long, value_enum, default_value = "japanese")]
    squares: Squares,
    /// The games to look at, by their numbers in the file: 3, or 3-7.
    #[arg(long, value_name = "N", value_parser = |text: &str| numbers(text, 1))]
    games: Option<(usize, usize)>,
    /// Look at one share of N, number K from 0 to N-1: of these games, the first of them number 0, each Nth from the Kth
    /// on. The name of --out gets .K-of-N.
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    signature: SignatureArgs,
    /// Nodes a position.
    #[arg(long, value_name = "N", default_value_t = 100_000, conflicts_with = "movetime",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Milliseconds a position, instead of nodes.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Threads of the search.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// The most moves of a better line that are written.
    #[arg(long, value_name = "N", default_value_t = 6)]
    line: usize,
    /// Throw away what an earlier run with other games or limits found; --force its file, too.
    #[arg(long)]
    fresh: bool,
    /// Write over a file that is there already, whoever made it. What is read is never written over.
    #[arg(long)]
    force: bool,
}

/// How the journal of an analysis begins.
pub(super) const ANALYSIS: Mark = Mark::new("the journal of an analysis", &[b"{\"analysis\":"]);

impl AnalyseArgs {
    fn header(&self, chosen: &[(usize, Record)]) -> Header {
        // Whatever format they are written in, and comments with them.
        let mut text = String::new();
        for (_, record) in chosen {
            FileFormat::Jsonl.append(&mut text, record, Coordinates::Japanese);
        }
        Header {
            games: format!("{:016x}", fingerprint(text.as_bytes())),
            nodes: self.movetime.is_none().then_some(self.nodes),
            movetime: self.movetime,
            threads: self.threads,
            hash: self.hash,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            shard: self.shard.map(|shard| shard.to_string()),
        }
    }

    /// The file of annotated games: that of the share, if this is one.
    fn path(&self) -> PathBuf {
        let share = self.shard.map(Share::Shard);
        share.map_or_else(|| self.out.clone(), |share| share.file(&self.out))
    }

    /// Refuses to write over what is read, and over files of others.
    fn refuse_loss(&self, out: &Path, journal: &Path) -> Result<(), String> {
        // What it holds does not follow from a new journal.
        if self.fresh {
            refuse_existing(out, self.force)?;
        }
        let mut outputs = Outputs::new(self.force);
        outputs.input("the games", &self.file);
        outputs.output("the analysis", journal, ANALYSIS);
        if fs::metadata(journal).is_ok_and(|found| found.len() > 0) {
            // What it holds is looked at more closely.
            outputs.known("--out", out);
        } else {
            outputs.output("--out", out, Mark::none("annotated games"));
        }
        Ok(outputs.check()?)
    }
}

/// Runs `analyse`.
pub(super) fn run(args: &AnalyseArgs) -> Result<(), Stop> {
    let stopped = stop_on_interrupt()?;
    let format = format(args.to.as_deref(), &args.out, "--to")?;
    let out = args.path();
    let path = whole::with_ending(&out, ".analysis");
    args.refuse_loss(&out, &path)?;
    let mut chosen = Vec::new();
    let file = std::slice::from_ref(&args.file);
    args.records.each(file, args.games, |number, record| {
        chosen.push((number, record));
        Ok(())
    })?;
    for game in chosen.iter().map(|(_, record)| record.game.variant()).collect::<HashSet<_>>() {
        args.signature.check(game)?;
    }
    let header = args.header(&chosen);
    if let Some(share) = args.shard.map(Share::Shard) {
        let mut numbers = 0..;
        chosen.retain(|_| numbers.next().is_some_and(|number| share.has(number)));
    }
    let mut analyst = Analyst::new(&header, &stopped);
    let mut run = Run::open(args, &out, &path, format, header)?;
    tell(HEADING);
    for &(number, ref record) in &chosen {
        let Some(looks) = run.looks(number, &record.game, &mut analyst)? else {
            warn("kujira-bench: stopped; the same command goes on\n");
            return Err(Stop::Interrupted);
        };
        run.add(number, record, &looks)?;
    }
    run.begin()?;
    tell(&format!("{} games in {}\n", chosen.len(), out.display()));
    Ok(())
}

/// The heading of the account: for each side its accuracy, what a move loses on average in per cent of a game, and how
/// many moves are judged so.
const HEADING: &str =
    " game  moves |    Black    loss  ?!   ?  ?? |    White    loss  ?!   ?  ?? | players\n";

/// A run and its files.
struct Run<'a> {
    args: &'a AnalyseArgs,
    format: FileFormat,
    journal: Journal,
    /// Where the annotated games go.
    place: &'a Path,
    /// Where the journal is.
    path: &'a Path,
    /// What the journal begins with, until that is written: not before there is something to follow it.
    header: Option<Header>,
    /// What was found, by game and ply.
    found: HashMap<(usize, usize), Look>,
    /// The games annotated so far.
    text: String,
    /// The file that holds them, once it is known that nothing is lost.
    out: Option<File>,
}

impl<'a> Run<'a> {
    /// Opens the journal, which nobody else has then, and reads what is known.
    fn open(
        args: &'a AnalyseArgs,
        place: &'a Path,
        path: &'a Path,
        format: FileFormat,
        header: Header,
    ) -> Result<Self, String> {
        let named = |error: &dyn Display| format!("{}: {error}", path.display());
        let mut journal = Journal::open(path).map_err(|error| named(&error))?;
        let text = match args.fresh {
            true => Vec::new(),
            false => journal.text().map_err(|error| named(&error))?,
        };
        let found = read(&text, args.records.sums.unchecked).map_err(|error| named(&error))?;
        if let Some(earlier) = found.header.as_ref().filter(|earlier| **earlier != header) {
            let differences = differences(&header, earlier, 0).join("; ");
            return Err(named(&format!(
                "expected the analysis of these games, found another: {differences} \
                 (--fresh throws it away, another --out keeps it)"
            )));
        }
        journal.cut(found.whole).map_err(|error| named(&error))?;
        let header = found.header.is_none().then_some(header);
        let (found, text) = (found.looks, String::new());
        Ok(Self { args, format, journal, place, path, header, found, text, out: None })
    }

    /// What is found along the main line of a game; `None` if it was stopped.
    fn looks(
        &mut self,
        number: usize,
        game: &Game,
        analyst: &mut Analyst<'_>,
    ) -> Result<Option<Vec<Option<Look>>>, String> {
        let mut looks = Vec::new();
        for (ply, id) in game.line_through(0).into_iter().enumerate() {
            let ending = game.node(id).and_then(|node| node.ending);
            if ending.is_some_and(|ending| ending.by_rule()) {
                looks.push(None);
                continue;
            }
            if let Some(known) = self.found.get(&(number, ply)) {
                looks.push(Some(known.clone()));
                continue;
            }
            self.begin()?;
            let look = match analyst.look(game, id)? {
                Answer::Stopped => return Ok(None),
                Answer::Nothing => None,
                Answer::Found(look) => Some(look),
            };
            if let Some(Look { score, depth, line }) = look.clone() {
                let seen = Seen { game: number, ply, score, depth, line };
                let header = self.header.take().map(Line::Analysis);
                let lines: Vec<Line> = header.into_iter().chain([Line::Look(seen)]).collect();
                self.journal
                    .append(&lines)
                    .map_err(|error| format!("{}: {error}", self.path.display()))?;
            }
            looks.push(look);
        }
        Ok(Some(looks))
    }

    /// Adds a game to the file, and tells of it.
    fn add(
        &mut self,
        number: usize,
        record: &Record,
        looks: &[Option<Look>],
    ) -> Result<(), String> {
        let mut record = record.clone();
        let review = Review::of(&record.game, looks);
        review.annotate(&mut record.game, looks, self.args.line);
        let tags = &mut record.head.tags;
        tags.set("Annotator", &format!("kujira-bench {}", env!("CARGO_PKG_VERSION")));
        // The tag White is our Black.
        for (tag, side) in [("WhiteAccuracy", Color::Black), ("BlackAccuracy", Color::White)] {
            if let Some(accuracy) = review.accuracy(side) {
                tags.set(tag, &format!("{accuracy:.1}"));
            }
        }
        let before = self.text.len();
        self.format.append(&mut self.text, &record, self.args.squares.into());
        if let Some(out) = &mut self.out {
            out.write_all(&self.text.as_bytes()[before..])
                .map_err(|error| format!("{}: {error}", self.place.display()))?;
        }
        tell(&row(number, &record, &review));
        Ok(())
    }

    /// Puts what was annotated by earlier runs into the file, which may hold nothing else.
    fn begin(&mut self) -> Result<(), String> {
        if self.out.is_some() {
            return Ok(());
        }
        let out = self.place;
        let named = |error: io::Error| format!("{}: {error}", out.display());
        let kept = match regular::read(out, u64::MAX) {
            Ok(kept) => kept,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(named(error)),
        };
        let ours = self.text.as_bytes().starts_with(&kept);
        if !ours && !self.args.force {
            return Err(format!(
                "--out: {}: expected what an earlier run wrote, found something else (--force writes \
                 over it, another --out keeps it)",
                out.display()
            ));
        }
        whole::sweep(out);
        whole::write(out, self.text.as_bytes()).map_err(named)?;
        self.out = Some(growing::append(out).map_err(named)?);
        Ok(())
    }
}

/// A line of the account.
fn row(number: usize, record: &Record, review: &Review) -> String {
    let side = |side| {
        let percent = |share: Option<f64>| {
            share.map_or_else(|| "–".to_owned(), |share| format!("{share:.1} %"))
        };
        let [inaccuracies, mistakes, blunders] =
            Judgement::ALL.map(|judgement| review.count(side, judgement));
        format!(
            "{:>8} {:>7} {inaccuracies:>3} {mistakes:>3} {blunders:>3}",
            percent(review.accuracy(side)),
            percent(review.loss(side).map(|loss| loss * 100.0))
        )
    };
    let moves = review.moves.len();
    let (first, second) = (side(Color::Black), side(Color::White));
    format!("{number:>5} {moves:>6} | {first} | {second} | {}\n", players(record))
}
