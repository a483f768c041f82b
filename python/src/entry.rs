//! The entries of a program, and their parameters.

use pyo3::prelude::*;
use tile_analysis::ir::Body;
use tile_analysis::types::{Scalar, Type};

/// An entry.
#[pyclass(frozen, get_all, module = "tile_ir._native")]
pub(crate) struct Entry {
    /// Its name, without `@`.
    name: String,
    /// Its parameters.
    parameters: Vec<Py<Parameter>>,
}

/// A parameter of an entry.
#[pyclass(frozen, get_all, module = "tile_ir._native")]
pub(crate) struct Parameter {
    /// Its name, without `%`.
    name: String,
    /// Its type.
    r#type: String,
    /// Whether it is a pointer.
    is_pointer: bool,
    /// Its element type, or that of the memory that it points to; empty if it cannot be passed from Python.
    element: String,
}

impl Entry {
    pub(crate) fn of(py: Python<'_>, body: &Body) -> PyResult<Entry> {
        let parameters = body.params.iter().zip(types(body)).map(|(name, ty)| Py::new(py, Parameter::of(name, ty)));
        Ok(Entry { name: body.name.to_string(), parameters: parameters.collect::<PyResult<_>>()? })
    }
}

impl Parameter {
    fn of(name: &str, ty: Type) -> Parameter {
        let (is_pointer, element) = match ty.as_tile().filter(|tile| tile.shape.is_empty()).map(|tile| tile.element) {
            Some(Scalar::Number(element)) => (false, element.to_string()),
            Some(Scalar::Pointer(pointer)) => (true, pointer.to.to_string()),
            None => (false, String::new()),
        };
        Parameter { name: name.to_string(), r#type: ty.to_string(), is_pointer, element }
    }
}

/// The types of the parameters of an entry.
pub(crate) fn types(body: &Body) -> impl Iterator<Item = Type> + '_ {
    let arguments = body.regions.first().map_or(&[][..], |region| &region.args);
    arguments.iter().map(|&value| body.ty(value))
}
