//! Moves and lists of them.

use kujira_binding::encode::Numbering;
use kujira_binding::given::{captured_on_way, from_number, number_of};
use kujira_binding::names;
use kujira_position::{Color, VariantId};
use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use crate::arrays;
use crate::errors::{self, wrong};
use crate::numbers::number;

/// A move of a game, in four bytes. It is legal in the position that it comes from.
#[pyclass(frozen, eq, hash, from_py_object, module = "whaleshogi")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    pub game: VariantId,
    pub m: kujira_position::Move,
}

impl Move {
    /// The move itself.
    ///
    /// # Errors
    /// If it is one of another game.
    pub fn of(self, game: VariantId) -> PyResult<kujira_position::Move> {
        if self.game == game {
            return Ok(self.m);
        }
        Err(wrong(format!("expected a move of {game}, found one of {}", self.game)))
    }
}

#[pymethods]
impl Move {
    /// The move as USI writes it.
    #[getter]
    pub fn usi(&self) -> String {
        self.game.usi(self.m)
    }

    /// The game that it is a move of.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.spec().id
    }

    /// The square where it starts; none for a drop.
    #[getter]
    fn from_square(&self) -> Option<String> {
        (!self.m.is_drop()).then(|| names::square(self.game, self.m.from()))
    }

    /// The square where it ends.
    #[getter]
    fn to_square(&self) -> String {
        names::square(self.game, self.m.to())
    }

    /// The token of the piece that is dropped.
    #[getter]
    fn drop(&self) -> Option<&'static str> {
        self.m.is_drop().then(|| self.piece())
    }

    /// The token of the piece that moves, as it is before it promotes, or is dropped.
    #[getter]
    fn piece(&self) -> &'static str {
        self.game.spec().kind(self.m.kind()).token
    }

    /// Whether the piece promotes.
    #[getter]
    fn promotes(&self) -> bool {
        self.m.promotes()
    }

    /// The squares captured on the way, before the one where it ends.
    #[getter]
    fn way<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let way = self.m.way().and_then(|way| captured_on_way(self.game, self.m, way));
        PyTuple::new(py, way.unwrap_or_default())
    }

    /// The move with the number that `int` gives. `ValueError` if the game has no such move.
    #[staticmethod]
    fn from_int(game: &str, #[pyo3(from_py_with = number)] bits: u32) -> PyResult<Self> {
        let game = errors::game(game)?;
        let m = from_number(game, bits).ok_or_else(|| {
            wrong(format!("expected the number of a move of {game}, found {bits}"))
        })?;
        Ok(Self { game, m })
    }

    fn __int__(&self) -> u32 {
        number_of(self.m)
    }

    fn __index__(&self) -> u32 {
        number_of(self.m)
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.usi())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&'static str, u32))> {
        let make = py.get_type::<Self>().getattr("from_int")?;
        Ok((make, (self.game(), number_of(self.m))))
    }
}

/// Moves of one position, or those of a game. They become objects of Python only where they are asked for.
#[pyclass(frozen, sequence, module = "whaleshogi")]
pub struct MoveList {
    pub game: VariantId,
    /// Who makes the first of them.
    pub side: Color,
    /// Whether the sides take turns, as in a game.
    pub alternates: bool,
    pub moves: Vec<kujira_position::Move>,
}

impl MoveList {
    fn wrapped(&self, m: kujira_position::Move) -> Move {
        Move { game: self.game, m }
    }

    /// Who makes the move at a place.
    fn side(&self, place: usize) -> Color {
        if self.alternates && place % 2 == 1 { !self.side } else { self.side }
    }

    /// The place of a move, however it is given.
    fn place(&self, of: &Bound<'_, PyAny>) -> Option<usize> {
        if let Ok(wanted) = of.extract::<Move>() {
            let found = self.moves.iter().position(|&m| m == wanted.m);
            return found.filter(|_| wanted.game == self.game);
        }
        if let Ok(text) = of.extract::<&str>() {
            return self.moves.iter().position(|&m| self.game.usi(m) == text);
        }
        let given: u32 = of.extract().ok()?;
        self.moves.iter().position(|&m| number_of(m) == given)
    }
}

#[pymethods]
impl MoveList {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    /// Whether it holds a move: a `Move`, its USI text or its number.
    fn __contains__(&self, m: &Bound<'_, PyAny>) -> bool {
        self.place(m).is_some()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(self.moves.len().cast_signed())?;
            let places = (0..indices.slicelength)
                .map(|count| indices.start + count.cast_signed() * indices.step);
            let moves =
                places.filter_map(|place| self.moves.get(place.unsigned_abs()).copied()).collect();
            let side = self.side(indices.start.unsigned_abs());
            let alternates = self.alternates && indices.step % 2 != 0;
            let list = Self { game: self.game, side, alternates, moves };
            return Ok(Bound::new(py, list)?.into_any());
        }
        let index: isize = index.extract()?;
        let place = if index < 0 { index + self.moves.len().cast_signed() } else { index };
        let found = usize::try_from(place).ok().and_then(|place| self.moves.get(place));
        let m = found.ok_or_else(|| {
            PyIndexError::new_err(format!(
                "expected an index into {} moves, found {index}",
                self.moves.len()
            ))
        })?;
        Ok(Bound::new(py, self.wrapped(*m))?.into_any())
    }

    fn __iter__(&self) -> MoveIterator {
        MoveIterator { game: self.game, moves: self.moves.clone().into_iter() }
    }

    fn __reversed__(&self) -> MoveIterator {
        let moves: Vec<_> = self.moves.iter().rev().copied().collect();
        MoveIterator { game: self.game, moves: moves.into_iter() }
    }

    /// The first place of a move. `ValueError` if it is none of these.
    fn index(&self, m: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.place(m).ok_or_else(|| wrong(format!("expected one of the moves, found {m}")))
    }

    /// How often it holds a move.
    fn count(&self, m: &Bound<'_, PyAny>) -> usize {
        let wanted = self.place(m).map(|place| self.moves[place]);
        self.moves.iter().filter(|&&m| Some(m) == wanted).count()
    }

    /// The numbers of the moves, as `int` gives them, `uint32`.
    #[getter]
    fn ints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        arrays::of(py, self.moves.iter().map(|&m| number_of(m)).collect())
    }

    /// The USI texts of the moves.
    #[getter]
    fn usi(&self) -> Vec<String> {
        self.moves.iter().map(|&m| self.game.usi(m)).collect()
    }

    /// The actions of the moves, `int32`, see `docs/encoding.md`.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let numbering = Numbering::of(self.game);
        let action =
            |(place, &m)| i32::try_from(numbering.action(self.side(place), m)).unwrap_or(i32::MAX);
        arrays::of(py, self.moves.iter().enumerate().map(action).collect())
    }

    fn __repr__(&self) -> String {
        format!("<{} moves: {}>", self.moves.len(), self.usi().join(" "))
    }
}

/// Hands out moves one by one.
#[pyclass(module = "whaleshogi")]
pub struct MoveIterator {
    game: VariantId,
    moves: std::vec::IntoIter<kujira_position::Move>,
}

#[pymethods]
impl MoveIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Move> {
        self.moves.next().map(|m| Move { game: self.game, m })
    }

    fn __length_hint__(&self) -> usize {
        self.moves.len()
    }
}
