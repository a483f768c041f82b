//! E0005: unmatched brace.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0005.
pub(super) static PAGE: Page = Page {
    code: "E0005",
    name: "unmatched-brace",
    severity: Severity::Error,
    text: r#"A `}` has no matching `{`. If the extra brace is inside an entry, the text after it is still checked
as part of the entry."#,
    fix: r#"Remove the extra `}`, or add the `{` that is missing before it."#,
    see: &["E0001", "E0003", "E0108", "module"],
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

/// A `}` without its `{`. If the range has two braces, the first one closed the last open region and either of them can
/// be the extra one.
pub(crate) fn unmatched_brace(range: Range<u32>) -> Diagnostic {
    let brace = range.end - 1..range.end;
    let message = if range == brace { "unmatched `}`" } else { "one of these `}` is unmatched" };
    Diagnostic::new(&PAGE, range, message).fix("remove this `}`", brace, "")
}
