//! E0545: atomic view.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0545.
pub(super) static PAGE: Page = Page {
    code: "E0545",
    name: "atomic-view",
    severity: Severity::Error,
    text: r#"`atomic_red_view_tko` is used with a gather/scatter view. It only supports partition views and
strided views."#,
    fix: r#"Use a partition or strided view. To update rows in any order, compute their addresses with `offset`
and use `atomic_rmw_tko`, which takes a tile of pointers."#,
    see: &["atomic_red_view_tko", "atomic_rmw_tko", "gather_scatter_view", "make_partition_view", "offset"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %i = constant <i32: 0> : tile<i32>
    %v = constant <i32: 1> : tile<4xi32>
    %t = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %w = make_gather_scatter_view %t : gather_scatter_view<tile=(4), tensor_view<8xi32, strides=[1]>, sparse_dim=0>
    %n = iota : tile<4xi32>
    %k = atomic_red_view_tko relaxed device %w[%n], add, %v : tile<4xi32>, gather_scatter_view<tile=(4), tensor_view<8xi32, strides=[1]>, sparse_dim=0>, tile<4xi32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %i = constant <i32: 0> : tile<i32>
    %v = constant <i32: 1> : tile<4xi32>
    %t = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %w = make_partition_view %t : partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>
    %k = atomic_red_view_tko relaxed device %w[%i], add, %v : tile<4xi32>, partition_view<tile=(4), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
};

/// A view that atomic reductions do not support.
pub(crate) fn atomic_view(range: Range<u32>, what: &str, view: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`atomic_red_view_tko` does not support {what}"))
        .here(format!("this is a `{view}`"))
}
