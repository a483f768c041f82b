//! E0535: packed dimension of an f4 view.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0535.
pub(super) static PAGE: Page = Page {
    code: "E0535",
    name: "f4-packing",
    severity: Severity::Error,
    text: r#"A load or store through a view of `f4E2M1FN` requires that the packed dimension is known. Two
elements share a byte, and they are packed along the dimension whose stride is 1. Exactly one stride
of the tensor view must be the constant 1; a dynamic stride does not count. The sparse dimension of
a gather/scatter view must be a different one, because a row cannot start in the middle of a byte.

NVIDIA's tools check this since 13.5, in bytecode of every version; for older targets it is a
warning, L0013."#,
    fix: "Write the constant 1 for the stride of the packed dimension in the type of the tensor view.",
    see: &["E0206", "E0212", "L0013", "strides"],
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

/// Another number of static strides of 1 than one.
pub(crate) fn f4_unit_strides(range: Range<u32>, tensor: Type, count: usize) -> Diagnostic {
    let message = format!("an f4 view needs exactly one constant stride of 1, found {count} in `{tensor}`");
    Diagnostic::new(&PAGE, range, message).note("two f4 elements share a byte along the dimension whose stride is 1")
}

/// A gather/scatter view whose sparse dimension is the packed one.
pub(crate) fn f4_sparse_dim(range: Range<u32>, dim: usize) -> Diagnostic {
    let message = format!("the sparse dimension {dim} of an f4 view must not be its packed dimension");
    Diagnostic::new(&PAGE, range, message).note("two f4 elements share a byte along the dimension whose stride is 1")
}
