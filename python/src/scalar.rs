//! Numbers of Python as bits of an element.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat};
use tile_dialect::Element;
use tile_launch::Number;

/// The bits of a number as an element of this type, or why it has none.
pub(crate) fn bits(value: &Bound<'_, PyAny>, element: Element) -> Result<u64, String> {
    number(value)?.encode(element)
}

fn number(value: &Bound<'_, PyAny>) -> Result<Number, String> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Number::Whole(truth.is_true().into()));
    }
    if value.cast::<PyFloat>().is_ok() {
        return value.extract().map(Number::Real).map_err(|error| error.to_string());
    }
    match value.extract::<i128>() {
        Ok(whole) if (-(1 << 63)..1 << 64).contains(&whole) => Ok(Number::Whole(whole)),
        Ok(whole) => Err(format!("{whole} does not fit 64 bits")),
        Err(_) => value.extract().map(Number::Real).map_err(|_| "it is not a number".to_string()),
    }
}
