//! E0005: unmatched brace.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0005.
pub(super) static PAGE: Page = Page {
    code: "E0005",
    name: "unmatched-brace",
    severity: Severity::Error,
    text: r#"A closing brace has no opening one. Where it stands inside an entry, what follows is still read as part of the entry."#,
    fix: "",
    see: &[],
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
    let message = if range == brace { "this `}` closes nothing" } else { "one of these `}` closes nothing" };
    Diagnostic::new(&PAGE, range, message).fix("remove it", brace, "")
}
