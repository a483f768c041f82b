//! E0005: unmatched brace.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0005.
pub(super) static PAGE: Page = Page {
    code: "E0005",
    name: "unmatched-brace",
    severity: Severity::Error,
    text: r#"A closing brace has no opening one. Inside an entry, the text after it is still read as a part of
the entry, so that one extra brace does not cause further errors."#,
    fix: "Remove the brace, or insert the opening brace of the region that it should close.",
    see: &["E0001", "E0009", "E0602"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    return
  }
}
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    return
  }
}
"#,
};

/// A `}` that closes nothing. The range may start with the brace on a line before that has closed the last thing open.
pub(crate) fn unmatched_brace(range: Range<u32>) -> Diagnostic {
    let brace = range.end - 1..range.end;
    let message = if range == brace { "unmatched `}`" } else { "one of these `}` is unmatched" };
    Diagnostic::new(&PAGE, range, message).fix("remove it", brace, "")
}
