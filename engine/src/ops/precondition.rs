//! A condition on the elements of an op's operands.

use crate::findings::Fault;
use crate::values::tile::Tile;
use crate::values::value::Value;

/// A promise about each element of an op.
pub(crate) struct Precondition {
    /// The place of the operand whose elements it is about; `None` where it is about those of all operands.
    pub(crate) operand: Option<usize>,
    /// Whether nothing is undefined unless the result is used.
    pub(crate) late: bool,
    /// Which elements break it: a tile of `i1`.
    pub(crate) broken: Broken,
    /// What is wrong with one that does.
    pub(crate) fault: Described,
}

type Broken = Box<dyn Fn(&[Value]) -> Tile + Send + Sync>;
type Described = Box<dyn Fn(&[Value], usize) -> Box<Fault> + Send + Sync>;

impl Precondition {
    /// A promise without which the program is undefined.
    pub(crate) fn strict(
        broken: impl Fn(&[Value]) -> Tile + Send + Sync + 'static,
        fault: impl Fn(&[Value], usize) -> Box<Fault> + Send + Sync + 'static,
    ) -> Precondition {
        Precondition { operand: None, late: false, broken: Box::new(broken), fault: Box::new(fault) }
    }

    /// A promise without which the result is undefined.
    pub(crate) fn late(
        broken: impl Fn(&[Value]) -> Tile + Send + Sync + 'static,
        fault: impl Fn(&[Value], usize) -> Box<Fault> + Send + Sync + 'static,
    ) -> Precondition {
        Precondition { late: true, ..Precondition::strict(broken, fault) }
    }
}
