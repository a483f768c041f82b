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
    let found = if found.is_empty() { "nothing".to_string() } else { format!("`{found}`") };
    Diagnostic::new(&PAGE, range, format!("{what} should stand here, not {found}"))
}
