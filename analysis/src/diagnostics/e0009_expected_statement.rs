//! E0009: expected statement.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0009.
pub(super) static PAGE: Page = Page {
    code: "E0009",
    name: "expected-statement",
    severity: Severity::Error,
    text: r#"A statement starts with the names of its results and `=`, or with the name of an op."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    + iota : tile<4xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
  }
}
"#,
};

/// Something that starts no statement.
pub(crate) fn expected_statement(range: Range<u32>, text: &str) -> Diagnostic {
    let message = format!("a statement cannot start with `{text}`");
    Diagnostic::new(&PAGE, range, message)
        .note("a statement is an op, with `%name =` in front of it where it has results")
}
