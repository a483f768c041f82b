//! E0504: dimension range.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0504.
pub(super) static PAGE: Page = Page {
    code: "E0504",
    name: "dimension-range",
    severity: Severity::Error,
    text: r#"An op refers to a dimension that its operand does not have. Dimensions are counted from 0, so the
last one of a tile of rank 2 is 1."#,
    fix: "Use a smaller number.",
    see: &["E0503", "E0605", "reduce", "cat"],
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
    let message = format!("dimension {dim} of `{op}` is out of range for rank {rank}");
    let found = Diagnostic::new(&PAGE, range.clone(), message).note("dimensions count from 0");
    // As Python counts: from the end.
    match dim.checked_add(rank as i64).filter(|from_end| dim < 0 && *from_end >= 0) {
        Some(from_end) => found.fix(format!("write `{from_end}`"), range, from_end.to_string()),
        None => found,
    }
}
