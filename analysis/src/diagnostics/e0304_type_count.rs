//! E0304: type count.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0304.
pub(super) static PAGE: Page = Page {
    code: "E0304",
    name: "type-count",
    severity: Severity::Error,
    text: r#"A list of types has a different length than the list of values that it describes. There is one type
for each value, in the same order, even if all types are equal."#,
    fix: r#"Write one type for each value, separated by commas. The indices of a view are the exception: a
single type applies to all of them."#,
    see: &["E0001", "E0301", "E0306"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    print_tko "%i %i\n", %a, %a : tile<4xi32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    print_tko "%i %i\n", %a, %a : tile<4xi32>, tile<4xi32> -> token
  }
}
"#,
};

/// A number of types that differs from the number of values.
pub(crate) fn type_count(range: Range<u32>, op: &str, part: &str, values: usize, types: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("expected {} for `{part}` of `{op}`, found {types}", counted(values as i64, "type")),
    )
}

/// Operands without their types.
pub(crate) fn type_left_out(range: Range<u32>, op: &str, part: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the type of `{part}` of `{op}` is missing"))
}
