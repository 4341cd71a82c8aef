//! `tournament`.

mod save;
mod settings;

use std::path::{Path, PathBuf};

use clap::Args;
use kujira_arena::engine::EngineConfig;
use kujira_arena::entrant::EngineFiles;
use kujira_arena::files::{journal_path, own_paths, played_so_far};
use kujira_arena::progress::Action;
use kujira_arena::replay::PlayedMatch;
use kujira_arena::rounds::Results;
use kujira_arena::runner::Finish;
use kujira_arena::schedule::{Format, Schedule};
use kujira_arena::standings::Standings;
use kujira_arena::tournament::Table;
use kujira_arena::tournament::file::TournamentFile;
use kujira_arena::tournament::page::{self, PageData};
use kujira_position::{Variant, with_variant};
use kujira_program::outputs::{Mark, resolve};
use kujira_program::shard::ShareArgs;
use kujira_program::status::{Stop, say, tell};
use kujira_program::whole::{self, with_ending};
use kujira_record::text;
use kujira_statistics::cross_table::{CSV, CrossTable, SVG};
use kujira_statistics::pool::Pool;
use kujira_statistics::rating_list::RatingList;

use super::matches::{
    Pairing, check_prefix, entrants, header_of, meet, refuse_lacking, stop_on_interrupt,
};
use super::out::write;
use super::sums::SumArgs;

pub(super) use save::save;
use settings::{Settings, groups};

/// Arguments of `tournament`.
#[derive(Args)]
pub(super) struct TournamentArgs {
    /// The file that describes the tournament (docs/tournaments.md). What it names counts from its folder.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only look at the file and start each engine once; say what would be played.
    #[arg(long)]
    check: bool,
    /// Beginning of the names of the tournament's files, instead of the file's `out`; its own name without .toml if
    /// it has none. If they are there already the tournament is taken up where it stopped.
    #[arg(long, value_name = "PREFIX")]
    out: Option<PathBuf>,
    /// Throw away what an earlier run left.
    #[arg(long)]
    fresh: bool,
    /// Write over tables and a page that another program made; with --fresh over all files. What is read is never
    /// written over.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    sums: SumArgs,
    /// Make tables and page every so many games, too, while the tournament goes on.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    page_every: Option<u64>,
    /// Games at a time, instead of the file's `concurrency`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Plain lines even on a terminal.
    #[arg(long)]
    plain: bool,
    /// A share of the pairs of a round robin or a gauntlet; `collect` makes one journal of the shares'.
    #[command(flatten)]
    share: ShareArgs,
}

/// A tournament as it is to be played.
struct Tournament {
    /// The file, as it was named.
    name: String,
    path: PathBuf,
    title: String,
    settings: Settings,
    groups: Vec<Vec<String>>,
}

impl Tournament {
    /// Reads the file and goes to its folder: whatever is named in it counts from there.
    fn open(args: &TournamentArgs) -> Result<Self, String> {
        let name = args.file.display().to_string();
        let named = |error: String| format!("{name}: {error}");
        let text = text::open(&args.file).map_err(|error| error.to_string())?;
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(|error| named(error.to_string()));
        let path = absolute(&args.file)?;
        let out = args.out.as_deref().map(absolute).transpose()?;
        if let Some(folder) = path.parent() {
            std::env::set_current_dir(folder).map_err(|error| named(error.to_string()))?;
        }
        let file = TournamentFile::parse(&text).map_err(named)?;
        let own = PathBuf::from(path.file_stem().unwrap_or_default());
        let mut settings = Settings::read(&file, &own).map_err(named)?;
        let play = &mut settings.play;
        play.out = out.unwrap_or_else(|| play.out.clone());
        play.concurrency = args.concurrency.unwrap_or(play.concurrency);
        (play.fresh, play.force, play.plain) = (args.fresh, args.force, args.plain);
        (play.sums, play.share) = (args.sums, args.share);
        play.out = play.prefix();
        if let Format::Swiss { .. } | Format::Knockout { .. } = settings.format() {
            let instead = "a round robin or a gauntlet can be shared out";
            args.share.refuse("a Swiss or a knock-out", instead).map_err(named)?;
        }
        let groups = groups(&file).map_err(named)?;
        let title = settings.title.take().unwrap_or_else(|| own.display().to_string());
        Ok(Self { name, path, title, settings, groups })
    }

