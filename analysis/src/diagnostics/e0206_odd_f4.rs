//! E0206: odd f4.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0206.
pub(super) static PAGE: Page = Page {
    code: "E0206",
    name: "odd-f4",
    severity: Severity::Error,
    text: r#"Two `f4E2M1FN` elements share a byte. A tile of them must have an even number of elements, so that
it fills whole bytes."#,
    fix: r#"Double an extent, as in `tile<2xf4E2M1FN>` instead of `tile<f4E2M1FN>`, or use a wider element type."#,
    see: &["E0212", "E0535", "f4E2M1FN", "tile sizes"],
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
    Diagnostic::new(&PAGE, range, "a tile of `f4E2M1FN` must have an even number of elements: two share a byte")
}
