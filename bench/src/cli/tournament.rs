//! `tournament`, and `match --save`.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use kujira_position::{Variant, with_variant};
use kujira_record::text;
use kujira_shell::outputs::{Mark, Outputs, resolve};
use kujira_shell::status::{Stop, say, tell};
use kujira_shell::whole::{self, with_ending};

use super::matches::{
    Meeting, PlayArgs, check_prefix, describe, entrants, meet, stop_on_interrupt,
};
use crate::cross_table::{CSV, CrossTable, SVG};
use crate::engine::{EngineConfig, is_bare};
use crate::files::{journal_path, own_paths};
use crate::openings::read_file;
use crate::pool::Pool;
use crate::rating_list::RatingList;
use crate::replay::PlayedMatch;
use crate::runner::Finish;
use crate::schedule::Format;
use crate::tournament::file::{self, Setting, TournamentFile, Value};
use crate::tournament::page::{self, PageData};
use crate::tournament::{Table, swiss};

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
    /// With --fresh: throw away files that another program made, too. What is read is never written over.
    #[arg(long, requires = "fresh")]
    force: bool,
    /// Games at a time, instead of the file's `concurrency`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Plain lines even on a terminal.
    #[arg(long)]
    plain: bool,
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum FormatName {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays everybody else.
    Gauntlet,
    /// Engines of like points meet, round by round.
    Swiss,
    /// Whoever loses is out.
    Knockout,
}

/// The keys of a file: those of `match`, and what only a tournament has.
#[derive(Args)]
struct Settings {
    /// What the page is headed by.
    #[arg(long)]
    title: Option<String>,
    /// Who plays whom.
    #[arg(long, value_enum, default_value = "round-robin")]
    format: FormatName,
    /// Rounds of a Swiss.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// Pairs of games for each pairing.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: Option<u32>,
    /// Further pairs in a knock-out.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1000))]
    extra_pairs: Option<u32>,
    #[command(flatten)]
    play: PlayArgs,
}

/// Flags of `match` that are no keys: they are about a run, not about what is played. Engines have tables.
const NO_KEYS: [&str; 5] = ["engine", "force", "fresh", "plain", "save"];

/// The key that is a word of the command line, and no flag.
const GAME: &str = "game";

/// Pairs of games for each pairing where results decide who meets next; otherwise as many as `match` has.
const PAIRS: u32 = 1;

/// As `match` has it.
const PAIRS_OF_MATCH: u32 = 100;

/// Further pairs after an even pairing of a knock-out.
const EXTRA_PAIRS: u32 = 4;

impl Settings {
    /// The command line that the keys would be.
    fn command() -> Command {
        Self::augment_args(Command::new("tournament").no_binary_name(true).disable_help_flag(true))
    }

    /// Takes the settings of a file.
    ///
    /// # Errors
    /// What is wrong with which line.
    fn read(file: &TournamentFile, out: &Path) -> Result<Self, String> {
        let command = Self::command();
        let alone = command.clone().mut_args(|arg| arg.required(false));
        let mut words = vec!["--engine=".to_owned()];
        let mut has_out = false;
        for setting in &file.settings {
            let word = word(&command, setting)?;
            let Some(word) = word else { continue };
            if let Err(error) = alone.clone().try_get_matches_from([&word]) {
                let Setting { line, key, .. } = setting;
                return Err(format!("line {line}: {key}: {}", reason(&error)));
            }
            has_out |= setting.key == "out";
            words.push(word);
        }
        if !has_out {
            words.push(format!("--out={}", out.display()));
        }
        if !file.settings.iter().any(|setting| setting.key == GAME) {
            return Err(
                "expected game = \"whale\", \"paulowich\" or \"great\", found no game".to_owned()
            );
        }
        let settings = command
            .try_get_matches_from(words)
            .and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|error| reason(&error))?;
        settings.check_format(file)?;
        Ok(settings)
    }

    /// Refuses settings that the format has no use for.
    fn check_format(&self, file: &TournamentFile) -> Result<(), String> {
        for (key, owner) in [("rounds", FormatName::Swiss), ("extra-pairs", FormatName::Knockout)] {
            let set = file.settings.iter().find(|setting| setting.key == key);
            if let Some(Setting { line, .. }) = set.filter(|_| self.format != owner) {
                let owner = owner.to_possible_value();
                let owner = owner.as_ref().map_or("", |value| value.get_name());
                return Err(format!(
                    "line {line}: {key}: expected format = \"{owner}\" with it, found another"
                ));
            }
        }
        Ok(())
    }

    fn format(&self) -> Format {
        let pairs = self.pairs.unwrap_or(PAIRS);
        match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet,
            FormatName::Swiss => Format::Swiss { pairs },
            FormatName::Knockout => {
                Format::Knockout { pairs, extra: self.extra_pairs.unwrap_or(EXTRA_PAIRS) }
            }
        }
    }

    /// Openings for a tournament of so many engines.
    fn openings(&self, engines: usize) -> u32 {
        let wanted = match self.format {
            FormatName::Swiss => self.rounds.unwrap_or_else(|| swiss::usual_rounds(engines)),
            _ => self.pairs.unwrap_or(PAIRS_OF_MATCH),
        };
        self.format().openings(engines, wanted)
    }
}

