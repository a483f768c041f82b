//! The native part of the Python package `tile_ir`: programs, and launches of their entries on the CPU engine.
//!
//! Invariants:
//! - converts between Python and the other crates: rules of Tile IR and messages about programs are theirs;
//! - no other crate depends on it;
//! - `unsafe` is limited to `regions.rs`, which borrows the memory of arrays;
//! - a panic becomes an exception.
//!
//! The package in `python/tile_ir` documents the public interface; the classes and functions here are private to it.

mod arguments;
mod dataflow;
mod diagnostics;
mod entry;
mod highlight;
mod launch;
mod listener;
mod place;
mod program;
mod regions;
mod report;
mod sandbox;
mod scalar;
mod waiting;

use pyo3::prelude::*;

/// The native part of `tile_ir`.
#[pymodule]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::arguments::{Array, Words};
    #[pymodule_export]
    use super::dataflow::{accesses, graph};
    #[pymodule_export]
    use super::diagnostics::render;
    #[pymodule_export]
    use super::entry::{Entry, Parameter};
    #[pymodule_export]
    use super::highlight::highlight;
    #[pymodule_export]
    use super::launch::{Options, launch};
    #[pymodule_export]
    use super::program::{Program, Unsupported, explain, format};
    #[pymodule_export]
    use super::sandbox::enter_sandbox;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
