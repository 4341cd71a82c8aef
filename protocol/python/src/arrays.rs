//! Arrays of numpy, which is asked for where it is first needed.

use numpy::ndarray::{Dim, Dimension, IntoDimension};
use numpy::{
    Element, PyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::errors::wrong;

/// Makes sure that there is numpy.
///
/// # Errors
/// `ImportError` if there is none.
pub fn need(py: Python<'_>) -> PyResult<()> {
    static FOUND: PyOnceLock<()> = PyOnceLock::new();
    FOUND.get_or_try_init(py, || py.import("numpy").map(|_| ())).copied()
}

/// An array of one axis with these elements.
pub fn of<'py, T: Element>(py: Python<'py>, all: Vec<T>) -> PyResult<Bound<'py, PyArray1<T>>> {
    need(py)?;
    Ok(PyArray1::from_vec(py, all))
}

/// An array that somebody gives, of one axis.
pub fn given<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, T>> {
    array.extract().map_err(|_| {
        wrong(format!("expected an array of {} with one axis", T::get_dtype(array.py())))
    })
}

/// The array to write to: `given`, if it has the shape and lies in one piece, or a new one.
pub fn target<'py, T, const N: usize>(
    py: Python<'py>,
    given: Option<Bound<'py, PyAny>>,
    shape: [usize; N],
) -> PyResult<PyReadwriteArray<'py, T, Dim<[usize; N]>>>
where
    T: Element,
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
    Dim<[usize; N]>: Dimension,
{
    need(py)?;
    let array = match given {
        None => PyArray::zeros(py, shape, false),
        Some(given) => {
            let expected = || {
                let kind = T::get_dtype(py).to_string();
                wrong(format!(
                    "expected a writable array of {kind} in one piece with the shape {shape:?}"
                ))
            };
            let array = given.cast_into::<PyArray<T, Dim<[usize; N]>>>().map_err(|_| expected())?;
            if array.shape() != shape || !array.is_c_contiguous() {
                return Err(expected());
            }
            array
        }
    };
    array
        .try_readwrite()
        .map_err(|_| wrong("expected a writable array that nothing else reads or writes now"))
}