/// The word of the command line that a setting is; none if that is to be left out.
fn word(
    command: &Command,
    Setting { line, key, value }: &Setting,
) -> Result<Option<String>, String> {
    let names = command.get_arguments().filter_map(|arg| match arg.get_id().as_str() {
        GAME => Some((GAME, true)),
        _ => Some((arg.get_long()?, arg.get_action().takes_values())),
    });
    let mut known: Vec<_> = names.filter(|(name, _)| !NO_KEYS.contains(name)).collect();
    let Some(&(name, takes_value)) = known.iter().find(|(name, _)| name == key) else {
        known.sort_unstable();
        let names: Vec<_> = known.iter().map(|&(name, _)| name).collect();
        return Err(format!(
            "line {line}: expected [[engine]] or one of {}, found {key}",
            names.join(", ")
        ));
    };
    match value {
        Value::Text(text) if name == GAME => Ok(Some(text.clone())),
        Value::Text(text) if takes_value => Ok(Some(format!("--{name}={text}"))),
        Value::Switch(on) if !takes_value => Ok(on.then(|| format!("--{name}"))),
        Value::Text(text) => {
            Err(format!("line {line}: {key}: expected true or false, found \"{text}\""))
        }
        Value::Switch(on) => Err(format!("line {line}: {key}: expected a value, found {on}")),
    }
}

/// What is wrong with a value, without the flag that the error would name.
fn reason(error: &clap::Error) -> String {
    let found = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(found)) => found.as_str(),
        _ => "",
    };
    match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(values))) if !values.is_empty() => {
            format!("expected one of {}, found \"{found}\"", values.join(", "))
        }
        _ => match error.source() {
            Some(source) => source.to_string(),
            None => {
                let text = error.to_string();
                let first = text.lines().next().unwrap_or_default();
                first.strip_prefix("error: ").unwrap_or(first).to_owned()
            }
        },
    }
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
        let groups = groups(&file).map_err(named)?;
        let title = settings.title.take().unwrap_or_else(|| own.display().to_string());
        Ok(Self { name, path, title, settings, groups })
    }

    fn meeting(&self) -> Meeting<'_> {
        Meeting {
            groups: &self.groups,
            out: &self.settings.play.out,
            rounds: self.settings.openings(self.groups.len()),
            format: self.settings.format(),
            sprt: None,
        }
    }
}

/// The words of the engines.
fn groups(file: &TournamentFile) -> Result<Vec<Vec<String>>, String> {
    if file.engines.len() < 2 {
        return Err(format!(
            "expected [[engine]] at least twice, found it {} times",
            file.engines.len()
        ));
    }
    let mut groups = Vec::new();
    for engine in &file.engines {
        let mut config = EngineConfig::default();
        for (line, word) in &engine.words {
            config.read(word).map_err(|error| format!("line {line}: {error}"))?;
        }
        let words: Vec<String> = engine.words.iter().map(|(_, word)| word.clone()).collect();
        EngineConfig::parse(words.iter().map(String::as_str))
            .map_err(|error| format!("line {}: {error}", engine.line))?;
        groups.push(words);
    }
    Ok(groups)
}

/// Runs `tournament`.
pub(super) fn run_tournament(args: &TournamentArgs) -> Result<(), Stop> {
    let tournament = Tournament::open(args)?;
    let game = tournament.settings.play.game;
    with_variant!(game, V => match args.check {
        true => check::<V>(&tournament),
        false => play::<V>(&tournament),
    })
}

/// Says what would be played.
fn check<V: Variant>(tournament: &Tournament) -> Result<(), Stop> {
    let Tournament { name, title, settings, groups, .. } = tournament;
    let play = &settings.play;
    check_prefix(&play.out)?;
    let stopped = stop_on_interrupt()?;
    let engines = entrants(play, groups, play.limits.patience(), &stopped)?;
    let fixed = match &play.openings.openings {
        Some(path) => Some(read_file::<V>(path, play.rules.rules())?),
        None => None,
    };
    let meeting = tournament.meeting();
    let games = meeting.format.least_games(groups.len(), meeting.rounds);
    let more = match meeting.format {
        Format::Knockout { .. } => " or more",
        _ => "",
    };
    let format = explain(meeting.format, groups.len(), meeting.rounds);
    let mut text = format!("{name}: {title}\n{}\n{format}: {games} games{more}\n", V::SPEC.name);
    text.push_str(&format!("openings: {}\n", describe(&play.openings, fixed.as_deref())));
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
    Ok(say(&text)?)
}

