//! Numbers as somebody gives them.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::wrong;
use crate::given::expected;

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
        let what = "a number of plies, or the least and the greatest";
        if given.is_instance_of::<PyTuple>() {
            return expected(what, &given).map(|(least, most)| Self::Between(least, most));
        }
        expected(what, &given).map(Self::Exactly)
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
