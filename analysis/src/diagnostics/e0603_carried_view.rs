//! E0603: carried view.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0603.
pub(super) static PAGE: Page = Page {
    code: "E0603",
    name: "carried-view",
    severity: Severity::Error,
    text: r#"A view is carried by a loop or returned by a branch. Only tiles and tokens can be carried or
returned: the memory that a view describes must be known statically."#,
    fix: "Create the view inside the region, or carry the numbers that it is made from.",
    see: &["E0602", "E0605", "make_tensor_view", "for"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %c = constant <i1: true> : tile<i1>
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = if %c -> (tensor_view<8x8xf32, strides=[8,1]>) {
      yield %v : tensor_view<8x8xf32, strides=[8,1]>
    } else {
      yield %v : tensor_view<8x8xf32, strides=[8,1]>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %c = constant <i1: true> : tile<i1>
    %w = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    } else {
      yield %c : tile<i1>
    }
  }
}
"#,
};

/// A view that is carried or given.
pub(crate) fn carried_view(range: Range<u32>, op: &str, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` cannot carry or return a view, found `{ty}`"))
        .note("make the view before the `for` or `loop`, or inside it")
}
