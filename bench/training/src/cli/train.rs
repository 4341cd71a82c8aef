//! `train`.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use kujira_position::{Board, Variant, VariantId, with_variant};
use kujira_program::outputs::{Mark, Outputs};
use kujira_program::status::{Stop, stop_on_signal, tell, warn};
use kujira_program::{growing, regular, whole};
use kujira_search::eval::{Inputs, NetworkFile};

use crate::net::dataset::{Dataset, Filter};
use crate::net::excluded::Excluded;
use crate::net::report::Report;
use crate::net::settings::Settings;
use crate::net::trainer::{ARITHMETIC, Epoch, Judgement, State, Trainer};
use crate::net::worth::Worth;
use crate::net::{checkpoint, curve, export};

use super::progress::{Progress, time_left};
use super::worth::{ENOUGH, with_pawn};
use super::{NETWORK, named};

/// Extensions of what lies beside a network.
const CHECKPOINT: &str = "checkpoint";
const TABLE: &str = "csv";
const PICTURE: &str = "svg";
const LOCK: &str = "lock";

/// Arguments of `train`.
#[derive(Args)]
pub(super) struct TrainArgs {
    /// The game: whale, paulowich or great.
    #[arg(long)]
    game: VariantId,
    /// Files of games to learn from.
    #[arg(long, required = true, num_args = 1.., value_delimiter = ',', value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where the network goes. Beside it, with other extensions than net: the checkpoint, the losses as a table
    /// (csv) and as a picture (svg), and what keeps a second run away (lock).
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin anew where there is a checkpoint already.
    #[arg(long)]
    anew: bool,
    /// Write over files that another program made, where --out and what lies beside it go. What is read is never
    /// written over.
    #[arg(long)]
    force: bool,
    /// Threads; without it one a core. At most eight share the work of a step.
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,
    #[command(flatten)]
    settings: Settings,
    /// A network to begin with instead of random weights: of the same game, hidden units and scale,
    /// with as many buckets, or with one, which all of them begin with.
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    start: Option<PathBuf>,
    #[command(flatten)]
    positions: PositionArgs,
}

/// Which positions are taken.
#[derive(Args)]
#[command(next_help_heading = "Positions")]
struct PositionArgs {
    /// Positions with scores beyond this are left out.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 3000, value_parser = clap::value_parser!(i32).range(1..))]
    limit: i32,
    /// Positions before so many plies of a game are left out.
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    skip_plies: usize,
    /// Share of the games held out to judge by.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    held_out: f64,
    /// Seed that chooses the games held out.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    held_out_seed: u64,
    /// Files of openings that matches begin with, one a line: games that meet, after their random moves, a
    /// position they lead to are left out.
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "FILE")]
    exclude: Vec<PathBuf>,
}

impl TrainArgs {
    fn filter(&self) -> Filter {
        Filter {
            limit: self.positions.limit,
            skip_plies: self.positions.skip_plies,
            held_out: self.positions.held_out,
            seed: self.positions.held_out_seed,
            buckets: self.settings.buckets,
            trace: self.settings.trace(),
        }
    }

    /// The file beside the network with this extension. It takes the place of none but `net`: there may be
    /// networks d2.5 and d2.6.
    fn beside(&self, extension: &str) -> PathBuf {
        if self.out.extension().is_some_and(|found| found == "net") {
            return self.out.with_extension(extension);
        }
        let mut name = self.out.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        PathBuf::from(name)
    }

    /// All that is written, and what is read.
    fn outputs(&self) -> Outputs {
        let mut outputs = Outputs::new(self.force);
        outputs
            .inputs("--data", &self.data)
            .inputs("--exclude", &self.positions.exclude)
            .inputs("--start", self.start.as_slice())
            .output("--out", &self.out, NETWORK)
            .output("the checkpoint of --out", &self.beside(CHECKPOINT), checkpoint::MARK)
            .output("the table of --out", &self.beside(TABLE), curve::TABLE)
            .output("the picture of --out", &self.beside(PICTURE), curve::PICTURE)
            .output("the lock of --out", &self.beside(LOCK), Mark::none("an empty file"));
        outputs
    }
}

