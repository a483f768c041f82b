//! E0603: carried view.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0603.
pub(super) static PAGE: Page = Page {
    code: "E0603",
    name: "carried-view",
    severity: Severity::Error,
    text: r#"The carried values of a loop and the results of a loop or an `if` are tiles and tokens. A view can
be neither."#,
    fix: r#"Pass the pointer or the extents instead, and make the view from them. A view that does not change
can be made before the op and used in its region."#,
    see: &["E0602", "for", "if", "make_tensor_view"],
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
    %q = if %c -> (tile<ptr<f32>>) {
      yield %p : tile<ptr<f32>>
    } else {
      yield %p : tile<ptr<f32>>
    }
    %v = make_tensor_view %q, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
  }
}
"#,
};

/// A view as a carried value or a result.
pub(crate) fn carried_view(range: Range<u32>, op: &str, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` cannot carry or return a view, found `{ty}`"))
        .note(format!("make the view before the `{op}` or in its region"))
}
