//! Moves and numbers as somebody gives them, and the legal moves that they mean.

use kujira_position::{Origin, VariantId, with_position};
use kujira_record::{Fault, read_move};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::board::Board;
use crate::errors::{self, illegal, wrong};
use crate::moves::{Move, from_number};
use crate::names;

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
            Self::Plain(from, to) => (from, to, "#c0392b".to_owned()),
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

/// Where a USI text begins and ends.
pub fn ends(game: VariantId, text: &str) -> Option<(Origin, kujira_position::Square)> {
    if let Some((token, to)) = text.split_once('*') {
        let kind = game.spec().find_kind(token)?;
        return Some((Origin::Hand(kind), names::square_named(game, to).ok()?));
    }
    let geometry = game.spec().geometry;
    let mut squares = Vec::new();
    let mut rest = text.trim_end_matches('+');
    while !rest.is_empty() {
        let (square, tail) = kujira_position::SquareText::parse_prefix(geometry, rest)?;
        squares.push(square);
        rest = tail;
    }
    let [from, .., to] = squares[..] else { return None };
    Some((Origin::Square(from), to))
}

impl Board {
    /// The legal moves that begin as a text says.
    fn near(&self, text: &str) -> Vec<String> {
        let Some((origin, _)) = ends(self.variant(), text) else { return Vec::new() };
        let begins = |m: &kujira_position::Move| match origin {
            Origin::Square(from) => !m.is_drop() && m.from() == from,
            Origin::Hand(kind) => m.is_drop() && m.kind() == kind,
        };
        self.moves().into_iter().filter(begins).map(|m| self.position.usi(m)).collect()
    }

    /// That a move is not legal, and why.
    fn refused(&self, m: kujira_position::Move) -> PyErr {
        let text = self.position.usi(m);
        let origin = if m.is_drop() { Origin::Hand(m.kind()) } else { Origin::Square(m.from()) };
        let why = self
            .position
            .why_not(origin, m.to())
            .map_or_else(String::new, |why| format!(": {why}"));
        let sfen = self.position.sfen();
        illegal(format!("expected a legal move, found {text} in {sfen}{why}"), self.near(&text))
    }

    /// The move with a text.
    pub fn read(&self, text: &str) -> Result<kujira_position::Move, Fault> {
        with_position!(&self.position, position => read_move(position, text))
    }

    /// The legal move that somebody gives.
    pub fn find(&self, given: &MoveLike) -> PyResult<kujira_position::Move> {
        if let Some(outcome) = self.position.outcome() {
            return Err(illegal(
                format!("expected no move after the end of the game ({outcome})"),
                Vec::new(),
            ));
        }
        let game = self.variant();
        let m = match given {
            MoveLike::Text(text) => {
                return self.read(text).map_err(|fault| {
                    match (
                        &fault,
                        ends(game, text).and_then(|(origin, to)| self.position.why_not(origin, to)),
                    ) {
                        (Fault::Usi(_), Some(why)) => {
                            illegal(format!("{fault}: {why}"), self.near(text))
                        }
                        _ => errors::move_fault(&fault, |text| self.near(text)),
                    }
                });
            }
            MoveLike::Move(given) if given.game != game => {
                return Err(wrong(format!(
                    "expected a move of {game}, found one of {}",
                    given.game
                )));
            }
            MoveLike::Move(given) => given.m,
            &MoveLike::Number(number) => from_number(game, number).ok_or_else(|| {
                wrong(format!(
                    "expected the number of a move of {game}, found {number}; `from_action` finds the move of an action"
                ))
            })?,
        };
        if self.position.is_legal(m) { Ok(m) } else { Err(self.refused(m)) }
    }

    /// Plays a move.
    pub fn play(&mut self, given: &MoveLike) -> PyResult<kujira_position::Move> {
        let m = self.find(given)?;
        self.position.play(m).map_err(|error| illegal(error, Vec::new()))?;
        Ok(m)
    }
}
