//! Moves and arrows as somebody gives them.

use kujira_binding::drawing::ARROW;
use kujira_binding::given::Given;
use kujira_position::VariantId;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::errors::wrong;
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

impl MoveLike {
    /// As the crates below take it.
    ///
    /// # Errors
    /// If it is a move of another game.
    pub fn given(&self, game: VariantId) -> PyResult<Given<'_>> {
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
