//! E0504: dimension range.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0504.
pub(super) static PAGE: Page = Page {
    code: "E0504",
    name: "dimension-range",
    severity: Severity::Error,
    text: r#"An op names a dimension that its operand does not have. Dimensions count from 0, so a tile of rank 2
has the dimensions 0 and 1. Negative numbers do not count from the end."#,
    fix: r#"Use a number from 0 to the rank minus 1. To join tiles along a new dimension, add a dimension of
extent 1 with `reshape` before `cat`."#,
    see: &["cat", "reduce", "scan", "reshape"],
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
    // A negative dimension counts from the end, as in Python.
    match dim.checked_add(rank as i64).filter(|from_end| dim < 0 && *from_end >= 0) {
        Some(from_end) => found.fix(format!("write `{from_end}`"), range, from_end.to_string()),
        None => found,
    }
}
