//! E0008: bad character.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0008.
pub(super) static PAGE: Page = Page {
    code: "E0008",
    name: "bad-character",
    severity: Severity::Error,
    text: r#"A character that no token starts with. Identifiers are made of ASCII letters, digits, `_`, `$` and `.`; other characters
may stand in comments and strings only."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32> ;
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

/// A character outside the language.
pub(crate) fn bad_character(range: Range<u32>, text: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`{text}` is no part of the language"))
}
