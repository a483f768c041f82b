//! E0102: redefinition.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0102.
pub(super) static PAGE: Page = Page {
    code: "E0102",
    name: "redefinition",
    severity: Severity::Error,
    text: r#"A name stands for one value in all the places that can see it. Regions do not hide the names around them."#,
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %a = iota : tile<8xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<4xi32>
    %b = iota : tile<8xi32>
  }
}
"#,
};

/// A name that is taken.
pub(crate) fn redefinition(range: Range<u32>, name: &str, earlier: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`%{name}` is already defined"))
        .label(earlier, "first defined here")
        .note("a name is defined once: choose another one")
}
