//! A condition on the elements of an op's operands.

use crate::findings::Fault;
use crate::values::tile::Tile;
use crate::values::value::Value;

/// A precondition on each element of an op.
pub(crate) struct Precondition {
    /// The index of the operand whose elements it checks; `None` for the elements of all operands.
    pub(crate) operand: Option<usize>,
    /// Whether a violation makes only the result undefined.
    pub(crate) late: bool,
    /// The elements that violate it: a tile of `i1`.
    pub(crate) broken: Broken,
    /// The finding for an element that violates it.
    pub(crate) fault: Described,
}

type Broken = Box<dyn Fn(&[Value]) -> Tile + Send + Sync>;
type Described = Box<dyn Fn(&[Value], usize) -> Box<Fault> + Send + Sync>;

impl Precondition {
    /// A precondition whose violation makes the program undefined.
    pub(crate) fn strict(
        broken: impl Fn(&[Value]) -> Tile + Send + Sync + 'static,
        fault: impl Fn(&[Value], usize) -> Box<Fault> + Send + Sync + 'static,
    ) -> Precondition {
        Precondition { operand: None, late: false, broken: Box::new(broken), fault: Box::new(fault) }
    }

    /// A precondition whose violation makes only the result undefined.
    pub(crate) fn late(
        broken: impl Fn(&[Value]) -> Tile + Send + Sync + 'static,
        fault: impl Fn(&[Value], usize) -> Box<Fault> + Send + Sync + 'static,
    ) -> Precondition {
        Precondition { late: true, ..Precondition::strict(broken, fault) }
    }
}
