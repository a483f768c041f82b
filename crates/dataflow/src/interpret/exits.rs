//! How loops end.

use super::value::Symbolic;
use crate::access::Condition;
use crate::symbolic::{Function, Poly, Symbol};
use tile_analysis::ir::OpId;

/// How a loop that is being interpreted ends.
#[derive(Default)]
pub(super) struct Exits {
    /// The number of conditions around the loop.
    pub(super) outer: usize,
    /// For each `break` or `return` in the loop, whether an iteration reaches it; `None` if that is unknown.
    pub(super) reached: Vec<Option<Poly>>,
    /// The same for each `return` alone.
    pub(super) returns: Vec<Option<Poly>>,
    /// What each `continue` passes to the next iteration.
    pub(super) continued: Vec<Vec<Symbolic>>,
}

impl Exits {
    /// The condition under which the ops after a loop run, if it contains a `return`. It is only known if each `return`
    /// happens in the first iteration or never, because its condition is the same in all.
    pub(super) fn passes(&self, id: OpId) -> Option<Condition> {
        let changes = |symbol: Symbol| match symbol {
            Symbol::Induction(op) | Symbol::Iteration(op) => op >= id,
            Symbol::Unknown(_) | Symbol::Carried(_) => true,
            _ => false,
        };
        let returns = any(&self.returns).filter(|returns| !returns.mentions(&changes));
        (!self.returns.is_empty()).then_some(Condition { value: returns, expected: false })
    }

    /// Whether an iteration is the last one, as a truth value; `None` if that is unknown.
    pub(super) fn is_last(&self) -> Option<Poly> {
        any(&self.reached)
    }
}

/// Whether one of several conditions holds; `None` if that is unknown.
fn any(conditions: &[Option<Poly>]) -> Option<Poly> {
    conditions.iter().try_fold(Poly::default(), |one, other| Function::Or.of(vec![one, other.clone()?]))
}
