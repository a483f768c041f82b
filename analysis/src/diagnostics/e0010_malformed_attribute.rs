//! E0010: malformed attribute.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0010.
pub(super) static PAGE: Page = Page {
    code: "E0010",
    name: "malformed-attribute",
    severity: Severity::Error,
    text: r#"The value of an attribute is not written the way this attribute is written."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: > : tile<i32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = constant <i32: 1> : tile<i32>
  }
}
"#,
};

/// An attribute whose value cannot be read.
pub(crate) fn malformed_attribute(range: Range<u32>, what: &str, found: &str) -> Diagnostic {
    // A string may be as long as the program.
    let shown = match found.char_indices().nth(40) {
        Some((end, _)) => format!("`{}…`", &found[..end]),
        None => format!("`{found}`"),
    };
    let found = if found.is_empty() { "nothing".to_string() } else { shown };
    Diagnostic::new(&PAGE, range, format!("{what} should stand here, not {found}"))
}

/// A name that a dictionary holds twice.
pub(crate) fn duplicate_entry(range: Range<u32>, name: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{name}` stands in this dictionary already"))
}

/// A backslash in a string that starts nothing known.
pub(crate) fn bad_escape(range: Range<u32>, escape: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{escape}` is no escape"))
        .note("a string has the escapes `\\n`, `\\t`, `\\\"`, `\\\\`, and two hexadecimal digits, as in `\\0A`")
}
