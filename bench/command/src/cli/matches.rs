//! `match` and `sprt`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use kujira_position::{Variant, VariantId, with_variant};
use kujira_program::outputs::Outputs;
use kujira_program::shard::{Share, ShareArgs};
use kujira_program::status::{Stop, stop_on_signal, tell, warn};

use kujira_arena::adjudication::Adjudication;
use kujira_arena::clock::{Limit, TimeControl, parse_duration, parse_positive};
use kujira_arena::engine::{EngineConfig, TalkLog, Timeouts, keys, kill_all};
use kujira_arena::entrant::{EngineFiles, Entrant};
use kujira_arena::files::{Begin, header_so_far, journal_path, name_outputs};
use kujira_arena::game::GameRules;
use kujira_arena::header::{MatchHeader, check_name};
use kujira_arena::progress::{Action, Progress};
use kujira_arena::report::Report;
use kujira_arena::runner::{Finish, MatchSpec, open, run};
use kujira_arena::schedule::Format;
use kujira_arena::standings::Standings;
use kujira_arena::starts::Starts;
use kujira_arena::usage::ProcessorTime;
use kujira_statistics::Sprt;
use kujira_statistics::pool::LONGEST_NAME;

use super::risks::RiskArgs;
use super::rules::RuleArgs;
use super::starts::OpeningArgs;
use super::sums::SumArgs;

/// What `match`, `sprt`, `spsa` and `factorial` share.
#[derive(Args)]
pub(super) struct PlayArgs {
    /// Which kind of whale shogi: whale, paulowich, great.
    pub(super) game: VariantId,
    /// An engine, as words KEY=VALUE; give it once for each engine.
    #[arg(long, num_args = 1.., required = true, value_name = "KEY=VALUE", help = format!(
        "An engine, as words KEY=VALUE; give --engine once for each. Keys: {}", keys()
    ))]
    engine: Vec<String>,
    /// Beginning of the names of the match's files (.jsonl, .usi, .pgn, .openings). If they are
    /// there already the match is taken up where it stopped.
    #[arg(long, value_name = "PREFIX")]
    pub(super) out: PathBuf,
    /// Throw away what an earlier run left.
    #[arg(long)]
    pub(super) fresh: bool,
    /// With --fresh: throw away files that another program made, too. What is read is never written over.
    #[arg(long, requires = "fresh")]
    pub(super) force: bool,
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = default_concurrency(),
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,
    /// Keep each game at a time on cores of its own, as many as the largest option.Threads of an engine (Linux).
    #[arg(long)]
    affinity: bool,
    /// How often in a row an engine may fail to start, each time losing its game. Then it plays no more, and where more
    /// than two play the rest goes on.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    start_tries: u32,
    /// Plain lines even on a terminal; those of `spsa` always are.
    #[arg(long)]
    pub(super) plain: bool,
    #[command(flatten)]
    pub(super) sums: SumArgs,
    /// The bench signature that engines without one of their own must have: each runs its bench at the start, and
    /// another build is refused.
    #[arg(long, value_name = "N")]
    signature: Option<u64>,
    /// Add what is said to engines and by them, their standard error included, to this file: a line each, with its time
    /// and its game.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) openings: OpeningArgs,
    #[command(flatten)]
    pub(super) ending: EndingArgs,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
    /// Pairs of games are the tasks that are shared out; `match` and `tournament` take a share.
    #[command(flatten)]
    pub(super) share: ShareArgs,
}

impl PlayArgs {
    /// What is done with what an earlier run left.
    pub(super) fn begin(&self) -> Begin {
        match (self.fresh, self.sums.unchecked) {
            (true, _) => Begin::Fresh,
            (false, true) => Begin::Unchecked,
            (false, false) => Begin::Checked,
        }
    }

    /// What names of files begin with: those of the share, if this is one.
    pub(super) fn prefix(&self) -> PathBuf {
        self.share.share().map_or_else(|| self.out.clone(), |share| share.prefix(&self.out))
    }

