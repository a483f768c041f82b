//! E0205: tile too large.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0205.
pub(super) static PAGE: Page = Page {
    code: "E0205",
    name: "tile-too-large",
    severity: Severity::Error,
    text: r#"A tile has more than 16,777,216 (2^24) elements. That is the limit of the language; tiles of
practical programs are far smaller, since they have to fit into registers and shared memory."#,
    fix: "Use a smaller tile, and process the tensor in a loop or with more tile blocks.",
    see: &["E0203", "E0204", "tile sizes"],
    wrong: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<33554432xi32>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k() {
    %a = iota : tile<16777216xi32>
  }
}
"#,
};

/// More elements than a tile may have.
pub(crate) fn tile_too_large(range: Range<u32>, elements: Option<i64>) -> Diagnostic {
    let count = elements.map_or("more than 2^63".to_string(), |count| count.to_string());
    Diagnostic::new(&PAGE, range, format!("a tile may have at most 16777216 elements, found {count}"))
}
