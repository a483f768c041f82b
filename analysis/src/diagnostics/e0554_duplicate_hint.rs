//! E0554: duplicate hint.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0554.
pub(super) static PAGE: Page = Page {
    code: "E0554",
    name: "duplicate-hint",
    severity: Severity::Error,
    text: r#"Optimization hints list an architecture more than once. Each architecture has one set of hints, so
the second one would contradict the first."#,
    fix: "Merge the two lists.",
    see: &["L0008", "optimization_hints"],
    wrong: r#"cuda_tile.module @m {
  entry @k() optimization_hints=<sm_90 = {occupancy = 1}, sm_90 = {occupancy = 2}> {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() optimization_hints=<sm_90 = {occupancy = 1}> {
  }
}
"#,
};

/// An architecture that is listed twice.
pub(crate) fn duplicate_hint(range: Range<u32>, key: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("duplicate hints for `{key}`"))
}