/// Runs `train`.
pub(super) fn run(args: &TrainArgs) -> Result<(), Stop> {
    // Before anything is read that takes long.
    args.settings.check()?;
    if !(0.0..1.0).contains(&args.positions.held_out) || args.positions.held_out == 0.0 {
        let found = args.positions.held_out;
        return Err(
            format!("--held-out: expected more than 0 and less than 1, found {found}").into()
        );
    }
    let taken = [CHECKPOINT, TABLE, PICTURE, LOCK];
    if args.out.extension().is_some_and(|found| taken.iter().any(|&taken| found == taken)) {
        let taken = taken.join(", ");
        return Err(format!("--out: expected another extension than {taken}").into());
    }
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().map_err(|error| format!("--threads: {error}"))?;
    }
    args.outputs().check()?;
    whole::check(&args.out).map_err(named(&args.out))?;
    let stopped = stop_on_signal(
        || warn("finishing the step in progress; once more to end at once\n"),
        || (),
    )?;
    let _lock = keep_others_away(&args.beside(LOCK))?;
    whole::sweep(&args.out);
    for extension in [CHECKPOINT, TABLE, PICTURE] {
        whole::sweep(&args.beside(extension));
    }
    with_variant!(args.game, V => train::<V>(args, &stopped))
}

/// Takes the lock that the file stands for, until it is closed. The checkpoint itself cannot be locked: each is
/// a new file.
fn keep_others_away(path: &Path) -> Result<File, String> {
    growing::open(path).map_err(named(path))?.ok_or_else(|| {
        format!("{}: expected a network that nobody trains, found it in use", path.display())
    })
}

fn train<V: Variant>(args: &TrainArgs, stopped: &AtomicBool) -> Result<(), Stop> {
    let began = Instant::now();
    let filter = args.filter();
    let mut excluded = Excluded::default();
    for path in &args.positions.exclude {
        excluded.read::<V>(path).map_err(|error| error.to_string())?;
    }
    let start = match &args.start {
        Some(path) => Some(read_start::<V>(args, path).map_err(named(path))?),
        None => None,
    };
    let mut dataset = Dataset::<V>::new(excluded);
    for path in &args.data {
        dataset.read(path, &filter).map_err(named(path))?;
    }
    let (training, held_out) = (dataset.training.len(), dataset.held_out.len());
    if training == 0 || held_out == 0 {
        return Err(format!(
            "expected positions to learn from and others to judge by, found {training} and {held_out}"
        )
        .into());
    }
    let fitted = dataset.training.fit_scale();
    let all = training + held_out;
    tell(&format!(
        "{} games, {} left out: {training} positions to learn from, {held_out} held out, {:.1} % of all seen \
         before; read in {:.1} s\nthe scores predict the results best at {fitted:.0} centipawns to a unit of odds\n",
        dataset.games,
        dataset.left_out,
        100.0 * (all - dataset.distinct()) as f64 / all as f64,
        began.elapsed().as_secs_f64(),
    ));
    if dataset.evaluations.len() > 1 {
        let found: Vec<&str> = dataset.evaluations.iter().map(String::as_str).collect();
        tell(&format!("note: {} evaluations made the scores: {}\n", found.len(), found.join("; ")));
    }
    let Some(state) = learn::<V>(args, start, &dataset, stopped)? else {
        let same = if args.anew { "without --anew " } else { "" };
        tell(&format!("stopped before the end; the same command {same}goes on\n"));
        return Err(Stop::Interrupted);
    };
    let settings = args.settings;
    let net = export::quantise::<V>(&settings, &state.parameters);
    net.check::<V>().map_err(|error| format!("the network found: {error}"))?;
    let (held_out, boards) = (&dataset.held_out, &dataset.boards);
    let report = Report::of::<V>(&settings, &state.parameters, &net, held_out, boards);
    tell(&describe_report(&report));
    let some: Vec<Board<V>> =
        boards.iter().step_by(boards.len().div_ceil(ENOUGH)).copied().collect();
    let worth = Worth::of::<V>(&net, &some);
    let (net, told) = with_pawn::<V>(net, &worth);
    tell(&told);
    let bytes = net.to_bytes::<V>().map_err(|error| format!("the network found: {error}"))?;
    // Somebody may have put another file there in the meantime: the checkpoint keeps what was learnt.
    args.outputs().check()?;
    whole::write(&args.out, &bytes).map_err(named(&args.out))?;
    tell(&format!("{}: {} bytes\n", args.out.display(), bytes.len()));
    Ok(())
}

