//! Words of Python for values of the crates below.

use kujira_binding::names;
use kujira_position::{Outcome, Retreat, Rules};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The Python class `Outcome`.
fn outcome_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "whaleshogi.outcome", "Outcome")
}

/// An outcome as a Python `Outcome`.
pub fn outcome(py: Python<'_>, outcome: Option<Outcome>) -> PyResult<Option<Bound<'_, PyAny>>> {
    outcome.map(|outcome| outcome_class(py)?.call1(names::outcome(outcome))).transpose()
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
