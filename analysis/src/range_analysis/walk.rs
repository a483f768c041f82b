//! A walk over an entry and what it knows so far.

use super::eval::Facts;
use crate::diagnostic::Diagnostic;
use crate::source::Spans;

/// The facts known from a launch.
#[derive(Clone, Debug, Default)]
pub struct Launched {
    /// Blocks along x, y and z.
    pub grid: Option<[i64; 3]>,
    /// For each parameter the number that it gets, if it gets one integer.
    pub params: Vec<Option<i64>>,
}

pub(super) struct Walk<'a> {
    pub(super) text: &'a str,
    pub(super) facts: Facts<'a>,
    pub(super) spans: &'a Spans,
    pub(super) launched: &'a Launched,
    /// Whether every tile block comes by here, for every value that the loops around can have.
    pub(super) must_execute: bool,
    pub(super) found: Vec<Diagnostic>,
}