/// Plays the tournament, or goes on with it, and makes tables and page of what is played.
fn play<V: Variant>(tournament: &Tournament) -> Result<(), Stop> {
    let play = &tournament.settings.play;
    check_prefix(&play.out)?;
    let made = made_paths(&play.out);
    let mut outputs = Outputs::new(play.force);
    outputs.input("FILE", &tournament.path);
    for path in own_paths(&play.out) {
        outputs.known("--out", &path);
    }
    for (path, mark) in made.iter().zip([TEXT, CSV, SVG, page::MARK]) {
        outputs.output("--out", path, mark);
    }
    outputs.check()?;
    let meeting = tournament.meeting();
    let (standings, finish) = meet::<V>(play, &meeting)?;
    let journal = journal_path(&play.out);
    let PlayedMatch { header, games, .. } = PlayedMatch::read(&journal)?;
    let table = Table::of(meeting.format, meeting.rounds, &standings, &games);
    let setting = match header.rules.to_string() {
        rules if rules.is_empty() => V::SPEC.name.to_owned(),
        rules => format!("{}, {rules}", V::SPEC.name),
    };
    let pool = Pool::of(&setting, &standings);
    let list = RatingList::of(&pool, &pool.ratings());
    let cross = CrossTable::of(&list);
    let state = if finish == Finish::Stopped { " so far" } else { "" };
    let format = explain(meeting.format, tournament.groups.len(), meeting.rounds);
    let facts = format!(
        "{setting}. {format}. Openings: {}. {} games{state}.",
        header.openings, standings.games
    );
    let title = &tournament.title;
    let tables = format!("{}\n{list}\n{}", table.text(&standings.names), cross.text());
    let data = PageData::of(facts.clone(), &header, &table, &list, &games)
        .map_err(|error| format!("{}: {error}", journal.display()))?;
    let texts = [
        format!("{FIRST_LINE}{title}\n{facts}\n\n{tables}"),
        cross.csv().map_err(|error| error.to_string())?,
        cross.svg(),
        page::page(title, &data)?,
    ];
    for (path, text) in made.iter().zip(texts) {
        whole::write(path, text.as_bytes())
            .map_err(|error| format!("{}: {error}", path.display()))?;
        whole::sweep(path);
    }
    tell(&format!("\n{tables}\n"));
    for path in &made {
        tell(&format!("{}\n", resolve(path).display()));
    }
    if finish == Finish::Stopped {
        let journal = resolve(&journal);
        tell(&format!(
            "\nstopped; the same command takes the tournament up again ({})\n",
            journal.display()
        ));
        return Err(Stop::Interrupted);
    }
    Ok(())
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

/// Writes what `match` was given to a new file for `tournament`.
pub(super) fn save(path: &Path, given: &ArgMatches, groups: &[Vec<String>]) -> Result<(), String> {
    let named = |error: String| format!("{}: {error}", path.display());
    if path.symlink_metadata().is_ok() {
        return Err(named("expected no file yet, found one (another --save keeps it)".to_owned()));
    }
    for (number, words) in (1..).zip(groups) {
        EngineConfig::parse(words.iter().map(String::as_str))
            .map_err(|error| format!("engine {number}: {error}"))?;
    }
    let mut settings = settings(given);
    let mut groups = groups.to_vec();
    anchor(path, &mut settings, &mut groups).map_err(|error| named(error.to_string()))?;
    let text = file::write(&settings, &groups).map_err(named)?;
    whole::write(path, text.as_bytes()).map_err(|error| named(error.to_string()))?;
    tell(&format!("{}: kujira-bench tournament plays it\n", path.display()));
    Ok(())
}

/// What the command line sets, as keys and their values.
fn settings(given: &ArgMatches) -> Vec<(String, Value)> {
    let command = Settings::command();
    let mut settings = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        // Some keys are no flags of `match`.
        let Ok(Some(mut values)) = given.try_get_raw(id) else { continue };
        let name = if id == GAME { GAME } else { arg.get_long().unwrap_or_default() };
        if given.value_source(id) != Some(ValueSource::CommandLine) || NO_KEYS.contains(&name) {
            continue;
        }
        let value = match values.next_back() {
            _ if !arg.get_action().takes_values() && id != GAME => Value::Switch(true),
            Some(value) => Value::Text(value.to_string_lossy().into_owned()),
            None => continue,
        };
        settings.push((name.to_owned(), value));
    }
    settings
}

/// Makes what counts from this folder count from it in a file of another folder, too.
fn anchor(
    path: &Path,
    settings: &mut [(String, Value)],
    groups: &mut [Vec<String>],
) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let folder = match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => folder.canonicalize()?,
        None => return Ok(()),
    };
    if folder == here.canonicalize()? {
        return Ok(());
    }
    let absolute =
        |path: &str| Ok::<_, io::Error>(std::path::absolute(path)?.display().to_string());
    for (key, value) in settings {
        if let Value::Text(text) = value
            && matches!(key.as_str(), "openings" | "out")
        {
            *text = absolute(text)?;
        }
    }
    for words in groups {
        for word in words.iter_mut() {
            *word = match word.split_once('=') {
                Some(("cmd", path)) if !is_bare(Path::new(path)) => {
                    format!("cmd={}", absolute(path)?)
                }
                Some((key @ ("dir" | "load"), path)) => format!("{key}={}", absolute(path)?),
                _ => continue,
            };
        }
        // Arguments and options may name files, which the engine finds in the folder it runs in.
        if !words.iter().any(|word| word.starts_with("dir=")) {
            words.push(format!("dir={}", here.display()));
        }
    }
    Ok(())
}
