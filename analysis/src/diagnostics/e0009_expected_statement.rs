//! E0009: expected statement.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::foreign;
use std::ops::Range;

/// The page of E0009.
pub(super) static PAGE: Page = Page {
    code: "E0009",
    name: "expected-statement",
    severity: Severity::Error,
    text: r#"A statement starts with the names of its results and `=`, or with the name of an op. Tile IR has no
expressions, assignments or declarations: every computation is an op."#,
    fix: r#"Write `%name = op …`, or `op …` if the op has no results. Name several results without parentheses:
`%x, %y, %z = …`."#,
    see: &["E0002", "E0003", "E0103", "value"],
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

/// A token that cannot start a statement. `rest` is the rest of its line.
pub(crate) fn expected_statement(range: Range<u32>, text: &str, rest: &str) -> Diagnostic {
    let hint = match text {
        _ if text.starts_with('#') => foreign::sign(text).or_else(|| foreign::sign("#")),
        "/" if rest.starts_with('*') => foreign::sign("/*"),
        "(" if rest.contains("=") => Some("name several results without parentheses: `%x, %y, %z = …`"),
        _ if text.starts_with('@') => {
            Some("entries have no decorators; a symbol such as `@name` follows `entry` or `global`")
        }
        _ => None,
    };
    let found = Diagnostic::new(&PAGE, range, format!("expected a statement, found `{text}`"));
    found.note(hint.unwrap_or("a statement is an op, preceded by `%name =` if it has results"))
}
