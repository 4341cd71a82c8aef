//! Moves and numbers as somebody gives them, and the legal moves that they mean.

use kujira_binding::drawing::ARROW;
use kujira_binding::given::{self, Given};
use kujira_binding::written;
use kujira_position::VariantId;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::board::Board;
use crate::errors::{refused, wrong};
use crate::moves::Move;

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

/// A number, or several; those that do not fit are wrong as others are. For `from_py_with`.
pub fn number<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    given.extract().map_err(|error: T::Error| {
        let error: PyErr = error.into();
        if error.is_instance_of::<PyOverflowError>(given.py()) {
            wrong(format!("expected a number from 0 that is not too great, found {given}"))
        } else {
            error
        }
    })
}

/// A number of plies, or the least and the greatest.
pub enum Plies {
    /// So many.
    Exactly(u32),
    /// From so many to so many.
    Between(u32, u32),
}

impl FromPyObject<'_, '_> for Plies {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyTuple>() {
            return number(&given).map(|(least, most)| Self::Between(least, most));
        }
        number(&given).map(Self::Exactly)
    }
}

impl From<(u32, u32)> for Plies {
    fn from((least, most): (u32, u32)) -> Self {
        Self::Between(least, most)
    }
}

impl Plies {
    /// The least and the greatest.
    pub fn range(&self) -> PyResult<(u32, u32)> {
        match *self {
            Self::Exactly(plies) => Ok((plies, plies)),
            Self::Between(least, most) if least <= most => Ok((least, most)),
            Self::Between(least, most) => Err(wrong(format!(
                "expected the least and the greatest number of plies, found {least} and {most}"
            ))),
        }
    }
}

impl MoveLike {
    /// As the crates below take it.
    ///
    /// # Errors
    /// If it is a move of another game.
    fn given(&self, game: VariantId) -> PyResult<Given<'_>> {
        match self {
            Self::Move(given) if given.game != game => {
                Err(wrong(format!("expected a move of {game}, found one of {}", given.game)))
            }
            Self::Move(given) => Ok(Given::Move(given.m)),
            &Self::Number(number) => Ok(Given::Number(number)),
            Self::Text(text) => Ok(Given::Text(text)),
        }
    }
}

impl Board {
    /// The legal move that somebody gives.
    pub fn find(&self, given: &MoveLike) -> PyResult<kujira_position::Move> {
        given::find(&self.position, given.given(self.variant())?).map_err(refused)
    }

    /// Plays a move.
    pub fn play(&mut self, given: &MoveLike) -> PyResult<kujira_position::Move> {
        let given = given.given(self.variant())?;
        given::play(&mut self.position, given).map_err(refused)
    }

    /// Moves from here as a text.
    ///
    /// # Errors
    /// If a move is refused, or there is no such notation.
    pub fn line(&self, moves: &[MoveLike], notation: &str, numbers: bool) -> PyResult<String> {
        let game = self.variant();
        let moves: Vec<_> = moves.iter().map(|m| m.given(game)).collect::<PyResult<_>>()?;
        written::variation(&self.position, moves, notation, numbers).map_err(refused)
    }
}
