//! E0206: odd f4.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0206.
pub(super) static PAGE: Page = Page {
    code: "E0206",
    name: "odd-f4",
    severity: Severity::Error,
    text: r#"A tile of `f4E2M1FN` has an odd number of elements. Two elements of 4 bits share a byte, and a tile
takes whole bytes."#,
    fix: "Use at least two elements: make an extent 2 or larger.",
    see: &["E0212", "E0535", "f4E2M1FN"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<f4E2M1FN>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
  }
}
"#,
};

/// An odd number of 4-bit floats.
pub(crate) fn odd_f4(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "a tile of `f4E2M1FN` has an even number of elements: two share a byte")
}
