//! Loops, and how often they repeat.

use crate::access::{Condition, Loop};
use crate::overflow::Integers;
use crate::symbolic::{Function, Poly};

/// A loop in an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Repetition {
    /// The loops around it, the outermost first, and itself.
    pub loops: Vec<Loop>,
    /// The integers of the entry, from which all of this is computed.
    pub integers: Integers,
    /// The conditions under which it runs.
    pub conditions: Vec<Condition>,
}

impl Repetition {
    /// The number of iterations of a `for`; negative ones count as none.
    pub fn trip_count(&self) -> Option<Poly> {
        trip_count(self.loops.last()?.bounds.as_ref()?)
    }
}

/// The number of iterations of a `for`, or a negative number if it has none.
pub(crate) fn trip_count([lower, upper, step]: &[Poly; 3]) -> Option<Poly> {
    Function::Ceiling.of(vec![upper.sub(lower)?, step.clone()])
}
