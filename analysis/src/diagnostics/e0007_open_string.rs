//! E0007: open string.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0007.
pub(super) static PAGE: Page = Page {
    code: "E0007",
    name: "open-string",
    severity: Severity::Error,
    text: r#"A string must end on the line where it starts. A missing quote would otherwise turn the rest of the
file into a string."#,
    fix: r#"Add the closing quote. Write a line break in a string as `\n`, and a quote as `\"`."#,
    see: &["E0010", "E0552", "print_tko", "assert"],
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
    Diagnostic::new(&PAGE, range, "missing closing quote of this string")
        .note("write a line break in a string as `\\n`")
}