/// What a training begins with, and the checksum that its file ends with.
struct Start {
    parameters: Vec<f32>,
    checksum: u32,
}

fn read_start<V: Variant>(args: &TrainArgs, path: &Path) -> Result<Start, String> {
    let bytes = regular::read(path, NetworkFile::LARGEST).map_err(|error| error.to_string())?;
    let net = NetworkFile::from_bytes::<V>(&bytes).map_err(|error| error.to_string())?;
    let parameters = export::restore::<V>(&args.settings, &net)?;
    Ok(Start { parameters, checksum: NetworkFile::checksum(&bytes).unwrap_or_default() })
}

/// Trains to the end, checkpoints and curves included, from `start` or random weights. `None` if it was stopped.
fn learn<V: Variant>(
    args: &TrainArgs,
    start: Option<Start>,
    dataset: &Dataset<V>,
    stopped: &AtomicBool,
) -> Result<Option<State>, String> {
    let settings = args.settings;
    let shape = export::shape::<V>(&settings);
    let begun_with =
        start.as_ref().map_or(String::new(), |start| format!("start {:08x}\n", start.checksum));
    let identity = format!(
        "game {}\ninputs {:016x}\n{settings}positions {} {:08x}\n\
         held-out-positions {} {:08x}\narithmetic {ARITHMETIC}\n{begun_with}",
        V::ID,
        Inputs::<V>::identity(),
        dataset.training.len(),
        dataset.training.checksum(),
        dataset.held_out.len(),
        dataset.held_out.checksum(),
    );
    let (path, table, picture) =
        (args.beside(CHECKPOINT), args.beside(TABLE), args.beside(PICTURE));
    let found = match args.anew {
        true => None,
        false => checkpoint::load(&path, &identity, shape.len()).map_err(named(&path))?,
    };
    let state = match found {
        Some(state) => {
            tell(&format!("going on after {} steps\n", state.steps));
            state
        }
        None => State::new(match start {
            Some(start) => start.parameters,
            None => shape.random(dataset.training.mean_inputs(), settings.seed),
        }),
    };
    let title = format!(
        "{}: {} inputs, {} hidden units, {} positions",
        V::ID,
        shape.inputs,
        shape.hidden,
        dataset.training.len()
    );
    curve::write(&table, &state.history).map_err(named(&table))?;
    if !state.history.is_empty() {
        // A run that was killed may have kept an epoch without it.
        curve::draw(&picture, &title, &state.history).map_err(named(&picture))?;
    }
    let mut trainer = Trainer::new(&dataset.training, &dataset.held_out, settings, shape, state);
    let (mut progress, begun) = (Progress::new(), trainer.learnt());
    loop {
        let epoch = trainer.epoch(stopped, |trainer| {
            let (done, all) = (trainer.learnt(), trainer.all());
            progress.show(done, all, |elapsed| describe(trainer, elapsed, done - begun));
        });
        if epoch.as_ref().is_some_and(|epoch| !epoch.training.is_finite()) {
            return Err(
                "the weights have grown beyond all numbers: expected a smaller --rate".to_owned()
            );
        }
        checkpoint::save(&path, &identity, trainer.state()).map_err(named(&path))?;
        let Some(epoch) = epoch else { break };
        progress.print(&line(&epoch, settings.epochs));
        curve::write(&table, &trainer.state().history).map_err(named(&table))?;
        curve::draw(&picture, &title, &trainer.state().history).map_err(named(&picture))?;
        if stopped.load(Ordering::Relaxed) {
            break;
        }
    }
    progress.finish();
    let done = trainer.state().steps == trainer.all_steps();
    Ok(done.then(|| trainer.state().clone()))
}

/// An epoch in one line.
fn line(epoch: &Epoch, epochs: u32) -> String {
    let Epoch { number, training, held_out, rate, lambda } = epoch;
    format!(
        "epoch {number:>3}/{epochs}  training {training:.6}  held out {:.6} (scores {:.6}, outlooks {:.6}, \
         winners {:.1} %)  rate {rate:.6}  lambda {lambda:.3}\n",
        held_out.loss,
        held_out.scores,
        held_out.outlooks,
        100.0 * held_out.signs
    )
}

