//! E0604: missing else.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0604.
pub(super) static PAGE: Page = Page {
    code: "E0604",
    name: "missing-else",
    severity: Severity::Error,
    text: r#"An `if` with results has no `else`. Without it, the results would have no value if the condition is
false."#,
    fix: r#"Add an `else` that yields a value for each result. If both values can be computed in any case, use
`select` instead."#,
    see: &["E0602", "if", "yield", "select"],
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

/// An `if` with results but without `else`.
pub(crate) fn missing_else(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "an `if` with results needs an `else`")
}
