//! The loads, stores and atomic ops of an entry, and the elements that they access as expressions.

use crate::dependencies::dependency;
use crate::overflow::Integers;
use crate::symbolic::Poly;
use tile_analysis::ir::{Body, OpId, Value};
use tile_analysis::range_analysis::Launched;
use tile_dialect::{Element, OpRow, Rule};

/// The bits that an element takes in memory, where 4-bit elements are packed and an `i1` takes a byte.
pub(crate) fn memory_bits(element: Element) -> u32 {
    4 * element.nibbles() as u32
}

/// An object in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// The memory that a parameter of the entry points to.
    Param(Value),
    /// A global of the module.
    Global(Box<str>),
    /// The scratch memory of an `alloca`.
    Scratch(OpId),
    /// The memory that a pointer points to that is loaded, or chosen at run time. Two such pointers can point to the
    /// same object, and one of them to different objects in different tile blocks and iterations.
    Computed(Value),
}

impl Base {
    /// The pointer parameter, if it is the memory of one.
    pub fn param(&self) -> Option<Value> {
        match self {
            Base::Param(value) => Some(*value),
            _ => None,
        }
    }
}

/// Whether an access reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic op, which does both.
    Update,
}

/// How the elements of an access are selected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Selection {
    /// A rectangle of a tensor.
    Slice,
    /// Slices at given indices along this dimension of the tile.
    Sparse(usize),
    /// One address for each element.
    Pointers,
}

/// A loop around an access.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// The `for` or `loop`.
    pub op: OpId,
    /// The induction variable of a `for`.
    pub induction: Option<Value>,
    /// The lower bound, the upper bound and the step of a `for`, as far as they are known.
    pub bounds: Option<[Poly; 3]>,
    /// Whether an iteration of a `loop` is its last one, as a truth value; `None` if that is unknown, and for a `for`.
    pub exit: Option<Poly>,
}

/// A condition under which an access runs: that of an `if` around it, or of one before it that ends the iteration or
/// the tile block.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// The condition; `None` if it is unknown.
    pub value: Option<Poly>,
    /// The value that it must have.
    pub expected: bool,
}

/// An access to memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The op.
    pub op: OpId,
    /// Whether it reads or writes.
    pub direction: Direction,
    /// How the elements are selected.
    pub selection: Selection,
    /// The memory it accesses; `None` if it is unknown.
    pub base: Option<Base>,
    /// The element type.
    pub element: Element,
    /// The shape of the accessed tile.
    pub tile: Vec<i64>,
    /// The accessed element: one coordinate for each dimension of the tensor, in elements. An access through pointers
    /// has a single coordinate, the distance from the start of the memory. `None` if one is unknown.
    pub coordinates: Option<Vec<Poly>>,
    /// The distance of the tensor's first element from the start of the memory, in bits; 0 for pointers.
    pub offset_bits: Option<Poly>,
    /// The extents of the tensor; empty for pointers.
    pub shape: Vec<Poly>,
    /// The strides of the tensor, in elements; empty for pointers.
    pub strides: Vec<Poly>,
    /// The mask of an access through pointers.
    pub mask: Mask,
    /// The loops around the access, the outermost first.
    pub loops: Vec<Loop>,
    /// The conditions under which the access is executed.
    pub conditions: Vec<Condition>,
    /// The integers of the entry, from which all of this is computed.
    pub integers: Integers,
}

impl Access {
    /// An integer that the access depends on and that can overflow in a launch.
    pub fn overflow(&self, body: &Body, launched: &Launched) -> Option<Value> {
        self.depends_on(body, &self.integers.overflowing(body, launched))
    }

    /// One of some values, which are in order, if the access depends on it.
    pub(crate) fn depends_on(&self, body: &Body, values: &[Value]) -> Option<Value> {
        if values.is_empty() { None } else { dependency(body, Some(self.op), values) }
    }
}

/// Whether an op accesses memory through pointers or a view.
pub(crate) fn accesses_memory(row: &OpRow) -> bool {
    row.rules.iter().any(|rule| matches!(rule, Rule::PointsTo(..) | Rule::TileOfView(..)))
}

/// The mask of an access.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mask {
    /// Every element is accessed.
    Absent,
    /// The elements for which this is 1.
    Known(Poly),
    /// A mask that is computed from this value, which only a run knows.
    Unknown(Value),
}
