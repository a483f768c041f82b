//! The state of the walk over an entry.

use super::eval::Facts;
use crate::diagnostic::Diagnostic;
use crate::source::Spans;

/// The known values of a launch.
#[derive(Clone, Debug, Default)]
pub struct Launched {
    /// The number of blocks along x, y and z.
    pub grid: Option<[i64; 3]>,
    /// The value of each parameter that receives a single integer.
    pub params: Vec<Option<i64>>,
    /// The size in bits of the buffer that each parameter points to the start of.
    pub buffers: Vec<Option<i64>>,
    /// The parameters that receive an address, which need not be the start of a buffer.
    pub addresses: Vec<usize>,
    /// Pairs of parameters that point into the same buffer.
    pub aliases: Vec<[usize; 2]>,
}

/// The known values of a launch, with a name for messages.
#[derive(Clone, Debug)]
pub struct NamedLaunch {
    /// How the launch is called in a sentence: `the launch "square"`.
    pub name: String,
    /// Its grid and its numbers.
    pub values: Launched,
}

pub(super) struct Walk<'a> {
    pub(super) text: &'a str,
    pub(super) facts: Facts<'a>,
    pub(super) spans: &'a Spans,
    pub(super) launched: &'a Launched,
    /// Whether every tile block executes the current op, for all values of the enclosing loops.
    pub(super) must_execute: bool,
    pub(super) found: Vec<Diagnostic>,
}