    /// Refuses to write tables and page over what is read, or what somebody else made.
    fn refuse_loss(&self) -> Result<(), String> {
        let play = &self.settings.play;
        let mut outputs = play.outputs();
        outputs.input("FILE", &self.path);
        for words in &self.groups {
            let config = EngineConfig::parse(words.iter().map(String::as_str))?;
            for path in EngineFiles::of(&config).paths() {
                outputs.input("a file of an engine", path);
            }
        }
        for path in own_paths(&play.out) {
            outputs.known("--out", &path);
        }
        for (path, mark) in made_paths(&play.out).iter().zip([TEXT, CSV, SVG, page::MARK]) {
            outputs.output("--out", path, mark);
        }
        Ok(outputs.check()?)
    }

    fn pairing(&self) -> Pairing<'_> {
        Pairing {
            groups: &self.groups,
            out: &self.settings.play.out,
            rounds: self.settings.openings(self.groups.len()),
            format: self.settings.format(),
            sprt: None,
            event: Some(&self.title),
            every: None,
            stop_file: None,
        }
    }
}

/// Runs `tournament`.
pub(super) fn run_tournament(args: &TournamentArgs) -> Result<(), Stop> {
    let tournament = Tournament::open(args)?;
    let game = tournament.settings.play.game;
    let result = with_variant!(game, V => match args.check {
        true => check::<V>(&tournament),
        false => play::<V>(&tournament, args.page_every),
    });
    result.map_err(|stop| match stop {
        Stop::Failed(error) => Stop::Failed(format!("{}: {error}", tournament.name)),
        other => other,
    })
}

/// Says what would be played.
fn check<V: Variant>(tournament: &Tournament) -> Result<(), Stop> {
    let Tournament { name, title, settings, groups, .. } = tournament;
    let play = &settings.play;
    check_prefix(&play.out)?;
    tournament.refuse_loss()?;
    let starts = play.openings.read::<V>(play.rules.rules(), false)?;
    let stopped = stop_on_interrupt()?;
    let engines = entrants(play, groups, &play.out, play.outputs(), &stopped)?;
    starts.check::<V>(play.ending.max_plies, &engines)?;
    let pairing = tournament.pairing();
    let whole = Schedule::new(pairing.format, groups.len(), pairing.rounds, Results::default())?;
    let games = whole.only(play.share.share()).total();
    let more = match pairing.format {
        Format::Knockout { .. } => " or more",
        _ => "",
    };
    let format = explain(pairing.format, groups.len(), pairing.rounds);
    let mut text = format!("{name}: {title}\n{}\n{format}: {games} games{more}\n", V::SPEC.name);
    text.push_str(&format!("openings: {}\n", starts.describe()));
    for (number, engine) in (1..).zip(&engines) {
        let command: Vec<_> = std::iter::once(engine.config.command.display().to_string())
            .chain(engine.config.arguments.iter().cloned())
            .collect();
        text.push_str(&format!(
            "{number:>3} {}: {}, {}\n",
            engine.player.name,
            engine.player.limit,
            command.join(" ")
        ));
    }
    for path in own_paths(&play.out).iter().chain(&made_paths(&play.out)) {
        text.push_str(&format!("file: {}\n", resolve(path).display()));
    }
    let (header, _) = header_of::<V>(play, &pairing, &engines, &starts);
    if let Some(played) = played_so_far(&play.out, &header, play.begin())? {
        let (results, standings) = (played.results, played.standings);
        let schedule = Schedule::new(pairing.format, groups.len(), pairing.rounds, results)?;
        let schedule = schedule.only(play.share.share());
        text.push_str(&so_far(&standings, schedule.total(), play.concurrency));
    }
    say(&text)
}

/// How much of a tournament is played, and about how long the rest takes, if games go on as they did.
fn so_far(standings: &Standings, all: u64, concurrency: u16) -> String {
    let games = standings.games;
    let mut text = format!("journal: {games} of {all} played");
    let left = all.saturating_sub(games);
    if games > 0 && left > 0 {
        let spent: u64 = standings.usage.iter().map(|usage| usage.us).sum();
        let seconds = spent as f64 / 1e6 / games as f64 * left as f64 / f64::from(concurrency);
        text.push_str(&format!(", about {} left at {concurrency} at a time", duration(seconds)));
    }
    text + "\n"
}