    /// Where the conversation with engines goes: each share has a file of its own.
    pub(super) fn log_path(&self) -> Option<PathBuf> {
        let of_share = |log: &PathBuf| match self.share.share() {
            Some(share) => share.file(log),
            None => log.clone(),
        };
        self.log.as_ref().map(of_share)
    }

    /// What is read and written whatever is played: openings, and the conversation with engines, which is added to a file
    /// of ours alone.
    pub(super) fn outputs(&self) -> Outputs {
        let mut outputs = Outputs::new(self.force);
        outputs.inputs("--openings", self.openings.openings.as_slice());
        if let Some(log) = self.log_path() {
            outputs.known("--log", &log);
        }
        outputs
    }

    /// What holds for every game.
    pub(super) fn game_rules(&self) -> GameRules {
        GameRules {
            rules: self.rules.rules(),
            max_plies: self.ending.max_plies,
            adjudication: self.ending.adjudication(),
            hang: self.limits.hang,
            affinity: self.affinity,
            start_tries: self.start_tries,
        }
    }
}

fn default_concurrency() -> u16 {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, 1024) as u16)
}

/// What engines without limits of their own may use for a move.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Limits of engines that have none of their own")]
pub(super) struct LimitArgs {
    /// A clock: base and increment in seconds, such as 8+0.08.
    #[arg(long, value_name = "TIME+TIME")]
    tc: Option<TimeControl>,
    /// Time for each move once the clock stands at zero.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    byoyomi: Option<Duration>,
    /// Time for each move.
    #[arg(long, value_name = "TIME", value_parser = parse_positive)]
    movetime: Option<Duration>,
    /// Plies for each move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes for each move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How late a move may come.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "50ms")]
    margin: Duration,
    /// Longest time for a move where no clock sets one.
    #[arg(long, value_name = "TIME", value_parser = parse_positive, default_value = "60")]
    pub(super) hang: Duration,
    /// Longest time for an engine to get ready.
    #[arg(long, value_name = "TIME", value_parser = parse_positive, default_value = "30")]
    start: Duration,
    /// Longest time for an answer after `stop`.
    #[arg(long, value_name = "TIME", value_parser = parse_positive, default_value = "2")]
    grace: Duration,
}

impl LimitArgs {
    fn limit(self) -> Limit {
        let mut limit = Limit {
            clock: self.tc,
            move_time: self.movetime,
            depth: self.depth,
            nodes: self.nodes,
        };
        if let Some(byoyomi) = self.byoyomi {
            limit.clock_mut().byoyomi = byoyomi;
        }
        limit
    }

    pub(super) fn timeouts(self) -> Timeouts {
        let Self { start, hang, grace, .. } = self;
        Timeouts { start, hang, stop: grace, ..Timeouts::default() }
    }
}

/// When games end early.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "End of games")]
pub(super) struct EndingArgs {
    /// A longer game is drawn.
    #[arg(long, value_name = "PLIES", default_value_t = 500)]
    pub(super) max_plies: usize,
    /// A side wins when both engines put it this far ahead.
    #[arg(long, value_name = "CENTIPAWNS")]
    win_score: Option<u32>,
    /// … for so many moves each.
    #[arg(long, value_name = "MOVES", default_value_t = 4, value_parser = moves)]
    win_moves: usize,
    /// A side loses when its own engine puts it this far behind, whatever the other one thinks.
    #[arg(long, value_name = "CENTIPAWNS")]
    resign_score: Option<u32>,
    /// … for so many moves.
    #[arg(long, value_name = "MOVES", default_value_t = 4, value_parser = moves)]
    resign_moves: usize,
    /// A game is drawn when both engines see it this even.
    #[arg(long, value_name = "CENTIPAWNS")]
    draw_score: Option<u32>,
    /// … for so many moves each.
    #[arg(long, value_name = "MOVES", default_value_t = 8, value_parser = moves)]
    draw_moves: usize,
    /// … from this ply on.
    #[arg(long, value_name = "PLY", default_value_t = 100)]
    draw_from: usize,
}

