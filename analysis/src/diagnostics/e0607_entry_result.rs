//! E0607: entry result.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0607.
pub(super) static PAGE: Page = Page {
    code: "E0607",
    name: "entry-result",
    severity: Severity::Error,
    text: r#"An entry returns nothing: results go to memory, through a pointer."#,
    fix: "",
    see: &[],
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
