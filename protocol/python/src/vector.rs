//! Many games side by side, without an object of Python for each position.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use kujira_binding::encode::Numbering;
use kujira_position::{
    AnyPosition, Color, Outcome, Position, Rules, Variant, VariantId, with_variant,
};
use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::Board;
use crate::errors::{self, wrong};
use crate::numbers::{Plies, number};
use crate::run::{Process, alone, stoppable};
use crate::{arrays, names, random};

/// The most games side by side.
const MOST: usize = 1 << 20;

/// How few games are not worth another thread.
const PART: usize = 64;

/// What a move came to: the reward of who made it, whether it ended the game, whether the game was broken off.
#[derive(Clone, Copy, Default)]
struct Step {
    reward: f32,
    terminated: bool,
    truncated: bool,
}

/// How games begin and end.
#[derive(Clone, Copy)]
struct Terms {
    rules: Rules,
    max_plies: u32,
    auto_reset: bool,
    random_plies: (u32, u32),
}

/// The games of one variant.
trait Games: Send + Sync {
    fn planes(&self, out: &mut [u8]);
    fn masks(&self, out: &mut [bool]);
    fn step(&mut self, actions: &[i32]) -> Result<Vec<Step>, String>;
    fn reset(&mut self, which: &[bool]);
    fn sides(&self) -> Vec<i8>;
    fn plies(&self) -> Vec<i32>;
    fn position(&self, index: usize) -> Option<AnyPosition>;
}

/// A game in progress.
struct Seat<V: Variant> {
    position: Position<V>,
    random: Xoshiro256PlusPlus,
    over: bool,
}

struct Row<V: Variant> {
    terms: Terms,
    seats: Vec<Seat<V>>,
}

impl<V: Variant> Seat<V> {
    fn new(terms: Terms, seed: u64, stopped: &AtomicBool) -> Result<Self, String> {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let position = Position::from_sfen_under(V::SPEC.start, terms.rules)
            .map_err(|error| error.to_string())?;
        let mut seat = Self { position, random, over: false };
        if seat.begin(terms, stopped) { Ok(seat) } else { Err(random::NONE.to_owned()) }
    }

    /// Begins a new game; false if none came as far as wanted at random, so that it begins at the start.
    fn begin(&mut self, terms: Terms, stopped: &AtomicBool) -> bool {
        self.over = false;
        while self.position.undo().is_some() {}
        if terms.random_plies.1 == 0 {
            return true;
        }
        let begun = random::position(terms.random_plies, terms.rules, &mut self.random, stopped);
        begun.is_some_and(|begun| {
            self.position = begun;
            true
        })
    }

    /// The move of an action, if it is legal.
    fn find(&self, action: i32) -> Result<kujira_position::Move, String> {
        let numbering = Numbering::of(V::ID);
        let number = usize::try_from(action).ok();
        let m = number.and_then(|number| numbering.decode(&self.position, number));
        match m.filter(|&m| !self.over && self.position.is_legal(m)) {
            Some(m) => Ok(m),
            None if self.over => {
                Err("expected a game in progress, found one that is over: reset it".to_owned())
            }
            None => {
                Err(format!("expected a legal action, found {action} in {}", self.position.sfen()))
            }
        }
    }

    fn step(&mut self, m: kujira_position::Move, terms: Terms) -> Step {
        let mover = self.position.side();
        self.position.make(m);
        let outcome = self.position.outcome();
        let played = u32::try_from(self.position.moves_made()).unwrap_or(u32::MAX);
        let step = Step {
            reward: match outcome {
                Some(Outcome::Win { winner, .. }) => {
                    if winner == mover {
                        1.0
                    } else {
                        -1.0
                    }
                }
                _ => 0.0,
            },
            terminated: outcome.is_some(),
            truncated: outcome.is_none() && played >= terms.max_plies,
        };
        self.over = step.terminated || step.truncated;
        if self.over && terms.auto_reset {
            self.begin(terms, &AtomicBool::new(false));
        }
        step
    }
}

impl<V: Variant> Games for Row<V> {
    fn planes(&self, out: &mut [u8]) {
        let numbering = Numbering::of(V::ID);
        let size = numbering.planes() * numbering.squares();
        out.par_chunks_mut(size).zip(&self.seats).with_min_len(PART).for_each(|(out, seat)| {
            let before = seat.position.occurrences() - 1;
            numbering.fill_planes(&seat.position, before, out);
        });
    }

