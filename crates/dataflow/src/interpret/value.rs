//! The symbolic values of an entry.

use crate::access::Base;
use crate::symbolic::Poly;
use std::rc::Rc;
use tile_analysis::types::TileViewType;
use tile_dialect::Element;

/// The symbolic value of an IR value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Symbolic {
    /// A tile of integers: the element at the position of the lanes.
    Integer(Poly),
    /// A tile of pointers.
    Pointer(Address),
    /// A tensor view.
    Tensor(Rc<Tensor>),
    /// A view that divides a tensor view into tiles.
    Tiled(Rc<Tensor>, &'static TileViewType),
    /// Floats, tokens, and everything that is not computed from the variables of expressions.
    Opaque,
}

/// A location in memory.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Address {
    /// The object it points into.
    pub(crate) base: Base,
    /// The distance from the start of the object, in bits, because some elements are smaller than a byte.
    pub(crate) bits: Poly,
}

/// A tensor view.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tensor {
    /// The first element; `None` if it is unknown.
    pub(crate) start: Option<Address>,
    /// The extent of each dimension.
    pub(crate) shape: Vec<Poly>,
    /// The stride of each dimension, in elements.
    pub(crate) strides: Vec<Poly>,
    /// The element type.
    pub(crate) element: Element,
}
