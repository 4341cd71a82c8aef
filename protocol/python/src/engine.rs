//! The engine in process, and searches that run beside Python.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kujira_position::{AnyPosition, VariantId};
use kujira_search::{
    Control, Info, LEVELS, Limits, MOST_ELO, Reporter, SearchError, SearchOptions, Silent, Times,
};
use numpy::PyArray1;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use crate::analysis::{Analysis, Line, Mate, Score};
use crate::arrays;
use crate::board::Board;
use crate::errors::{self, wrong};
use crate::given::{MovesLike, clock, expected};
use crate::moves::Move;
use crate::numbers::number;
use crate::run::{LOOK, Process, interruptible, panicked, reading};

/// The most threads of an engine.
const MOST_THREADS: usize = 1024;

/// The most lines that wait for somebody who asks for them.
const MOST_LINES: usize = 10_000;

/// What is shared with the thread that searches.
struct Task {
    process: Process,
    control: Control,
    state: Mutex<State>,
    news: Condvar,
}

/// How far a search has come.
#[derive(Default)]
struct State {
    lines: VecDeque<Info>,
    found: Option<Result<kujira_search::Analysis, Failure>>,
}

/// Why nothing was found.
enum Failure {
    Closed,
    Refused(SearchError),
    Panicked,
}

impl From<&Failure> for PyErr {
    fn from(failure: &Failure) -> Self {
        match failure {
            Failure::Closed => closed(),
            Failure::Refused(error) => wrong(error),
            Failure::Panicked => panicked(),
        }
    }
}

impl Reporter for Task {
    fn info(&self, info: &Info) {
        let mut state = self.lock();
        if state.lines.len() == MOST_LINES {
            state.lines.pop_front();
        }
        state.lines.push_back(info.clone());
        self.news.notify_all();
    }
}

/// What a search has to say.
enum News {
    Line(Box<Info>),
    Done,
    Nothing,
}

impl Task {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a line, if `lines` are wanted, or the end.
    fn wait(&self, lines: bool, most: Duration) -> News {
        let idle = |state: &mut State| state.found.is_none() && (!lines || state.lines.is_empty());
        let waited = self.news.wait_timeout_while(self.lock(), most, idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if lines && let Some(info) = state.lines.pop_front() {
            return News::Line(Box::new(info));
        }
        if state.found.is_some() { News::Done } else { News::Nothing }
    }

    /// As [`Task::wait`], without the interpreter's lock, and no longer than until Ctrl-C is looked at.
    ///
    /// # Errors
    /// After a fork: the thread that searches stayed behind, and may have left what it shares locked.
    fn wait_outside(&self, py: Python<'_>, lines: bool) -> PyResult<News> {
        self.process.check("a search")?;
        Ok(py.detach(|| self.wait(lines, LOOK)))
    }

    /// Ends the search and waits until it has ended.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        self.stop();
        while !matches!(self.wait_outside(py, false)?, News::Done) {}
        Ok(())
    }

    /// Asks for the end of the search, where it runs.
    fn stop(&self) {
        if self.process.is_this() {
            self.control.stop();
        }
    }

    /// Says what was found: the search has ended.
    fn tell(&self, found: Result<kujira_search::Analysis, Failure>) {
        self.lock().found = Some(found);
        self.news.notify_all();
    }
}

/// The engine itself, while it is open.
type Shared = Arc<Mutex<Option<Box<dyn kujira_search::Engine>>>>;

/// Kujira in process, with its networks. One search at a time; a context manager.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Engine {
    game: VariantId,
    engine: Shared,
    /// The search that runs or ran last.
    last: Mutex<Option<Arc<Task>>>,
    busy: Arc<AtomicBool>,
    process: Process,
}

/// What another process left cannot be ended here.
impl Drop for Engine {
    fn drop(&mut self) {
        if !self.process.is_this() {
            std::mem::forget(self.engine.clone());
        }
    }
}

/// A time in seconds.
fn seconds(what: &str, time: f64) -> PyResult<Duration> {
    let found = Duration::try_from_secs_f64(time).ok().filter(|time| time.as_secs() < 1 << 30);
    found.ok_or_else(|| wrong(format!("expected {what} in seconds, from 0, found {time}")))
}

/// A network, as bytes or as the path of a file.
#[derive(FromPyObject)]
enum NetworkLike {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

fn network(given: &Bound<'_, PyAny>) -> PyResult<Option<NetworkLike>> {
    expected("a network as bytes or the path of a file", given)
}

fn boards<'py>(given: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, Board>>> {
    expected("a sequence of boards", given)
}

