//! Training data: files of self-play as arrays, and self-play itself.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kujira_binding::encode::Numbering;
use kujira_data::ending::Reason;
use kujira_data::file::{Header, Reader};
use kujira_data::record::GameRecord;
use kujira_data::sample::{Sample, samples};
use kujira_position::{Rules, Variant, VariantId, with_variant};
use kujira_record::{Head, Record};
use kujira_training::datagen::{State, Target};
use kujira_training::held_out::holds_out;
use kujira_training::settings::Settings;
use kujira_usi::Score;
use kujira_usi::ending::Ending;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::arrays;
use crate::errors::{self, none_of, wrong};
use crate::games::Game;
use crate::given::expected;
use crate::numbers::number;
use crate::run::{LOOK, alone, interruptible};

/// Reads a file of self-play.
fn open(path: &PathBuf) -> PyResult<Reader<BufReader<File>>> {
    Reader::open(path).map_err(|error| match std::fs::metadata(path) {
        Ok(_) => wrong(format!("{}: {error}", path.display())),
        Err(missing) => {
            PyErr::from(std::io::Error::new(missing.kind(), format!("{}: {error}", path.display())))
        }
    })
}

/// What is wanted of the positions of a file.
#[derive(Clone, Copy)]
struct Wanted {
    size: usize,
    planes: bool,
    sfen: bool,
    quiet: Option<i32>,
    shuffle: usize,
    held_out: Option<(f64, bool)>,
    mirror: bool,
    seed: u64,
}

/// Positions as numbers.
#[derive(Default)]
struct Batch {
    planes: Vec<u8>,
    sfen: Vec<String>,
    score: Vec<i16>,
    result: Vec<i8>,
    action: Vec<i32>,
    ply: Vec<i32>,
    game: Vec<u32>,
}

/// Hands out batches of the files of one game.
trait Stream: Send + Sync {
    /// Adds to a batch until it is full; false if that takes too long for once.
    fn fill(&mut self, batch: &mut Batch, until: Instant) -> Result<bool, String>;
}

struct Samples<V: Variant> {
    files: Vec<Reader<BufReader<File>>>,
    wanted: Wanted,
    random: Xoshiro256PlusPlus,
    /// What was read and not yet handed out.
    waiting: Vec<(u32, Sample<V>)>,
    /// How many of them were handed out: those at the beginning, where nothing is shuffled.
    given: usize,
}

impl<V: Variant> Samples<V> {
    /// Reads one more game; false at the end of the last file.
    fn read(&mut self) -> Result<bool, String> {
        let Some(file) = self.files.first_mut() else { return Ok(false) };
        let Some(game) = file.next() else {
            self.files.remove(0);
            return Ok(!self.files.is_empty());
        };
        let game = game.map_err(|error| error.to_string())?;
        let found = samples::<V>(&game).map_err(|error| error.to_string())?;
        if let Some((share, held_out)) = self.wanted.held_out
            && holds_out(&found, self.wanted.seed, share) != held_out
        {
            return Ok(true);
        }
        let quiet = self.wanted.quiet;
        let fits = |sample: &Sample<V>| {
            !sample.broken_off && quiet.is_none_or(|limit| sample.is_quiet(limit))
        };
        self.waiting.extend(found.into_iter().filter(fits).map(|sample| (game.number, sample)));
        Ok(true)
    }

    /// The next position to hand out, of those that are waiting.
    fn draw(&mut self) -> Option<(u32, Sample<V>)> {
        if self.given == self.waiting.len() {
            return None;
        }
        if self.wanted.shuffle > 0 {
            let place = self.random.random_range(0..self.waiting.len());
            return Some(self.waiting.swap_remove(place));
        }
        let next = self.waiting[self.given];
        self.given += 1;
        if self.given == self.waiting.len() {
            self.waiting.clear();
            self.given = 0;
        }
        Some(next)
    }
}