    fn masks(&self, out: &mut [bool]) {
        let numbering = Numbering::of(V::ID);
        out.par_chunks_mut(numbering.actions()).zip(&self.seats).with_min_len(PART).for_each(
            |(out, seat)| {
                let moves =
                    if seat.over { V::MoveList::default() } else { seat.position.legal_moves() };
                numbering.fill_mask(seat.position.side(), &moves, out);
            },
        );
    }

    fn step(&mut self, actions: &[i32]) -> Result<Vec<Step>, String> {
        // All are looked at before one is played.
        let found = self.seats.par_iter().zip(actions).with_min_len(PART).enumerate();
        let moves: Vec<_> = found
            .map(|(index, (seat, &action))| {
                seat.find(action).map_err(|error| format!("game {index}: {error}"))
            })
            .collect::<Result<_, _>>()?;
        let terms = self.terms;
        let played = self.seats.par_iter_mut().zip(moves).with_min_len(PART);
        Ok(played.map(|(seat, m)| seat.step(m, terms)).collect())
    }

    fn reset(&mut self, which: &[bool]) {
        let terms = self.terms;
        let wanted = self.seats.par_iter_mut().zip(which).with_min_len(PART);
        wanted.filter(|(_, wanted)| **wanted).for_each(|(seat, _)| {
            seat.begin(terms, &AtomicBool::new(false));
        });
    }

    fn sides(&self) -> Vec<i8> {
        self.seats.iter().map(|seat| i8::from(seat.position.side() == Color::White)).collect()
    }

    fn plies(&self) -> Vec<i32> {
        let made = |seat: &Seat<V>| i32::try_from(seat.position.moves_made()).unwrap_or(i32::MAX);
        self.seats.iter().map(made).collect()
    }

    fn position(&self, index: usize) -> Option<AnyPosition> {
        self.seats.get(index).map(|seat| seat.position.clone().into())
    }
}

/// Games side by side in Rust: what a loop of self-play needs. `numpy` is needed.
#[pyclass(frozen, module = "whaleshogi")]
pub struct VectorBoards {
    game: VariantId,
    count: usize,
    games: RwLock<Box<dyn Games>>,
    threads: usize,
    /// The threads, and the process that has them.
    pool: Mutex<(Process, Arc<ThreadPool>)>,
}

/// What another process left cannot be ended here.
impl Drop for VectorBoards {
    fn drop(&mut self) {
        if let Ok((process, pool)) = self.pool.get_mut()
            && !process.is_this()
        {
            std::mem::forget(pool.clone());
        }
    }
}

fn pool(threads: usize) -> PyResult<(Process, Arc<ThreadPool>)> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(wrong)?;
    Ok((Process::this(), Arc::new(pool)))
}

impl VectorBoards {
    /// The threads of this process.
    fn pool(&self) -> PyResult<Arc<ThreadPool>> {
        let mut known = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.0.is_this() {
            // What the other process left cannot be ended here.
            std::mem::forget(std::mem::replace(&mut *known, pool(self.threads)?));
        }
        Ok(known.1.clone())
    }
}

