//! E0007: open string.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0007.
pub(super) static PAGE: Page = Page {
    code: "E0007",
    name: "open-string",
    severity: Severity::Error,
    text: r#"A string ends on the line where it starts. A line break inside it is written `\n`."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    print_tko "hello -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    print_tko "hello\n" -> token
  }
}
"#,
};

/// A string without its closing quote.
pub(crate) fn open_string(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "this string has no closing quote")
        .note("a line break inside a string is written `\\n`")
}
