//! E0007: open string.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0007.
pub(super) static PAGE: Page = Page {
    code: "E0007",
    name: "open-string",
    severity: Severity::Error,
    text: r#"A string has no closing quote on its line. A string must end on the line where it starts, so that a
missing quote affects one line and not the rest of the file."#,
    fix: "Add the closing quote. Write a line break inside a string as `\n`.",
    see: &["E0008", "print_tko", "comment"],
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
