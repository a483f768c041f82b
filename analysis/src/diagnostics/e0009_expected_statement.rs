//! E0009: expected statement.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use std::ops::Range;

/// The page of E0009.
pub(super) static PAGE: Page = Page {
    code: "E0009",
    name: "expected-statement",
    severity: Severity::Error,
    text: r#"A statement was expected here. A statement starts with the names of its results followed by `=`, or
with the name of an op."#,
    fix: "Remove the text, or complete it to a statement such as `%sum = addi %a, %b : tile<i32>`.",
    see: &["E0001", "E0003", "value"],
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

/// Something that starts no statement. `rest` is what follows it on its line.
pub(crate) fn expected_statement(range: Range<u32>, text: &str, rest: &str) -> Diagnostic {
    let hint = match text {
        _ if text.starts_with('#') => foreign::sign(text).or_else(|| foreign::sign("#")),
        "/" if rest.starts_with('*') => foreign::sign("/*"),
        "(" if rest.contains("=") => Some("several results are named without parentheses: `%x, %y, %z = …`"),
        _ if text.starts_with('@') => Some("entries have no decorators, and symbols follow `entry` or `global`"),
        _ => None,
    };
    let found = Diagnostic::new(&PAGE, range, format!("expected a statement, found `{text}`"));
    found.note(hint.unwrap_or("a statement is an op, after `%name =` where it has results"))
}
