//! Arrays of numpy, which is asked for where it is first needed.

use numpy::ndarray::{Dim, Dimension, IntoDimension};
use numpy::{
    Element, PyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray, PyUntypedArray,
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

/// What was found in place of an array that was `expected`.
fn another(expected: String, given: &Bound<'_, PyAny>) -> PyErr {
    let found = match given.cast::<PyUntypedArray>() {
        Ok(array) => {
            let pieces = if array.is_c_contiguous() { "one piece" } else { "pieces" };
            format!("one of {} in {pieces} with the shape {:?}", array.dtype(), array.shape())
        }
        Err(_) => given.get_type().to_string(),
    };
    wrong(format!("{expected}, found {found}"))
}

/// An array that somebody gives, of one axis.
pub fn given<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, T>> {
    need(array.py())?;
    let found = array.cast::<PyArray1<T>>().ok().filter(|array| array.is_c_contiguous());
    let found = found.ok_or_else(|| {
        let kind = T::get_dtype(array.py());
        another(format!("expected an array of {kind} with one axis in one piece"), array)
    })?;
    found.try_readonly().map_err(|_| wrong("expected an array that nothing else writes now"))
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
            let kind = T::get_dtype(py);
            let array = given.cast::<PyArray<T, Dim<[usize; N]>>>().ok();
            let fits = |array: &&Bound<'_, PyArray<_, _>>| {
                array.shape() == shape && array.is_c_contiguous()
            };
            let array = array.filter(fits).ok_or_else(|| {
                let shape = format!("in one piece with the shape {shape:?}");
                another(format!("expected a writable array of {kind} {shape}"), &given)
            })?;
            array.clone()
        }
    };
    array
        .try_readwrite()
        .map_err(|_| wrong("expected a writable array that nothing else reads or writes now"))
}
