//! How loops end.

use super::value::Symbolic;
use crate::symbolic::{Function, Poly};

/// How a loop that is being interpreted ends.
#[derive(Default)]
pub(super) struct Exits {
    /// The number of conditions around the loop.
    pub(super) outer: usize,
    /// For each `break` or `return` in the loop, whether an iteration reaches it; `None` if that is unknown.
    pub(super) reached: Vec<Option<Poly>>,
    /// Whether one of them is a `return`.
    pub(super) ends_block: bool,
    /// What each `continue` passes to the next iteration.
    pub(super) continued: Vec<Vec<Symbolic>>,
}

impl Exits {
    /// Whether an iteration is the last one, as a truth value; `None` if that is unknown.
    pub(super) fn is_last(&self) -> Option<Poly> {
        let any = |one: Poly, other: &Option<Poly>| Function::Or.of(vec![one, other.clone()?]);
        self.reached.iter().try_fold(Poly::default(), any)
    }
}