fn moves(text: &str) -> Result<usize, String> {
    let most = Adjudication::MOST_MOVES;
    text.parse()
        .ok()
        .filter(|moves| (1..=most).contains(moves))
        .ok_or_else(|| format!("expected a number of moves from 1 to {most}"))
}

impl EndingArgs {
    pub(super) fn adjudication(self) -> Adjudication {
        Adjudication {
            win: self.win_score.map(|score| (score, self.win_moves)),
            resign: self.resign_score.map(|score| (score, self.resign_moves)),
            draw: self.draw_score.map(|score| (score, self.draw_moves, self.draw_from)),
        }
    }
}

/// Arguments of `match`.
#[derive(Args)]
pub(super) struct MatchArgs {
    #[command(flatten)]
    play: PlayArgs,
    /// Pairs of games (one opening, colours swapped) for each pairing of engines.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Who plays whom among more than two engines.
    #[arg(long, value_enum, default_value = "round-robin")]
    format: Format,
    /// Begin no pair once this file is there: `report --watch` writes it when a test is decided.
    #[arg(long, value_name = "FILE")]
    stop_file: Option<PathBuf>,
    /// Play nothing: write these settings to a new file, which `tournament FILE` plays. What is about one run is no
    /// part of it.
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["shard", "first", "count", "stop_file", "fresh", "force", "unchecked"])]
    pub(super) save: Option<PathBuf>,
}

/// Arguments of `sprt`.
#[derive(Args)]
pub(super) struct SprtArgs {
    #[command(flatten)]
    play: PlayArgs,
    /// Pairs of games at most.
    #[arg(long, value_name = "N", default_value_t = 50_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// The Elo difference that counts as no gain.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The Elo difference that counts as a gain.
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    elo1: f64,
    #[command(flatten)]
    risks: RiskArgs,
    /// Let the test pass even if more than 2 % of the games were lost by failures: time, a crash.
    #[arg(long)]
    allow_failures: bool,
}

/// Runs `match`.
pub(super) fn run_match(args: &MatchArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    let (play, out) = (&args.play, &args.play.prefix());
    check_prefix(&play.out)?;
    let pairing = Pairing {
        groups,
        out,
        rounds: args.pairs,
        format: args.format,
        sprt: None,
        event: None,
        every: None,
        stop_file: args.stop_file.as_deref(),
    };
    with_variant!(play.game, V => play_and_tell::<V>(play, &pairing, true))
}

/// Runs `sprt`.
pub(super) fn run_sprt(args: &SprtArgs, groups: &[Vec<String>]) -> Result<(), Stop> {
    args.play.share.refuse(
        "sprt",
        "match --shard K/N plays the games on many, report --watch FOLDER --elo0 A --elo1 B is the test",
    )?;
    let sprt = Some(args.risks.test(args.elo0, args.elo1)?);
    if groups.len() != 2 {
        let found = groups.len();
        return Err(format!("expected --engine twice for a test, found it {found} times").into());
    }
    let (play, out) = (&args.play, &args.play.out);
    let pairing = Pairing {
        groups,
        out,
        rounds: args.pairs,
        format: Format::default(),
        sprt,
        event: None,
        every: None,
        stop_file: None,
    };
    with_variant!(play.game, V => play_and_tell::<V>(play, &pairing, args.allow_failures))
}

/// Who meets, how often, and which test the games are, if they are one.
pub(super) struct Pairing<'a> {
    /// The words of each engine.
    pub(super) groups: &'a [Vec<String>],
    /// Beginning of the names of the match's files.
    pub(super) out: &'a Path,
    /// Openings: in a round robin or a gauntlet the pairs of games for each pairing.
    pub(super) rounds: u32,
    /// Who plays whom.
    pub(super) format: Format,
    /// The test.
    pub(super) sprt: Option<Sprt>,
    /// What the match is called.
    pub(super) event: Option<&'a str>,
    /// What is done every so many games.
    pub(super) every: Option<(u64, Action<'a>)>,
    /// No pair is begun once this file is there.
    pub(super) stop_file: Option<&'a Path>,
}

