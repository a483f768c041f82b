//! E0535: f4 packing.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0535.
pub(super) static PAGE: Page = Page {
    code: "E0535",
    name: "f4-packing",
    severity: Severity::Error,
    text: r#"Two elements of `f4E2M1FN` share a byte, so a load or store through a view of them must know along
which dimension they are packed: the one whose stride is 1. Exactly one stride of the tensor view
must be the constant 1; a stride that is known only at run time does not count. The sparse dimension
of a gather/scatter view must be another one, because a row cannot start in the middle of a byte.

NVIDIA's tools have checked this since 13.5, in bytecode of every version. For older targets it is
the warning L0013."#,
    fix: r#"Write the constant 1 instead of a value and `?` for the stride of the packed dimension. Choose
another sparse dimension if it is the packed one."#,
    see: &["L0013", "E0206", "E0212", "f4E2M1FN", "strides"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f4E2M1FN>>, %n: tile<i32>) {
    %i = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [64, 64], strides = [64, %n] : tile<i32> -> tensor_view<64x64xf4E2M1FN, strides=[64,?]>
    %v = make_partition_view %t : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,?]>>
    %x, %k = load_view_tko weak %v[%i, %i] : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,?]>>, tile<i32> -> tile<16x16xf4E2M1FN>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f4E2M1FN>>) {
    %i = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %v = make_partition_view %t : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %x, %k = load_view_tko weak %v[%i, %i] : partition_view<tile=(16x16), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<16x16xf4E2M1FN>, token
  }
}
"#,
};

/// Not exactly one static stride of 1.
pub(crate) fn f4_unit_strides(range: Range<u32>, tensor: Type, count: usize) -> Diagnostic {
    let message = format!("an f4 view needs exactly one constant stride of 1, found {count} in `{tensor}`");
    Diagnostic::new(&PAGE, range, message).note("two f4 elements share a byte along the dimension whose stride is 1")
}

/// A gather/scatter view whose sparse dimension is the packed one.
pub(crate) fn f4_sparse_dim(range: Range<u32>, dim: usize) -> Diagnostic {
    let message = format!("the sparse dimension {dim} of an f4 view must not be its packed dimension");
    Diagnostic::new(&PAGE, range, message).note("two f4 elements share a byte along the dimension whose stride is 1")
}
