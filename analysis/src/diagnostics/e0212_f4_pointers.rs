//! E0212: tile of f4 pointers.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0212.
pub(super) static PAGE: Page = Page {
    code: "E0212",
    name: "f4-pointers",
    severity: Severity::Error,
    text: r#"A tile of pointers to `f4E2M1FN` has more than one element. Two elements of this type share a byte,
so most of them have no address. A pointer tile must have rank 0 and point to the start of a tensor,
whose elements are accessed through a view.

NVIDIA's tools check this since 13.5, in bytecode of every version; for older targets it is a
warning, L0013."#,
    fix: "Pass a scalar pointer, make a tensor view from it, and load tiles through a partition view.",
    see: &["E0206", "E0535", "L0013", "f4E2M1FN", "make_tensor_view"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f4E2M1FN>>) {
    %q = reshape %p : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f4E2M1FN>>) {
    %t = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
  }
}
"#,
};

/// A tile of pointers to f4 elements that is not of rank 0.
pub(crate) fn f4_pointers(range: Range<u32>, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("a tile of f4 pointers must have rank 0, found `{ty}`"))
        .note("load and store f4 elements through a view")
}
