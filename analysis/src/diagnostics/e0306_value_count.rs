//! E0306: value count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0306.
pub(super) static PAGE: Page = Page {
    code: "E0306",
    name: "value-count",
    severity: Severity::Error,
    text: r#"An op in generic form has a different number of operands, operand types or results than the op
requires. If several groups of operands have variable lengths, the property `operandSegmentSizes`
gives the length of each."#,
    fix: r#"Add or remove operands and types, and correct `operandSegmentSizes`. `tile doc OP` lists the
operands of an op."#,
    see: &["E0013", "E0103", "E0304", "generic form"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = "cuda_tile.absi"(%a, %a) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 7> : tile<i32>
    %b = "cuda_tile.absi"(%a) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  }
}
"#,
};

/// Another number of something than belongs there.
pub(crate) fn value_count(range: Range<u32>, op: &str, what: &str, expected: usize, found: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` expects {expected} {what}, found {found}"))
}
