//! The formulas of expectations: a small part of NumPy.
//!
//! ```text
//! %a + %b                     arguments as they were before the run; a scalar is a number
//! 2 * %a @ %b.T - 1           + - * / ** @ (matrix multiplication), .T
//! %a[0:4, ::2, -1, None]      slices as in NumPy, `...` included
//! where(%a > 0, %a, 0)        < <= > >= == !=, which return 0 or 1
//! sum(%a, axis=1)             sum max min mean, each with axis= and keepdims=
//! softmax(%a, axis=0)         softmax cumsum sort argsort, each with axis=
//! exp log sqrt rsqrt tanh abs exp2 log2 sin cos tan sinh cosh floor ceil maximum minimum
//! transpose(%a, (1, 0))       reshape(%a, [4, -1]), arange(8), cholesky(%a)
//! cast(%a, f16)               rounds to the element type and back
//! [[1, 2], [3, 4]]            a literal
//! npy("want.npy")             a file; npy("want.npy", bf16) if it holds raw bits of a type that NumPy lacks
//! ```
//!
//! Shapes are broadcast by NumPy's rules. Numbers are `f64`, with one exception: if all operands of `+ - *`, a matrix
//! multiplication, a sum or a comparison are whole numbers (integer arguments, integer literals), the result is a whole
//! number that wraps at 64 bits, so that integer kernels can be checked exactly. `/`, `mean` and the functions return
//! `f64`.
//!
//! A formula is parsed into a flat list of nodes in which operands precede their uses, so that neither evaluating nor
//! dropping a long formula can exhaust the stack.

mod array;
mod cholesky;
mod elementwise;
mod eval;
mod index;
mod matmul;
mod parse;
mod reduce;
mod sort;

pub use array::{Array, Data};
pub use eval::Scope;
#[cfg(test)]
pub(super) use parse::functions;
pub use parse::parse_expr;
pub(super) use parse::{formula, next_comparison, operand};

use super::element_by_name;
use super::literal::Number;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};
use tile_dialect::Element;

/// A formula.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Expr {
    /// The formula as it was written, on one line.
    text: String,
    /// Operands precede the nodes that use them; the last node is the result.
    nodes: Vec<Node>,
}

impl Expr {
    /// The byte range of the formula in the parsed text.
    pub fn range(&self) -> Range<usize> {
        self.nodes.last().map(Node::range).unwrap_or_default()
    }

    /// The arguments that the formula refers to, without `%`, with the ranges of the references.
    pub fn arguments(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.nodes.iter().filter_map(|node| match &node.op {
            Op::Argument(name) => Some((name.as_str(), node.range())),
            _ => None,
        })
    }

    /// The argument, if the formula is only its name.
    pub fn as_name(&self) -> Option<&str> {
        match &self.nodes[..] {
            [Node { op: Op::Argument(name), .. }] => Some(name),
            _ => None,
        }
    }

    /// The argument, if the formula is only its name, or a slice of it such as `%a[0:4]`.
    pub fn as_argument(&self) -> Option<&str> {
        match &self.nodes[..] {
            [Node { op: Op::Argument(name), .. }] => Some(name),
            [Node { op: Op::Argument(name), .. }, Node { op: Op::Slice { .. }, .. }] => Some(name),
            _ => None,
        }
    }

    /// The files that the formula reads.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter_map(|node| if let Op::Npy(file, _) = &node.op { Some(file.as_str()) } else { None })
    }

    /// Sets all ranges to 0, for comparing formulas from different places.
    pub(super) fn forget_ranges(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.range = 0..0);
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The index of a node.
type NodeId = u32;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Node {
    op: Op,
    /// In bytes of the parsed text.
    range: Range<u32>,
}

impl Node {
    fn range(&self) -> Range<usize> {
        self.range.start as usize..self.range.end as usize
    }
}

/// The operation of a node. A formula can have a node for each of its bytes, so large parts are boxed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Op {
    Number(Box<Number>),
    List(Box<List>),
    Argument(String),
    Npy(String, Option<ElementName>),
    Arange(u64),
    Negate(NodeId),
    Map(Function, NodeId),
    Binary(Binary, NodeId, NodeId),
    Matmul(NodeId, NodeId),
    Where(NodeId, NodeId, NodeId),
    Reduce { kind: Reduction, of: NodeId, axes: Option<Vec<i64>>, keep: bool },
    Cumsum { of: NodeId, axis: i64 },
    Softmax { of: NodeId, axis: i64 },
    Sort { of: NodeId, axis: i64 },
    Argsort { of: NodeId, axis: i64 },
    Cholesky(NodeId),
    Transpose { of: NodeId, axes: Option<Vec<i64>> },
    Reshape { of: NodeId, shape: Vec<i64> },
    Slice { of: NodeId, parts: Vec<SliceEntry> },
    Cast { of: NodeId, element: ElementName },
}

/// A literal of several numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct List {
    shape: Vec<usize>,
    values: Vec<Number>,
}

/// An element type that is serialized by its name.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct ElementName(#[serde(with = "element_by_name")] Element);

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Maximum,
    Minimum,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum Reduction {
    Sum,
    Max,
    Min,
    Mean,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum Function {
    Exp,
    Exp2,
    Log,
    Log2,
    Sqrt,
    Rsqrt,
    Tanh,
    Sin,
    Cos,
    Tan,
    Sinh,
    Cosh,
    Abs,
    Floor,
    Ceil,
}

/// One entry of a slice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum SliceEntry {
    At(i64),
    Span { start: Option<i64>, stop: Option<i64>, step: i64 },
    NewAxis,
    Ellipsis,
}

#[cfg(test)]
mod tests;