/// A report in some lines.
fn describe_report(report: &Report) -> String {
    let mut text = String::from("on the positions held out\n");
    for (name, judgement) in [
        ("scores of the search", report.search),
        ("network", report.floating),
        ("network in integers", report.integer),
    ] {
        let Judgement { loss, scores, outlooks, signs } = judgement;
        let signs = 100.0 * signs;
        let _ = writeln!(
            text,
            "  {name:<20} {loss:.6} (scores {scores:.6}, outlooks {outlooks:.6}, winners {signs:.1} %)"
        );
    }
    let ((apart, most), [search, network]) = (report.apart, report.sizes);
    let _ = writeln!(text, "  integers are {apart:.2} centipawns off, at most {most:.0}");
    let _ = writeln!(text, "  mean size of a score: search {search:.0}, network {network:.0}");
    text
}

/// A training in one line; it learnt from `made` positions in `elapsed`.
fn describe(trainer: &Trainer<'_>, elapsed: Duration, made: u64) -> String {
    let (done, all) = (trainer.learnt(), trainer.all());
    format!(
        "epoch {}, {:.0} k positions/s, {} left",
        trainer.state().history.len() + 1,
        made as f64 / elapsed.as_secs_f64().max(1e-9) / 1e3,
        time_left(elapsed, made, all - done),
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: TrainArgs,
    }

    fn parse(more: &str) -> TrainArgs {
        let line = format!("train --game great --data a,b --out nets/x.net {more}");
        Line::try_parse_from(line.split_whitespace()).unwrap().args
    }

    #[test]
    fn arguments_become_settings() {
        let plain = parse("");
        let usual = &plain.settings;
        assert_eq!((usual.rate, usual.last_rate, usual.warm_up), (2e-3, 0.01, 0.05));
        assert_eq!((usual.decay, usual.rounding, usual.seed), (0.5, 0.5, 1));
        assert_eq!((usual.hidden, usual.buckets, usual.scale), (64, 1, 400));
        assert_eq!((usual.lambda_start, usual.lambda_end), (0.1, 0.3));
        assert_eq!((usual.trace, usual.power), (1.0, 2.0));
        assert_eq!((usual.epochs, usual.batch), (40, 16_384));
        assert_eq!(plain.data, [PathBuf::from("a"), PathBuf::from("b")]);
        let filter = plain.filter();
        assert_eq!((filter.limit, filter.held_out), (3000, 0.05));
        let other = parse(
            "--hidden 128 --buckets 4 --epochs 9 --batch 500 --rate 0.5 --last-rate 0.25 \
             --warm-up 0.125 --decay 3 --rounding 0.125 --lambda-start 0.5 --lambda-end 0.75 --trace 0.875 --scale 333 \
             --power 2.5 --seed 7 --limit 900 --skip-plies 12 --held-out 0.1 --held-out-seed 8 --data c",
        );
        let expected = Settings {
            hidden: 128,
            buckets: 4,
            epochs: 9,
            batch: 500,
            rate: 0.5,
            last_rate: 0.25,
            warm_up: 0.125,
            decay: 3.0,
            rounding: 0.125,
            lambda_start: 0.5,
            lambda_end: 0.75,
            trace: 0.875,
            scale: 333,
            power: 2.5,
            seed: 7,
        };
        assert_eq!(other.settings, expected);
        let trace = expected.trace();
        assert_eq!((trace.keep, trace.scale), (0.875, 333));
        let expected =
            Filter { limit: 900, skip_plies: 12, held_out: 0.1, seed: 8, buckets: 4, trace };
        assert_eq!((other.filter(), other.data.len()), (expected, 3));
    }

    #[test]
    fn every_network_has_its_own_files_beside_it() {
        for (out, expected) in [
            ("nets/x.net", "nets/x.csv"),
            ("nets/d2.5", "nets/d2.5.csv"),
            ("nets/d2.6", "nets/d2.6.csv"),
            ("nets/d2.5.net", "nets/d2.5.csv"),
            ("x", "x.csv"),
        ] {
            let args = TrainArgs { out: PathBuf::from(out), ..parse("") };
            assert_eq!(args.beside(TABLE), PathBuf::from(expected));
        }
    }
}
