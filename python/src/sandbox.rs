//! The sandbox of the processes that run isolated launches.

use pyo3::prelude::*;
use tile_backend::worker::Sandbox;

/// Restricts this thread, and the threads that it starts later, to what a launch needs, as far as the system supports
/// it. Returns a description.
#[pyfunction]
pub(crate) fn enter_sandbox() -> &'static str {
    Sandbox::enter().description()
}