/// A length of time as one says it.
fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// Plays the tournament, or goes on with it, and makes tables and page of what is played.
fn play<V: Variant>(tournament: &Tournament, page_every: Option<u64>) -> Result<(), Stop> {
    let play = &tournament.settings.play;
    check_prefix(&play.out)?;
    tournament.refuse_loss()?;
    let so_far = || show::<V>(tournament, true).map(|_| ());
    // What a share comes to says nothing by itself.
    let share = play.share.share();
    let every = page_every.filter(|_| share.is_none());
    let every = every.map(|games| (games, &so_far as Action<'_>));
    let (standings, finish) = meet::<V>(play, &Pairing { every, ..tournament.pairing() })?;
    if let Some(share) = share {
        let journal = resolve(&journal_path(&play.out));
        tell(&format!("\n{} games of share {share} in {}\n", standings.games, journal.display()));
    // Before there is a game there is nothing to show.
    } else if standings.games > 0 {
        let tables = show::<V>(tournament, finish == Finish::Stopped)?;
        tell(&format!("\n{tables}\n"));
        for path in made_paths(&play.out) {
            tell(&format!("{}\n", resolve(&path).display()));
        }
    }
    if finish == Finish::Stopped {
        let journal = resolve(&journal_path(&play.out));
        tell(&format!(
            "\nstopped; the same command takes the tournament up again ({})\n",
            journal.display()
        ));
        return Err(Stop::Interrupted);
    }
    Ok(refuse_lacking(finish)?)
}

/// Makes tables and page of the games of the journal; returns the tables.
fn show<V: Variant>(tournament: &Tournament, so_far: bool) -> Result<String, String> {
    let play = &tournament.settings.play;
    let played = &PlayedMatch::read(&journal_path(&play.out), play.sums.unchecked)?;
    let standings = &played.replay()?.standings;
    let (Pairing { format, rounds, .. }, title) = (tournament.pairing(), &tournament.title);
    let table = Table::of(format, rounds, standings, &played.results());
    let mut pool = Pool::default();
    for (setting, standings) in played.by_setting()? {
        standings.add_to(&mut pool, &setting);
    }
    let list = RatingList::of(&pool, &pool.ratings());
    let cross = CrossTable::of(&list);
    let tables = format!("{}\n{list}\n{}", table.text(&standings.names), cross.text());
    let mut facts = V::SPEC.name.to_owned();
    let rules = played.header.rules.to_string();
    if !rules.is_empty() {
        facts.push_str(&format!(", {rules}"));
    }
    facts.push_str(&format!(
        ". {}. Openings: {}. {} games{}.",
        explain(format, standings.names.len(), rounds),
        played.header.openings,
        standings.games,
        if so_far { " so far" } else { "" }
    ));
    let data =
        PageData::of(facts.clone(), &table, &list, played).map_err(|error| played.named(&error))?;
    // Somebody may have put a file there in the meantime.
    tournament.refuse_loss()?;
    let made = made_paths(&tournament.settings.play.out);
    let [text, csv, svg, html] = &made;
    write(text, format!("{FIRST_LINE}{title}\n{facts}\n\n{tables}").as_bytes())?;
    write(csv, cross.csv().as_bytes())?;
    write(svg, cross.svg().as_bytes())?;
    whole::write_with(html, |out| page::write(out, title, &data))
        .map_err(|error| format!("{}: {error}", html.display()))?;
    for path in &made {
        whole::sweep(path);
    }
    Ok(tables)
}

/// What the tables begin with, by which they are known again.
const FIRST_LINE: &str = "kujira-bench tournament\n";

/// How the tables begin.
const TEXT: Mark = Mark::new("the tables of a tournament", &[FIRST_LINE.as_bytes()]);

/// What is made of the games: tables as text, cross-table as CSV and SVG, the page.
fn made_paths(prefix: &Path) -> [PathBuf; 4] {
    [".txt", ".csv", ".svg", ".html"].map(|ending| with_ending(prefix, ending))
}

/// The format in a few words.
fn explain(format: Format, engines: usize, openings: u32) -> String {
    let counted = |number: u32, what: &str| match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    };
    let pairs = |number| counted(number, "pair") + " of games for each pairing";
    match format {
        Format::RoundRobin => format!("Round robin of {engines} engines, {}", pairs(openings)),
        Format::Gauntlet => format!("Gauntlet of {engines} engines, {}", pairs(openings)),
        Format::Swiss { pairs: each } => {
            let rounds = counted(openings / each.max(1), "round");
            format!("Swiss of {engines} engines, {rounds}, {}", pairs(each))
        }
        Format::Knockout { pairs: each, extra } => format!(
            "Knock-out of {engines} engines, {}, up to {extra} more while it is even",
            pairs(each)
        ),
    }
}
