//! E0504: dimension range.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0504.
pub(super) static PAGE: Page = Page {
    code: "E0504",
    name: "dimension-range",
    severity: Severity::Error,
    text: r#"An op names a dimension that its operand does not have. Dimensions count from 0."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = cat %a, %a dim = 1 : tile<4xi32>, tile<4xi32> -> tile<8xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = cat %a, %a dim = 0 : tile<4xi32>, tile<4xi32> -> tile<8xi32>
  }
}
"#,
};

/// A dimension beyond the rank.
pub(crate) fn dimension_range(range: Range<u32>, op: &str, dim: i64, rank: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` over dimension {dim}: the operand has rank {rank}, counted from 0"))
}
