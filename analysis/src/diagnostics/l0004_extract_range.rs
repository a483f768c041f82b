//! L0004: extract range.

use super::Outside;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0004.
pub(super) static PAGE: Page = Page {
    code: "L0004",
    name: "extract-range",
    severity: Severity::Warning,
    text: r#"An index of `extract` or `insert` is beyond the last slice, which is undefined behavior. The indices
count slices, not elements: a tile of 64 elements has 4 slices of 16, with the indices 0 to 3."#,
    fix: "Divide the index of the first element by the extent of the slice.",
    see: &["E0505", "L0005", "extract", "insert"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 2> : tile<i32>
    %a = iota : tile<8xi32>
    %b = extract %a[%i] : tile<8xi32> -> tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 1> : tile<i32>
    %a = iota : tile<8xi32>
    %b = extract %a[%i] : tile<8xi32> -> tile<4xi32>
  }
}
"#,
};

/// A slice that does not exist. `count` is how many there are.
pub(crate) fn extract_range(
    range: Range<u32>,
    index: &str,
    op: &str,
    dim: usize,
    outside: Outside,
    count: i64,
) -> Diagnostic {
    let slices = super::words::counted(count, "slice");
    let message = format!("`{index}` {outside}, but dimension {dim} has {slices}, counted from 0");
    Diagnostic::new(&PAGE, range, message).note(format!("an index of `{op}` counts slices, not elements"))
}
