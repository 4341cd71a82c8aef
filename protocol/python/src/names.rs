//! Words of Python for values of the crates below, and back.

use kujira_position::{
    Color, Coordinates, DrawReason, Outcome, Retreat, Rules, Spec, Square, SquareText, VariantId,
    WinReason,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::errors::{no_name, none_of, wrong};

/// `black` or `white`.
pub const fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The side with this name.
pub fn color_named(name: &str) -> PyResult<Color> {
    let found = Color::BOTH.into_iter().find(|&side| color(side) == name);
    found.ok_or_else(|| none_of("black, white", name))
}

/// The squares with this name, `western` or `japanese`.
pub fn squares_named(name: &str) -> PyResult<Coordinates> {
    match name {
        "western" => Ok(Coordinates::Western),
        "japanese" => Ok(Coordinates::Japanese),
        _ => Err(none_of("western, japanese", name)),
    }
}

/// What a dolphin's retreat is limited to.
pub const fn retreat(retreat: Retreat) -> &'static str {
    match retreat {
        Retreat::Slide => "slide",
        Retreat::Two => "two",
    }
}

/// The limit of retreats with this name.
pub fn retreat_named(name: &str) -> PyResult<Retreat> {
    match name {
        "slide" => Ok(Retreat::Slide),
        "two" => Ok(Retreat::Two),
        _ => Err(none_of("slide, two", name)),
    }
}

/// The USI name of a square.
pub fn square(game: VariantId, square: Square) -> String {
    SquareText(game.spec().geometry, square).to_string()
}

/// The square with this USI name.
pub fn square_named(game: VariantId, name: &str) -> PyResult<Square> {
    let geometry = game.spec().geometry;
    match SquareText::parse_prefix(geometry, name) {
        Some((square, "")) => Ok(square),
        _ => {
            let last = geometry.reading_order().last().map(|last| square(game, last));
            let first = geometry.reading_order().next().map(|first| square(game, first));
            let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
            Err(wrong(format!("expected a square from {first} to {last}, found {name:?}")))
        }
    }
}

/// The tokens of kinds, for messages.
pub fn tokens(spec: &Spec, among: usize) -> String {
    spec.kinds.iter().take(among).map(|kind| kind.token).collect::<Vec<_>>().join(", ")
}

/// The kind with this token.
pub fn kind_named(game: VariantId, token: &str) -> PyResult<kujira_position::Kind> {
    let spec = game.spec();
    spec.find_kind(token).ok_or_else(|| no_name(&tokens(spec, spec.kinds.len()), token))
}

/// The Python class `Outcome`.
fn outcome_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "whaleshogi.outcome", "Outcome")
}

/// An outcome as a Python `Outcome`.
pub fn outcome(py: Python<'_>, outcome: Option<Outcome>) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Some(outcome) = outcome else { return Ok(None) };
    let (winner, reason) = match outcome {
        Outcome::Win { winner, reason } => {
            let reason = match reason {
                WinReason::Checkmate => "checkmate",
                WinReason::NoMoves => "no-moves",
                WinReason::WhaleCaptured => "whale-captured",
                WinReason::PerpetualCheck => "perpetual-check",
                WinReason::Impasse => "impasse",
            };
            (Some(color(winner)), reason)
        }
        Outcome::Draw(DrawReason::Repetition) => (None, "repetition"),
        Outcome::Draw(DrawReason::Impasse) => (None, "impasse"),
    };
    outcome_class(py)?.call1((winner, reason)).map(Some)
}

/// A number for hashes of rules.
pub fn rules_number(rules: Rules) -> u8 {
    u8::from(rules.retreat == Retreat::Two)
        | u8::from(rules.retreat_file_limit) << 1
        | u8::from(rules.impasse) << 2
        | u8::from(rules.repetition) << 3
}

/// A random number for whoever gives no seed.
pub fn seed(given: Option<u64>) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    given.unwrap_or_else(|| RandomState::new().hash_one(0))
}
