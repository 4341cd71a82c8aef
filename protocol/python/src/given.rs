//! Moves and arrows as somebody gives them.

use std::collections::BTreeMap;

use kujira_binding::drawing::ARROW;
use kujira_binding::given::Given;
use kujira_position::VariantId;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::moves::Move;

/// What somebody gives; what cannot be taken for it is refused in words that say what was expected.
pub fn expected<'py, T: FromPyObjectOwned<'py>>(
    what: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<T> {
    given.extract().map_err(|error: T::Error| {
        let (error, py): (PyErr, _) = (error.into(), given.py());
        let mut found = format!("{given:?}");
        if found.len() > 100 {
            found = given.get_type().to_string();
        }
        let text = format!("expected {what}, found {found}");
        if error.is_instance_of::<PyTypeError>(py) {
            PyTypeError::new_err(text)
        } else if error.is_instance_of::<PyValueError>(py)
            || error.is_instance_of::<PyOverflowError>(py)
        {
            wrong(text)
        } else {
            error
        }
    })
}

/// The seconds on clocks. For `from_py_with`, as those below.
pub fn clock(given: &Bound<'_, PyAny>) -> PyResult<Option<(f64, f64)>> {
    expected("a clock as the seconds left to Black and to White", given)
}

/// Arrows.
pub fn arrows(given: &Bound<'_, PyAny>) -> PyResult<Vec<ArrowLike>> {
    expected("arrows as tuples of two squares and, if wanted, a color", given)
}

/// Colors of squares.
pub fn marks(given: &Bound<'_, PyAny>) -> PyResult<Option<BTreeMap<String, String>>> {
    expected("marks as a dict of colors by squares", given)
}

/// A move as somebody gives it.
pub enum MoveLike {
    /// As an object.
    Move(Move),
    /// By its number, as `int` gives it.
    Number(u32),
    /// As a text.
    Text(String),
}

impl FromPyObject<'_, '_> for MoveLike {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(m) = given.extract() {
            return Ok(Self::Move(m));
        }
        if let Ok(text) = given.extract() {
            return Ok(Self::Text(text));
        }
        given.extract().map(Self::Number).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(given.py()) {
                return wrong(format!("expected the number of a move, found {}", &*given));
            }
            if !error.is_instance_of::<PyTypeError>(given.py()) {
                return error;
            }
            let found = given.get_type();
            PyTypeError::new_err(format!("expected a Move, its text or its number, found {found}"))
        })
    }
}

/// Moves as somebody gives them: a text with blanks between them, or one by one.
pub enum MovesLike {
    /// In one text.
    Text(String),
    /// One by one.
    List(Vec<MoveLike>),
}

impl FromPyObject<'_, '_> for MovesLike {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.extract() {
            return Ok(Self::Text(text));
        }
        let moves = given.try_iter()?.map(|m| m?.extract());
        moves.collect::<PyResult<_>>().map(Self::List)
    }
}

impl Default for MovesLike {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl MovesLike {
    /// One by one.
    pub fn list(self) -> Vec<MoveLike> {
        match self {
            Self::Text(text) => {
                text.split_whitespace().map(|word| MoveLike::Text(word.to_owned())).collect()
            }
            Self::List(moves) => moves,
        }
    }
}

/// An arrow from a square to a square, in a color if one is given.
#[derive(FromPyObject)]
pub enum ArrowLike {
    /// In a color.
    Painted(String, String, String),
    /// In the usual color.
    Plain(String, String),
}

impl ArrowLike {
    /// With its color.
    pub fn painted(self) -> (String, String, String) {
        match self {
            Self::Painted(from, to, color) => (from, to, color),
            Self::Plain(from, to) => (from, to, ARROW.to_owned()),
        }
    }
}

impl MoveLike {
    /// As the crates below take it.
    ///
    /// # Errors
    /// If it is a move of another game.
    pub fn given(&self, game: VariantId) -> PyResult<Given<'_>> {
        match self {
            Self::Move(given) => given.of(game).map(Given::Move),
            &Self::Number(number) => Ok(Given::Number(number)),
            Self::Text(text) => Ok(Given::Text(text)),
        }
    }
}