impl<V: Variant> Stream for Samples<V> {
    fn fill(&mut self, batch: &mut Batch, until: Instant) -> Result<bool, String> {
        let numbering = Numbering::of(V::ID);
        let length = numbering.planes() * numbering.squares();
        while batch.score.len() < self.wanted.size {
            while self.waiting.len() - self.given <= self.wanted.shuffle && self.read()? {
                if Instant::now() >= until {
                    return Ok(false);
                }
            }
            let Some((game, sample)) = self.draw() else { break };
            let mirror = self.wanted.mirror && self.random.random_bool(0.5);
            let action = sample.best.map_or(-1, |m| {
                let action = numbering.action(sample.board.side(), m);
                i32::try_from(if mirror { numbering.mirrored(action) } else { action })
                    .unwrap_or(-1)
            });
            if self.wanted.planes {
                let start = batch.planes.len();
                batch.planes.resize(start + length, 0);
                let planes = &mut batch.planes[start..];
                numbering.fill_planes(&sample.board, 0, planes);
                if mirror {
                    numbering.mirror_planes(planes);
                }
            }
            if self.wanted.sfen {
                batch.sfen.push(format!("{:?} {}", sample.board, sample.ply + 1));
            }
            batch.score.push(sample.score.bits());
            batch.result.push(sample.result);
            batch.action.push(action);
            batch.ply.push(i32::try_from(sample.ply).unwrap_or(i32::MAX));
            batch.game.push(game);
        }
        Ok(true)
    }
}

/// Batches of positions: dictionaries of arrays.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Batches {
    game: VariantId,
    planes: bool,
    stream: Mutex<Box<dyn Stream>>,
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut stream = alone(self.stream.try_lock())?;
        let (stream, mut batch) = (&mut *stream, Batch::default());
        while !py.detach(|| stream.fill(&mut batch, Instant::now() + LOOK)).map_err(wrong)? {
            py.check_signals()?;
        }
        let (all, count) = (PyDict::new(py), batch.score.len());
        if count == 0 {
            return Ok(None);
        }
        if self.planes {
            let (planes, ranks, files) = Numbering::of(self.game).planes_shape();
            let flat = PyArray1::from_vec(py, batch.planes);
            all.set_item("planes", flat.reshape([count, planes, ranks, files])?)?;
        }
        if !batch.sfen.is_empty() {
            all.set_item("sfen", py.import("numpy")?.call_method1("array", (batch.sfen,))?)?;
        }
        all.set_item("score", arrays::of(py, batch.score)?)?;
        all.set_item("result", arrays::of(py, batch.result)?)?;
        all.set_item("action", arrays::of(py, batch.action)?)?;
        all.set_item("ply", arrays::of(py, batch.ply)?)?;
        all.set_item("game", arrays::of(py, batch.game)?)?;
        Ok(Some(all))
    }
}

/// Files of self-play (`.ktd`) of one game.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Dataset {
    paths: Vec<PathBuf>,
    header: Header,
    torn: u64,
    /// Games and positions.
    counts: (usize, usize),
}

