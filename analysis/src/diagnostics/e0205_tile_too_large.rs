//! E0205: tile too large.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0205.
pub(super) static PAGE: Page = Page {
    code: "E0205",
    name: "tile-too-large",
    severity: Severity::Error,
    text: r#"A tile can have at most 16,777,216 (2^24) elements, counted over all its dimensions. This is a limit
of the language; a tensor can be larger, and is processed tile by tile."#,
    fix: r#"Use smaller tiles: cut the data into tiles with a view, and process them in a loop or in several
tile blocks."#,
    see: &["E0203", "tile sizes", "make_partition_view"],
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

/// More elements than a tile can have. `elements` is `None` if the product overflows.
pub(crate) fn tile_too_large(range: Range<u32>, elements: Option<i64>) -> Diagnostic {
    let count = elements.map_or("more than 2^63".to_string(), |count| count.to_string());
    Diagnostic::new(&PAGE, range, format!("a tile can have at most 16777216 elements, found {count}"))
}