/// What limits a search, as Python gives it.
struct Asked {
    nodes: Option<u64>,
    time: Option<f64>,
    depth: Option<u32>,
    clock: Option<(f64, f64)>,
    increment: f64,
    byoyomi: f64,
    moves: Option<MovesLike>,
}

impl Asked {
    fn is_limited(&self) -> bool {
        self.nodes.is_some()
            || self.time.is_some()
            || self.depth.is_some()
            || self.clock.is_some()
            || self.byoyomi != 0.0
    }

    fn limits(self, board: &Board) -> PyResult<Limits> {
        if self.depth == Some(0) || self.nodes == Some(0) {
            return Err(wrong("expected a depth and a number of nodes from 1, found 0"));
        }
        if self.clock.is_none() && self.increment != 0.0 {
            return Err(wrong("expected a clock for the increment, found none"));
        }
        let times = match self.clock {
            None if self.byoyomi == 0.0 => None,
            clock => {
                let (black, white) = clock.unwrap_or_default();
                let left = [seconds("Black's clock", black)?, seconds("White's clock", white)?];
                let increment = [seconds("the increment", self.increment)?; 2];
                Some(Times { left, increment, byoyomi: seconds("byoyomi", self.byoyomi)? })
            }
        };
        let moves = self.moves.map(MovesLike::list);
        if moves.as_ref().is_some_and(Vec::is_empty) {
            return Err(wrong("expected moves to choose among, found none"));
        }
        let moves = moves.unwrap_or_default();
        let search_moves = moves.iter().map(|m| board.find(m)).collect::<PyResult<_>>()?;
        Ok(Limits {
            times,
            move_time: self.time.map(|time| seconds("a time", time)).transpose()?,
            depth: self.depth,
            nodes: self.nodes,
            search_moves,
            ..Limits::default()
        })
    }

    fn limited(self, board: &Board) -> PyResult<Limits> {
        let is_limited = self.is_limited();
        let limits = self.limits(board)?;
        if !is_limited {
            return Err(wrong(
                "expected a limit: nodes, time, depth, clock or byoyomi, found none; `start` searches without",
            ));
        }
        Ok(limits)
    }
}

impl Engine {
    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn kujira_search::Engine>>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The search that runs or ran last.
    fn last(&self) -> MutexGuard<'_, Option<Arc<Task>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a search that was told to stop, so that the engine is free when its `Search` is gone.
    ///
    /// # Errors
    /// In a process that was forked off: the threads stayed behind.
    fn settle(&self, py: Python<'_>) -> PyResult<()> {
        self.process.check("an engine")?;
        let last = self.last().clone();
        last.filter(|task| task.control.stopped()).map_or(Ok(()), |task| task.end(py))
    }

    /// Does something with the engine, which nothing else uses now.
    fn with<T>(&self, use_it: impl FnOnce(&mut dyn kujira_search::Engine) -> T) -> PyResult<T> {
        let Ok(mut engine) = self.engine.try_lock() else { return Err(busy()) };
        let engine = engine.as_mut().ok_or_else(closed)?;
        Ok(use_it(engine.as_mut()))
    }

    /// The task of a new search, for which the engine is taken until it is no more `busy`.
    fn task(&self, py: Python<'_>) -> PyResult<Arc<Task>> {
        self.settle(py)?;
        if self.busy.swap(true, Ordering::AcqRel) {
            return Err(busy());
        }
        let task = Arc::new(Task {
            process: self.process,
            control: Control::new(),
            state: Mutex::default(),
            news: Condvar::new(),
        });
        *self.last() = Some(task.clone());
        Ok(task)
    }

    fn check(&self, board: &Board) -> PyResult<()> {
        let (expected, found) = (self.game, board.variant());
        if expected == found { Ok(()) } else { Err(wrong(SearchError::Game { expected, found })) }
    }

