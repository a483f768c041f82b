//! L0004: extract range.

use super::l0005_index_space::Outside;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of L0004.
pub(super) static PAGE: Page = Page {
    code: "L0004",
    name: "extract-range",
    severity: Severity::Warning,
    text: r#"An index of `extract` or `insert` counts slices, not elements. This index is beyond the last slice,
which is undefined behavior."#,
    fix: r#"Divide the position of the first element by the extent of the slice. A tile of 8 elements has two
slices of 4: index 0 is elements 0 to 3, and index 1 is elements 4 to 7."#,
    see: &["E0505", "R0502", "extract", "insert"],
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

/// An index beyond the last slice; `count` is the number of slices.
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