#[pymethods]
impl VectorBoards {
    #[new]
    #[pyo3(signature = (game, n, *, threads=1, max_plies=500, auto_reset=true, random_plies=Plies::Exactly(0), rules=None,
                        seed=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        #[pyo3(from_py_with = number)] n: usize,
        #[pyo3(from_py_with = number)] threads: usize,
        #[pyo3(from_py_with = number)] max_plies: u32,
        auto_reset: bool,
        random_plies: Plies,
        rules: Option<&Bound<'_, crate::spec::Rules>>,
        #[pyo3(from_py_with = number)] seed: Option<u64>,
    ) -> PyResult<Self> {
        let game = errors::game(game)?;
        if !(1..=MOST).contains(&n) || !(1..=1024).contains(&threads) {
            return Err(wrong(format!(
                "expected 1 to {MOST} games and 1 to 1024 threads, found {n} and {threads}"
            )));
        }
        let random_plies = random_plies.range()?;
        if max_plies <= random_plies.1 {
            return Err(wrong(format!(
                "expected more plies than the {} at random, found {max_plies}",
                random_plies.1
            )));
        }
        let rules = rules.map_or_else(Rules::default, |rules| rules.get().0);
        let terms = Terms { rules, max_plies, auto_reset, random_plies };
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(names::seed(seed));
        let games = stoppable(py, n <= 1000 && random_plies.1 <= 10, |stopped| {
            with_variant!(game, V => {
                let seat = |_| Seat::<V>::new(terms, seeds.random(), stopped);
                let seats = (0..n).map(seat).collect::<Result<_, _>>();
                seats.map(|seats| Box::new(Row { terms, seats }) as Box<dyn Games>)
            })
        })?;
        let (pool, games) = (Mutex::new(pool(threads)?), RwLock::new(games.map_err(wrong)?));
        Ok(Self { game, count: n, games, threads, pool })
    }

    /// The game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.spec().id
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Planes of all games, `uint8`: games, planes, ranks, files; written over `out` if it is given.
    #[pyo3(signature = (out=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (planes, ranks, files) = Numbering::of(self.game).planes_shape();
        let mut array = arrays::target::<u8, 4>(py, out, [self.count, planes, ranks, files])?;
        let slice = array.as_slice_mut().map_err(wrong)?;
        let (pool, games) = (self.pool()?, alone(self.games.try_read())?);
        let games = &*games;
        py.detach(|| pool.install(|| games.planes(slice)));
        Ok(array.as_any().clone())
    }

    /// Which actions are legal in each game, `bool`: games, actions; written over `out` if it is given.
    #[pyo3(signature = (out=None))]
    fn masks<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let actions = Numbering::of(self.game).actions();
        let mut array = arrays::target::<bool, 2>(py, out, [self.count, actions])?;
        let slice = array.as_slice_mut().map_err(wrong)?;
        let (pool, games) = (self.pool()?, alone(self.games.try_read())?);
        let games = &*games;
        py.detach(|| pool.install(|| games.masks(slice)));
        Ok(array.as_any().clone())
    }

    /// Plays an action in each game; returns rewards of who moved (`float32`: 1 won, -1 lost, 0 otherwise), which games
    /// ended (`bool`), and which were broken off after `max_plies` (`bool`). Games that are over begin anew with
    /// `auto_reset`. `ValueError` if an action is not legal; then nothing is played.
    #[allow(clippy::type_complexity)]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>)>
    {
        let actions = arrays::given::<i32>(actions)?;
        let actions = actions.as_slice().map_err(wrong)?;
        if actions.len() != self.count {
            return Err(wrong(format!("expected {} actions, found {}", self.count, actions.len())));
        }
        let (pool, mut games) = (self.pool()?, alone(self.games.try_write())?);
        let games = &mut *games;
        let steps = py.detach(|| pool.install(|| games.step(actions))).map_err(wrong)?;
        Ok((
            arrays::of(py, steps.iter().map(|step| step.reward).collect())?,
            arrays::of(py, steps.iter().map(|step| step.terminated).collect())?,
            arrays::of(py, steps.iter().map(|step| step.truncated).collect())?,
        ))
    }

    /// Begins games anew: all, or those for which `which` is true.
    #[pyo3(signature = (which=None))]
    fn reset(&self, py: Python<'_>, which: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let all = vec![true; self.count];
        let which = which.as_ref().map(arrays::given::<bool>).transpose()?;
        let which = match &which {
            Some(which) => which.as_slice().map_err(wrong)?,
            None => &all,
        };
        if which.len() != self.count {
            return Err(wrong(format!(
                "expected {} truth values, found {}",
                self.count,
                which.len()
            )));
        }
        let (pool, mut games) = (self.pool()?, alone(self.games.try_write())?);
        let games = &mut *games;
        py.detach(|| pool.install(|| games.reset(which)));
        Ok(())
    }

    /// Who is to move in each game, `int8`: 0 Black, 1 White.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        arrays::of(py, alone(self.games.try_read())?.sides())
    }

    /// How many plies were played in each game, `int32`, those at random included.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        arrays::of(py, alone(self.games.try_read())?.plies())
    }

    /// The board of a game, a copy. `IndexError` if there is none.
    fn board(&self, index: isize) -> PyResult<Board> {
        let games = alone(self.games.try_read())?;
        let position = usize::try_from(index).ok().and_then(|index| games.position(index));
        position.map(Board::of).ok_or_else(|| {
            PyIndexError::new_err(format!(
                "expected an index into {} games, found {index}",
                self.count
            ))
        })
    }
}
