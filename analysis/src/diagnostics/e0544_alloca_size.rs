//! E0544: alloca size.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0544.
pub(super) static PAGE: Page = Page {
    code: "E0544",
    name: "alloca-size",
    severity: Severity::Error,
    text: r#"The size or alignment of an `alloca` is invalid. The number of elements is not negative, and the
alignment, in bytes, is a power of two that is at least the size of one element."#,
    fix: "Use an alignment of at least the element size, such as 4 for `f32`.",
    see: &["R0108", "alloca", "alignment", "num_elem"],
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

/// A size or alignment that cannot be.
pub(crate) fn alloca(range: Range<u32>, what: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, what)
}
