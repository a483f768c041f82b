//! E0304: type count.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0304.
pub(super) static PAGE: Page = Page {
    code: "E0304",
    name: "type-count",
    severity: Severity::Error,
    text: r#"A list of types has a different length than the list of values that it describes. The types are in
the order of the values, one for each."#,
    fix: "Add the missing types, or remove the surplus ones.",
    see: &["E0301", "E0306"],
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

/// More or fewer types than values.
pub(crate) fn type_count(range: Range<u32>, op: &str, part: &str, values: usize, types: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("expected {} for `{part}` of `{op}`, found {types}", counted(values as i64, "type")),
    )
}

/// Values whose types are left out although there are values.
pub(crate) fn type_left_out(range: Range<u32>, op: &str, part: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the type of `{part}` of `{op}` is missing"))
}