#[pymethods]
impl Dataset {
    #[new]
    #[pyo3(signature = (*paths))]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        let Some(first) = paths.first() else { return Err(wrong("expected a file, found none")) };
        let header = open(first)?.header().clone();
        let (mut counts, mut torn) = ((0, 0), 0);
        for path in &paths {
            let named =
                |error: &dyn std::fmt::Display| wrong(format!("{}: {error}", path.display()));
            let mut reader = open(path)?.of(header.game).map_err(|error| named(&error))?;
            py.detach(|| {
                for game in reader.by_ref() {
                    let game = game.map_err(|error| error.to_string())?;
                    counts.0 += 1;
                    counts.1 += game.plies.iter().filter(|ply| !ply.broken_off).count();
                }
                Ok(())
            })
            .map_err(|error: String| named(&error))?;
            torn += reader.torn();
            py.check_signals()?;
        }
        Ok(Self { paths, header, torn, counts })
    }

    /// The game.
    #[getter]
    fn game(&self) -> &'static str {
        self.header.game.spec().id
    }

    /// What the games were made with, as the first file says it.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for line in self.header.settings.lines() {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            all.set_item(name, value)?;
        }
        Ok(all)
    }

    /// How many games there are.
    #[getter]
    fn num_games(&self) -> usize {
        self.counts.0
    }

    /// Bytes at the ends of files that a run which was killed left behind; they are not read.
    #[getter]
    fn torn(&self) -> u64 {
        self.torn
    }

    /// How many searched positions there are.
    fn __len__(&self) -> usize {
        self.counts.1
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        format!(
            "<Dataset of {}: {} positions of {} games>",
            self.game(),
            self.counts.1,
            self.counts.0
        )
    }

    /// Batches of `size` positions, the last one smaller, each a dictionary of arrays with a row a position.
    ///
    /// `score` (`int16`, centipawns for the side to move, 32,000 less the plies for wins), `result` (`int8`: 1, 0, -1 for
    /// the side to move), `action` (`int32`: that of the best move, -1 where it is not known), `ply` (`int32`), `game`
    /// (`uint32`, its number in the file), and with `planes` `planes` (`uint8`), without what stood there before, with
    /// `sfen` `sfen` (text).
    /// `quiet` leaves out checks, captures, promotions and scores beyond it. `shuffle` is how many positions are drawn
    /// from. `holdout` is the share of games held out, and `split` says which are read; they are those that
    /// `kujira-training train` holds out with the same seed. `mirror` exchanges left and right of every second position,
    /// which the rules of all games allow; it does not go with `sfen`.
    #[pyo3(signature = (size, *, planes=false, sfen=false, quiet=None, shuffle=0, seed=0, holdout=0.0, split="train", mirror=false))]
    fn batches(
        &self,
        #[pyo3(from_py_with = number)] size: usize,
        planes: bool,
        sfen: bool,
        #[pyo3(from_py_with = number)] quiet: Option<i32>,
        #[pyo3(from_py_with = number)] shuffle: usize,
        #[pyo3(from_py_with = number)] seed: u64,
        holdout: f64,
        split: &str,
        mirror: bool,
    ) -> PyResult<Batches> {
        if size == 0 || !(0.0..=1.0).contains(&holdout) {
            return Err(wrong(format!(
                "expected a size from 1 and a share from 0 to 1, found {size} and {holdout}"
            )));
        }
        if sfen && mirror {
            return Err(wrong("expected sfen or mirror, found both"));
        }
        let held_out = match split {
            "train" => (holdout > 0.0).then_some((holdout, false)),
            "held-out" if holdout > 0.0 => Some((holdout, true)),
            "held-out" => return Err(wrong("expected a share held out (holdout), found 0")),
            _ => return Err(none_of("train, held-out", split)),
        };
        let files = self.paths.iter().map(open).collect::<PyResult<Vec<_>>>()?;
        let wanted = Wanted { size, planes, sfen, quiet, shuffle, held_out, mirror, seed };
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let stream: Box<dyn Stream> = with_variant!(self.header.game, V => {
            Box::new(Samples::<V> { files, wanted, random, waiting: Vec::new(), given: 0 })
        });
        Ok(Batches { game: self.header.game, planes, stream: Mutex::new(stream) })
    }

    /// The games, with the scores of the searches.
    fn games(&self) -> PyResult<DataGames> {
        let files = self.paths.iter().map(open).collect::<PyResult<Vec<_>>>()?;
        Ok(DataGames { game: self.header.game, files: Mutex::new(files) })
    }
}

/// Hands out the games of files of self-play.
#[pyclass(frozen, module = "whaleshogi")]
pub struct DataGames {
    game: VariantId,
    files: Mutex<Vec<Reader<BufReader<File>>>>,
}

