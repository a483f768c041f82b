//! E0306: value count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0306.
pub(super) static PAGE: Page = Page {
    code: "E0306",
    name: "value-count",
    severity: Severity::Error,
    text: r#"An op in generic form has the wrong number of operands, operand types, results or regions. If more
than one group of operands has a variable length, the property `operandSegmentSizes` gives the
length of each group."#,
    fix: r#"Correct the lists; `tile doc OP` shows what the op takes. In custom form, the lengths follow from
the syntax."#,
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

/// A wrong number of `what`, such as operands or result types.
pub(crate) fn value_count(range: Range<u32>, op: &str, what: &str, expected: usize, found: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{op}` has the wrong number of {what}: expected {expected}, found {found}"))
}
