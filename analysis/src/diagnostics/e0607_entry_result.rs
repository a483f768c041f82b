//! E0607: entry result.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0607.
pub(super) static PAGE: Page = Page {
    code: "E0607",
    name: "entry-result",
    severity: Severity::Error,
    text: r#"An entry has a result type. The host launches an entry on many tile blocks and reads the results
from memory, so an entry has no results."#,
    fix: r#"Add a pointer parameter, and store the result through it with `store_ptr_tko` or through a view of
it."#,
    see: &["E0606", "entry", "store_ptr_tko", "store_view_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k() -> tile<f32> {
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%result: tile<ptr<f32>>) {
  }
}
"#,
};

/// An entry with results.
pub(crate) fn entry_result(range: Range<u32>) -> Diagnostic {
    Diagnostic::new(&PAGE, range, "an entry cannot have results; store them through a pointer")
}