/// A game of self-play as a record of games has it.
fn record(variant: VariantId, told: &GameRecord) -> Result<Record, String> {
    let text = |error: &dyn std::fmt::Display| format!("game {}: {error}", told.number);
    let game = kujira_record::Game::new(variant, variant.spec().start, Rules::DEFAULT);
    let mut game = game.map_err(|error| text(&error))?;
    let opening = told.opening.iter().map(|&m| (m, None));
    let searched = told.plies.iter().map(|ply| (ply.m, Some(ply)));
    let moves: Vec<_> = opening.chain(searched).collect();
    let usi: Vec<String> = moves.iter().map(|&(m, _)| variant.usi(m)).collect();
    let ids = game.play_list(usi.iter().enumerate().map(|(after, usi)| (after, usi.as_str())));
    let ids = ids.map_err(|error| text(&error))?;
    for (pair, (_, ply)) in ids.windows(2).zip(&moves) {
        // The search was made before the move: its score stands at the position it was made in.
        if let (Some(ply), Some(node)) = (ply, pair.first().and_then(|&id| game.node_mut(id)))
            && !ply.broken_off
        {
            let score: kujira_search::Score = ply.score.into();
            node.score = Some((Score::from(score).for_black(node.side), 0));
        }
    }
    if let Some(last) = ids.last().and_then(|&id| game.node_mut(id))
        && last.ending.is_none()
    {
        let reason = match told.ending.reason() {
            Reason::Score | Reason::Mate => kujira_usi::ending::Reason::AdjudicatedWin,
            Reason::PlyLimit => kujira_usi::ending::Reason::PlyLimit,
            Reason::Win(_) | Reason::Draw(_) => kujira_usi::ending::Reason::Impasse,
        };
        last.ending = Some(match told.ending.winner() {
            Some(winner) => Ending::win(winner, reason),
            None => Ending::draw(reason),
        });
    }
    Ok(Record { game, head: Head::default() })
}

#[pymethods]
impl DataGames {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self) -> PyResult<Option<Game>> {
        let mut files = alone(self.files.try_lock())?;
        while let Some(file) = files.first_mut() {
            if let Some(game) = file.next() {
                let game = game
                    .map_err(|error| error.to_string())
                    .and_then(|game| record(self.game, &game));
                return game.map(|record| Some(Game { record })).map_err(wrong);
            }
            files.remove(0);
        }
        Ok(None)
    }
}

fn least_and_most(given: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    expected("the least and the greatest number of plies", given)
}

/// Plays games of the engine with itself into a file (`.ktd`), which may exist: then it goes on with it, if the settings
/// are the same. Ctrl-C ends it, and what was played is kept.
#[pyfunction]
#[pyo3(signature = (out, game="whale", *, games, nodes=5000, threads=1, seed=1, random_plies=(6, 9), random_move=0.0))]
pub fn generate(
    py: Python<'_>,
    out: PathBuf,
    game: &str,
    #[pyo3(from_py_with = number)] games: u64,
    #[pyo3(from_py_with = number)] nodes: u64,
    #[pyo3(from_py_with = number)] threads: usize,
    #[pyo3(from_py_with = number)] seed: u64,
    #[pyo3(from_py_with = least_and_most)] random_plies: (usize, usize),
    random_move: f64,
) -> PyResult<Dataset> {
    let game = errors::game(game)?;
    if nodes == 0 || !(1..=1024).contains(&threads) {
        return Err(wrong(format!(
            "expected nodes from 1 and 1 to 1024 threads, found {nodes} and {threads}"
        )));
    }
    let settings = Settings { seed, nodes, random_plies, random_move, ..Settings::new(game) };
    settings.check().map_err(wrong)?;
    let stopped = AtomicBool::new(false);
    let mut quiet = |_: &State| ();
    let run = || {
        let target = Target::Games(games);
        kujira_training::datagen::run_game(&out, &settings, target, threads, &stopped, &mut quiet)
    };
    let played = interruptible(py, || stopped.store(true, Ordering::Relaxed), run)?;
    played.map_err(|error| if out.exists() { wrong(error) } else { PyOSError::new_err(error) })?;
    Dataset::new(py, vec![out])
}
