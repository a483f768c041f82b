//! E0532: view source.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::{TensorViewType, TileType, Type};
use std::ops::Range;

/// The page of E0532.
pub(super) static PAGE: Page = Page {
    code: "E0532",
    name: "view-source",
    severity: Severity::Error,
    text: r#"A tensor view leads to elements of the type that its pointer points to, and a partition, strided or gather/scatter view names
in its type the very tensor view that it is made of."#,
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf16, strides=[1]>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
  }
}
"#,
};

/// A pointer to something else.
pub(crate) fn view_pointer(range: Range<u32>, pointer: &TileType, view: &TensorViewType) -> Diagnostic {
    let message = format!("the pointer has type `{pointer}`, but the view holds `{}`", view.element);
    Diagnostic::new(&PAGE, range, message)
}

/// Another tensor view than the operand.
pub(crate) fn view_tensor(range: Range<u32>, operand: Type, stated: Type) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("the operand has type `{operand}`, but the type of the result names `{stated}`"),
    )
}
