//! E0212: f4 pointers.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0212.
pub(super) static PAGE: Page = Page {
    code: "E0212",
    name: "f4-pointers",
    severity: Severity::Error,
    text: r#"Two elements of `f4E2M1FN` share a byte, so not every element has its own address. A tile of
pointers to them must therefore have rank 0: it points to the start of a tensor, whose elements are
loaded and stored through a view.

NVIDIA's tools have checked this since 13.5, in bytecode of every version. For older targets it is
the warning L0013."#,
    fix: r#"Make a tensor view of the pointer with `make_tensor_view`, and load and store the elements through a
partition view."#,
    see: &["L0013", "E0206", "E0535", "f4E2M1FN", "make_tensor_view"],
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
