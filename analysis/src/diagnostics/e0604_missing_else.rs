//! E0604: missing else.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0604.
pub(super) static PAGE: Page = Page {
    code: "E0604",
    name: "missing-else",
    severity: Severity::Error,
    text: r#"A branch with results has no `else` region. Without it, the results would have no value when the
condition is false."#,
    fix: "Add an `else` region that yields values of the same types.",
    see: &["E0602", "if", "yield"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    %w = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    }
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<i1>
    %w = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    } else {
      yield %c : tile<i1>
    }
  }
}
"#,
};

/// Results without `else`.
pub(crate) fn missing_else(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "an `if` with results needs an `else`")
}
