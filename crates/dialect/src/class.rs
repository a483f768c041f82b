//! Classes of types that an operand or a result can have.

use crate::Element;
use Element::*;

/// A class of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Any type.
    Any,
    /// A tile, of numbers or of pointers.
    Tile,
    /// A tile of one of these elements, of any shape.
    TileOf(&'static [Element]),
    /// A tile of one of these elements, of rank 0.
    ScalarOf(&'static [Element]),
    /// A tile of pointers, of any shape.
    Pointers,
    /// One pointer: a tile of pointers of rank 0.
    Pointer,
    /// An ordering token.
    Token,
    /// A tensor view.
    TensorView,
    /// A view that a tile can be loaded from: partition, strided or gather/scatter view.
    TileView,
    /// A partition view.
    PartitionView,
    /// A strided view.
    StridedView,
    /// A gather/scatter view.
    GatherScatterView,
}

/// The integers that arithmetic supports.
pub const INTS: &[Element] = &[I1, I8, I16, I32, I64];
/// The floats that arithmetic supports.
pub const BASE_FLOATS: &[Element] = &[F16, BF16, F32, F64];
/// Every float.
pub const FLOATS: &[Element] = &[F16, BF16, F32, TF32, F64, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN, FNv8E5M3FNU];
/// Every element that a constant can have: all except `i4`.
pub const NUMBERS: &[Element] =
    &[I1, I8, I16, I32, I64, F16, BF16, F32, TF32, F64, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN, FNv8E5M3FNU];

/// A tile of integers.
pub(crate) const INT: Class = Class::TileOf(INTS);
/// A tile of floats that arithmetic supports.
pub(crate) const BASE_FLOAT: Class = Class::TileOf(BASE_FLOATS);
/// A tile of floats of any kind.
pub(crate) const FLOAT: Class = Class::TileOf(FLOATS);
/// A tile of numbers.
pub(crate) const NUMBER: Class = Class::TileOf(NUMBERS);
/// A tile of Booleans.
pub(crate) const TRUTH: Class = Class::TileOf(&[I1]);
/// One Boolean.
pub(crate) const ONE_TRUTH: Class = Class::ScalarOf(&[I1]);
/// One integer.
pub(crate) const ONE_INT: Class = Class::ScalarOf(INTS);
/// One `i32`.
pub(crate) const ONE_I32: Class = Class::ScalarOf(&[I32]);
/// A tile of `i64`.
pub(crate) const I64S: Class = Class::TileOf(&[I64]);
/// A tile of integers, including `i4`.
pub(crate) const STORED_INT: Class = Class::TileOf(&[I1, I8, I16, I32, I64, I4]);