    /// Begins a search on a thread of its own.
    fn begin(
        &self,
        py: Python<'_>,
        board: &Board,
        lines: usize,
        limits: Limits,
    ) -> PyResult<Search> {
        self.check(board)?;
        if !(1..=1000).contains(&lines) {
            return Err(wrong(format!("expected 1 to 1000 lines, found {lines}")));
        }
        let task = self.task(py)?;
        let (busy, engine) = (self.busy.clone(), self.engine.clone());
        let root = board.position.clone();
        let work = {
            let (task, root) = (task.clone(), root.clone());
            move || {
                let search = || {
                    let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
                    let engine = engine.as_mut().ok_or(Failure::Closed)?;
                    engine.set_multipv(lines);
                    engine.search(&root, &limits, &task.control, &*task).map_err(Failure::Refused)
                };
                let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
                busy.store(false, Ordering::Release);
                task.tell(found.unwrap_or(Err(Failure::Panicked)));
            }
        };
        let spawned = std::thread::Builder::new().name("whaleshogi".to_owned()).spawn(work);
        if let Err(error) = spawned {
            self.busy.store(false, Ordering::Release);
            *self.last() = None;
            return Err(PyOSError::new_err(format!("expected a thread to search on: {error}")));
        }
        Ok(Search { root, task })
    }

    /// Searches to the end; tells `on_info` every line.
    fn finish(
        &self,
        py: Python<'_>,
        search: &Search,
        on_info: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let task = &search.task;
        let mut listener = on_info;
        let mut failed = None;
        loop {
            let heard = match task.wait_outside(py, listener.is_some())? {
                News::Done => break,
                News::Nothing => Ok(true),
                News::Line(info) => match &listener {
                    Some(listener) => {
                        let line = Line { root: search.root.clone(), info: *info };
                        listener
                            .call1((line,))
                            .map(|told| !told.is(pyo3::types::PyBool::new(py, false)))
                    }
                    None => Ok(true),
                },
            };
            let heard = heard.and_then(|go_on| py.check_signals().map(|()| go_on));
            if !matches!(heard, Ok(true)) {
                task.control.stop();
                listener = None;
            }
            if let Err(error) = heard
                && failed.is_none()
            {
                failed = Some(error);
            }
        }
        failed.map_or_else(|| search.found(), Err)
    }
}

impl Engine {
    /// Searches a position at full strength, for others of this package.
    pub fn look(
        &self,
        py: Python<'_>,
        board: &Board,
        nodes: u64,
    ) -> PyResult<kujira_search::Analysis> {
        let limits = Limits { advice: true, nodes: Some(nodes), ..Limits::default() };
        let search = self.begin(py, board, 1, limits)?;
        self.finish(py, &search, None).map(|analysis| analysis.found)
    }
}

fn busy() -> PyErr {
    PyRuntimeError::new_err("expected one search at a time, found another in progress")
}