/// Plays a match and tells how it came out. `allow_failures`: whether a test may pass however many games were lost by
/// failures.
fn play_and_tell<V: Variant>(
    args: &PlayArgs,
    pairing: &Pairing<'_>,
    allow_failures: bool,
) -> Result<(), Stop> {
    let (standings, finish) = meet::<V>(args, pairing)?;
    let sprt = pairing.sprt.as_ref();
    let report = Report { standings: &standings, sprt, in_order: None, allow_failures };
    account(&report, finish, pairing.out)
}

/// Plays a match, or goes on with it, to its end or until a signal.
pub(super) fn meet<V: Variant>(
    args: &PlayArgs,
    pairing: &Pairing<'_>,
) -> Result<(Standings, Finish), Stop> {
    let &Pairing { groups, out, rounds: wanted, format, sprt, every, stop_file, .. } = pairing;
    if groups.len() < 2 {
        let found = groups.len();
        return Err(format!("expected --engine at least twice, found it {found} times").into());
    }
    check_prefix(out)?;
    let starts = args.openings.read::<V>(args.rules.rules(), sprt.is_some())?;
    if args.share.share().is_some() && starts.are_random() && starts.max_score.is_some() {
        return Err("expected openings that all machines know without judging them anew, found --max-score (make a \
                    list with openings --max-score, and play it with --openings)"
            .to_owned()
            .into());
    }
    let pairs = format.least_games(groups.len(), wanted) / 2;
    let idle = args.share.share().filter(|share| share.count(pairs) == 0);
    if let Some(Share::Batch { first, .. }) = idle {
        return Err(
            format!("expected --first below {pairs}, the number of pairs, found {first}").into()
        );
    }
    let stopped = stop_on_interrupt()?;
    let timeouts = args.limits.timeouts();
    let mut outputs = args.outputs();
    if let Some(stop_file) = stop_file {
        if stop_file.is_dir() {
            let path = stop_file.display();
            return Err(
                format!("--stop-file: {path}: expected a file or nothing, found a folder").into()
            );
        }
        outputs.input("--stop-file", stop_file);
    }
    name_outputs(&mut outputs, out, args.fresh, starts.are_random());
    let entrants = entrants(args, groups, out, outputs, &stopped)?;
    starts.check::<V>(args.ending.max_plies, &entrants)?;
    // To a test a pair played again would be new evidence.
    let rounds = match starts.fixed() {
        Some(openings) if sprt.is_some() => {
            wanted.min(u32::try_from(openings.len()).unwrap_or(wanted))
        }
        _ => wanted,
    };
    let (header, complaints) = header_of::<V>(args, pairing, &entrants, &starts);
    let spec = MatchSpec {
        header,
        game_rules: args.game_rules(),
        rounds,
        concurrency: usize::from(args.concurrency),
        timeouts,
        sprt,
        stop_file: stop_file.map(Path::to_owned),
        out: out.to_owned(),
        begin: args.begin(),
        entrants,
    };
    let games = format.least_games(groups.len(), rounds);
    let progress = Progress::new(games, args.plain).every(every);
    for complaint in &complaints {
        progress.say(complaint);
    }
    if let Some(share) = idle {
        progress.say(&format!("share {share} has none of the {pairs} pairs"));
    }
    if let Some(openings) = starts.fixed()
        && openings.len() < rounds as usize
    {
        let many = match openings.len() {
            1 => format!("a single opening for {rounds} pairs: it is"),
            several => format!("{several} openings for {rounds} pairs: they are"),
        };
        progress.say(&format!(
            "{many} played more than once, which tells nothing new about engines that always play the \
             same"
        ));
    }
    let opened = open::<V>(&spec, |made| {
        starts.source(starts.seed, &spec.entrants[0].config, timeouts, &stopped, made)
    })?;
    let mut played = run::<V>(&spec, opened, &stopped, &progress)?;
    if played.1 == Finish::Complete && spec.entrants.iter().any(Entrant::is_absent) {
        played.1 = Finish::Lacking;
    }
    let logs = spec.entrants.iter().filter_map(|entrant| entrant.config.log.as_ref());
    for complaint in logs.filter_map(TalkLog::complaint).take(1) {
        progress.say(&complaint);
    }
    Ok(played)
}

