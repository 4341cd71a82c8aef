//! Faults as exceptions: what was expected and what was found, in the words of the crates below.

use kujira_binding::Refused;
use kujira_position::{MoveError, PositionError, VariantId};
use kujira_record::Error;
use pyo3::exceptions::PyKeyError;
use pyo3::import_exception;
use pyo3::prelude::*;

import_exception!(whaleshogi.errors, KujiraError);
import_exception!(whaleshogi.errors, IllegalMoveError);
import_exception!(whaleshogi.errors, SfenError);

/// A `KujiraError` with the text of a fault.
pub fn wrong(fault: impl ToString) -> PyErr {
    KujiraError::new_err(fault.to_string())
}

/// What is refused, as the exception that it is here.
pub fn refused(why: Refused) -> PyErr {
    match why {
        Refused::Wrong(text) => wrong(text),
        Refused::Name(text) => PyKeyError::new_err(text),
        Refused::Illegal { text, near } => illegal(text, near),
    }
}

/// A `KujiraError` of a text that is none of a few choices.
pub fn none_of(choices: &str, found: &str) -> PyErr {
    refused(Refused::none_of(choices, found))
}

/// The game with this id.
pub fn game(id: &str) -> PyResult<VariantId> {
    kujira_binding::names::game_named(id).map_err(refused)
}

/// An `SfenError` with every reason.
pub fn sfen(error: &kujira_position::SfenError) -> PyErr {
    let reasons: Vec<String> = match error {
        kujira_position::SfenError::Impossible(setup) => {
            setup.reasons().iter().map(ToString::to_string).collect()
        }
        other => vec![other.to_string()],
    };
    SfenError::new_err((error.to_string(), reasons))
}

/// An `IllegalMoveError` with the legal moves that come nearest.
pub fn illegal(text: impl ToString, candidates: Vec<String>) -> PyErr {
    IllegalMoveError::new_err((text.to_string(), candidates))
}

/// What is wrong with a game up to a position.
pub fn position(error: &PositionError) -> PyErr {
    match error {
        PositionError::Game(unknown) => {
            refused(Refused::no_name(&VariantId::choices(), &unknown.0))
        }
        PositionError::Sfen(error) => sfen(error),
        PositionError::Move { error: MoveError::Illegal { .. }, .. }
        | PositionError::Over { .. } => illegal(error, Vec::new()),
        _ => wrong(error),
    }
}

/// What is wrong with a record of games, and its place.
pub fn record(error: &Error) -> PyErr {
    let place = error.place.to_string();
    let place = place.trim_end_matches([' ', ':']);
    KujiraError::new_err((error.to_string(), (!place.is_empty()).then(|| place.to_owned())))
}
