//! E0607: entry result.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0607.
pub(super) static PAGE: Page = Page {
    code: "E0607",
    name: "entry-result",
    severity: Severity::Error,
    text: r#"An entry has a result type. The host launches an entry without receiving a value from it, so an
entry has no results."#,
    fix: "Remove the result types, and store results to memory through a pointer parameter.",
    see: &["E0606", "entry", "return"],
    wrong: r#"cuda_tile.module @m {
  entry @k() -> tile<f32> {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%result: tile<ptr<f32>>) {
  }
}
"#,
};

/// An entry with results.
pub(crate) fn entry_result(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "an entry returns nothing; store results through a pointer")
}