/// What the journal of a match begins with, and what is to be said of its engines.
pub(super) fn header_of<V: Variant>(
    args: &PlayArgs,
    pairing: &Pairing<'_>,
    entrants: &[Entrant],
    starts: &Starts,
) -> (MatchHeader, Vec<String>) {
    let timeouts = args.limits.timeouts();
    let (engines, complaints): (Vec<_>, Vec<_>) =
        entrants.iter().map(|entrant| entrant.header(timeouts)).unzip();
    let GameRules { max_plies, adjudication, .. } = args.game_rules();
    let shard = args.share.share();
    let mut header = MatchHeader {
        game: V::SPEC.id.to_owned(),
        rules: args.rules.switches(),
        engines,
        format: pairing.format,
        openings: starts.describe(),
        max_plies,
        adjudication,
        sprt: pairing.sprt,
        title: pairing.event.map(str::to_owned),
        shard,
        experiment: None,
        run: None,
    };
    header.experiment = shard.map(|_| header.experiment());
    (header, complaints.concat())
}

/// Tells how a match came out.
fn account(report: &Report<'_>, finish: Finish, out: &Path) -> Result<(), Stop> {
    tell(&report.to_string());
    if let Some(time) = ProcessorTime::now() {
        tell(&format!("\nprocessor time: {time}\n"));
    }
    if finish == Finish::Stopped {
        tell(&format!(
            "\nstopped; the same command takes the match up again ({})\n",
            journal_path(out).display()
        ));
        return Err(Stop::Interrupted);
    }
    if finish == Finish::CalledOff {
        tell("\nended by the stop file\n");
    }
    refuse_lacking(finish)?;
    Ok(report.stands()?)
}

/// Whoever only looks at the exit status is to know that games are left.
pub(super) fn refuse_lacking(finish: Finish) -> Result<(), String> {
    match finish {
        Finish::Lacking => Err("expected all engines to start, found one that does not (above): its games are left, \
                                and the same command plays them once it does; withdrawn=yes leaves it out"
            .to_owned()),
        _ => Ok(()),
    }
}

/// The flag of [`stop_on_interrupt`], once there is one.
static STOPPED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// A flag that Ctrl-C sets; the second time it ends the program, and the engines, at once.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, String> {
    if let Some(flag) = STOPPED.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = stop_on_signal(|| (), kill_all)?;
    Ok(Arc::clone(STOPPED.get_or_init(|| flag)))
}

/// What failed after a signal failed for it, as an engine that was being started then: the run was stopped.
pub(super) fn seen_as_stopped(stop: Stop) -> Stop {
    match stop {
        Stop::Failed(error) if STOPPED.get().is_some_and(|flag| flag.load(Ordering::Relaxed)) => {
            // It may be something else, such as a full disk.
            warn(&format!("kujira-bench: stopped: {error}\n"));
            Stop::Interrupted
        }
        other => other,
    }
}

/// Refuses a folder in the place of what file names begin with.
pub(super) fn check_prefix(out: &Path) -> Result<(), String> {
    let nameless = out.to_string_lossy().ends_with(std::path::is_separator);
    if !nameless && out.file_name().is_some() {
        return Ok(());
    }
    let found = out.display();
    Err(format!("--out: expected what file names begin with, found the folder {found}"))
}