fn closed() -> PyErr {
    PyRuntimeError::new_err("expected an open engine, found a closed one")
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game="whale", *, threads=1, hash=16, level=None, elo=None, network=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        #[pyo3(from_py_with = number)] threads: usize,
        #[pyo3(from_py_with = number)] hash: usize,
        #[pyo3(from_py_with = number)] level: Option<usize>,
        #[pyo3(from_py_with = number)] elo: Option<u32>,
        #[pyo3(from_py_with = network)] network: Option<NetworkLike>,
    ) -> PyResult<Self> {
        let game = errors::game(game)?;
        if !(1..=MOST_THREADS).contains(&threads) || hash == 0 {
            return Err(wrong(format!(
                "expected 1 to {MOST_THREADS} threads and a table from 1 MiB, found {threads} and {hash}"
            )));
        }
        match (level, elo) {
            (Some(_), Some(_)) => {
                return Err(wrong("expected a level or an Elo, found both"));
            }
            (Some(level), None) if !(1..=LEVELS.len()).contains(&level) => {
                let most = LEVELS.len();
                return Err(wrong(format!("expected a level from 1 to {most}, found {level}")));
            }
            (None, Some(elo)) if elo > MOST_ELO => {
                return Err(wrong(format!("expected an Elo from 0 to {MOST_ELO}, found {elo}")));
            }
            _ => {}
        }
        let network = match network {
            None => None,
            Some(NetworkLike::Bytes(bytes)) => Some(bytes),
            Some(NetworkLike::Path(path)) => Some(std::fs::read(&path).map_err(|error| {
                PyErr::from(std::io::Error::new(
                    error.kind(),
                    format!("{}: {error}", path.display()),
                ))
            })?),
        };
        // Rayon's own threads would be missed by every engine made after a fork.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(wrong)?;
        let made = || {
            let mut engine = kujira_search::engine(game);
            engine.set_network(network.as_deref()).map_err(wrong)?;
            engine.set_hash(hash).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
            engine.set_threads(threads);
            engine.set_options(SearchOptions {
                level: level.unwrap_or(LEVELS.len()),
                limits_strength: elo.is_some(),
                elo: elo.unwrap_or(MOST_ELO),
                ..SearchOptions::default()
            });
            PyResult::Ok(engine)
        };
        let engine = py.detach(|| pool.install(made))?;
        Ok(Self {
            game,
            engine: Arc::new(Mutex::new(Some(engine))),
            last: Mutex::new(None),
            busy: Arc::default(),
            process: Process::this(),
        })
    }

    /// The game that it plays.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.spec().id
    }

    /// Searches a position at full strength until a limit is reached.
    ///
    /// `nodes`; `time` in seconds; `depth` in plies; `clock`: the seconds left to Black and to White, with `increment`
    /// and `byoyomi`. At least one of them. `lines` is how many lines to find, `moves` are the moves to choose among.
    /// `on_info` hears each `Line` found; if it returns `False` the search ends and keeps what it has. Ctrl-C ends it
    /// and raises `KeyboardInterrupt`.
    #[pyo3(signature = (board, *, nodes=None, time=None, depth=None, clock=None, increment=0.0, byoyomi=0.0, lines=1,
                        moves=None, on_info=None))]
    fn search(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        #[pyo3(from_py_with = number)] nodes: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = number)] depth: Option<u32>,
        #[pyo3(from_py_with = clock)] clock: Option<(f64, f64)>,
        increment: f64,
        byoyomi: f64,
        #[pyo3(from_py_with = number)] lines: usize,
        moves: Option<MovesLike>,
        on_info: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Analysis> {
        let asked = Asked { nodes, time, depth, clock, increment, byoyomi, moves };
        let limits = Limits { advice: true, ..asked.limited(&board)? };
        let search = self.begin(py, &board, lines, limits)?;
        // Others may change the board meanwhile.
        drop(board);
        self.finish(py, &search, on_info)
    }

    /// Begins a search in the background, with limits as `search` has them, or without any.
    #[pyo3(signature = (board, *, nodes=None, time=None, depth=None, clock=None, increment=0.0, byoyomi=0.0, lines=1,
                        moves=None))]
    fn start(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        #[pyo3(from_py_with = number)] nodes: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = number)] depth: Option<u32>,
        #[pyo3(from_py_with = clock)] clock: Option<(f64, f64)>,
        increment: f64,
        byoyomi: f64,
        #[pyo3(from_py_with = number)] lines: usize,
        moves: Option<MovesLike>,
    ) -> PyResult<Search> {
        let asked = Asked { nodes, time, depth, clock, increment, byoyomi, moves };
        let infinite = !asked.is_limited();
        let limits = Limits { advice: true, infinite, ..asked.limits(&board)? };
        self.begin(py, &board, lines, limits)
    }

    /// The move to play at the engine's level, with limits as `search` has them; none if it has no move to play.
    #[pyo3(signature = (board, *, nodes=None, time=None, depth=None, clock=None, increment=0.0, byoyomi=0.0,
                        moves=None))]
    fn play(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        #[pyo3(from_py_with = number)] nodes: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = number)] depth: Option<u32>,
        #[pyo3(from_py_with = clock)] clock: Option<(f64, f64)>,
        increment: f64,
        byoyomi: f64,
        moves: Option<MovesLike>,
    ) -> PyResult<Option<Move>> {
        let asked = Asked { nodes, time, depth, clock, increment, byoyomi, moves };
        let search = self.begin(py, &board, 1, asked.limited(&board)?)?;
        drop(board);
        Ok(self.finish(py, &search, None)?.best())
    }

    /// What the network says of a position, without looking ahead.
    fn evaluate(&self, py: Python<'_>, board: &Board) -> PyResult<Score> {
        self.check(board)?;
        self.settle(py)?;
        let scores = self.with(|engine| engine.evaluate(&[&board.position]))?.map_err(wrong)?;
        scores.first().map(|&score| Score(score.into())).ok_or_else(panicked)
    }

    /// What the network says of many positions: centipawns for the side to move of each, `int16`.
    fn evaluate_batch<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = boards)] boards: Vec<Bound<'py, Board>>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let boards = boards.iter().map(reading).collect::<PyResult<Vec<_>>>()?;
        let positions: Vec<&AnyPosition> = boards.iter().map(|board| &board.position).collect();
        self.settle(py)?;
        let scores =
            py.detach(|| self.with(|engine| engine.evaluate(&positions)))?.map_err(wrong)?;
        let value = |score: kujira_search::Score| match score {
            kujira_search::Score::Centipawns(value) => i16::try_from(value).unwrap_or(i16::MAX),
            kujira_search::Score::Mate(plies) => {
                if plies > 0 {
                    i16::MAX
                } else {
                    i16::MIN
                }
            }
        };
        arrays::of(py, scores.into_iter().map(value).collect())
    }

    /// What the network says of a position, and what each piece adds to that, as a text.
    fn explain(&self, py: Python<'_>, board: &Board) -> PyResult<String> {
        self.settle(py)?;
        self.with(|engine| engine.explain(&board.position))?.map_err(wrong)
    }

    /// Looks for a mate by checks alone, `plies` long at most.
    #[pyo3(signature = (board, *, nodes=None, time=None, plies=None, moves=None))]
    fn mate(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        #[pyo3(from_py_with = number)] nodes: Option<u64>,
        time: Option<f64>,
        #[pyo3(from_py_with = number)] plies: Option<u32>,
        moves: Option<MovesLike>,
    ) -> PyResult<Mate> {
        self.check(&board)?;
        let asked =
            Asked { nodes, time, depth: plies, clock: None, increment: 0.0, byoyomi: 0.0, moves };
        let limits = asked.limits(&board)?;
        let root = board.position.clone();
        drop(board);
        let task = self.task(py)?;
        let report = interruptible(
            py,
            || task.control.stop(),
            || {
                let mut engine = self.lock();
                let engine = engine.as_mut().ok_or(Failure::Closed)?;
                engine.mate(&root, &limits, &task.control, &Silent).map_err(Failure::Refused)
            },
        );
        self.busy.store(false, Ordering::Release);
        // For whoever waits for the end; nobody asks this task what it found.
        task.tell(Err(Failure::Closed));
        let report = report?.map_err(|failure| PyErr::from(&failure))?;
        Ok(Mate { root, report })
    }

    /// Forgets what earlier searches learnt.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.settle(py)?;
        self.with(|engine| engine.new_game())
    }

    /// Ends a search in progress and gives the memory back; the engine cannot be used any more. After a fork it is the
    /// parent's, and goes on there.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if !self.process.is_this() {
            return Ok(());
        }
        let last = self.last().take();
        last.map_or(Ok(()), |task| task.end(py))?;
        py.detach(|| drop(self.lock().take()));
        Ok(())
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<Engine for {}>", self.game)
    }
}

