//! E0609: empty region.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0609.
pub(super) static PAGE: Page = Page {
    code: "E0609",
    name: "empty-region",
    severity: Severity::Error,
    text: r#"A region in generic form contains a block with its arguments and its terminator. Only custom form
adds a missing terminator."#,
    fix: r#"Write the block, or at least its terminator, as in the second program below. Or write the op in
custom form."#,
    see: &["E0602", "E0610", "generic form", "yield"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    "cuda_tile.if"(%c) ({}, {}) : (!cuda_tile.tile<i1>) -> ()
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    "cuda_tile.if"(%c) ({
      "cuda_tile.yield"() : () -> ()
    }, {
      "cuda_tile.yield"() : () -> ()
    }) : (!cuda_tile.tile<i1>) -> ()
  }
}
"#,
};

/// A region without a block.
pub(crate) fn empty_region(range: Range<u32>, op: &str, region: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the region `{region}` of `{op}` is empty: it needs a block"))
}