/// The engines, each started once to see that it works and what it calls itself. Before that it is looked at that no
/// output is what they are made of, or another one.
pub(super) fn entrants(
    args: &PlayArgs,
    groups: &[Vec<String>],
    out: &Path,
    mut outputs: Outputs,
    stopped: &Arc<AtomicBool>,
) -> Result<Vec<Entrant>, String> {
    let timeouts = args.limits.timeouts();
    args.limits.limit().check()?;
    let parsed = (1..).zip(groups).map(|(number, words)| {
        EngineConfig::parse(words.iter().map(String::as_str))
            .map_err(|error| format!("engine {number}: {error}"))
    });
    let configs: Vec<EngineConfig> = parsed.collect::<Result<_, _>>()?;
    for config in &configs {
        for path in EngineFiles::of(config).paths() {
            outputs.input("a file of --engine", path);
        }
    }
    outputs.check()?;
    let log = args.log_path().map(|path| {
        TalkLog::open(&path).map_err(|error| format!("--log: {}: {error}", path.display()))
    });
    let log = log.transpose()?;
    let mut entrants: Vec<Entrant> = Vec::new();
    for (number, mut config) in (1..).zip(configs) {
        args.game.spec().id.clone_into(&mut config.variant);
        config.rules = args.rules.rules();
        config.log.clone_from(&log);
        let limit = args.limits.limit();
        if config.limit.or(limit).is_none() {
            return Err(format!(
                "engine {number}: expected a limit (--tc, --byoyomi, --movetime, --depth or \
                 --nodes, for all engines or as a word of one), found none"
            ));
        }
        if config.withdrawn {
            entrants.push(withdrawn(args, out, number, config)?);
            continue;
        }
        let command = config.command.clone();
        let named = |error: String| format!("engine {number} ({}): {error}", command.display());
        config.signature = config.signature.or(args.signature);
        let met = Entrant::meet(config.clone(), limit, args.limits.margin, timeouts, stopped);
        let mut entrant = match met.map_err(|error| named(error.to_string())) {
            Ok(entrant) => entrant,
            Err(error) => {
                // The others go on with a tournament that it has begun.
                let stopped = stopped.load(Ordering::Relaxed);
                let known = withdrawn(args, out, number, config);
                let known = known.ok().filter(|_| groups.len() > 2 && !stopped);
                let absent = known.ok_or_else(|| error.clone())?;
                warn(&format!("kujira-bench: {error}: the others play without it\n"));
                entrants.push(absent);
                continue;
            }
        };
        if entrants.iter().any(|other| other.player.name == entrant.player.name) {
            let name = &entrant.player.name;
            entrant.player.name = numbered(name, number);
        }
        check_name(&entrant.player.name)
            .map_err(|error| named(format!("{error} (name=NAME gives it another)")))?;
        entrants.push(entrant);
    }
    Ok(entrants)
}

/// The engine of this number, which has played in the match at `out` and begins no more games.
fn withdrawn(
    args: &PlayArgs,
    out: &Path,
    number: usize,
    config: EngineConfig,
) -> Result<Entrant, String> {
    let header = header_so_far(out, args.begin())?;
    let open = header.as_ref().is_none_or(MatchHeader::is_open);
    let known = header.and_then(|header| header.engines.get(number - 1).cloned());
    match (known.filter(|_| open), args.share.share()) {
        (Some(known), _) => Ok(Entrant::withdrawn(config, known)),
        (None, Some(share)) if open => Err(format!(
            "engine {number}: expected {} with the games of share {share} that it has played (withdrawn=yes), found none \
             (collect the shares, and go on without it on one machine)",
            journal_path(out).display()
        )),
        (None, _) => Err(format!(
            "engine {number}: expected a round robin or a gauntlet that it has played in (withdrawn=yes), found none"
        )),
    }
}

/// A name with the number of its engine behind it, cut so that both have room.
fn numbered(name: &str, number: usize) -> String {
    let end = format!(" #{number}");
    let begin: String = name.chars().take(LONGEST_NAME - end.len()).collect();
    format!("{}{end}", begin.trim_end())
}