/// A search in the background. Iterating over it gives its lines as they are found.
#[pyclass(frozen, module = "whaleshogi")]
pub struct Search {
    root: AnyPosition,
    task: Arc<Task>,
}

impl Search {
    /// What it found, once it has ended.
    fn found(&self) -> PyResult<Analysis> {
        match &self.task.lock().found {
            Some(Ok(found)) => Ok(Analysis { root: self.root.clone(), found: found.clone() }),
            Some(Err(failure)) => Err(failure.into()),
            None => Err(panicked()),
        }
    }
}

#[pymethods]
impl Search {
    /// Whether it has ended.
    #[getter]
    fn done(&self) -> PyResult<bool> {
        self.task.process.check("a search")?;
        Ok(self.task.lock().found.is_some())
    }

    /// Ends it and returns what it found.
    fn stop(&self, py: Python<'_>) -> PyResult<Analysis> {
        self.task.end(py)?;
        self.found()
    }

    /// Waits for its end, `timeout` seconds at most, and returns what it found; none if it has not ended.
    #[pyo3(signature = (timeout=None))]
    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<Analysis>> {
        let end = timeout
            .map(|timeout| seconds("a timeout", timeout))
            .transpose()?
            .map(|timeout| Instant::now() + timeout);
        loop {
            if let News::Done = self.task.wait_outside(py, false)? {
                return self.found().map(Some);
            }
            py.check_signals()?;
            if end.is_some_and(|end| Instant::now() >= end) {
                return Ok(None);
            }
        }
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Line>> {
        loop {
            match self.task.wait_outside(py, true)? {
                News::Line(info) => return Ok(Some(Line { root: self.root.clone(), info: *info })),
                News::Done => return Ok(None),
                News::Nothing => py.check_signals()?,
            }
        }
    }
}

/// An abandoned search has nobody to stop it any more.
impl Drop for Search {
    fn drop(&mut self) {
        self.task.stop();
    }
}
