//! E0554: duplicate hint.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0554.
pub(super) static PAGE: Page = Page {
    code: "E0554",
    name: "duplicate-hint",
    severity: Severity::Error,
    text: r#"Optimization hints list an architecture twice. They map each architecture to its hints, so it can be
listed only once."#,
    fix: r#"Merge the hints of the architecture, as in `<sm_90 = {occupancy = 2, num_cta_in_cga = 2}>`."#,
    see: &["L0008", "optimization_hints", "occupancy"],
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
