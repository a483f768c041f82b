//! E0544: alloca size.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0544.
pub(super) static PAGE: Page = Page {
    code: "E0544",
    name: "alloca-size",
    severity: Severity::Error,
    text: r#"`alloca` reserves scratch memory for `num_elem` elements, which cannot be negative. The alignment,
in bytes, must be a power of two and at least the size of one element, because accesses must be
aligned to the element size."#,
    fix: r#"Use the element size as the alignment, such as 4 for `f32`, or a larger power of two."#,
    see: &["alloca", "num_elem", "alignment", "R0103"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = alloca num_elem = 16, alignment = 2 : tile<ptr<f32>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = alloca num_elem = 16, alignment = 4 : tile<ptr<f32>>
  }
}
"#,
};

/// An invalid size or alignment.
pub(crate) fn alloca(range: Range<u32>, what: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, what)
}
